/** What the trials at each rate say together. */
import type { TrialVerdict } from './judge.ts';

/**
 * `ramp` upward, `bisect` between, `repeat` of a trial that told nothing or was contradicted, `confirm` of a side of the bracket; `below` and
 * `above`: one look whether rates are in order at all.
 */
export const PURPOSES = ['ramp', 'bisect', 'repeat', 'confirm', 'below', 'above'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A finished trial, as the search sees it. */
export interface Try {
  readonly rate_rps: number;
  readonly verdict: TrialVerdict;
  readonly purpose: Purpose;
}

/** `target`: most trials that do not hold met the target's limit. `open`: another trial may tell; `unclear`: it is given up. */
export type Standing = 'holds' | 'fails' | 'target' | 'open' | 'unclear';

/** All trials of a client at one rate. */
export interface Tally {
  readonly rate_rps: number;
  readonly holds: number;
  readonly fails: number;
  readonly target: number;
  readonly undetermined: number;
  readonly trials: number;
  /** By how many trials the majority leads. */
  readonly lead: number;
  readonly standing: Standing;
}

/** So many undetermined trials at a rate, and another is not worth its time. */
const UNDETERMINED_ENOUGH = 2;

/** No rate gets more trials than this. */
export const mostTrials = (confirm: number): number => 2 * confirm + 2;

function standingOf(
  holds: number,
  fails: number,
  target: number,
  undetermined: number,
  confirm: number,
): Standing {
  const against = fails + target;
  if (holds > against) return 'holds';
  if (against > holds) return target >= fails ? 'target' : 'fails';
  const isGivenUp =
    undetermined + holds + against >= mostTrials(confirm) ||
    (holds === 0 && undetermined >= UNDETERMINED_ENOUGH);
  return isGivenUp ? 'unclear' : 'open';
}

/** The tallies of all rates, in rising order. */
export function tallies(tries: readonly Try[], confirm: number): Tally[] {
  const rates = [...new Set(tries.map(({ rate_rps }) => rate_rps))].sort((a, b) => a - b);
  return rates.map((rate_rps) => {
    const here = tries.filter((one) => one.rate_rps === rate_rps);
    const of = (verdict: TrialVerdict) => here.filter((one) => one.verdict === verdict).length;
    const [holds, fails, target, undetermined] = [of('holds'), of('fails'), of('target'), of('undetermined')];
    return {
      rate_rps,
      holds,
      fails,
      target,
      undetermined,
      trials: here.length,
      lead: Math.abs(holds - fails - target),
      standing: standingOf(holds, fails, target, undetermined, confirm),
    };
  });
}

/** Whether another trial at this rate may still tell. */
export const canRepeat = ({ trials, undetermined }: Tally, confirm: number): boolean =>
  trials < mostTrials(confirm) + 1 && undetermined <= UNDETERMINED_ENOUGH;

/** A rate that does not hold, whosever fault that is. */
export const isBeyond = ({ standing }: Tally): boolean => standing === 'fails' || standing === 'target';
