/** What a client makes of one request: what is right, or what a given fault makes of it. */

/** A request that counts as successful, with its figures; ms from the instant that the target had read it. */
export interface SeenDone {
  readonly ok: true;
  /** null: there is none (an answer without a token). */
  readonly ttftMs: number | null;
  readonly e2eMs: number;
  readonly tokens: number;
  /** Gaps between output tokens, ms. */
  readonly itlMs: readonly number[];
  /** First token of the answer itself, where reasoning comes before it; null: none came. Absent: as ttftMs. */
  readonly answerTtftMs?: number | null;
  /** Only where it is not (e2eMs − ttftMs) / (tokens − 1). */
  readonly tpotMs?: number | null;
  /** Only where it is not e2eMs / tokens. */
  readonly ntpotMs?: number | null;
  /** It is counted as failed, and its figures are among the others’ all the same: a fault. */
  readonly countedFailed?: true;
  /** How often the request counts in the mean and the percentiles of TPOT, and of NTPOT: once, unless requests are weighed by tokens. */
  readonly tpotTimes?: number;
  readonly ntpotTimes?: number;
}

/** A request that failed; it is in no percentile of successes. */
export interface SeenFailed {
  readonly ok: false;
}

export type Seen = SeenDone | SeenFailed;

/** TPOT of a request, ms; null where it is not defined. */
export function tpotOf(seen: SeenDone): number | null {
  if (seen.tpotMs !== undefined) return seen.tpotMs;
  if (seen.ttftMs === null || seen.tokens < 2) return null;
  return (seen.e2eMs - seen.ttftMs) / (seen.tokens - 1);
}

/** NTPOT of a request, ms; null without a token. */
export function ntpotOf(seen: SeenDone): number | null {
  if (seen.ntpotMs !== undefined) return seen.ntpotMs;
  return seen.tokens > 0 ? seen.e2eMs / seen.tokens : null;
}
