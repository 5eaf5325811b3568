/** Two sides of repetitions, A and B: how far apart, with an interval, and whether that is a change. Pure. */
import { type Interval, t975 } from './intervals.ts';
import { mean, variance } from './quantile.ts';

/**
 * `changed`: the whole interval lies beyond the floor. `unchanged`: all of it within. `undetermined`: it crosses, or there is none.
 * With a floor of 0 nothing can be `unchanged` but what is the same in every repetition of both sides.
 */
export type ChangeState = 'changed' | 'unchanged' | 'undetermined';

export interface Difference {
  /** Mean of B − mean of A, in the unit of the values; null where a side has no value. */
  readonly difference: number | null;
  /** Null where a side has fewer than two values. */
  readonly interval: Interval | null;
  readonly state: ChangeState;
}

/** All values are one and the same. Not by a variance of 0: that of equal decimals need not be 0 in floating point. */
const isConstant = (values: readonly number[]): boolean => values.every((value) => value === values[0]);

/** Variance of a side's mean; exactly 0 where its values are all the same. */
const varianceOfMean = (values: readonly number[]): number =>
  isConstant(values) ? 0 : variance(values) / values.length;

/**
 * Degrees of freedom, halfway between those of Welch and their least value, that of the smaller side. Welch's own are estimated from variances
 * of a few values each: of the smaller side's estimate they may be far too many by chance, and far out in the tails, where Bonferroni's intervals
 * end, that is most of what goes wrong (3 against 10 repetitions, unequal spread, 240 intervals: more than one miss a family instead of 5 %).
 * The least value alone is always safe (Mickey & Brown, Ann. Math. Stat. 37, 1966), and up to three times as wide. docs/compare.md has what this one covers.
 */
function degreesOfFreedom(va: number, vb: number, na: number, nb: number): number {
  // Shares of the variance, so that squares of tiny ones do not vanish.
  const [sa, sb] = [va / (va + vb), vb / (va + vb)];
  const welch = 1 / (sa ** 2 / (na - 1) + sb ** 2 / (nb - 1));
  const least = Math.min(na, nb) - 1;
  return (Math.min(welch, 2 * least) + least) / 2;
}

/**
 * The interval of mean(b) − mean(a), two values or more a side, by Welch's standard error: at 1 − 0.05 / comparisons. Values are read to a
 * resolution: each mean may be off by half a step beside what the spread shows, so the interval reaches a step farther both ways.
 *
 * Where nobody knows the resolution, values that never vary on both sides are rounded ones, and so is their difference d: the step of the
 * rounding is at most |d|, so the true difference lies between 0 and 2·d.
 */
function welch(
  a: readonly number[],
  b: readonly number[],
  comparisons: number,
  resolution: number | null,
): Interval {
  const [va, vb] = [varianceOfMean(a), varianceOfMean(b)];
  const step = resolution ?? 0;
  if (va === 0 && vb === 0) {
    const d = b[0]! - a[0]!;
    return resolution === null
      ? { low: Math.min(0, 2 * d), high: Math.max(0, 2 * d) }
      : { low: d - step, high: d + step };
  }
  const difference = mean(b) - mean(a);
  const half = t975(degreesOfFreedom(va, vb, a.length, b.length), comparisons) * Math.sqrt(va + vb) + step;
  return { low: difference - half, high: difference + half };
}

/**
 * B − A of independent repetitions, with an interval after Welch at `1 − 0.05 / comparisons` (Bonferroni: several figures compared at once would
 * otherwise find a change by chance), against the floor below which this cannot be told from zero.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved", Biometrika 34, 1947.
 * @param floor in the unit of the values, ≥ 0
 * @param comparisons how many intervals shall all hold at once, ≥ 1
 * @param resolution the step that values are read to, in their unit; null where it is not known
 */
export function differenceOf(
  a: readonly number[],
  b: readonly number[],
  floor: number,
  comparisons = 1,
  resolution: number | null = null,
): Difference {
  if (a.length === 0 || b.length === 0) return { difference: null, interval: null, state: 'undetermined' };
  const difference = isConstant(a) && isConstant(b) ? b[0]! - a[0]! : mean(b) - mean(a);
  if (a.length < 2 || b.length < 2) return { difference, interval: null, state: 'undetermined' };
  const interval = welch(a, b, comparisons, resolution);
  const state =
    interval.low > floor || interval.high < -floor
      ? 'changed'
      : interval.low >= -floor && interval.high <= floor
        ? 'unchanged'
        : 'undetermined';
  return { difference, interval, state };
}
