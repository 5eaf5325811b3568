/** An observation beside what a model says of it. */
import type { Observation } from './observations.ts';
import { predictBy } from './predict.ts';
import type { Setting } from './shape.ts';
import type { ParameterValues, Residual } from './types.ts';

export function residual(
  values: ParameterValues,
  setting: Setting,
  { rateRps, figure, y, se, requests, gapCv2 }: Observation,
  heldOut: boolean,
): Residual {
  const { ttftBiasMs, e2eBiasMs } = predictBy(values, setting, rateRps, gapCv2);
  return {
    rateRps,
    figure,
    heldOut,
    measuredMs: y,
    predictedMs: figure === 'ttft' ? ttftBiasMs : e2eBiasMs,
    se,
    requests,
  };
}
