/** The rate: its mean, and whether it changes over the run. */
import { quantileSorted } from '../quantile.ts';
import { sumDeviation } from './chance.ts';
import { lagSums } from './spread.ts';

/** Random processes: a rate is another beyond this many standard deviations (one in 10⁵). */
const DEVIATIONS = 4.4;
/** A schedule's own clock may differ by so much. */
const CLOCK_SHARE = 0.001;
/** The ends of a run are known no better than this on a machine that stalls, ms. */
const END_MS = 3;

/** Median gap of a regular process: slopes between arrivals half a run apart, so that a stall moves few of them. */
export function robustGapMs(at: Float64Array): number {
  const half = Math.floor(at.length / 2);
  return quantileSorted(lagSums(at, half).sort(), 0.5) / half;
}

export interface Drift {
  readonly deltaMs: number;
  readonly gapMs: number;
}

/** By how much the gaps of a regular process are longer than 1/R; null where chance and the machine explain it. */
export function findDrift(at: Float64Array, statedGapMs: number, extraMs = 0): Drift | null {
  const n = at.length;
  const gapMs = robustGapMs(at);
  const deltaMs = gapMs - statedGapMs;
  // Where each gap varies by itself, the mean of n varies as 1/√n; jitter about a schedule cancels over long lags.
  const lag = Math.max(1, Math.floor(n / 10));
  const sums = lagSums(at, lag).sort();
  const sd = (quantileSorted(sums, 0.9) - quantileSorted(sums, 0.1)) / 2.5631;
  const chance = (4.5 * sd) / Math.sqrt(lag) / Math.sqrt(n);
  const limit = Math.max(CLOCK_SHARE * statedGapMs, (END_MS + extraMs) / n + chance);
  return Math.abs(deltaMs) > limit ? { deltaMs, gapMs } : null;
}

/** Whether each part of a run has its gaps longer by the same: a client that is slow at times has not. */
export function driftsThroughout(at: Float64Array, statedGapMs: number, deltaMs: number): boolean {
  const half = Math.floor(at.length / 2);
  return [at.subarray(0, half), at.subarray(half)].every((part) => {
    const own = (robustGapMs(part) - statedGapMs) / deltaMs;
    return own > 0.5 && own < 1.5;
  });
}

export interface OtherRate {
  readonly share: number;
  readonly deviations: number;
}

/** Whether a random process of that CV² has another rate than stated; n: its independent gaps. */
export function findRate(
  spanMs: number,
  gaps: number,
  independent: number,
  statedGapMs: number,
  cv2: number,
): OtherRate | null {
  const ratio = spanMs / gaps / statedGapMs;
  const deviations = sumDeviation(ratio, Math.max(cv2, 0.02), independent);
  const share = 1 / ratio - 1;
  return Math.abs(deviations) > DEVIATIONS && Math.abs(share) > 0.01 + END_MS / spanMs
    ? { share, deviations: -deviations }
    : null;
}

export interface Ramp {
  readonly ratio: number;
  readonly firstRps: number;
  readonly lastRps: number;
}

/** Rate of the last third over that of the first, where beyond chance; `cv2` is of the gaps, `independent` as many gaps as count. */
export function findRamp(at: Float64Array, independent: number, cv2: number): Ramp | null {
  const span = at[at.length - 1]! - at[0]!;
  const third = span / 3;
  let first = 0;
  let last = 0;
  for (const t of at) {
    if (t - at[0]! < third) first++;
    else if (at[at.length - 1]! - t < third) last++;
  }
  if (first === 0 || last === 0) return null;
  const ratio = last / first;
  const scale = independent / at.length;
  const sd = Math.sqrt(Math.max(cv2, 0.02) * (1 / (first * scale) + 1 / (last * scale)));
  const log = Math.abs(Math.log(ratio));
  // One arrival more or less at a border is no ramp, nor is a stall of 30 ms.
  const least = 0.05 + 2 / Math.min(first, last) + 60 / span;
  return log > 4.6 * sd && log > least
    ? { ratio, firstRps: (first * 1000) / third, lastRps: (last * 1000) / third }
    : null;
}
