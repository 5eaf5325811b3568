/** The probe target as a process of its own, for one run of a client. */
import { join } from 'node:path';
import { entry } from '../../system/package-root.ts';
import type { RunningTarget, TargetOptions } from '../target.ts';
import { startTargetProcess } from '../target-process.ts';

/** What it needs of a trial's options. */
export type ProbeTargetStart = Pick<TargetOptions, 'launcher' | 'model' | 'dir' | 'cpus' | 'deadlineMs'>;

/** It keeps no ledger of Arrow, but one of its own: see src/truth/probe-ledger.ts. */
export interface RunningProbeTarget extends RunningTarget {
  readonly ledgerFile: null;
  /** There after `stop`. */
  readonly probeLedgerFile: string;
}

/** Its own command, as a user would type it. `slots`: ids of probes in the order in which requests get them. */
export function probeTargetCommand(
  options: ProbeTargetStart,
  ledgerFile: string,
  slots: readonly string[],
  plainFirst: number,
): string[] {
  return [
    process.execPath,
    entry('src/cli/main.js'),
    'serve',
    ...['--probe', slots.join(',')],
    ...['--plain-first', String(plainFirst)],
    ...['--port', '0'],
    ...['--ledger', ledgerFile],
    ...['--model', options.model],
    // A core of its own is what spinning needs; on a shared one it would starve the client.
    ...['--pacing', options.cpus === null ? 'block' : 'spin'],
    ...['--parent-pid', String(process.pid)],
  ];
}

/** The target that plays these probes; the first `plainFirst` requests get the plain base profile. */
export const probeTarget = (slots: readonly string[], plainFirst: number) => ({
  async start(options: ProbeTargetStart): Promise<RunningProbeTarget> {
    const probeLedgerFile = join(options.dir, 'probe-ledger.json');
    const argv = probeTargetCommand(options, probeLedgerFile, slots, plainFirst);
    const target = await startTargetProcess('the probe target', argv, probeLedgerFile, options);
    return { ...target, ledgerFile: null, probeLedgerFile };
  },
});
