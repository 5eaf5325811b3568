/** A target as a process of its own, on a core of its own where `taskset` is there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { entry } from '../../src/system/package-root.ts';

export interface Stats {
  readonly requests: number;
  readonly in_flight: number;
  readonly rss_bytes: number;
  readonly heap_used_bytes: number;
  readonly ledger_used_bytes: number;
}

export interface TargetProcess {
  readonly url: string;
  readonly pid: number;
  stats(): Promise<Stats>;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
}

/** Starts `tare serve` with these flags and waits for its line. */
export async function startTarget(flags: readonly string[], cpu: number | null): Promise<TargetProcess> {
  const serve = [process.execPath, entry('src/cli/main.js'), 'serve', '--port', '0', ...flags];
  const argv = [
    ...(cpu === null ? [] : ['taskset', '-c', String(cpu)]),
    ...serve,
    '--parent-pid',
    String(process.pid),
  ];
  const child = spawn(argv[0]!, argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (part) => {
    complaints += part;
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(([code]) => {
      throw new Error(`the target ended with ${code} before it was ready: ${complaints}`);
    }),
  ])) as [Buffer];
  const { url, pid } = JSON.parse(String(line)) as { url: string; pid: number };
  return {
    url,
    pid,
    stats: async () => (await (await request(`${url}/tare/stats`)).body.json()) as Stats,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
