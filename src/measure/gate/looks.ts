/**
 * Intervals that may be looked at again and again, as repetitions come in: every look gets its own share of the error. A check passes by an interval
 * that shares it among the looks alone, since all must pass (an intersection-union test: where one figure is out of tolerance, that one must have
 * erred); it fails by a wider one that shares it among all checks as well, since any of them that errs fails the whole. Pure.
 */
import { type Interval, t975 } from '../intervals.ts';
import { mean, variance } from '../quantile.ts';

/** The first look is at so many repetitions; fewer leave no interval that is worth one. */
export const FIRST_LOOK = 3;

/**
 * Of a client that is out of tolerance to pass, and of one that is within to fail: at most, over all looks, where repetitions differ normally. Of very
 * skewed ones, and where rare stalls make most of the mean, it may be more (docs/gate.md has how much).
 */
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

export interface Looked {
  readonly state: 'pass' | 'fail' | 'undetermined';
  /** The one that decided; of an open check that by which it would pass. null: too few repetitions. */
  readonly interval: Interval | null;
  readonly confidence: number | null;
}

/**
 * What a look tells.
 * @param at the interval with the error cut into so many parts; null where there is none
 * @param checks of the whole gate
 */
export function judgeLook(
  at: (parts: number) => Interval | null,
  look: number,
  checks: number,
  is: { readonly within: (interval: Interval) => boolean; readonly beyond: (interval: Interval) => boolean },
): Looked {
  const [narrow, wide] = look < 1 ? [null, null] : [at(partsAt(look, 1)), at(partsAt(look, checks))];
  if (narrow === null || wide === null) return { state: 'undetermined', interval: null, confidence: null };
  if (is.within(narrow)) return { state: 'pass', interval: narrow, confidence: confidenceAt(look, 1) };
  if (is.beyond(wide)) return { state: 'fail', interval: wide, confidence: confidenceAt(look, checks) };
  return { state: 'undetermined', interval: narrow, confidence: confidenceAt(look, 1) };
}

/**
 * Student's interval of the mean with the error cut into so many parts; null of fewer than `FIRST_LOOK` values.
 * @param resolution of rounded values the step: the interval is no narrower than that, however equal they are
 */
export const meanAt =
  (values: readonly number[], resolution = 0) =>
  (parts: number): Interval | null => {
    if (values.length < FIRST_LOOK) return null;
    const student = t975(values.length - 1, parts) * Math.sqrt(variance(values) / values.length);
    const half = Math.max(student, resolution / 2);
    const centre = mean(values);
    return { low: centre - half, high: centre + half };
  };

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
