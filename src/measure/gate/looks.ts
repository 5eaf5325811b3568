/**
 * Intervals that may be looked at again and again, as repetitions come in: at every look each gets its own share of the error, so that all
 * intervals of all looks hold together. Pure.
 */
import { type Interval, t975 } from '../intervals.ts';
import { mean, variance } from '../quantile.ts';

/** The first look is at so many repetitions; fewer leave no interval that is worth one. */
export const FIRST_LOOK = 3;

/** Probability that any interval of any look misses the truth, at most. */
export const ERROR_RATE = 0.05;

/** No plan is stated for more repetitions than this. */
const MOST_REPETITIONS = 60;

/** Which look a check is at with so many repetitions: 1 at the first; 0 before it. */
export const lookAt = (repetitions: number): number => Math.max(0, repetitions - FIRST_LOOK + 1);

/**
 * Into how many parts the error is cut at a look: look k of m checks may err with 0.05 / (m·k·(k + 1)). Summed over all looks that there could
 * ever be this is 0.05 / m, since Σ 1/(k(k + 1)) = 1: half is spent at the first look, and nobody needs to know how many there will be.
 * Bonferroni's inequality holds whatever the looks and the checks have in common.
 * Source: K. K. G. Lan & D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983 (spending by look).
 */
export const partsAt = (look: number, checks: number): number => checks * look * (look + 1);

/** The confidence of one interval at a look. */
export const confidenceAt = (look: number, checks: number): number => 1 - ERROR_RATE / partsAt(look, checks);

/** Student's interval of the mean at a look; null before the first, or of fewer than `FIRST_LOOK` values. */
export function lookInterval(values: readonly number[], look: number, checks: number): Interval | null {
  if (look < 1 || values.length < FIRST_LOOK) return null;
  const half = t975(values.length - 1, partsAt(look, checks)) * Math.sqrt(variance(values) / values.length);
  const centre = mean(values);
  return { low: centre - half, high: centre + half };
}

/**
 * With how many repetitions in all the interval would no longer reach over a limit, were their mean and spread to stay as they are; null where
 * that is more than 60: the figure is at the limit.
 * @param distance from the mean to the limit, in the unit of the values
 */
export function repetitionsFor(values: readonly number[], distance: number, checks: number): number | null {
  if (values.length < 2 || !(distance > 0)) return null;
  const s = Math.sqrt(variance(values));
  for (let n = Math.max(FIRST_LOOK, values.length + 1); n <= MOST_REPETITIONS; n++)
    if ((t975(n - 1, partsAt(lookAt(n), checks)) * s) / Math.sqrt(n) < distance) return n;
  return null;
}
