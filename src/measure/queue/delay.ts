/** The client's own mean delay in a run, as an interval: what the fit does not know, what the model is off by, and how much a run scatters. */
import { t975 } from '../intervals.ts';
import { FIGURES, type Figure } from './observations.ts';
import { predict, predictBy, predictInterval } from './predict.ts';
import type { FittedModel, ParameterValues } from './types.ts';

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

/**
 * Of fewer requests than this no mean is near to normal: waits are mostly short and at times long. The upper end is then Cantelli's, which holds for
 * any distribution: P(X − E[X] ≥ kσ) ≤ 1/(1 + k²), with k² = 39 for 2.5 %.
 */
const MANY = 30;
const CANTELLI = Math.sqrt(39);

/** null: the model was not fitted to the figure or has no steady state at the rate, in some of its bootstrap fits. */
export function delayRange(
  model: FittedModel,
  figure: Figure,
  rateRps: number,
  requests: number | null,
): Range | null {
  const interval = predictInterval(model, rateRps)[figure === 'ttft' ? 'ttftBiasMs' : 'e2eBiasMs'];
  if (interval === null || interval.low === null || interval.high === null) return null;
  const off = (model.heldOutError ?? 0) * Math.abs(interval.value);
  const se = scatter(model, figure, rateRps, requests);
  const few = requests !== null && requests < MANY;
  const low = interval.low - off - Z * se;
  return {
    // A run of few requests scatters upward: none of them waits less than not at all.
    low: Math.max(low, leastOf(model, figure, requests) ?? low),
    high: interval.high + off + (few ? CANTELLI : Z) * se,
  };
}

const baseOf = (values: ParameterValues, figure: Figure): number | null =>
  figure === 'ttft' ? values.ttftBaseMs : values.e2eBaseMs;

/** Lower end of the base, ms: what a client adds to the figure without any wait, on the mean. null where the figure was not fitted. */
function baseLow(model: FittedModel, figure: Figure): number | null {
  const { parameters } = model;
  const base = figure === 'ttft' ? parameters.ttftBaseMs : parameters.e2eBaseMs;
  return base === null ? null : (base.low ?? Math.min(base.value, ...basesOf(model, figure)));
}

const basesOf = (model: FittedModel, figure: Figure): number[] =>
  model.draws.flatMap((draw) => baseOf(draw, figure) ?? []);

/** Least mean delay of a run: no wait, and own work that falls short of its mean as M/G/1's may; what the model is off by at a base is allowed for. */
function leastOf(model: FittedModel, figure: Figure, requests: number | null): number | null {
  const base = baseLow(model, figure);
  if (base === null) return null;
  const { parameters } = model;
  const work =
    parameters.kind === 'mg1' ? (Math.sqrt(parameters.cv2.value) * 1000) / parameters.muRps.value : 0;
  // What a request's own events scatter by is also what time stamps of the client jitter by.
  const short =
    requests === null ? 0 : (Z * Math.max(work, Math.sqrt(ownVariance(model) ?? 0))) / Math.sqrt(requests);
  const off = (model.heldOutError ?? 0) * Math.abs(base);
  return Math.max(base - off - short, Math.min(0, leastDelay(model, figure) ?? 0));
}

/**
 * What no request's delay is below, ms: 0, unless the fit's base is negative, as where a client takes its first time stamp late. M/G/1's base has a mean
 * service in it, of which a short one has nothing. null where the figure was not fitted.
 */
export function leastDelay(model: FittedModel, figure: Figure): number | null {
  const base = baseLow(model, figure);
  if (base === null) return null;
  const { parameters } = model;
  const service =
    parameters.kind === 'mg1' && parameters.cv2.value > 0.01 ? 1000 / parameters.muRps.value : 0;
  return base < 0 ? base - service : 0;
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

/**
 * E2E's delay less TTFT's: the request's own other events, which do not wait for the queue again. A run has its own mean of them: what the rates
 * differ by tells how much one request does, and so how much the mean of `requests` (null: as many as at a rate). null where a figure was not fitted.
 */
export function ownRange(model: FittedModel, rateRps: number, requests: number | null): Range | null {
  const centre = predict(model, rateRps);
  if (centre.ttftBiasMs === null || centre.e2eBiasMs === null) return null;
  const value = centre.e2eBiasMs - centre.ttftBiasMs;
  const own = model.draws.map((draw) => {
    const { ttftBiasMs, e2eBiasMs } = predictBy(draw, model, rateRps);
    return ttftBiasMs === null || e2eBiasMs === null ? null : e2eBiasMs - ttftBiasMs;
  });
  if (own.length === 0 || own.some((each) => each === null)) return null;
  const gaps = gapsOf(model);
  const fitted = hull(
    [...(own as number[]), value, ...gaps.map(({ ms }) => ms)].map((ms) => ({ low: ms, high: ms })),
  );
  if (gaps.length < 2) return null;
  const one = ownVariance(model)!;
  const usual = gaps.reduce((sum, { requests: n }) => sum + n, 0) / gaps.length;
  const off = t975(gaps.length - 1) * Math.sqrt(one / (requests ?? usual));
  // Its events take time: less than none only as far as it was measured.
  return { low: Math.max(fitted.low - off, Math.min(0, fitted.low)), high: fitted.high + off };
}

/** Variance of one request's E2E less TTFT delay, ms², as the rates' means tell it; null of fewer than two. */
function ownVariance(model: FittedModel): number | null {
  const gaps = gapsOf(model);
  const { ttftBaseMs, e2eBaseMs } = model.parameters;
  if (gaps.length < 2 || ttftBaseMs === null || e2eBaseMs === null) return null;
  const value = e2eBaseMs.value - ttftBaseMs.value;
  return gaps.reduce((sum, { ms, requests: n }) => sum + (ms - value) ** 2 * n, 0) / (gaps.length - 1);
}

/** E2E's measured delay less TTFT's at each rate; the bases' difference is the model's, and they may differ by more or less than it. */
function gapsOf(model: FittedModel): { readonly ms: number; readonly requests: number }[] {
  const rates = new Set<number>();
  return model.residuals.flatMap((ttft) => {
    const e2e = model.residuals.find((each) => each.figure === 'e2e' && each.rateRps === ttft.rateRps);
    if (ttft.figure !== 'ttft' || e2e === undefined || rates.has(ttft.rateRps)) return [];
    rates.add(ttft.rateRps);
    return [{ ms: e2e.measuredMs - ttft.measuredMs, requests: ttft.requests }];
  });
}

export const fits = (model: FittedModel, figure: Figure): boolean =>
  model.residuals.some((each) => each.figure === figure) && FIGURES.includes(figure);
