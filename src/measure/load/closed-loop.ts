/** What a closed loop is asked to do, and what its figures must agree with. */

export interface ClosedLoopSpec {
  /** Virtual users: so many requests are under way at once, less those that think. */
  readonly users: number;
  /** From the end of a user's request to its next one, s. */
  readonly thinkS: number;
  /** The users start one after the other over this time, s; 0: all at once. */
  readonly staggerS: number;
  /** Nothing is sent from this time on, s; null: no such limit. */
  readonly durationS: number | null;
  /** Most requests; null: no such limit. */
  readonly requests: number | null;
}

/** Little's law on a closed loop. */
export interface LittleCheck {
  /** Completions per second × mean response time: how many must have been under way. */
  readonly rateTimesTime: number;
  /** Mean seen under way / rateTimesTime: 1 where the response times hold all the time that requests took. */
  readonly ratio: number;
  /** Completions per second × (mean response time + think time): the users that the figures account for. */
  readonly users: number;
}

/**
 * Little's law, L = λW (J. D. C. Little, Operations Research 9, 1961), and with think time Z the response time law N = λ(W + Z). `meanInFlight` is counted by
 * time and has nothing of the response times in it, so that the two can disagree: where time is spent on requests that no response time holds. Requests/s and
 * seconds. null without a completion.
 */
export function littleCheck(
  meanInFlight: number,
  rateRps: number | null,
  meanTimeS: number,
  thinkS: number,
): LittleCheck | null {
  if (rateRps === null || !(meanTimeS > 0) || !Number.isFinite(meanInFlight)) return null;
  const rateTimesTime = rateRps * meanTimeS;
  return { rateTimesTime, ratio: meanInFlight / rateTimesTime, users: rateRps * (meanTimeS + thinkS) };
}
