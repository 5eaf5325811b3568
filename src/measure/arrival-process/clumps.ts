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

/** Log-likelihood of gaps as clumps: a share of them below the limit, an exponential beyond it. */
function asClumps(above: Float64Array, n: number, limit: number): number {
  const share = 1 - above.length / n;
  const beyond = mean(above) - limit;
  return (n - above.length) * Math.log(share) + above.length * (Math.log(1 - share) - Math.log(beyond) - 1);
}

/** Log-likelihood of gaps as those of a gamma process; those below the limit only count as being there. */
function asGamma(gaps: Float64Array, above: Float64Array, limit: number): number {
  const s = gammaShape(gaps, limit);
  const average = mean(gaps);
  let sum = (gaps.length - above.length) * Math.log(Math.max(1e-300, gammaBelow(limit, s, average)));
  for (const gap of above) {
    const x = gap / average;
    sum += s * Math.log(s) - gammaln(s) + (s - 1) * Math.log(x) - s * x - Math.log(average);
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
  // The share of clumps is a parameter more: Schwarz's criterion takes half a log n for it.
  const better = asClumps(above, n - 1, togetherMs) - asGamma(gaps, above, togetherMs);
  if (better < Math.log(n) / 2) return null;
  // Of M clumps, those nearer than the limit fell together: starts = M·exp(−M·limit/span).
  let clumps = above.length + 1;
  for (let pass = 0; pass < 50; pass++) clumps = (above.length + 1) * Math.exp((clumps * togetherMs) / span);
  // The limit is taken off each gap, so that what is left of an exponential is exponential.
  const starts = new Float64Array(above.length + 1);
  for (let i = 0; i < above.length; i++) starts[i + 1] = starts[i]! + above[i]! - togetherMs;
  return { mean: n / Math.min(n, clumps), togetherMs, share, chance, starts };
}
