/** The client's own mean delay in a run, as an interval: what the fit does not know, what the model is off by, and how much a run scatters. */
import { FIGURES, type Figure } from './observations.ts';
import { predict, predictBy, predictInterval } from './predict.ts';
import type { FittedModel } from './types.ts';

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Both: of a hull of models that are as good as each other. */
export const hull = (ranges: readonly Range[]): Range => ({
  low: Math.min(...ranges.map(({ low }) => low)),
  high: Math.max(...ranges.map(({ high }) => high)),
});

/** 95 % of a normal variable lie within this many standard deviations. */
const Z = 1.96;

/** null: the model was not fitted to the figure or has no steady state at the rate, in some of its bootstrap fits. */
export function delayRange(
  model: FittedModel,
  figure: Figure,
  rateRps: number,
  requests: number | null,
): Range | null {
  const interval = predictInterval(model, rateRps)[figure === 'ttft' ? 'ttftBiasMs' : 'e2eBiasMs'];
  if (interval === null || interval.low === null || interval.high === null) return null;
  const off =
    (model.heldOutError ?? 0) * Math.abs(interval.value) + Z * scatter(model, figure, rateRps, requests);
  return { low: interval.low - off, high: interval.high + off };
}

/**
 * Standard error of a run's mean delay, ms: that of the nearest fitted rate at or above, by the square root of the requests. A run has its own
 * mean wait, not the queue's expectation, and near saturation they differ much.
 */
function scatter(model: FittedModel, figure: Figure, rateRps: number, requests: number | null): number {
  const known = model.residuals
    .filter((each) => each.figure === figure && each.se !== null)
    .sort((a, b) => a.rateRps - b.rateRps);
  const at = known.find((each) => each.rateRps >= rateRps * 0.999) ?? known.at(-1);
  return at === undefined ? 0 : at.se! * Math.sqrt(at.requests / (requests ?? at.requests));
}

/** E2E's delay less TTFT's: the request's own other events, which do not wait for the queue again. null where a figure was not fitted. */
export function ownRange(model: FittedModel, rateRps: number): Range | null {
  const centre = predict(model, rateRps);
  if (centre.ttftBiasMs === null || centre.e2eBiasMs === null) return null;
  const own = model.draws.map((draw) => {
    const { ttftBiasMs, e2eBiasMs } = predictBy(draw, model, rateRps);
    return ttftBiasMs === null || e2eBiasMs === null ? null : e2eBiasMs - ttftBiasMs;
  });
  if (own.length === 0 || own.some((each) => each === null)) return null;
  const values = [...(own as number[]), centre.e2eBiasMs - centre.ttftBiasMs];
  // The bases' difference is the model's; measured at a rate the figures may differ by more or less than it.
  const gaps = model.residuals.flatMap((ttft) => {
    const e2e = model.residuals.find(
      (each) => each.figure === 'e2e' && each.rateRps === ttft.rateRps && each.heldOut === ttft.heldOut,
    );
    return ttft.figure === 'ttft' && e2e !== undefined ? [e2e.measuredMs - ttft.measuredMs] : [];
  });
  return hull([...values, ...gaps].map((value) => ({ low: value, high: value })));
}

export const fits = (model: FittedModel, figure: Figure): boolean =>
  model.residuals.some((each) => each.figure === figure) && FIGURES.includes(figure);
