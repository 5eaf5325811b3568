/**
 * Between the pieces that queue and whole requests. Where tokens come one by one the curve is fitted in tokens: λ·N arrivals of one token a
 * second. What is said of it is of requests: a rate of N times fewer, a cost N times as large. Waits and bases are what they are. Pure.
 */
import type { CurvePoint, Estimate, FittedModel } from '../../measure/queue/types.ts';
import type { ModelEstimate, ModelParameters } from './document.ts';

/** A point in pieces: `pieces` of them are a request. */
export const inPieces = (point: CurvePoint, pieces: number): CurvePoint =>
  pieces === 1
    ? point
    : {
        ...point,
        rateRps: point.rateRps * pieces,
        requests: Math.round(point.requests * pieces),
        tokens: 1,
        cpuMsPerRequest: point.cpuMsPerRequest === null ? null : point.cpuMsPerRequest / pieces,
      };

/** An estimate and its ends, each times `factor`. */
export const times = ({ value, low, high }: Estimate, factor: number): ModelEstimate => ({
  value: value * factor,
  low: low === null ? null : low * factor,
  high: high === null ? null : high * factor,
});

/** factor / estimate: the ends change places; an end at 0 or below has none. */
function over(factor: number, { value, low, high }: Estimate): ModelEstimate {
  const end = (at: number | null): number | null => (at === null || at <= 0 ? null : factor / at);
  return { value: factor / value, low: end(high), high: end(low) };
}

/** A model's parameters in whole requests. */
export function parametersPerRequest({ parameters, loops }: FittedModel, pieces: number): ModelParameters {
  const bases = { ttft_base_ms: parameters.ttftBaseMs, e2e_base_ms: parameters.e2eBaseMs };
  if (parameters.kind === 'mg1')
    return {
      mu_rps: times(parameters.muRps, 1 / pieces),
      cv2: parameters.cv2,
      turn_ms: null,
      request_ms: null,
      ...bases,
      capacity_rps: times(parameters.muRps, loops / pieces),
    };
  return {
    mu_rps: null,
    cv2: null,
    turn_ms: parameters.turnMs,
    request_ms: times(parameters.requestMs, pieces),
    ...bases,
    capacity_rps: over((1000 * loops) / pieces, parameters.requestMs),
  };
}
