/** What a saturation sweep says: the document `tare-load-sweep/1` (docs/load-sweep.md). Every field names its unit; what is absent is null. */
import type { Verdict } from '../../measure/knee/types.ts';

export const SWEEP_SCHEMA = 'tare-load-sweep/1';

/** A rate with its 95 % interval, requests/s. */
export interface RateRange {
  readonly rps: number;
  readonly low_rps: number;
  readonly high_rps: number;
}

export interface SweepStepReport {
  /** Place in the order in which they were run, from 0, and why it was run. */
  readonly step: number;
  readonly purpose: string;
  readonly started_at: string;
  readonly elapsed_s: number;
  /** As planned. */
  readonly rate_rps: number;
  readonly duration_s: number;
  readonly requests: number;
  /** As the arrivals were drawn, and as they left. */
  readonly offered_rps: number | null;
  readonly sent_rps: number;
  /** Complete answers while requests were sent, without the build-up; and the share of the requests that failed. */
  readonly completed_rps: number | null;
  readonly failed_share: number;
  /** From the scheduled instant, of all requests: one that failed is infinitely late, and a percentile among such is null. */
  readonly ttft_p50_ms: number | null;
  readonly ttft_p99_ms: number | null;
  readonly e2e_p50_ms: number | null;
  readonly e2e_p99_ms: number | null;
  /** Share of the requests that met every goal; null without goals. */
  readonly good_share: number | null;
  readonly in_flight_at_end: number;
  /** How fast the requests under way grew. */
  readonly backlog: RateRange | null;
  /** Completions per second while the server was busy all the time, how many there were, and in what part of the step, s. */
  readonly plateau:
    | (RateRange & { readonly completions: number; readonly from_s: number; readonly to_s: number })
    | null;
  readonly verdict: Verdict;
  readonly why: string;
  /** Ended before its time, since too many requests were under way. */
  readonly cut_short: boolean;
  /** Codes of the warnings of this step's own run. */
  readonly warnings: readonly string[];
}

export interface KneeReport {
  readonly state: 'found' | 'notReached' | 'clientLimited' | 'undetermined';
  /** null unless found. */
  readonly rps: number | null;
  readonly low_rps: number | null;
  readonly high_rps: number | null;
  /** `plateau`: of completions under overload; `bracket`: between a stable and an overloaded step. */
  readonly basis: 'plateau' | 'bracket' | null;
  /** The highest stable rate below the lowest overloaded one, and that. */
  readonly stable_rps: number | null;
  readonly overloaded_rps: number | null;
  readonly notes: readonly string[];
  /** Why there is none. */
  readonly absent?: string;
}

/** The highest rate at which the goals were met by enough requests, and the lowest at which they were not. */
export interface GoalKneeReport {
  readonly goals: readonly string[];
  readonly least_good_share: number;
  readonly holds_rps: number | null;
  readonly fails_rps: number | null;
  readonly absent?: string;
}

/** Where the curve of a latency bends: secondary, since it depends on the rates that were run. */
export interface LatencyKneeReport {
  readonly method: string;
  readonly metric: 'ttft_p99_ms' | 'e2e_p99_ms';
  readonly rps: number | null;
  readonly absent?: string;
}

export interface SweepReport {
  readonly schema: typeof SWEEP_SCHEMA;
  readonly tare_version: string;
  readonly state: 'complete' | 'interrupted';
  /** Why no further step was run. */
  readonly ended: string;
  readonly started_at: string;
  readonly elapsed_s: number;
  readonly options: {
    readonly url: string;
    readonly model: string;
    readonly arrivals: string;
    /** Of every request; null where they are not alike. */
    readonly prompt_tokens: number | null;
    readonly output_tokens: number | null;
    readonly lengths: 'alike' | 'tasks' | 'trace';
    readonly seed: number;
    readonly low_rps: number;
    readonly high_rps: number;
    readonly points: number | null;
    readonly step_s: number;
    readonly budget_s: number;
    readonly precision: number;
    readonly timeout_s: number;
  };
  readonly client: { readonly workers: number; readonly pacing: 'spin' | 'block' };
  readonly steps: readonly SweepStepReport[];
  readonly knee: KneeReport;
  readonly goal_knee: GoalKneeReport | null;
  readonly latency_knee: LatencyKneeReport;
}
