/**
 * 95 % intervals of a mean. Which interval is used where, and what each covers: docs/intervals.md. Those of quantiles are in
 * quantile-interval.ts, those within one trial in trial-interval.ts.
 */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, variance } from './quantile.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** t(0.975, df): half the width of a 95 % interval in standard errors; of several at once that shall all hold, by Bonferroni. */
export const t975 = (df: number, intervals = 1): number => tQuantile(1 - 0.025 / intervals, df);

/** 95 % interval of the mean of independent values, mean ± t(0.975, n − 1)·s/√n; null below two. */
export function studentInterval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  const half = t975(n - 1) * Math.sqrt(variance(values) / n);
  const centre = mean(values);
  return { low: centre - half, high: centre + half };
}

/** Unbiased estimate of the third central moment; 0 below three values. */
function thirdMoment(values: ArrayLike<number>): number {
  const n = values.length;
  if (n < 3) return 0;
  const centre = mean(values);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (values[i]! - centre) ** 3;
  return (sum * n) / ((n - 1) * (n - 2));
}

/**
 * How many standard errors a 95 % interval reaches below and above the mean where values are skewed: of right-skewed ones the mean is
 * underestimated more often than overestimated, so the interval reaches farther up.
 * Source: R. Willink, "A confidence interval and test for the mean of an asymmetric distribution", Commun. Stat. Theory Methods 34, 2005.
 */
export function skewedReach(values: ArrayLike<number>): { readonly below: number; readonly above: number } {
  const n = values.length;
  const t = t975(n - 1);
  const s2 = variance(values);
  const a = s2 > 0 ? thirdMoment(values) / s2 ** 1.5 / (6 * Math.sqrt(n)) : 0;
  // The inverse of r ↦ r + a + …, by which Hall's transformation (1992) takes the skew out of a t statistic; r itself as a goes to 0.
  const g = (r: number) => (Math.abs(a) < 1e-9 ? r : (Math.cbrt(1 + 6 * a * (r - a)) - 1) / (2 * a));
  return { below: g(t), above: -g(-t) };
}

/** As `studentInterval`, corrected for skew (`skewedReach`); null below three values, which tell nothing of skew. */
export function skewedInterval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n < 3) return null;
  const { below, above } = skewedReach(values);
  const se = Math.sqrt(variance(values) / n);
  return { low: mean(values) - below * se, high: mean(values) + above * se };
}

/**
 * From this many values on the correction for skew is worth what it costs where there is none: 4 % of the width, of five values 16 % and
 * sometimes a multiple (docs/intervals.md has that and the coverages).
 */
export const SKEW_FROM = 8;

/**
 * 95 % interval of the mean of independent repetitions: Student's t, from eight on corrected for skew; null below two. A bootstrap of
 * fewer than about twenty covers too little (three repetitions: three quarters).
 */
export const meanInterval = (values: readonly number[]): Interval | null =>
  values.length < SKEW_FROM ? studentInterval(values) : skewedInterval(values);
