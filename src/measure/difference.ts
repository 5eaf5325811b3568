/** Two sides of repetitions, A and B: how far apart, with an interval, and whether that is a change. Pure. */
import { type Interval, t975 } from './intervals.ts';
import { mean, variance } from './quantile.ts';

/**
 * `changed`: the whole interval lies beyond the floor. `unchanged`: all of it within. `undetermined`: it crosses, or there is none.
 * With a floor of 0 nothing can be `unchanged`.
 */
export type ChangeState = 'changed' | 'unchanged' | 'undetermined';

export interface Difference {
  /** Mean of B − mean of A, in the unit of the values; null where a side has no value. */
  readonly difference: number | null;
  /** Null where a side has fewer than two values. */
  readonly interval: Interval | null;
  readonly state: ChangeState;
}

/**
 * B − A of independent repetitions, with Welch's interval at `1 − 0.05 / comparisons` (Bonferroni: several figures compared at once would
 * otherwise find a change by chance), against the floor below which this cannot be told from zero.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved", Biometrika 34, 1947.
 * @param floor in the unit of the values, ≥ 0
 */
export function differenceOf(
  a: readonly number[],
  b: readonly number[],
  floor: number,
  comparisons = 1,
): Difference {
  if (a.length === 0 || b.length === 0) return { difference: null, interval: null, state: 'undetermined' };
  const difference = mean(b) - mean(a);
  if (a.length < 2 || b.length < 2) return { difference, interval: null, state: 'undetermined' };
  const [va, vb] = [variance(a) / a.length, variance(b) / b.length];
  const se2 = va + vb;
  const df =
    se2 === 0 ? a.length + b.length - 2 : se2 ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1));
  const half = t975(df, comparisons) * Math.sqrt(se2);
  const interval = { low: difference - half, high: difference + half };
  const state =
    interval.low > floor || interval.high < -floor
      ? 'changed'
      : interval.low >= -floor && interval.high <= floor
        ? 'unchanged'
        : 'undetermined';
  return { difference, interval, state };
}
