/** A target of `tare serve` as a process of its own, for one run of a client. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchResult, Running } from '../system/launcher.ts';
import type { RunningTarget, TargetOptions } from './target.ts';

/** How long a target may take to be ready, and to write its ledger after the end. */
const READY_MS = 20_000;
const STOP_MS = 30_000;

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

/** The line of a program's stderr that says why it ended; a stack's frames do not. */
export function reasonIn(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v|^\s*\^/.test(line));
  const said = lines.findLast((line) => /^tare: |Error\b|\bE[A-Z]{4,}\b/.test(line));
  return (said ?? lines.slice(-3).join(' ')).trim();
}

/**
 * Starts a target's command and waits until it is ready; it is to leave `leavesFile` at its end. Throws with the target's own
 * words where it is not ready.
 */
export async function startTargetProcess(
  name: string,
  argv: readonly string[],
  leavesFile: string,
  options: Pick<TargetOptions, 'launcher' | 'dir' | 'cpus' | 'deadlineMs'>,
): Promise<Omit<RunningTarget, 'ledgerFile'>> {
  const stdoutFile = join(options.dir, 'target.stdout.txt');
  const stderrFile = join(options.dir, 'target.stderr.txt');
  const running: Running = options.launcher.launch({
    argv,
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
    const words = reasonIn(await readFile(stderrFile, 'utf8').catch(() => ''));
    throw new Error(`${name} did not start: ${words || 'it gave no reason'}`);
  }
  return {
    url,
    async stop() {
      if (result === null) await waitForQuiet(url);
      running.stop();
      const { end } = await done;
      const failure = existsSync(leavesFile) ? null : `the target left no ledger (${end})`;
      return { failure, exported: null };
    },
  };
}
