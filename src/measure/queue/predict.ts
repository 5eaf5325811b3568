/** What a fitted model says of a rate, with the interval that its bootstrap fits give. */
import { growthMsPerS, leastCostMs, type Setting, type Shape, waitAt } from './shape.ts';
import type {
  Estimate,
  FittedModel,
  GatedParameters,
  Mg1Parameters,
  ParameterValues,
  Prediction,
} from './types.ts';

export const shapeOfValues = (values: ParameterValues): Shape =>
  values.kind === 'mg1'
    ? { kind: 'mg1', serviceMs: 1000 / values.muRps, cv2: values.cv2 }
    : { kind: 'gated', turnMs: values.turnMs, requestMs: values.requestMs };

/** The parameters without their intervals. */
export function valuesOf(parameters: Mg1Parameters | GatedParameters): ParameterValues {
  const bases = {
    ttftBaseMs: parameters.ttftBaseMs?.value ?? null,
    e2eBaseMs: parameters.e2eBaseMs?.value ?? null,
  };
  return parameters.kind === 'mg1'
    ? { kind: 'mg1', muRps: parameters.muRps.value, cv2: parameters.cv2.value, ...bases }
    : { kind: 'gated', turnMs: parameters.turnMs.value, requestMs: parameters.requestMs.value, ...bases };
}

/** `gapCv2`: of the arrivals at this rate; 1 is a Poisson process. */
export function predictBy(
  values: ParameterValues,
  setting: Setting,
  rateRps: number,
  gapCv2 = 1,
): Prediction {
  const shape = shapeOfValues(values);
  const state = waitAt(shape, setting, rateRps, gapCv2);
  const plus = (base: number | null) => (state === null || base === null ? null : base + state.waitMs);
  return {
    rateRps,
    rho: ((rateRps / setting.loops) * leastCostMs(shape)) / 1000,
    busyShare: state?.busyShare ?? 1,
    ttftBiasMs: plus(values.ttftBaseMs),
    e2eBiasMs: plus(values.e2eBaseMs),
    growthMsPerS: growthMsPerS(shape, setting.loops, rateRps),
  };
}

/** What the model says of a rate with Poisson arrivals. */
export const predict = (model: FittedModel, rateRps: number): Prediction =>
  predictBy(valuesOf(model.parameters), model, rateRps);

/** Fewer bootstrap fits than this give no interval. */
const FITS = 20;

/**
 * 95 % interval of values by percentiles, about `value`: the hull of those of the first `parametric` ones and of the rest, where there are
 * enough of them. An end that lies at no steady state (null) is null.
 */
export function percentiles(value: number, draws: readonly (number | null)[], parametric: number): Estimate {
  const families = [draws.slice(0, parametric), draws.slice(parametric)].filter(
    ({ length }) => length >= FITS,
  );
  if (families.length === 0) return { value, low: null, high: null };
  // Type 7 between a number and infinity would be infinite or NaN: the order statistic on the far side is taken.
  const end = (p: number, round: (x: number) => number) =>
    families.map((family) => {
      const sorted = family.map((draw) => draw ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
      return sorted[round(p * (sorted.length - 1))]!;
    });
  const finite = (x: number) => (Number.isFinite(x) ? x : null);
  return {
    value,
    low: finite(Math.min(...end(0.025, Math.floor))),
    high: finite(Math.max(...end(0.975, Math.ceil))),
  };
}

/** Predicted means with intervals, and that of ρ; null where the model has no steady state, or was not fitted to the figure. */
export interface PredictedInterval {
  readonly rho: Estimate;
  readonly ttftBiasMs: Estimate | null;
  readonly e2eBiasMs: Estimate | null;
}

export function predictInterval(model: FittedModel, rateRps: number): PredictedInterval {
  const centre = predict(model, rateRps);
  const each = model.draws.map((draw) => predictBy(draw, model, rateRps));
  const of = (figure: 'ttftBiasMs' | 'e2eBiasMs') =>
    centre[figure] === null
      ? null
      : percentiles(
          centre[figure],
          each.map((prediction) => prediction[figure]),
          model.parametricDraws,
        );
  return {
    rho: percentiles(
      centre.rho,
      each.map(({ rho }) => rho),
      model.parametricDraws,
    ),
    ttftBiasMs: of('ttftBiasMs'),
    e2eBiasMs: of('e2eBiasMs'),
  };
}
