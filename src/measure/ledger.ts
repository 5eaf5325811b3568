/**
 * The ledger: what the reference target really did, one row a request, columns of instants on CLOCK_MONOTONIC.
 * This is the shape in memory; src/truth reads and writes it as Arrow IPC.
 */

/** How a request ended, by the target's own sight. Stored as its index in this list. */
export const LEDGER_OUTCOMES = [
  'complete',
  'refused',
  'clientClosed',
  'faultInjected',
  'unfinished',
] as const;
export type LedgerOutcome = (typeof LEDGER_OUTCOMES)[number];

/**
 * Columns of a ledger, each `rows` long, in order of arrival. Instants are nanoseconds of CLOCK_MONOTONIC; NaN where the
 * event did not happen (in files: null).
 */
export interface Ledger {
  readonly rows: number;
  readonly meta: LedgerMeta;
  /** The request's head was parsed. Injected latency counts from here; it includes the wait for a slot, where there are slots. */
  readonly arrivalNs: Float64Array;
  /** How long the request waited for a slot, ns, by computation; NaN where it never had one. Absent at a target without slots. */
  readonly queuedNs?: Float64Array;
  /** Just before the response head was written. */
  readonly headersNs: Float64Array;
  /** When the latency model wanted the first token written. */
  readonly firstDueNs: Float64Array;
  /** Just before the first token was written. */
  readonly firstNs: Float64Array;
  readonly lastDueNs: Float64Array;
  /** Just before the last token was written. */
  readonly lastNs: Float64Array;
  /** Just after the response was ended. */
  readonly endNs: Float64Array;
  readonly promptTokens: Int32Array;
  /** Output tokens asked for (max_tokens or the default). */
  readonly askedTokens: Int32Array;
  /** Output tokens written. */
  readonly deliveredTokens: Int32Array;
  /** HTTP status sent. */
  readonly status: Uint16Array;
  /** Index into LEDGER_OUTCOMES. */
  readonly outcome: Uint8Array;
  /** Ordinal of the TCP connection, from 0. */
  readonly connection: Int32Array;
  /** 1 for a streamed answer. */
  readonly streamed: Uint8Array;
  /** x-request-id (or X-Correlation-ID …) that the client sent; null without one. */
  readonly requestId: readonly (string | null)[];
  /** The `id` in the response's payload. */
  readonly responseId: readonly (string | null)[];
  /** Row r's tokens are tokenNs[tokenStart[r]] … tokenNs[tokenStart[r + 1] − 1]; length rows + 1. A request whose
   *  tokens all left in one write has no entries here: they all left at firstNs. */
  readonly tokenStart: Int32Array;
  /** Just before each token's write. */
  readonly tokenNs: Float64Array;
  /** When the model wanted it written. */
  readonly tokenDueNs: Float64Array;
}

/** Requests for what the target does not serve (a wrong path, or a wrong method there): they have no rows. */
export interface Unserved {
  /** Method and path, e.g. `POST /nope`, cut where it is very long. */
  readonly asked: string;
  readonly requests: number;
}

/** What the target says of itself over the ledger's time. */
export interface LedgerMeta {
  readonly version: 1;
  readonly seed: number;
  /** The latency model as its flag spells it, e.g. `ttft=50ms,itl=10ms`. */
  readonly latency: string;
  /** How it waits for a token's instant: `spin` (own core) or `block`; `none` at zero latency. */
  readonly pacing: 'spin' | 'block' | 'none';
  /** Where a streamed chat's role is: with the first token, beside it, or in an event of its own written with the head. */
  readonly role?: 'merged' | 'separate' | 'early';
  /** Time between a stream's last token and its end as asked for, ns. */
  readonly tailNs?: number;
  /** Share of the requests that it was told to refuse with 503, and share of the others whose answers it was told to break off, 0 … 1. */
  readonly refuseShare?: number;
  readonly breakShare?: number;
  /** Requests in service at once, and those that may wait for it (null: any number). Absent without such limits. */
  readonly slots?: {
    readonly slots: number;
    readonly queueLimit: number | null;
    readonly peakWaiting: number;
  };
  /** Requests that found no room left in the preallocated ledger (their truth is lost; the trial is not valid). */
  readonly lostRows: number;
  readonly lostTokens: number;
  /** Request ids that were too long to keep (their rows have null). */
  readonly lostIds?: number;
  /** First to last instant of the ledger, and the target's CPU time and loop utilization over it. */
  readonly windowNs: number;
  readonly cpuNs: number;
  readonly eventLoopUtilization: number;
  readonly peakInFlight: number;
  readonly connections: number;
  /** Bytes of the bodies of all completion requests together; absent from ledgers of earlier versions. */
  readonly bodyBytes?: number;
  /** The most asked first. */
  readonly unserved?: readonly Unserved[];
  /** Smallest step of the clock seen, ns. */
  readonly clockResolutionNs: number;
  readonly pid: number;
  readonly nodeVersion: string;
}
