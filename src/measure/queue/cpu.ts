/** The service rate as CPU time tells it, and whether the curve says the same. */
import { predict, shapeOfValues, valuesOf } from './predict.ts';
import { leastCostMs } from './shape.ts';
import type { CurvePoint, FittedModel, QueueFit } from './types.ts';

/** Costs of a request that differ by more than this factor do not agree. */
export const AGREES_WITHIN = 1.25;

/** 1 over the CPU time of a request at the lowest and at the highest steady rate, requests/s of the busiest thread. */
export function cpuRates(points: readonly CurvePoint[]): QueueFit['cpuMuRps'] {
  const seen = withCpu(points);
  const rate = (point: CurvePoint | undefined) =>
    point === undefined ? null : 1000 / point.cpuMsPerRequest!;
  return { atLowRate: rate(seen[0]), atHighRate: rate(seen.at(-1)) };
}

const withCpu = (points: readonly CurvePoint[]) =>
  points.filter(({ cpuMsPerRequest }) => cpuMsPerRequest !== null && cpuMsPerRequest > 0);

/**
 * Compares what a request costs a loop at the highest steady rate where CPU time was seen. M/G/1 has one cost, 1/μ; of a gated loop it is
 * b + a/n, the share of the time that it works over the rate. Where it waits for other things than the CPU (locks, a helper thread, the
 * kernel) the curve's cost is the greater one; where CPU time is spent while nothing waits, CPU time's is.
 */
export function agreement(model: FittedModel | null, points: readonly CurvePoint[]): QueueFit['agreement'] {
  const at = withCpu(points).at(-1);
  if (model === null || at === undefined) return null;
  const { busyShare, rho } = predict(model, at.rateRps);
  const curveMs =
    rho < 1
      ? (1000 * busyShare * model.loops) / at.rateRps
      : leastCostMs(shapeOfValues(valuesOf(model.parameters)));
  const factor = curveMs / at.cpuMsPerRequest!;
  const agrees = factor <= AGREES_WITHIN && factor >= 1 / AGREES_WITHIN;
  const costs = `at ${fixed(at.rateRps)}/s a request costs ${fixed(curveMs)} ms by the curve and ${fixed(at.cpuMsPerRequest!)} ms of CPU time`;
  const words = agrees
    ? `the curve and CPU time agree: ${costs}`
    : factor > 1
      ? `the curve and CPU time do not agree: ${costs}; the loop waits for more than its own CPU time, or a request passes through it more than once`
      : `the curve and CPU time do not agree: ${costs}; part of the CPU time is spent where no request waits for it`;
  return { agrees, factor, words };
}

const fixed = (value: number): string => String(Number(value.toPrecision(3)));
