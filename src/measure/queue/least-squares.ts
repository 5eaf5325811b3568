/**
 * One model fitted to observations by weighted least squares. The wait of M/G/1 is linear in CV², and both figures are in their bases, so
 * these are solved exactly (variable projection: Golub & Pereyra, SIAM J. Numer. Anal. 10, 1973); what is searched is the utilization
 * at the highest rate, which bounds the service rate from below by what was served, and for the gated loop also the cost of a turn.
 */
import { type Bound, minimize } from './minimize.ts';
import { FIGURES, type Figure, type Observation } from './observations.ts';
import { type Setting, type Shape, shapeOf, waitAt } from './shape.ts';
import type { ModelKind } from './types.ts';

/** CV² is not sought above this: the mean of a few trials would not show it. */
export const MAX_CV2 = 100;

export interface Solution {
  readonly shape: Shape;
  /** Base of each figure that was observed, ms. */
  readonly bases: Readonly<Partial<Record<Figure, number>>>;
  /** Sum of squared distances, each in its sigma. */
  readonly squares: number;
  /** Where the search ended: a start for fits of data like these. */
  readonly at: readonly number[];
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
/** ρ at the highest rate from 0.5 % to 99.9 %, on the logit scale. */
const RHO: Bound = { low: -5.3, high: 6.9, nodes: 33 };
/** Turn cost as a multiple of the time between arrivals at the highest rate, on the natural log scale: from nothing to 150. */
const TURN: Bound = { low: -9, high: 5, nodes: 19 };

export function solve(
  kind: ModelKind,
  observations: readonly Observation[],
  setting: Setting,
  start?: readonly number[],
): Solution {
  const gapMs = (1000 * setting.loops) / Math.max(...observations.map(({ rateRps }) => rateRps));
  const at = (x: readonly number[]): Omit<Solution, 'at'> => {
    const costMs = logistic(x[0]!) * gapMs;
    return kind === 'mg1'
      ? solveScatter(costMs, observations, setting)
      : solveBases(shapeOf('gated', costMs, Math.exp(x[1]!) * gapMs), observations, setting);
  };
  const found = minimize((x) => at(x).squares, kind === 'mg1' ? [RHO] : [RHO, TURN], start);
  return { ...at(found.at), at: found.at };
}

/** The wait at each observation; TTFT and E2E of a point have the same one, which is worked out once. */
function waits(shape: Shape, observations: readonly Observation[], setting: Setting): number[] {
  let last: { readonly point: number; readonly waitMs: number } | null = null;
  return observations.map(({ point, rateRps, gapCv2 }) => {
    if (last?.point !== point)
      last = { point, waitMs: waitAt(shape, setting, rateRps, gapCv2)?.waitMs ?? Number.POSITIVE_INFINITY };
    return last.waitMs;
  });
}

/** M/G/1 with a given service time: the CV² ≥ 0 that fits best. The wait is w₀ + CV²·h with h the wait's slope. */
function solveScatter(serviceMs: number, observations: readonly Observation[], setting: Setting) {
  const regular = waits(shapeOf('mg1', serviceMs, 0), observations, setting);
  const slope = waits(shapeOf('mg1', serviceMs, 1), observations, setting).map((w, i) => w - regular[i]!);
  const rest = observations.map(({ y }, i) => y - regular[i]!);
  const h = centred(slope, observations);
  const r = centred(rest, observations);
  const weigh = (a: readonly number[], b: readonly number[]) =>
    observations.reduce((sum, { sigma }, i) => sum + (a[i]! * b[i]!) / sigma ** 2, 0);
  const power = weigh(h, h);
  const cv2 = power > 0 ? Math.min(MAX_CV2, Math.max(0, weigh(h, r) / power)) : 0;
  return solveBases(shapeOf('mg1', serviceMs, cv2), observations, setting);
}

function solveBases(shape: Shape, observations: readonly Observation[], setting: Setting) {
  const rest = waits(shape, observations, setting).map((wait, i) => observations[i]!.y - wait);
  const bases = means(rest, observations);
  const squares = observations.reduce(
    (sum, { figure, sigma }, i) => sum + ((rest[i]! - bases[figure]!) / sigma) ** 2,
    0,
  );
  return { shape, bases, squares };
}

/** Weighted mean of the values of each figure. */
function means(values: readonly number[], observations: readonly Observation[]) {
  const result: Partial<Record<Figure, number>> = {};
  for (const figure of FIGURES) {
    let [sum, weight] = [0, 0];
    observations.forEach((each, i) => {
      if (each.figure !== figure) return;
      sum += values[i]! / each.sigma ** 2;
      weight += 1 / each.sigma ** 2;
    });
    if (weight > 0) result[figure] = sum / weight;
  }
  return result;
}

function centred(values: readonly number[], observations: readonly Observation[]): number[] {
  const of = means(values, observations);
  return values.map((value, i) => value - of[observations[i]!.figure]!);
}
