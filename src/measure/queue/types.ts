/**
 * The queue models of a client (docs/model.md): what is fitted, from what, and what a fit says. Pure data. A server of the queue is one event
 * loop of the client; with k loops each one has a k-th of the arrivals.
 */
import type { Split } from './loops.ts';

/** What one rate showed of a client at a target with known delays, over the trials at that rate. */
export interface CurvePoint {
  /** Arrivals per second that the target saw, all loops together. */
  readonly rateRps: number;
  /** Requests behind the point, and how long the arrivals went on, s. */
  readonly requests: number;
  readonly durationS: number;
  /** Output tokens of a request, mean. */
  readonly tokens: number;
  /** Mean of reported − expected and its standard error, ms; null where the client has no such figure. */
  readonly ttftBias: MeanMs | null;
  readonly e2eBias: MeanMs | null;
  /** CPU time of the busiest thread, ms a request that it handled; null where it was not seen. */
  readonly cpuMsPerRequest: number | null;
  /** Squared coefficient of variation of the gaps between arrivals. */
  readonly gapCv2: number | null;
  /** The client did not keep the rate that was asked: no steady state. */
  readonly saturated: boolean;
}

export interface MeanMs {
  readonly mean: number;
  /** Standard error of the mean; null for one trial without records. */
  readonly se: number | null;
}

/** `mg1`: M/G/1 and M^[X]/G/1 with constant cost. `gated`: a turn of the loop with n events costs a + b·n. */
export type ModelKind = 'mg1' | 'gated';

/** A figure with its 95 % bootstrap interval; the ends are null where it could not be had. */
export interface Estimate {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Mg1Parameters {
  readonly kind: 'mg1';
  /** Service rate of one loop, requests/s (μ), and the squared coefficient of variation of a request's service time. */
  readonly muRps: Estimate;
  readonly cv2: Estimate;
  /**
   * Equal events that a request would be if they were all its work: 1/(1 − μ·D), D the time from its first event to its last, which is the
   * bases' difference. null where a figure is missing or D is no less than the whole service time.
   */
  readonly batchEvents: Estimate | null;
  /** What the client adds to TTFT and to E2E without any queue, ms; null where the figure was not fitted. */
  readonly ttftBaseMs: Estimate | null;
  readonly e2eBaseMs: Estimate | null;
}

export interface GatedParameters {
  readonly kind: 'gated';
  /** Cost of a turn, and of each request in it, ms. The greatest rate of one loop is 1/b. */
  readonly turnMs: Estimate;
  readonly requestMs: Estimate;
  readonly ttftBaseMs: Estimate | null;
  readonly e2eBaseMs: Estimate | null;
}

/** What a model says of a rate. Times are ms; null at ρ ≥ 1, where they grow with the run. */
export interface Prediction {
  readonly rateRps: number;
  /** Share of the greatest rate that a loop can serve: λ/(kμ), or λb/k of a gated loop. */
  readonly rho: number;
  /** Share of the time that a loop works: ρ in M/G/1, more than ρ in a gated loop, whose turns cost too; 1 at ρ ≥ 1. */
  readonly busyShare: number;
  readonly ttftBiasMs: number | null;
  readonly e2eBiasMs: number | null;
  /** At ρ ≥ 1: how much more what is handled is delayed for each second that the run goes on, ms/s: (1 − μ/λ)·1000; else null. */
  readonly growthMsPerS: number | null;
}

/**
 * What was measured at a rate and what the model says: of the fit to all rates that were to be fitted (`heldOut` false), or of a fit
 * without this rate (`heldOut` true). A rate may have both.
 */
export interface Residual {
  readonly rateRps: number;
  readonly figure: 'ttft' | 'e2e';
  readonly heldOut: boolean;
  readonly measuredMs: number;
  readonly predictedMs: number | null;
  /** Standard error of the measured mean; null where unknown. */
  readonly se: number | null;
  /** Requests behind the measured mean. */
  readonly requests: number;
}

/** Parameters without intervals; units as in `Mg1Parameters` and `GatedParameters`. */
export type ParameterValues =
  | {
      readonly kind: 'mg1';
      readonly muRps: number;
      readonly cv2: number;
      readonly ttftBaseMs: number | null;
      readonly e2eBaseMs: number | null;
    }
  | {
      readonly kind: 'gated';
      readonly turnMs: number;
      readonly requestMs: number;
      readonly ttftBaseMs: number | null;
      readonly e2eBaseMs: number | null;
    };

/** One model, fitted. */
export interface FittedModel {
  readonly kind: ModelKind;
  readonly parameters: Mg1Parameters | GatedParameters;
  readonly loops: number;
  /** How the loops share the arrivals. */
  readonly split: Split;
  /**
   * Root mean square of the held-out residuals relative to what was measured: over the rates of `holdOut`, or else each rate by a fit
   * without it. Beyond 1, or no steady state predicted, counts as 1. null with too few rates.
   */
  readonly heldOutError: number | null;
  /** The same of the standard errors alone: what a true model would be off by, or somewhat more. null where none is known. */
  readonly heldOutNoise: number | null;
  /** The residuals of the fit are larger than their errors allow (sound.ts). */
  readonly refuted: boolean;
  /** Why it may not be shown, however well it predicts; null where it may. */
  readonly unsound: string | null;
  /** Lowest and highest rate that was fitted, requests/s. */
  readonly fittedRps: { readonly low: number; readonly high: number };
  /**
   * The parameters of each bootstrap fit: what intervals of predictions are made of. First those to data drawn from the model
   * (`parametricDraws` of them), then those to drawn points; an interval holds the middle 95 % of both.
   */
  readonly draws: readonly ParameterValues[];
  readonly parametricDraws: number;
  readonly residuals: readonly Residual[];
}

/** All that is said of a client's queue. */
export interface QueueFit {
  /** null: the model does not explain this client, or there is too little to say; `why` says which. */
  readonly chosen: ModelKind | null;
  /** Both models are in question: `chosen` is the simpler one, or the better one where only chance may have made it so. `why` says which. */
  readonly tie: boolean;
  readonly why: string;
  readonly models: readonly FittedModel[];
  /** Greatest rate of all loops together, requests/s, by the chosen model; on a tie its ends hold both models' intervals. null where none is chosen. */
  readonly capacityRps: Estimate | null;
  /** Service rate of a loop from the CPU time of its busiest thread, requests/s, at the lowest and the highest steady rate. */
  readonly cpuMuRps: { readonly atLowRate: number | null; readonly atHighRate: number | null };
  /** Whether the service rate by the curve and by CPU time agree, and by what factor they differ; null where one is missing. */
  readonly agreement: { readonly agrees: boolean; readonly factor: number; readonly words: string } | null;
  /** What limits trust: few rates, arrivals that are no Poisson process, steady rates only far below saturation … */
  readonly notes: readonly string[];
}
