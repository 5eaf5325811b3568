/** How the trials of a cell ended on both sides, and whether that is a change. Pure. */
import { fisherExact } from '../../measure/fisher.ts';
import type { Trial } from '../document.ts';
import type { OutcomeComparison, OutcomeState } from './document.ts';

/** From so many trials a side on, "all of one and none of the other" is a change: were both alike, its chance would be 1 in 64 at most. */
export const ENOUGH_TRIALS = 3;
/** All cells together. */
const ALPHA = 0.05;
/** B failed in so much more of its trials: undetermined, but not to be passed over. */
const HEAVY = 0.5;

export const hasOutcomeFigures = ({ outcome }: Trial): boolean =>
  outcome.kind === 'measured' || outcome.kind === 'saturated';

const countsOf = (trials: readonly Trial[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of trials) counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
  return counts;
};

/** So many, of so many trials. */
type Share = readonly [bad: number, of: number];

function stateOf([x, m]: Share, [y, n]: Share, cells: number): OutcomeState {
  if ((x === 0 && y === 0) || (x === m && y === n) || m === 0 || n === 0) return 'same';
  const enough = m >= ENOUGH_TRIALS && n >= ENOUGH_TRIALS;
  const whole = enough && ((x === 0 && y === n) || (y === 0 && x === m));
  if (whole || fisherExact(x, m, y, n) <= ALPHA / cells) return y / n > x / m ? 'worse' : 'better';
  return 'undetermined';
}

const isSaturated = ({ outcome }: Trial): boolean => outcome.kind === 'saturated';

/**
 * Failed trials by Fisher's exact test at 5 % for all `cells` of the comparison together; besides, all trials of one side and none of the
 * other, three or more a side, are a change: were both sides alike and failed with chance p, that would happen with p³(1 − p)³ ≤ 1/64 each way, and
 * the test could never say so of three against three. Saturated trials, of those that left figures, in the same way. A trial that was cut
 * short by the user counts on no side.
 */
export function compareOutcomes(a: readonly Trial[], b: readonly Trial[], cells = 1): OutcomeComparison {
  const [x, y] = [a, b].map((trials) => trials.filter(({ outcome }) => outcome.kind !== 'incomplete')) as [
    Trial[],
    Trial[],
  ];
  const ran = [x, y].map((trials) => trials.filter(hasOutcomeFigures)) as [Trial[], Trial[]];
  const failed = [x.length - ran[0].length, y.length - ran[1].length] as const;
  const saturated = ran.map((trials) => trials.filter(isSaturated).length) as [number, number];
  const state = stateOf([failed[0], x.length], [failed[1], y.length], cells);
  const saturation = stateOf([saturated[0], ran[0].length], [saturated[1], ran[1].length], cells);
  const more = y.length === 0 ? 0 : failed[1] / y.length - (x.length === 0 ? 0 : failed[0] / x.length);
  return {
    a: countsOf(a),
    b: countsOf(b),
    failed_a: failed[0],
    failed_b: failed[1],
    state,
    reason:
      state === 'same'
        ? ''
        : `${failed[0]} of ${x.length} trials failed in A, ${failed[1]} of ${y.length} in B`,
    saturated_a: saturated[0],
    saturated_b: saturated[1],
    saturation,
    saturation_reason:
      saturation === 'same'
        ? ''
        : `${saturated[0]} of ${ran[0].length} trials saturated in A, ${saturated[1]} of ${ran[1].length} in B: latencies of a saturated trial belong to another rate`,
    heavy: state === 'undetermined' && more >= HEAVY,
  };
}
