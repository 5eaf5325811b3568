/** A request's latencies from its record, by the rules of recorder.ts: what a file made of records holds is what the report holds. */
import type { RequestRecord } from './spool.ts';

/** Latencies of one request, ns; null where it has none. A request that failed has only its lag. */
export interface RecordFigures {
  readonly ttft_scheduled_ns: number | null;
  readonly ttft_sent_ns: number | null;
  readonly e2e_scheduled_ns: number | null;
  readonly e2e_sent_ns: number | null;
  /** (last − first token) / (tokens − 1), tokens by usage, else by event. */
  readonly tpot_ns: number | null;
  /** Sent − scheduled, of the first try. */
  readonly lag_ns: number | null;
}

const since = (instant: number | null, t0: number | null): number | null =>
  instant === null || t0 === null ? null : Math.max(0, instant - t0);

/** Tokens of an answer: by usage where it has one (a usage of 0 is none), else its token events. */
export const tokensOf = (r: RequestRecord): number =>
  r.tokens_by_usage !== null && r.tokens_by_usage > 0 ? r.tokens_by_usage : r.tokens_by_event;

/** The figures of a record. */
export function figuresOf(r: RequestRecord): RecordFigures {
  const lag_ns = since(r.first_sent_ns, r.scheduled_ns);
  if (r.outcome !== 'complete')
    return {
      ttft_scheduled_ns: null,
      ttft_sent_ns: null,
      e2e_scheduled_ns: null,
      e2e_sent_ns: null,
      tpot_ns: null,
      lag_ns,
    };
  const n = tokensOf(r);
  // As sentT0 (ended.ts).
  const sent = r.tries > 1 && r.scheduled_ns === null ? r.first_sent_ns : r.sent_ns;
  const first = r.tokens_by_event > 0 ? r.first_token_ns : null;
  const span = since(r.last_token_ns, first);
  return {
    ttft_scheduled_ns: since(first, r.scheduled_ns),
    ttft_sent_ns: since(first, sent),
    e2e_scheduled_ns: since(r.last_token_ns, r.scheduled_ns),
    e2e_sent_ns: since(r.last_token_ns, sent),
    tpot_ns: span === null || n < 2 ? null : span / (n - 1),
    lag_ns,
  };
}
