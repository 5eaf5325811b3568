/** A request that has ended, as figures are taken of it. Instants are ns of CLOCK_MONOTONIC, NaN where the event did not happen. */

/** What the recorder reads of a request. */
export interface Ended {
  readonly index: number;
  /** NaN in a closed loop: it was never due. */
  readonly scheduledNs: number;
  readonly sentNs: number;
  readonly headersNs: number;
  readonly firstNs: number;
  readonly firstAnswerNs: number;
  readonly lastNs: number;
  readonly endNs: number;
  readonly kinds: number;
  readonly completionTokens: number;
  /** By usage; −1 without. */
  readonly promptTokens: number;
  /** Token events. */
  readonly tokens: number;
  /** The instants that gaps are taken between: the first `stampCount`. */
  readonly stamps: Float64Array;
  readonly stampCount: number;
  readonly outcome: number;
  readonly failure: string;
  /** Retry-After of an answer that refused, and its Date; empty where it has none. */
  readonly retryAfter: string;
  readonly answerDate: string;
  /** How often the request was sent, and when first; `sentNs` is of the last try. With one try only that counts. */
  readonly tries: number;
  readonly firstSentNs: number;
}

/**
 * What latencies from the sent instant run from, ns: the send of the last try. In a closed loop it is that of the first: no scheduled instant is there to hold the wait for
 * Retry-After, and the user waited.
 */
export const sentT0 = (r: Pick<Ended, 'scheduledNs' | 'sentNs' | 'tries' | 'firstSentNs'>): number =>
  r.tries > 1 && Number.isNaN(r.scheduledNs) ? r.firstSentNs : r.sentNs;
