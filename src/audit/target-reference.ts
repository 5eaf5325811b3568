/** The reference target as a process of its own, for one trial. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchResult, Running } from '../system/launcher.ts';
import { entry } from '../system/package-root.ts';
import type { TargetInfo } from './document.ts';
import type { RunningTarget, TargetOptions, TargetSource } from './target.ts';

/** How long a target may take to be ready, and to write its ledger after the end. */
const READY_MS = 20_000;
const STOP_MS = 30_000;

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

async function readyUrl(file: string, ended: () => boolean): Promise<string | null> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until && !ended()) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const end = text.indexOf('\n');
    if (end > 0) return (JSON.parse(text.slice(0, end)) as { url: string }).url;
    await sleep(15);
  }
  return null;
}

async function waitForQuiet(url: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    try {
      const response = await fetch(`${url}/tare/stats`);
      const stats = (await response.json()) as { in_flight: number };
      if (stats.in_flight === 0) return;
    } catch {
      return;
    }
    await sleep(50);
  }
}

/** Starts a target and waits until it is ready. Throws with the target's own words where it is not. */
async function start(options: TargetOptions, flags: readonly string[]): Promise<RunningTarget> {
  const ledgerFile = join(options.dir, 'ledger.arrow');
  const stdoutFile = join(options.dir, 'target.stdout.txt');
  const stderrFile = join(options.dir, 'target.stderr.txt');
  const running: Running = options.launcher.launch({
    argv: targetCommand(options, ledgerFile, flags),
    cwd: options.dir,
    stdoutFile,
    stderrFile,
    deadlineMs: options.deadlineMs + READY_MS + STOP_MS,
    graceMs: STOP_MS,
    ...(options.cpus === null ? {} : { cpus: options.cpus }),
  });
  let result: LaunchResult | null = null;
  const done = running.done.then((value) => {
    result = value;
    return value;
  });
  const url = await readyUrl(stdoutFile, () => result !== null);
  if (url === null) {
    running.stop();
    await done;
    const words = (await readFile(stderrFile, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join(' ');
    throw new Error(`the reference target did not start: ${words || 'it gave no reason'}`);
  }
  return {
    url,
    ledgerFile,
    async stop() {
      if (result === null) await waitForQuiet(url);
      running.stop();
      const { end } = await done;
      const failure = existsSync(ledgerFile) ? null : `the target left no ledger (${end})`;
      return { failure, exported: null };
    },
  };
}

/** The reference target with further flags of `tare serve`. */
export const referenceWith = (flags: readonly string[]): TargetSource => ({
  start: (options) => start(options, flags),
});

export const referenceTarget: TargetSource = referenceWith([]);
