/**
 * The names of what is measured, and the tables that carry it. The definitions are the field's (docs/metrics.md):
 * TTFT first output token − t0; ITL gaps between successive output tokens; TPOT (E2E − TTFT)/(tokens − 1), a request;
 * E2E last output token − t0; NTPOT E2E / output tokens, a request.
 */
export const METRICS = ['ttft', 'itl', 'tpot', 'ntpot', 'e2e'] as const;
export type Metric = (typeof METRICS)[number];

export const STATISTICS = ['mean', 'p50', 'p90', 'p99'] as const;
export type Statistic = (typeof STATISTICS)[number];

/** A metric's figures in milliseconds. A figure that is absent is null, and `absent` says why; never NaN, never 0. */
export interface Summary {
  /** How many values (requests, or gaps for ITL) stand behind the figures; null where a client does not say. */
  readonly n: number | null;
  readonly mean_ms: number | null;
  readonly p50_ms: number | null;
  readonly p90_ms: number | null;
  readonly p99_ms: number | null;
  /** Why figures are null. Present whenever one is. */
  readonly absent?: string;
}

export type MetricTable = Readonly<Record<Metric, Summary>>;

/** A summary without figures, and the reason. */
export const absent = (reason: string): Summary => ({
  n: null,
  mean_ms: null,
  p50_ms: null,
  p90_ms: null,
  p99_ms: null,
  absent: reason,
});

/** One figure of a summary, in milliseconds. */
export const statistic = (summary: Summary, name: Statistic): number | null => summary[`${name}_ms`];
