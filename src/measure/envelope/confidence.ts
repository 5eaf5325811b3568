/**
 * How sure a verdict of repeated trials is. Trials go on at a rate until one verdict leads by `d`: Wald's sequential probability ratio test
 * between "a trial errs with probability ε" of either kind, whose error by gambler's ruin is exactly 1 / (1 + ((1 − ε)/ε)^d)
 * (Wald, "Sequential Analysis", 1947; Feller, "An Introduction to Probability Theory" I, XIV.2). The same figure is the posterior of even odds
 * whenever a side leads by d, so that it holds where the budget ended early, too.
 */

/** What a trial's verdict is taken to err by: four 95 % intervals each allow 2.5 % to the wrong side. */
export const ASSUMED_NOISE = 0.1;

/** Beyond this trials tell nothing. */
const MOST_NOISE = 0.45;

/** Disagreements of fewer repeated trials than this say little. */
const FEWEST_REPEATS = 10;

/** Probability that a verdict which leads by `lead` trials is right, where a trial errs with probability `noise`. */
export const leadConfidence = (lead: number, noise: number): number =>
  1 / (1 + (noise / (1 - noise)) ** Math.max(0, lead));

/** Trials that held and trials that failed, at one rate of one client. */
export interface Repeats {
  readonly holds: number;
  readonly fails: number;
}

export interface NoiseSeen {
  /** Trials at rates that were tried more than once, by their determined verdicts. */
  readonly trials: number;
  /** Those of them that disagree with most of their rate. */
  readonly disagree: number;
}

/** How repeated trials disagreed (A/A): the same client at the same rate should say the same. */
export function noiseSeen(cells: readonly Repeats[]): NoiseSeen {
  const repeated = cells.filter(({ holds, fails }) => holds + fails >= 2);
  return {
    trials: repeated.reduce((sum, { holds, fails }) => sum + holds + fails, 0),
    disagree: repeated.reduce((sum, { holds, fails }) => sum + Math.min(holds, fails), 0),
  };
}

/** The error of a trial that confidences are stated with: the assumed one, or what was seen where that is more. */
export const noiseUsed = ({ trials, disagree }: NoiseSeen, assumed = ASSUMED_NOISE): number =>
  trials < FEWEST_REPEATS ? assumed : Math.min(MOST_NOISE, Math.max(assumed, disagree / trials));
