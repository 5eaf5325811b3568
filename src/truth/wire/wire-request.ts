/**
 * How the capture saw an answer end: 'seen' to its last byte; 'closed': its connection ended, by either side, before it was whole; 'unseen':
 * the capture ended first (or lost the end), and the last token seen need not be the last one.
 */
export type WireEnding = 'seen' | 'closed' | 'unseen';

/** One completion request as the kernel saw it. Instants are ns of CLOCK_MONOTONIC; NaN where the event was not seen. */
export interface WireRequest {
  /** Ordinal of its TCP connection among those of the capture, from 0. */
  readonly connection: number;
  /** x-request-id (or X-Correlation-ID); null without one, or where it was not captured. */
  requestId: string | null;
  /** The `id` in the answer's payload. */
  responseId: string | null;
  /** Status of the answer; 0 where none was seen. */
  status: number;
  /** The segment that completed the request's head. */
  requestNs: number;
  /** The first byte of the answer (an interim 1xx is none). */
  headNs: number;
  /** The first segment with an output token in it. */
  firstNs: number;
  /** The last one. */
  lastNs: number;
  /** The last byte of the answer. */
  endNs: number;
  /** Bytes of it, or of its answer, were lost by the capture: its instants cannot be trusted. */
  hasGap: boolean;
  ending: WireEnding;
}

/** Whether its instants can be trusted: nothing of it lost, and the capture went on until it was over. */
export const isWhole = ({ hasGap, ending }: Pick<WireRequest, 'hasGap' | 'ending'>): boolean =>
  !hasGap && ending !== 'unseen';

export const newRequest = (connection: number): WireRequest => ({
  connection,
  requestId: null,
  responseId: null,
  status: 0,
  requestNs: Number.NaN,
  headNs: Number.NaN,
  firstNs: Number.NaN,
  lastNs: Number.NaN,
  endNs: Number.NaN,
  hasGap: false,
  ending: 'unseen',
});
