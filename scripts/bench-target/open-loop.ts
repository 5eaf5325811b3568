/** A small open-loop generator: sends at absolute instants whatever the answers do. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { exponential, uniform } from '../../src/measure/random.ts';
import { nowNs } from '../../src/system/clock.ts';

/**
 * Sends `rate` streamed chat requests a second for `seconds`, as a Poisson process (evenly spaced ones would have their
 * tokens fall due together, whenever the gap between tokens is a multiple of their spacing). Resolves to the number that
 * failed when all are over. `spins`: it keeps a core to itself, instead of sleeping a millisecond at a time.
 */
export async function openLoop(url: string, rate: number, seconds: number, spins: boolean): Promise<number> {
  const pool = new Pool(url, { connections: 512, pipelining: 1 });
  const body = JSON.stringify({
    messages: [{ role: 'user', content: 'one two three four five six seven eight' }],
    max_tokens: 16,
    stream: true,
  });
  const headers = { 'content-type': 'application/json' };
  let failed = 0;
  const one = async (): Promise<void> => {
    const answer = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body });
    await answer.body.dump({ limit: 2 ** 30 });
  };
  const open: Promise<void>[] = [];
  const random = uniform(1);
  const start = nowNs();
  let dueNs = start;
  for (let sent = 0; sent < rate * seconds; ) {
    for (; dueNs <= nowNs() && sent < rate * seconds; sent++) {
      open.push(
        one().catch(() => {
          failed++;
        }),
      );
      dueNs += (exponential(random) / rate) * 1e9;
    }
    await (spins ? nextTurn() : sleep(1));
  }
  await Promise.all(open);
  await pool.close();
  return failed;
}
