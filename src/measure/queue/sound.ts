/** Whether a fitted model may be shown at all, and whether its own residuals refute it. */
import { leastBases, leastGapMs, MAX_CV2, MOST_TURN_GAPS, type Solution } from './least-squares.ts';
import { FIGURES, type Observation } from './observations.ts';
import type { Setting } from './shape.ts';
import type { Estimate } from './types.ts';

/** So near to an end of the search that it is the end. */
const NEAR = 0.99;

/** The search for the model's second parameter (CV², or the cost of a turn) ended at its upper bound: the value is the bound's. */
export function atBound(
  { shape }: Solution,
  observations: readonly Observation[],
  setting: Setting,
): boolean {
  return shape.kind === 'mg1'
    ? shape.cv2 >= NEAR * MAX_CV2
    : shape.turnMs >= NEAR * MOST_TURN_GAPS * leastGapMs(observations, setting);
}

/**
 * Why a model may not be shown, however well it predicts; null where it may. A wait is 0 at no load, so that a base is what a client adds
 * then. A fit that needs one as far below anything that was measured as is sought (leastBases) is of another queue.
 */
export function unsound(
  solution: Solution,
  observations: readonly Observation[],
  setting: Setting,
  bases: Readonly<Record<'ttft' | 'e2e', Estimate | null>>,
): string | null {
  if (atBound(solution, observations, setting))
    return solution.shape.kind === 'mg1'
      ? `its CV² of service comes out at ${MAX_CV2}, the end of the search`
      : 'its cost of a turn comes out at the end of the search';
  const least = leastBases(observations);
  for (const figure of FIGURES) {
    const base = bases[figure];
    const lowest = observations.find((each) => each.figure === figure);
    if (base === null || lowest === undefined) continue;
    if (base.value <= least[figure]! && base.value < 0 && (base.high === null || base.high < 0))
      return `it needs a client that adds ${base.value.toPrecision(3)} ms to ${figure.toUpperCase()} at no load, and ${lowest.y.toPrecision(3)} ms were measured at the lowest rate`;
  }
  return null;
}

/** 99 % point of the standard normal distribution. */
const Z99 = 2.326;

/** 99 % point of χ². Source: E. Wilson & M. Hilferty, PNAS 17, 1931; within 1 % from one degree of freedom on. */
const chiSquare99 = (degrees: number): number =>
  degrees * (1 - 2 / (9 * degrees) + Z99 * Math.sqrt(2 / (9 * degrees))) ** 3;

/**
 * Residuals of a fit are too large for its errors (χ², 1 %), of which 1 % of a figure are the model's. TTFT and E2E of a rate share their queue and
 * count as one. false where a standard error is unknown, or as many rates as parameters were fitted.
 */
export function refuted({ squares, bases }: Solution, observations: readonly Observation[]): boolean {
  const degrees = new Set(observations.map(({ point }) => point)).size - 3;
  if (degrees < 1 || observations.some(({ se }) => se === null)) return false;
  return squares / Object.keys(bases).length > chiSquare99(degrees);
}
