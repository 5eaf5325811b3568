/** Do several arrivals leave together, at random instants? As those of workers that draw from the same seed. */
import gammaln from '@stdlib/math-base-special-gammaln';
import { mean } from '../quantile.ts';
import { binomialAtLeast, gammaBelow } from './chance.ts';
import { gammaShape } from './spread.ts';

export interface Clumps {
  /** Mean arrivals in a clump. */
  readonly mean: number;
  /** Arrivals nearer than this count as one clump, ms. */
  readonly togetherMs: number;
  /** Share of gaps shorter than that, and what a Poisson process of that rate has. */
  readonly share: number;
  readonly chance: number;
  /** The clumps as a process of their own: one instant each, ms, the limit taken off every gap. */
  readonly starts: Float64Array;
}

const MIN_EXCESS = 0.12;
const MIN_STARTS = 10;

/** Gaps below this say nothing of a process, only of the machine: they count as being below it. */
const FLOOR_MS = 0.1;

/**
 * Log-likelihood of gaps as clumps: an exponential of short ones (within clumps) and one of long ones (between), fitted by
 * expectation-maximization. At most `shortMs` in the mean within.
 */
function asClumps(gaps: Float64Array, shortMs: number): number {
  let share = 0.5;
  let within = shortMs / 2;
  let between = 2 * mean(gaps);
  const below = (x: number) => 1 - share * Math.exp(-x / within) - (1 - share) * Math.exp(-x / between);
  for (let pass = 0; pass < 60; pass++) {
    let weight = 0;
    let weighted = 0;
    let rest = 0;
    for (const gap of gaps) {
      const x = Math.max(gap, FLOOR_MS / 2);
      const short = (share / within) * Math.exp(-x / within);
      const long = ((1 - share) / between) * Math.exp(-x / between);
      const p = short / (short + long);
      weight += p;
      weighted += p * x;
      rest += (1 - p) * x;
    }
    share = Math.min(0.98, Math.max(0.01, weight / gaps.length));
    within = Math.min(shortMs, weighted / Math.max(weight, 1e-9));
    between = rest / Math.max(gaps.length - weight, 1e-9);
  }
  let sum = 0;
  for (const x of gaps)
    sum +=
      x < FLOOR_MS
        ? Math.log(below(FLOOR_MS))
        : Math.log(
            (share / within) * Math.exp(-x / within) + ((1 - share) / between) * Math.exp(-x / between),
          );
  return sum;
}

/** Log-likelihood of gaps of which a share is below the limit, whatever they are there, and an exponential beyond it. */
function asExponentialTail(above: Float64Array, n: number, limit: number): number {
  const share = 1 - above.length / n;
  const beyond = mean(above) - limit;
  return (n - above.length) * Math.log(share) + above.length * (Math.log(1 - share) - Math.log(beyond) - 1);
}

/** Log-likelihood of gaps as those of a gamma process. */
function asGamma(gaps: Float64Array, floorMs: number): number {
  const s = gammaShape(gaps, floorMs);
  const average = mean(gaps);
  const atFloor = Math.log(Math.max(1e-300, gammaBelow(floorMs, s, average)));
  let sum = 0;
  for (const gap of gaps) {
    const x = gap / average;
    sum +=
      gap < floorMs
        ? atFloor
        : s * Math.log(s) - gammaln(s) + (s - 1) * Math.log(x) - s * x - Math.log(average);
  }
  return sum;
}

/**
 * Clumps in ascending instants (ms) of a random process; null where near-zero gaps are no more than chance and the machine give, or are
 * those of a gamma process: that has short gaps of every length, clumps have none between theirs and the long ones.
 * `expected`: share of gaps below x that the stated process has.
 */
export function findClumps(at: Float64Array, expected: (gapMs: number) => number): Clumps | null {
  const n = at.length;
  const span = at[n - 1]! - at[0]!;
  const gap = span / (n - 1);
  // Workers differ by some tenths of a ms. Well below the mean gap, or chance fills it.
  const togetherMs = Math.min(2, 0.4 * gap);
  const gaps = Float64Array.from({ length: n - 1 }, (_, i) => at[i + 1]! - at[i]!);
  const above = gaps.filter((x) => x > togetherMs);
  const share = 1 - above.length / (n - 1);
  const chance = expected(togetherMs);
  if (above.length < MIN_STARTS || share - chance < MIN_EXCESS) return null;
  if (binomialAtLeast(Math.round(share * (n - 1)), n - 1, chance) > 1e-8) return null;
  // Clumps have a parameter more: Schwarz's criterion takes half a log n for it.
  const better = asClumps(gaps, Math.min(1, 0.2 * gap)) - asGamma(gaps, FLOOR_MS);
  if (better < Math.log(n) / 2) return null;
  // Jitter gives the shortest gaps of a gamma process a length of their own: the long ones must speak for clumps as well.
  if (asExponentialTail(above, n - 1, togetherMs) < asGamma(gaps, togetherMs)) return null;
  // Of M clumps, those nearer than the limit fell together: starts = M·exp(−M·limit/span).
  let clumps = above.length + 1;
  for (let pass = 0; pass < 50; pass++) clumps = (above.length + 1) * Math.exp((clumps * togetherMs) / span);
  // The limit is taken off each gap, so that what is left of an exponential is exponential.
  const starts = new Float64Array(above.length + 1);
  for (let i = 0; i < above.length; i++) starts[i + 1] = starts[i]! + above[i]! - togetherMs;
  return { mean: n / Math.min(n, clumps), togetherMs, share, chance, starts };
}
