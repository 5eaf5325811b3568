/** Curves for the tests of the fit: of simulated clients, and without noise by a formula. */

import type { SimulatedClient } from '../../../src/measure/queue/simulate.ts';
import type { CurvePoint } from '../../../src/measure/queue/types.ts';

export const fcfs = (
  law: 'deterministic' | 'exponential' | 'gamma' | 'lognormal',
  cv2 = 1,
  size = 1,
): SimulatedClient => ({
  kind: 'fcfs',
  service: { law, meanS: 0.001 / size, cv2 },
  batch: { size },
});

/** A point whose TTFT and E2E biases are the same, with a standard error of 0.2 % if not stated. */
export function point(rateRps: number, meanMs: number, other: Partial<CurvePoint> = {}): CurvePoint {
  const mean = { mean: meanMs, se: 0.002 * Math.abs(meanMs) };
  return {
    rateRps,
    requests: 10_000,
    durationS: 10_000 / rateRps,
    tokens: 1,
    ttftBias: mean,
    e2eBias: mean,
    cpuMsPerRequest: null,
    gapCv2: 1,
    saturated: false,
    ...other,
  };
}
