/** How well a model predicts rates that it was not fitted to. */
import { solve } from './least-squares.ts';
import { distinctRates, type Observation } from './observations.ts';
import { residual } from './residual.ts';
import type { Setting } from './shape.ts';
import { valuesOfSolution } from './solution-values.ts';
import type { ModelKind, Residual } from './types.ts';

/** Fewer rates than this leave a fit without one of them too little to hold its parameters. */
export const RATES_FOR_HELD_OUT = 4;

/**
 * The rates of `holdOut` predicted by a fit to the others; with none named, each rate by a fit to all others (leave one rate out), in which
 * the highest one is extrapolated: the hardest test there is of a queue model. Empty with too few rates. `starts`: where the fits begin.
 */
export function heldOutResiduals(
  kind: ModelKind,
  observations: readonly Observation[],
  setting: Setting,
  holdOut: readonly number[],
  starts?: readonly (readonly number[])[],
): Residual[] {
  const rates = distinctRates(observations);
  if (rates.length < RATES_FOR_HELD_OUT) return [];
  const parts = holdOut.length > 0 ? [holdOut] : rates;
  return parts.flatMap((part) => {
    const fitted = observations.filter(({ rateRps }) => !part.includes(rateRps));
    if (distinctRates(fitted).length < RATES_FOR_HELD_OUT - 1) return [];
    const values = valuesOfSolution(solve(kind, fitted, setting, starts));
    return observations
      .filter(({ rateRps }) => part.includes(rateRps))
      .map((each) => residual(values, setting, each, true));
  });
}

/** A bias below this is none that a clock of 1 ms or a scheduler lets one see: a part of it is no error, ms. */
const LEAST_MS = 0.01;

/** Root mean squares relative to what was measured, or to two standard errors where that is more: of residuals, and of the errors alone. */
export function heldOutErrors(residuals: readonly Residual[]): {
  readonly heldOutError: number | null;
  readonly heldOutNoise: number | null;
} {
  const heldOut = residuals.filter((residual) => residual.heldOut);
  if (heldOut.length === 0) return { heldOutError: null, heldOutNoise: null };
  const scale = ({ measuredMs, se }: Residual) => Math.max(Math.abs(measuredMs), 2 * (se ?? 0), LEAST_MS);
  const error = (each: Residual) =>
    each.predictedMs === null ? 1 : Math.min(1, Math.abs(each.predictedMs - each.measuredMs) / scale(each));
  const known = heldOut.filter(({ se }) => se !== null);
  return {
    heldOutError: rootMeanSquare(heldOut.map(error)),
    heldOutNoise: known.length === 0 ? null : rootMeanSquare(known.map((each) => each.se! / scale(each))),
  };
}

const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
