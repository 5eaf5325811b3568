/** A saturation sweep: what one step at one rate showed of a server, and what all of them say of the rate that it sustains. Pure data. */

/** A step's requests, in the order in which they were due. Seconds since the step's start; NaN where it did not happen. */
export interface StepRequests {
  readonly scheduledS: Float64Array;
  readonly sentS: Float64Array;
  /** When the answer was over, or the request had failed. */
  readonly endS: Float64Array;
  /** 1 for a complete answer. */
  readonly ok: Uint8Array;
}

/** A figure with its 95 % interval. */
export interface Ranged {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * `stable`: what was sent was served. `unstable`: requests piled up as long as they were sent. `shedding`: they did not pile up, since more than
 * 1 % failed. `clientLimited`: they piled up, but perhaps on our side. `undecided`: too short or too noisy to tell.
 */
export type Verdict = 'stable' | 'unstable' | 'shedding' | 'clientLimited' | 'undecided';

/** Completions per second while the server was busy all the time. */
export interface Plateau extends Ranged {
  /** Complete answers in that time, and the time, s since the step's start. */
  readonly completions: number;
  readonly fromS: number;
  readonly toS: number;
}

/** What one step showed. */
export interface StepFigures {
  readonly requests: number;
  /** From the start to the last arrival, s. */
  readonly windowS: number;
  /** As they left, over that time. */
  readonly sentRps: number;
  /** Complete answers that came while it was sent, per second, from `judgedFromS` on. */
  readonly completedRps: number | null;
  /** Mean time from sent to end at low load, by which the step was judged, s; null where no request succeeded. */
  readonly serviceS: number | null;
  /** The first part, in which requests in service are still building up, is not judged: from here on it is, s. */
  readonly judgedFromS: number;
  /** Requests under way at the last arrival. */
  readonly inFlightAtEnd: number;
  /** Growth of the requests under way, per second. */
  readonly backlogRps: Ranged | null;
  /** Requests that failed, as a share of all. */
  readonly failedShare: number;
  readonly plateau: Plateau | null;
  readonly verdict: Verdict;
  /** The verdict's reason in words. */
  readonly why: string;
}

/** A step of a sweep: what was asked, and what it showed. */
export interface SweepStep {
  readonly rateRps: number;
  readonly durationS: number;
  /** Why it was run. */
  readonly purpose: string;
  readonly figures: StepFigures;
}

/** The highest stable rate below the lowest overloaded one, and that, requests/s as sent; null where there is none. */
export interface Bracket {
  readonly stableRps: number | null;
  readonly overloadedRps: number | null;
}

/**
 * `found`: by the `plateau` of completions under overload, or by the `bracket` alone. `notReached`: nothing was overloaded. `clientLimited`: the client
 * gave out before the server. `undetermined`: the steps do not tell.
 */
export type Knee =
  | {
      readonly state: 'found';
      readonly rps: Ranged;
      readonly basis: 'plateau' | 'bracket';
      readonly bracket: Bracket;
      readonly notes: readonly string[];
    }
  | {
      readonly state: 'notReached' | 'clientLimited' | 'undetermined';
      readonly rps: null;
      readonly bracket: Bracket;
      readonly why: string;
    };
