/**
 * A published claim, as data: who claims what, how it was measured, and the page that it stands on. `null` means "not stated", which
 * is an answer: what a claim leaves out is what has to be asked. Read from YAML by src/claims/file; everything else takes this. Pure.
 */

/** A figure as printed: its value, and how far the printed digits let it be from that. */
export interface Quantity {
  /** In the canonical unit of its metric (`METRIC_UNIT`); Infinity only for a rate of "inf". */
  readonly value: number;
  /** Half a unit of the last printed digit, in the same unit: the true value lies within value ± half. 0 for counts. */
  readonly half: number;
  /** As the page prints it, unit included: `0.542 s`. */
  readonly text: string;
}

/** What may be claimed. Latencies in ms, throughputs in tokens/s or requests/s, shares in per cent. */
export const METRIC_UNIT = {
  ttft: 'ms',
  itl: 'ms',
  tpot: 'ms',
  ntpot: 'ms',
  e2e: 'ms',
  output_throughput: 'tok/s',
  input_throughput: 'tok/s',
  total_throughput: 'tok/s',
  request_throughput: 'req/s',
  /** Tokens per second that one user sees. */
  user_throughput: 'tok/s/user',
  success_rate: '%',
  /** Requests that were completed, and that failed. */
  completed: 'requests',
  failed: 'requests',
} as const;
export type ClaimMetric = keyof typeof METRIC_UNIT;

/** null: the page gives the figure without saying which statistic it is. `total` for throughputs and counts. */
export const CLAIM_STATISTICS = [
  'min',
  'mean',
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'p999',
  'max',
  'std',
  'total',
] as const;
export type ClaimStatistic = (typeof CLAIM_STATISTICS)[number] | null;

export interface ClaimFigure {
  /** `ROW.METRIC_STATISTIC`, e.g. `v060.ttft_p99`: unique in the claim. */
  readonly id: string;
  readonly row: string;
  readonly metric: ClaimMetric;
  readonly statistic: ClaimStatistic;
  readonly quantity: Quantity;
  /** Place in the YAML file, from 1. */
  readonly line: number;
}

/** One line of a table: a system under one load. A sweep is several. */
export interface ClaimRow {
  readonly id: string;
  /** `ClaimSystem.name`. */
  readonly system: string;
  /** Requests a second as asked, Infinity for "inf" (all at once); null: not stated, or a closed loop. */
  readonly rateRps: Quantity | null;
  /** Requests kept in flight, or the cap on them. */
  readonly concurrency: Quantity | null;
  /** Requests sent. */
  readonly requests: Quantity | null;
  /** Time in which they were sent. */
  readonly durationS: Quantity | null;
  readonly inputTokens: Quantity | null;
  readonly outputTokens: Quantity | null;
  /** `fixed`: every request has it (ignore_eos); `mean`, `max` (a limit that replies may stay below); null: not stated. */
  readonly outputLength: 'fixed' | 'mean' | 'max' | null;
  /** The first run with these prompts, or one after it. */
  readonly run: 'cold' | 'warm' | null;
  /** The same prompts (and seed) as this row had, run earlier. */
  readonly promptsOf: string | null;
  readonly figures: readonly ClaimFigure[];
  readonly line: number;
}

/** One side of a comparison. */
export interface ClaimSystem {
  readonly name: string;
  readonly engine: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly hardware: string | null;
  readonly prefixCache: 'on' | 'off' | null;
}

/** What a second client measured on the same engine. */
export interface SecondClient {
  /** `within`: at most so far from the first, in every figure; `apart`: so far. In per cent. */
  readonly kind: 'within' | 'apart';
  readonly percent: Quantity;
  /** Which client it was, and in which figures. */
  readonly how: string | null;
}

/** How it was measured. A string where words are all that a page gives. */
export interface ClaimMeasurement {
  readonly client: { readonly name: string | null; readonly version: string | null };
  /** Worker processes of the client. */
  readonly processes: Quantity | null;
  /** `single`: one event loop; `multi`: several processes or threads. */
  readonly loop: 'single' | 'multi' | null;
  /** Where a request's clock starts: when it was due, when it entered the client's queue, when it was sent. */
  readonly t0: 'scheduled' | 'queued' | 'sent' | null;
  readonly streaming: 'yes' | 'no' | null;
  /** How the output tokens that TPOT and throughput are computed with are counted. */
  readonly tokenSource: 'usage' | 'client tokenizer' | 'requested' | 'chunks' | null;
  readonly arrivals: 'constant' | 'poisson' | 'all at once' | 'closed loop' | 'trace' | null;
  /** In words, `none` included. */
  readonly warmUp: string | null;
  /** Which requests or times the figures are over, in words. Exactly `whole run` says: all of it, ramp and drain inside. */
  readonly window: string | null;
  readonly repetitions: Quantity | null;
  readonly successRate: Quantity | null;
  /** Failed requests: are they in latencies and throughputs, or left out? Absent as null. */
  readonly failures?: 'left out' | 'counted' | null;
  /** Hardware of the machine that the client ran on, and what else it did. */
  readonly clientHost: string | null;
  readonly clientLoad: string | null;
  /** Was the same engine measured with a second client, and how far were they apart? Words alone say nothing of how far. */
  readonly secondClient: string | SecondClient | null;
  /** What the client itself adds at this load, by an audit that is public or attached; a bound in ms on TTFT p50/p99 and the like. */
  readonly clientBias: { readonly atMostMs: Quantity; readonly how: string } | null;
}

/** A sentence of the claim: so many times faster. */
export interface ClaimHeadline {
  readonly id: string;
  readonly text: string;
  /** The factor, as printed. */
  readonly ratio: Quantity;
  readonly bound: 'exactly' | 'up to' | 'at least';
  /** `higher`: ratio = of / over; `lower`: of a latency, ratio = over / of. */
  readonly better: 'higher' | 'lower';
  /** Figure ids; null where the page gives no figures for it. */
  readonly of: string | null;
  readonly over: string | null;
  readonly line: number;
}

export interface ClaimSource {
  readonly url: string;
  readonly title: string | null;
  /** Days, ISO 8601. */
  readonly published: string | null;
  readonly read: string | null;
  /** A script or configuration that the page says it was made with, and what of it differs from the table, in words. */
  readonly says: string | null;
}

export interface Claim {
  readonly title: string;
  readonly claimant: string;
  readonly sources: readonly ClaimSource[];
  readonly systems: readonly ClaimSystem[];
  readonly measurement: ClaimMeasurement;
  readonly rows: readonly ClaimRow[];
  readonly headlines: readonly ClaimHeadline[];
  /** What a reader of the page should know and no field has. */
  readonly notes: readonly string[];
}
