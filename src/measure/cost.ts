/** What a client costs on a machine (docs/profile.md): CPU time of its busiest thread by request, token and prompt byte. Pure data and sums. */

/** How the answer comes: whole JSON, all events in one write, a write for each token; and what carries it. */
export const LAYERS = ['json', 'sse-one-write', 'sse-token', 'tls', 'http2'] as const;
export type Layer = (typeof LAYERS)[number];

/** A cost with its 95 % interval, µs. */
export interface CostUs {
  readonly us: number;
  readonly low_us: number;
  readonly high_us: number;
}

/** Costs of one layer: a request costs request + tokens · token + prompt bytes · prompt_byte. */
export interface LayerCost {
  readonly layer: Layer;
  readonly tokenization: 'on' | 'off' | 'not stated';
  readonly request: CostUs;
  /** null: it was not varied in this layer. */
  readonly token: CostUs | null;
  readonly prompt_byte: CostUs | null;
  /** Residual standard deviation of the regression, µs a request, and points behind it. */
  readonly residual_us: number;
  readonly points: number;
  /** How busy the client was when it was measured, median: at less load an event costs more. */
  readonly rho?: number;
}

/** What is kept of a client's profile in the cache, for `tare load --workers auto` and `tare correct`. */
export interface CostProfile {
  readonly schema: 'tare-cost/1';
  readonly client: string;
  readonly client_version: string;
  /** CPU model, cores and Node: a profile of another machine is none. */
  readonly host: string;
  readonly measured_at: string;
  /** Loops that the client spread its work over when it was measured. */
  readonly loops: number;
  /** Whose CPU time the costs are: the busiest thread's; or, of a client whose work goes from thread to thread (goroutines, tokio), all threads'. */
  readonly bound_by?: 'busiest thread' | 'all threads';
  /** From launch to the first request, and from the last answer to the end, s. */
  readonly startup_s: number;
  readonly teardown_s: number;
  readonly layers: readonly LayerCost[];
}

/** CPU time of a request, µs, in a layer. */
export const requestCostUs = (
  cost: LayerCost,
  request: { readonly tokens: number; readonly promptBytes: number },
): number =>
  cost.request.us +
  (cost.token?.us ?? 0) * request.tokens +
  (cost.prompt_byte?.us ?? 0) * request.promptBytes;
