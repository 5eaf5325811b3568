/**
 * Intervals for a quantile from order statistics: distribution-free, since the number of values below the p-quantile is binomial.
 * Sources: David & Nagaraja, "Order Statistics", 3rd ed. 2003, §7.1 (exact ranks); Hettmansperger & Sheather, Stat. Probab. Lett. 4,
 * 1986, and Nyblom, Stat. Probab. Lett. 14, 1992 (between two ranks); Woodruff, JASA 47, 1952, and Korn & Graubard, Survey Methodology
 * 24, 1998 (values that are not independent).
 */
import betainc from '@stdlib/math-base-special-betainc';
import type { Interval } from './intervals.ts';

/** P(the r-th smallest of n independent values ≤ their p-quantile) = P(Bin(n, p) ≥ r); r may lie between ranks, n may be effective. */
export const rankProbability = (r: number, n: number, p: number): number =>
  r <= 0 ? 1 : r >= n + 1 ? 0 : betainc(p, r, n + 1 - r);

/** The fewest independent values that a two-sided interval of the p-quantile can be had from: the extremes must be far enough out. */
export const valuesNeeded = (p: number, level = 0.95): number =>
  Math.ceil(Math.log((1 - level) / 2) / Math.log(Math.max(p, 1 - p)) - 1e-9);

/** The greatest whole rank r of 0…n with rankProbability ≥ `wanted`. */
function rankAtLeast(wanted: number, n: number, p: number): number {
  let low = 0;
  let high = n + 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rankProbability(middle, n, p) >= wanted) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The point below which the p-quantile lies with probability 1 − `wanted`, between two order statistics. Nyblom's weight is exact where
 * the density falls exponentially to both sides of the quantile, and at whole ranks for any distribution.
 */
function bound(sorted: ArrayLike<number>, p: number, wanted: number): number | null {
  const n = sorted.length;
  const r = rankAtLeast(wanted, n, p);
  if (r < 1 || r >= n + 1) return null;
  const above = rankProbability(r, n, p);
  const below = rankProbability(r + 1, n, p);
  if (r === n) return above === wanted ? sorted[n - 1]! : null;
  const share = (above - wanted) / (above - below);
  const weight = ((n - r) * p * share) / ((n - r) * p * share + r * (1 - p) * (1 - share));
  return sorted[r - 1]! + weight * (sorted[r]! - sorted[r - 1]!);
}

/**
 * The interval of the p-quantile (0 < p < 1) of independent values, ascending. Between ranks its coverage is the level to within some
 * tenths of a percent; null where there are fewer than `valuesNeeded`.
 */
export function quantileInterval(sorted: ArrayLike<number>, p: number, level = 0.95): Interval | null {
  if (sorted.length < valuesNeeded(p, level)) return null;
  const low = bound(sorted, p, (1 + level) / 2);
  const high = bound(sorted, p, (1 - level) / 2);
  return low === null || high === null ? null : { low, high };
}

/** The real rank r with rankProbability = `wanted`, by bisection. */
function realRank(wanted: number, n: number, p: number): number {
  let low = 0;
  let high = n + 1;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (rankProbability(middle, n, p) > wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * As `quantileInterval`, of values that tell only as much as `effective` independent ones (Korn & Graubard): the ranks of a sample of
 * that size, as shares of it, are looked up in this one.
 */
export function effectiveQuantileInterval(
  sorted: ArrayLike<number>,
  p: number,
  effective: number,
  level = 0.95,
): Interval | null {
  const n = sorted.length;
  if (Math.min(n, effective) < valuesNeeded(p, level)) return null;
  const at = (wanted: number) => {
    const place = (realRank(wanted, effective, p) / (effective + 1)) * (n + 1) - 1;
    const below = Math.max(0, Math.min(n - 1, Math.floor(place)));
    const next = sorted[Math.min(below + 1, n - 1)]!;
    return sorted[below]! + (next - sorted[below]!) * Math.max(0, Math.min(1, place - below));
  };
  return { low: at((1 + level) / 2), high: at((1 - level) / 2) };
}
