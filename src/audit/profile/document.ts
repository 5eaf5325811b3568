/** The result of `tare profile`, as it leaves the process. Every figure names its unit. */
import type { FrontProtocol } from '../../../simulators/front/record.ts';
import type { CostUs, Layer } from '../../measure/cost.ts';
import type { Extent } from '../../measure/profile/design.ts';
import type { GoodTo } from '../../measure/profile/good-to.ts';
import type { Linearity } from '../../measure/profile/linearity.ts';
import type { HostInfo } from '../../system/host.ts';

export const PROFILE_SCHEMA = 'tare-profile/1';

/** Which thread's CPU time bounds a client: `busiest thread` where one event loop does the work, else `all threads`. */
export type Unit = GoodTo['bound_by'];

/** What went over the wire, by the ledger and (over TLS) the front. */
export interface Written {
  /** Share of the answers that were streams. */
  readonly streamed_share: number;
  /** Instants at which tokens of an answer were written, a request. */
  readonly token_writes: number;
  /** Bytes of a request's body. */
  readonly body_bytes: number;
  /** null: there was no front. Connections by what was negotiated, e.g. `TLSv1.3 h2`; requests by version of HTTP. */
  readonly front: {
    readonly connections: Readonly<Record<string, number>>;
    readonly requests: Readonly<Record<string, number>>;
  } | null;
}

/** One run of the client. */
export interface ProfilePoint {
  readonly id: string;
  readonly cell: string;
  readonly tokens: number;
  readonly prompt_tokens: number;
  readonly repetition: number;
  /** Place in the order of all runs of this client, from 0. */
  readonly order: number;
  /** `pilot`: to find the rate. `usual`: what costs are fitted on. `half`: at half the load. `saturation`: more than it can do. */
  readonly purpose: 'pilot' | 'usual' | 'half' | 'saturation';
  readonly rate_rps: number;
  /** What kept the rate from the load that was wanted; null: nothing. */
  readonly rate_limited_by: 'target' | 'requests' | null;
  readonly elapsed_s: number;
  /** null where the run gave none, with the reason in `why`. */
  readonly cost: PointCost | null;
  /** Why it has no cost, or is not used in the fit; null: it is. */
  readonly why: string | null;
}

export interface PointCost {
  /** CPU time of the busiest thread and of all threads of all its processes, a request of the whole client, µs. */
  readonly busiest_us: number;
  readonly group_us: number;
  /** Busy share of the busiest thread, and of all threads in cores. */
  readonly busiest_share: number;
  readonly group_share: number;
  /** Part of the CPU time that was spent in the kernel; null where nothing was used. */
  readonly system_part: number | null;
  /** Threads that carry its work together, each about as busy as the busiest; 1 where one does, or they differ. null where that is not known. */
  readonly loops: number | null;
  /** From the first arrival to the last, s. */
  readonly load_s: number;
  /** Requests of the window, and its length. */
  readonly requests: number;
  readonly window_s: number;
  readonly sent_rps: number;
  readonly completed_rps: number | null;
  /** Tokens of an answer, mean. */
  readonly delivered_tokens: number;
  readonly written: Written;
  readonly startup_s: number;
  readonly teardown_s: number;
  /** Time that its most-kept-waiting thread was ready and had no core, of all time. */
  readonly core_wait_share: number | null;
  readonly steal_share: number | null;
}

/** A line through the points: CPU time of a request = request + tokens · token + bytes of its body · prompt_byte. */
export interface CostLine {
  readonly request: CostUs;
  readonly token: CostUs | null;
  readonly prompt_byte: CostUs | null;
  /** Residual standard deviation as a share of the cost, and in µs a request. */
  readonly residual_share: number;
  readonly residual_us: number;
  readonly points: number;
  readonly df: number;
  readonly linearity: Linearity;
}

/** What a client of this cost is good to, for requests of so many tokens. */
export interface GoodToRow {
  readonly tokens: number;
  readonly prompt_bytes: number;
  /** Beyond the tokens that were measured. */
  readonly extrapolated: boolean;
  /** Costs of such a request. */
  readonly busiest_us: CostUs | null;
  readonly group_us: CostUs;
  readonly rho: number;
  /** null: the line gives no cost above 0. */
  readonly good_to: GoodTo | null;
}

export interface LayerResult {
  /** `sse-token`, or with a variant: `sse-token+server-tokens`. */
  readonly id: string;
  readonly layer: Layer;
  readonly tokenization: 'on' | 'off' | 'not stated';
  readonly front: FrontProtocol | null;
  /** `measured`; `cannot`: the client lacks it; `not known`: nobody has looked; `failed`: it was tried. */
  readonly state: 'measured' | 'cannot' | 'not known' | 'failed' | 'interrupted';
  /** By which flag it was had, or why it was not. */
  readonly how: string;
  /** The target's latency model. */
  readonly latency: string;
  /** How much was measured; null: no run gave a cost. */
  readonly extent: Extent | null;
  /** null unless measured; of `busiest` also where no single thread bounds the client. */
  readonly busiest: CostLine | null;
  readonly group: CostLine | null;
  /** Load at which the costs were measured. */
  readonly load: {
    readonly median_rho: number;
    readonly least_rps: number;
    readonly most_rps: number;
  } | null;
  /** Cost at half the load ÷ cost at the load; null where that was not measured. Above 1: an event loop batches, or works while idle. */
  readonly half_load: {
    readonly ratio: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  readonly good_to: readonly GoodToRow[];
  readonly points: readonly ProfilePoint[];
  readonly warnings: readonly string[];
}

/** More load than the client can do: what the ledger then saw, beside what the costs say. */
export interface SaturationCheck {
  readonly layer: string;
  readonly tokens: number;
  readonly asked_rps: number;
  /** Completions/s by the ledger. */
  readonly completed_rps: number;
  /** 1/cost, the rate at which the client would be busy all the time. */
  readonly predicted_rps: number;
  readonly busiest_share: number;
  readonly group_share: number;
  /** CPU time of a request while saturated, µs, of what bounds the client. */
  readonly cost_us: number;
  readonly ratio: number;
}

export interface ClientProfile {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** As documented. */
  readonly architecture: string;
  readonly runtime: string;
  readonly bound_by: Unit;
  /** Threads that carried its work together, each about as busy as the busiest, median over runs; else 1. */
  readonly loops: number;
  /** null: its own default. */
  readonly workers: number | null;
  readonly startup_s: number | null;
  readonly teardown_s: number | null;
  readonly elapsed_s: number;
  readonly layers: readonly LayerResult[];
  readonly saturation: SaturationCheck | { readonly why: string } | null;
  /** Where the costs are kept for other commands; null: they are not. */
  readonly kept_in: string | null;
}

export interface ProfileDocument {
  readonly schema: typeof PROFILE_SCHEMA;
  readonly tare_version: string;
  readonly started_at: string;
  readonly elapsed_s: number;
  readonly state: 'finished' | 'interrupted';
  readonly host: HostInfo;
  readonly pinning_note: string;
  readonly target_pacing: 'block';
  readonly client_cores: number;
  readonly seed: number;
  readonly clients: readonly ClientProfile[];
}
