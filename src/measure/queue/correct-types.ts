/** What is corrected, and what comes of it. Pure data. */

/** A figure that a client reported of a run, ms. */
export interface ReportedFigure {
  readonly metric: 'ttft' | 'e2e' | 'tpot' | 'ntpot';
  readonly statistic: 'mean' | Quantile;
  readonly valueMs: number;
  /** Output tokens of each request; needed for TPOT and NTPOT. */
  readonly tokens: number | null;
  /** Requests of the run; null: unknown, and taken to be as many as at one rate of the profile. */
  readonly requests: number | null;
  /** Other quantiles of the same metric that were reported of the run. */
  readonly others?: readonly (Quantile & { readonly valueMs: number })[];
}

export interface Quantile {
  /** Between 0 and 1. */
  readonly quantile: number;
}

/** What is assumed of a delay's tail: nothing but its mean (`markov`), or that it is the model's (`model`, M/G/1 only). */
export type Tail = 'markov' | 'model';

export type Correction =
  | {
      readonly state: 'interval';
      /** `subtraction` of the client's mean delay, or `bounds` of a quantile, from which no mean may be taken away. */
      readonly method: 'subtraction' | 'bounds';
      /** What the server's own value may have been. */
      readonly lowMs: number;
      readonly highMs: number;
      /** The client's own mean part of the metric that was reckoned with. */
      readonly biasMs: { readonly low: number; readonly high: number };
      /** Of a quantile: a higher quantile of the server's that the reported one bounds from below; null for a mean, and where that says nothing. */
      readonly higher: (Quantile & { readonly atLeastMs: number }) | null;
      readonly assumptions: readonly string[];
    }
  | { readonly state: 'refused'; readonly reason: string };
