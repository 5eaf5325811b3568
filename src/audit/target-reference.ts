/** The reference target as a process of its own, for one trial. */
import { join } from 'node:path';
import { entry } from '../system/package-root.ts';
import type { TargetInfo } from './document.ts';
import type { RunningTarget, TargetOptions, TargetSource } from './target.ts';
import { startTargetProcess } from './target-process.ts';

/** The model that it serves in an audit. */
export const REFERENCE_MODEL = 'tare-reference';

/** It as a plan names it, where no user chose it: in a check and in a selftest. */
export const REFERENCE_INFO: TargetInfo = {
  kind: 'reference',
  url: null,
  version: null,
  path: null,
  model: REFERENCE_MODEL,
  remote: false,
};

/** The target's own command, as a user would type it. */
export function targetCommand(
  options: TargetOptions,
  ledgerFile: string,
  flags: readonly string[] = [],
): string[] {
  const { workload, capacity } = options;
  return [
    process.execPath,
    entry('src/cli/main.js'),
    'serve',
    ...['--port', '0'],
    ...['--ledger', ledgerFile],
    ...['--latency', workload.latency],
    ...['--seed', String(workload.seed)],
    ...['--model', options.model],
    ...['--tokens', String(workload.outputTokens)],
    // A core of its own is what spinning needs; on a shared one it would starve the client.
    ...['--pacing', options.cpus === null ? 'block' : 'spin'],
    ...['--parent-pid', String(process.pid)],
    ...['--capacity-requests', String(capacity)],
    ...['--capacity-tokens', String(capacity * workload.outputTokens)],
    ...flags,
  ];
}

async function start(options: TargetOptions, flags: readonly string[]): Promise<RunningTarget> {
  const ledgerFile = join(options.dir, 'ledger.arrow');
  const argv = targetCommand(options, ledgerFile, flags);
  return { ...(await startTargetProcess('the reference target', argv, ledgerFile, options)), ledgerFile };
}

/** The reference target with further flags of `tare serve`. */
export const referenceWith = (flags: readonly string[]): TargetSource => ({
  start: (options) => start(options, flags),
});

export const referenceTarget: TargetSource = referenceWith([]);
