/** Whether a trial holds a tolerance, by its intervals and by the floor of the machine: what cannot be told is `undetermined`. */

export type TermVerdict = 'holds' | 'fails' | 'undetermined';

/** `target`: it does not hold, and the target itself was at its limit. */
export type TrialVerdict = TermVerdict | 'target';

export const GROUNDS = ['interval', 'figure', 'worst tenth'] as const;

/**
 * The fewest requests of which not one beyond a limit tells that the p-quantile is within it (one-sided, 95 %): pⁿ ≤ 0.05. The worst tenth's quantile
 * is next to its largest value where a tenth has no more than 1/(1 − p) requests.
 */
export const fewestForHolding = (p: number): number => Math.ceil(Math.log(0.05) / Math.log(p));

/** A figure's bias as a trial shows it, ms. */
export interface BiasFigure {
  readonly bias_ms: number | null;
  /** 95 % interval within the trial; null where there is none. */
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  /** The smallest bias that the machine can tell from zero; null where it could not be measured. */
  readonly floor_ms: number | null;
  /** Why there is no interval, or no figure. */
  readonly reason: string;
  /** The client keeps records of single requests, so that an interval could be had. */
  readonly hasRecords: boolean;
  /**
   * Where there is no interval for want of requests alone: the same figure of that tenth of the trial in which it is farthest from zero; null where it
   * was not had, where something else is wanting, or where the requests are fewer than `fewestForHolding`.
   */
  readonly worst_tenth_ms: number | null;
}

export interface Judged {
  readonly verdict: TermVerdict;
  /** By the interval; of a client without records by the figure give or take the floor; with too few requests by its worst tenth. */
  readonly by: (typeof GROUNDS)[number];
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  /** Why it is undetermined; empty otherwise. */
  readonly reason: string;
}

/**
 * Judges one figure. It holds where the whole interval is within what is allowed, and fails where all of it is beyond both that and the
 * floor: what lies within the floor may be the machine's. Of a client without records the figure is exact for the requests that it is of, and
 * what trials differ by is seen by repeating them: there the floor stands on both sides of the figure in the interval's place. Where requests are too
 * few for an interval, a figure may still hold, by the worst tenth of the trial, and never fails.
 */
export function judgeBias(figure: BiasFigure, allowed_ms: number): Judged {
  const { bias_ms, floor_ms } = figure;
  const unknown = (reason: string, by: Judged['by'] = 'interval'): Judged => ({
    verdict: 'undetermined',
    by,
    low_ms: figure.low_ms,
    high_ms: figure.high_ms,
    reason,
  });
  if (bias_ms === null) return unknown(figure.reason);
  if (floor_ms === null) return unknown('the floor of this figure could not be measured');
  const hasInterval = figure.low_ms !== null && figure.high_ms !== null;
  if (!hasInterval && figure.hasRecords) {
    const { worst_tenth_ms: tenth } = figure;
    const isWithin = tenth !== null && Math.max(Math.abs(tenth), Math.abs(bias_ms)) <= allowed_ms;
    return isWithin
      ? { verdict: 'holds', by: 'worst tenth', low_ms: null, high_ms: null, reason: '' }
      : unknown(figure.reason);
  }
  const by = hasInterval ? 'interval' : 'figure';
  const low = hasInterval ? figure.low_ms! : bias_ms - floor_ms;
  const high = hasInterval ? figure.high_ms! : bias_ms + floor_ms;
  const judged = (verdict: TermVerdict, reason = ''): Judged => ({
    verdict,
    by,
    low_ms: low,
    high_ms: high,
    reason,
  });
  if (low >= -allowed_ms && high <= allowed_ms) return judged('holds');
  // By the figure alone the floor is in the interval already.
  const limit = hasInterval ? Math.max(allowed_ms, floor_ms) : allowed_ms;
  if (low > limit || high < -limit) return judged('fails');
  return judged(
    'undetermined',
    limit > allowed_ms && (low > allowed_ms || high < -allowed_ms)
      ? 'it is beyond what is allowed, and within what the machine itself may add'
      : 'its interval reaches over what is allowed: a longer trial would tell',
  );
}

/**
 * Judges a share of the rate (sent, arrived or completed per what was asked). `chance` is what a random process strays by.
 * @param isTwoSided too much is out of tolerance as well
 */
export function judgeRate(
  share: number,
  tolerance: number,
  chance: number,
  isTwoSided: boolean,
): 'holds' | 'fails' {
  const allowed = tolerance + chance;
  return share < 1 - allowed || (isTwoSided && share > 1 + allowed) ? 'fails' : 'holds';
}

/** One verdict of several: any that fails decides, then any that is undetermined. */
export const worst = (verdicts: readonly TermVerdict[]): TermVerdict =>
  verdicts.includes('fails') ? 'fails' : verdicts.includes('undetermined') ? 'undetermined' : 'holds';
