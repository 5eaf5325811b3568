/** How a client defines what it prints, as data. Every kind has its arithmetic in expected.ts. */

export interface Definitions {
  /** What the client's clock starts from. */
  readonly t0: 'scheduled' | 'sent';
  /** In words, where exactly: "after the semaphore, before the connection". */
  readonly t0Detail: string;
  readonly ttft: 'firstContent' | 'firstChunk' | 'headers' | 'none';
  /** Gaps between chunks; `tpot` where the client calls a request's TPOT "ITL". */
  readonly itl: 'chunkGaps' | 'tpot' | 'none';
  /** `standard` (E2E − TTFT)/(n − 1) with the client's own E2E and TTFT; `betweenTokens` (last − first token)/(n − 1); `none`. */
  readonly tpot: 'standard' | 'betweenTokens' | 'none';
  /** `standard` the client's own E2E / n; `toLastToken` (last token − t0) / n, where its E2E ends later; `none`. */
  readonly ntpot: 'standard' | 'toLastToken' | 'none';
  /** What E2E runs to. */
  readonly end: 'lastToken' | 'responseEnd';
  readonly tokenSource: 'usage' | 'clientTokenizer' | 'requested' | 'chunks';
  /**
   * How the printed request rate is made: requests over the time from first send to last end (the drain included), or from the start of the
   * schedule, a gap before the first send, to last end; requests over first to last send; gaps (requests − 1) over first to last send; another way or none.
   */
  readonly throughput: 'firstSendToLastEnd' | 'firstGapToLastEnd' | 'sendWindow' | 'sendGaps' | 'none';
  /** Which requests that rate counts. */
  readonly throughputOf: 'completed' | 'all';
  /** What happens to failed requests in percentiles. `counted`: those that were answered, with any status, are in them. */
  readonly failures: 'excluded' | 'counted' | 'abortRun';
  /** Requests sent before those that count (warm-up, readiness check). */
  readonly warmupRequests: number;
  /**
   * `interpolated` between the two nearest values (the default); `nextValue` the one at index ⌊p·n⌋ of n in order; `nearestRank` the one
   * of rank ⌈p·n⌉, counted from 1; `rounded` values,
   * as locust keeps them (rounded.ts).
   */
  readonly percentiles?: 'interpolated' | 'nextValue' | 'nearestRank' | 'rounded';
}

/** Tare's own definitions (docs/metrics.md), by which `realized` is computed. */
export const STANDARD: Definitions = {
  t0: 'scheduled',
  t0Detail: 'the instant that the schedule gave',
  ttft: 'firstContent',
  itl: 'chunkGaps',
  tpot: 'standard',
  ntpot: 'standard',
  end: 'lastToken',
  tokenSource: 'usage',
  throughput: 'sendGaps',
  throughputOf: 'all',
  failures: 'excluded',
  warmupRequests: 0,
};
