/**
 * Completions per second while the server had more to do than it could do at once: its capacity. Completions are counted, one by one, over parts
 * of the sending time. (A tool that takes the decreases between samples of the number of active requests for completions sees completions less
 * arrivals, and a high percentile of that is noise with arrivals in it: such a one gave 165 and 89 for a server of 190/s.)
 */
import { t975 } from '../intervals.ts';
import { firstAfter, type InFlight, lastBelow } from './in-flight.ts';
import type { Plateau, Ranged } from './types.ts';

/** The server is taken to be busy while so many times the requests are under way that it has in service at capacity (Little: rate × time in service). */
const BUSY_FACTOR = 1.25;
/** Parts that the busy time is cut into, at most and at least. */
const MOST_PARTS = 20;
const FEWEST_PARTS = 5;
/** Share of the window that must be busy, and the complete answers that it must have. */
const LEAST_SHARE = 0.3;
const FEWEST_COMPLETIONS = 30;

/**
 * The plateau of a step; null with the reason where the server was not busy for long enough. `ends`: complete answers, ascending, s. `serviceS`: mean
 * time that a request is in service at low load. Parts are whole multiples of it: requests that began together end together, in bursts as far apart
 * as one service, and a part of another length would catch more or fewer of them than it should.
 */
export function plateau(
  ends: Float64Array,
  flight: InFlight,
  serviceS: number,
  fromS: number,
  toS: number,
): Plateau | string {
  const first = rateBetween(ends, fromS, toS);
  if (first <= 0) return 'no answer was completed while requests were sent';
  const busyFromS = Math.max(fromS, lastBelow(flight, BUSY_FACTOR * first * serviceS + 1, toS));
  const busyS = toS - busyFromS;
  if (busyS < LEAST_SHARE * toS) return 'the server was not busy for long enough without a pause';
  const partS = serviceS * Math.max(1, Math.ceil(busyS / MOST_PARTS / serviceS));
  const parts = Math.floor(busyS / partS + 1e-9);
  if (parts < FEWEST_PARTS)
    return `it was busy for ${busyS.toFixed(2)} s, less than ${FEWEST_PARTS} times a service of ${serviceS.toFixed(3)} s`;
  const counts = new Float64Array(parts);
  const startS = toS - parts * partS;
  for (let p = 0; p < parts; p++)
    counts[p] = firstAfter(ends, startS + (p + 1) * partS) - firstAfter(ends, startS + p * partS);
  const completions = counts.reduce((a, b) => a + b, 0);
  if (completions < FEWEST_COMPLETIONS) return `only ${completions} answers were completed while it was busy`;
  return { ...meanRate(counts, partS), completions, fromS: startS, toS };
}

/** Events per second in a stretch of time. */
export const rateBetween = (ends: Float64Array, fromS: number, toS: number): number =>
  (firstAfter(ends, toS) - firstAfter(ends, fromS)) / (toS - fromS);

/** The mean of counts as a rate; likeness of neighbours widens the interval, and it is never narrower than one event at either end. */
function meanRate(counts: Float64Array, partS: number): Ranged {
  const n = counts.length;
  const total = counts.reduce((a, b) => a + b, 0);
  const mean = total / n;
  let squares = 0;
  let products = 0;
  for (let i = 0; i < n; i++) {
    squares += (counts[i]! - mean) ** 2;
    if (i > 0) products += (counts[i]! - mean) * (counts[i - 1]! - mean);
  }
  const r = squares > 0 ? Math.min(0.9, Math.max(0, products / squares)) : 0;
  const se = Math.sqrt((squares / (n - 1) / n) * ((1 + r) / (1 - r)));
  const half = Math.max(t975(n - 1) * se, 1 / n);
  return { value: mean / partS, low: (mean - half) / partS, high: (mean + half) / partS };
}
