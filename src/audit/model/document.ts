/** model.json, `tare-model/1`: what `tare model` says of the clients of an audit. Data; every field that has a unit names it. */
import type { ModelKind } from '../../measure/queue/types.ts';
import type { HostInfo } from '../../system/host.ts';
import type { REFUSALS } from './applies.ts';
import type { Grain } from './grain.ts';

export const MODEL_SCHEMA = 'tare-model/1';

/** A fitted figure with its 95 % bootstrap interval; the ends are null where it could not be had. */
export interface ModelEstimate {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Parameters of a model, of one event loop and of whole requests whatever the grain; null: not of this kind of model, or not fitted. */
export interface ModelParameters {
  readonly mu_rps: ModelEstimate | null;
  readonly cv2: ModelEstimate | null;
  /** A turn of the loop costs `turn_ms`, and each arrival in it more: `request_ms` for all those of a request together. */
  readonly turn_ms: ModelEstimate | null;
  readonly request_ms: ModelEstimate | null;
  readonly ttft_base_ms: ModelEstimate | null;
  readonly e2e_base_ms: ModelEstimate | null;
  /** The greatest rate of all loops together: loops × μ, or loops ÷ cost of a request. */
  readonly capacity_rps: ModelEstimate;
}

export interface ModelResidual {
  readonly asked_rps: number;
  readonly figure: 'ttft' | 'e2e';
  readonly held_out: boolean;
  readonly measured_ms: number;
  readonly measured_se_ms: number | null;
  readonly predicted_ms: number | null;
}

export interface ModelOfKind {
  readonly kind: ModelKind;
  readonly parameters: ModelParameters;
  /** Root mean square of held-out residuals, each relative to what was measured; null with too few rates. */
  readonly held_out_error: number | null;
  readonly residuals: readonly ModelResidual[];
}

/** Above its capacity: how the delay grows with the run. */
export interface Growth {
  /** In which the requests were due at the asked rate, s: without it a delay beyond capacity means nothing. */
  readonly duration_s: number;
  /** For each second until an answer is read, ms: 1000·(1 − μ/λ). */
  readonly growth_ms_per_s: number;
  /** Mean over the requests that were due in `duration_s`: (λ/μ − 1)·duration/2. */
  readonly mean_of_run_ms: number;
  /** What was measured at the mean, as a multiple of that; null where no mean was. */
  readonly measured_over_predicted: number | null;
  /** Where the capacity is from: the chosen model, or the rate that arrived at the target where there is none. */
  readonly capacity_rps: number;
  readonly capacity_by: 'model' | 'arrivals';
}

/** What was measured at a rate, and what the model says of it. */
export interface ModelRate {
  readonly asked_rps: number;
  readonly arrived_rps: number;
  readonly trials: number;
  readonly requests: number;
  readonly duration_s: number;
  readonly output_tokens: number;
  readonly saturated: boolean;
  readonly held_out: boolean;
  readonly gap_cv2: number | null;
  readonly ttft_bias_ms: number | null;
  readonly ttft_bias_se_ms: number | null;
  readonly e2e_bias_ms: number | null;
  readonly e2e_bias_se_ms: number | null;
  /** CPU time of a loop's thread for each request that it handled. */
  readonly cpu_ms_per_request: number | null;
  /** Utilization of a loop, by the chosen model and by CPU time (share of a core of its thread). */
  readonly rho: number | null;
  readonly rho_by_cpu: number | null;
  readonly growth: Growth | null;
}

/** `fitted`: a model was chosen. `unexplained`: none explains the curve. `refused`: none applies, or there is too little. */
export type ModelState = 'fitted' | 'unexplained' | 'refused';

export interface ClientModel {
  readonly client: string;
  readonly client_version: string | null;
  readonly state: ModelState;
  readonly refusal: (typeof REFUSALS)[number] | null;
  readonly chosen: ModelKind | null;
  /** Why it is chosen, or why none is. */
  readonly why: string;
  /** What queues as one piece; null where that was not come to. */
  readonly grain: Grain | null;
  readonly grain_words: string | null;
  readonly loops: number | null;
  readonly loops_how: string | null;
  readonly t0: 'scheduled' | 'sent';
  readonly models: readonly ModelOfKind[];
  readonly rates: readonly ModelRate[];
  /** Greatest rate of all loops together, by the chosen model; where both models are in question its ends hold both. null: none is chosen. */
  readonly capacity_rps: ModelEstimate | null;
  /** Service rate of a loop by the CPU time of its thread, at the lowest and the highest steady rate. */
  readonly cpu_mu_low_rate_rps: number | null;
  readonly cpu_mu_high_rate_rps: number | null;
  readonly agreement: { readonly agrees: boolean; readonly factor: number; readonly words: string } | null;
  readonly notes: readonly string[];
}

export interface ModelDocument {
  readonly schema: typeof MODEL_SCHEMA;
  readonly tare_version: string;
  /** The audit that it is of. */
  readonly audit: {
    readonly started_at: string;
    readonly tare_version: string;
    readonly host: Pick<HostInfo, 'cpu_model' | 'cores' | 'node' | 'kernel'>;
    readonly latency: string;
    readonly output_tokens: number;
    readonly prompt_tokens: number;
    readonly arrivals: string;
    readonly repetitions: number;
    readonly seed: number;
  };
  /** Rates that the user left out of the fit; null: each is left out in turn. */
  readonly held_out_rps: readonly number[] | null;
  /** Of the bootstrap. */
  readonly seed: number;
  readonly clients: readonly ClientModel[];
}
