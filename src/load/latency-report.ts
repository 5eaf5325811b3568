/** Figures of a duration in a report. */

/** Percentiles of a duration, ms. */
export interface Percentiles {
  readonly p50_ms: number | null;
  readonly p90_ms: number | null;
  readonly p99_ms: number | null;
  readonly p999_ms: number | null;
  readonly max_ms: number | null;
}

export interface OverSuccesses extends Percentiles {
  /** Values behind the figures. */
  readonly n: number;
  readonly mean_ms: number | null;
  readonly min_ms: number | null;
  /** Why figures are null. */
  readonly absent?: string;
}

/** Of all requests, a failed one counted as infinitely late. A percentile that falls among them is null. */
export interface OverAll extends Percentiles {
  readonly n: number;
  readonly absent?: string;
}

/** A latency a request: of those that succeeded, and of all. */
export interface Latency {
  readonly over_successes: OverSuccesses;
  readonly over_all: OverAll;
}
