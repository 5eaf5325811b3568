/** Closed-loop load by wrk: as many requests as the target can answer. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ClosedLoop {
  readonly rps: number;
  /** Answers other than 2xx, and socket errors. */
  readonly errors: number;
}

/** Whether a program can be started. */
export const has = (program: string): Promise<boolean> =>
  run('which', [program]).then(
    () => true,
    () => false,
  );

/** Runs wrk on core `cpu` against the target's chat endpoint. */
export async function closedLoop(
  url: string,
  dir: string,
  seconds: number,
  cpu: number | null,
): Promise<ClosedLoop> {
  const script = join(dir, 'chat.lua');
  const body = JSON.stringify({
    messages: [{ role: 'user', content: 'one two three four five six seven eight' }],
    max_tokens: 16,
    stream: true,
  });
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = [[${body}]]\nwrk.headers["content-type"] = "application/json"\n` +
      'wrk.headers["x-request-id"] = "bench-0123456789abcdef"\n',
  );
  const wrk = ['wrk', '-t1', '-c64', `-d${seconds}s`, '-s', script, `${url}/v1/chat/completions`];
  const argv = cpu === null ? wrk : ['taskset', '-c', String(cpu), ...wrk];
  const { stdout } = await run(argv[0]!, argv.slice(1));
  const rps = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(rps > 0)) throw new Error(`wrk's output is not understood: ${stdout}`);
  const bad = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout);
  return { rps, errors: bad + (sockets ?? []).slice(1).reduce((sum, n) => sum + Number(n), 0) };
}
