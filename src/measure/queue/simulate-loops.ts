/**
 * Event loops simulated request by request, with no formula of queueing theory in it: what the models are held to. In the order of arrival a
 * loop's work needs no list of events: a request starts when it has come and the one before it has ended (D. Lindley, Proc. Camb. Phil. Soc.
 * 48, 1952); a turn of a gated loop takes all that came before it began.
 */
import { exponential, gamma, type Uniform, uniform } from '../random.ts';
import type { Split } from './loops.ts';
import { type Service, serviceTimes } from './service.ts';

/** What came of one request, s from its arrival: until its first event was handled, and until its last. */
export type Handled = (firstS: number, lastS: number) => void;

/** Gaps between arrivals of a process with `rate`/s and squared coefficient of variation `gapCv2`: gamma, of which 1 is Poisson. */
function gaps(rate: number, gapCv2: number, u: Uniform): () => number {
  if (gapCv2 === 0) return () => 1 / rate;
  if (gapCv2 === 1) return () => exponential(u) / rate;
  return () => (gapCv2 * gamma(u, 1 / gapCv2)) / rate;
}

export interface Arrivals {
  readonly rateRps: number;
  /** 1 if not stated: a Poisson process. */
  readonly gapCv2?: number;
  readonly loops: number;
  readonly split: Split;
  readonly requests: number;
}

/** Each request's loop and instant, s, in the order of arrival. */
function arrivals({ rateRps, gapCv2 = 1, loops, split, requests }: Arrivals, seed: number) {
  const gap = gaps(rateRps, gapCv2, uniform(seed, 1));
  const pick = uniform(seed, 2);
  const loopOf = new Uint16Array(requests);
  const at = new Float64Array(requests);
  for (let i = 0, now = 0; i < requests; i++) {
    now += gap();
    at[i] = now;
    loopOf[i] = split === 'inTurn' ? i % loops : Math.floor(pick() * loops);
  }
  return { loopOf, at };
}

/** Number of events of a request: a size, or a geometric one (1, 2, …) of this mean. */
export type Batch = { readonly size: number } | { readonly geometricMean: number };

function batchSizes(batch: Batch, u: Uniform): () => number {
  if ('size' in batch) return () => batch.size;
  const stay = Math.log1p(-1 / batch.geometricMean);
  return batch.geometricMean === 1 ? () => 1 : () => 1 + Math.floor(Math.log(u()) / stay);
}

/** Loops that serve a request's events one after the other, requests in the order of arrival. `service`: of one event. */
export function simulateFcfs(
  given: Arrivals,
  service: Service,
  batch: Batch,
  seed: number,
  handled: Handled,
): void {
  const { loopOf, at } = arrivals(given, seed);
  const time = serviceTimes(service, uniform(seed, 3));
  const size = batchSizes(batch, uniform(seed, 4));
  const free = new Float64Array(given.loops);
  for (let i = 0; i < at.length; i++) {
    let now = Math.max(at[i]!, free[loopOf[i]!]!);
    let first = 0;
    for (let left = size(); left > 0; left--) {
      now += time();
      if (first === 0) first = now;
    }
    free[loopOf[i]!] = now;
    handled(first - at[i]!, now - at[i]!);
  }
}

/**
 * Gated loops: a turn costs `turnS` + `requestS` a request that was there when it began; of a request's `events` equal ones the first ends a
 * share of 1/events into its part. Requests of a turn are handled in the order of arrival, after the turn's own cost.
 */
export function simulateGated(
  given: Arrivals,
  cost: { readonly turnS: number; readonly requestS: number; readonly events?: number },
  seed: number,
  handled: Handled,
): void {
  const { loopOf, at } = arrivals(given, seed);
  const { turnS, requestS, events = 1 } = cost;
  for (let loop = 0; loop < given.loops; loop++) {
    const mine = at.filter((_, i) => loopOf[i] === loop);
    let free = 0;
    for (let next = 0; next < mine.length; ) {
      const begins = Math.max(free, mine[next]!);
      let now = begins + turnS;
      for (; next < mine.length && mine[next]! <= begins; next++) {
        handled(now + requestS / events - mine[next]!, now + requestS - mine[next]!);
        now += requestS;
      }
      free = now;
    }
  }
}
