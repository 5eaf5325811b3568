/** How the trials of a cell ended on both sides, and whether that is a change. Pure. */
import type { Trial } from '../document.ts';
import type { OutcomeComparison } from './document.ts';

/** From so many trials a side on, "all of one and none of the other" is a change: were both alike, its chance would be 1 in 64 at most. */
export const ENOUGH_TRIALS = 3;

export const hasOutcomeFigures = ({ outcome }: Trial): boolean =>
  outcome.kind === 'measured' || outcome.kind === 'saturated';

const countsOf = (trials: readonly Trial[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of trials) counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
  return counts;
};

/**
 * All trials of one side failed and none of the other, three or more a side: a change. Were both sides alike and failed with chance p, that would
 * happen with p³(1 − p)³ ≤ 1/64 each way. Any other difference is undetermined. A trial that was cut short by the user counts on no side.
 */
export function compareOutcomes(a: readonly Trial[], b: readonly Trial[]): OutcomeComparison {
  const [x, y] = [a, b].map((trials) => trials.filter(({ outcome }) => outcome.kind !== 'incomplete')) as [
    Trial[],
    Trial[],
  ];
  const [failedA, failedB] = [x, y].map((trials) => trials.filter((t) => !hasOutcomeFigures(t)).length) as [
    number,
    number,
  ];
  const enough = x.length >= ENOUGH_TRIALS && y.length >= ENOUGH_TRIALS;
  const words = `${failedA} of ${x.length} trials failed in A, ${failedB} of ${y.length} in B`;
  const alike = (failedA === 0 && failedB === 0) || (failedA === x.length && failedB === y.length);
  const state = alike
    ? 'same'
    : enough && failedA === 0 && failedB === y.length
      ? 'worse'
      : enough && failedB === 0 && failedA === x.length
        ? 'better'
        : 'undetermined';
  return {
    a: countsOf(a),
    b: countsOf(b),
    failed_a: failedA,
    failed_b: failedB,
    state,
    reason: state === 'same' ? '' : words,
  };
}
