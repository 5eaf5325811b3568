/**
 * One model fitted to observations by weighted least squares. The wait of M/G/1 is linear in CV², and both figures are in their bases, so
 * these are solved exactly (down to the bounds that physics gives; variable projection: Golub & Pereyra, SIAM J. Numer. Anal. 10, 1973); what is searched is the utilization
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
  /** Where the search ended, and other minima that data like these may prefer: starts for fits of such data. */
  readonly starts: readonly (readonly number[])[];
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
/** ρ at the highest rate from 0.5 % to 99.9 %, on the logit scale. */
const RHO: Bound = { low: -5.3, high: 6.9, nodes: 33 };
/** Turn cost as a multiple of the time between arrivals at the highest rate, on the natural log scale: from nothing to 150. */
const TURN: Bound = { low: -9, high: 5, nodes: 29 };
/** A turn of this many gaps is at the end of the search: any longer one fits as well. */
export const MOST_TURN_GAPS = Math.exp(TURN.high);

/** A minimum that is worse than the best by more than this (squared distances, a figure) is not the best one of data drawn like these. */
const RIVAL = 40;
/** Minima from which such data are fitted. */
const RIVALS = 3;

export function solve(
  kind: ModelKind,
  observations: readonly Observation[],
  setting: Setting,
  starts?: readonly (readonly number[])[],
): Solution {
  const gapMs = leastGapMs(observations, setting);
  const at = (x: readonly number[]): Omit<Solution, 'starts'> => {
    const costMs = logistic(x[0]!) * gapMs;
    return kind === 'mg1'
      ? solveScatter(costMs, observations, setting)
      : solveBases(shapeOf('gated', costMs, Math.exp(x[1]!) * gapMs), observations, setting);
  };
  const minima = minimize((x) => at(x).squares, kind === 'mg1' ? [RHO] : [RHO, TURN], starts);
  const best = at(minima[0]!.at);
  const most = best.squares + RIVAL * Object.keys(best.bases).length;
  const rivals = minima.slice(0, RIVALS).filter(({ value }, i) => i === 0 || value <= most);
  return { ...best, starts: rivals.map((each) => each.at) };
}

/** Time between arrivals of one loop at the highest rate, ms. */
export const leastGapMs = (observations: readonly Observation[], { loops }: Setting): number =>
  (1000 * loops) / Math.max(...observations.map(({ rateRps }) => rateRps));

/** The wait at each observation; TTFT and E2E of a point have the same one, which is worked out once. */
function waits(shape: Shape, observations: readonly Observation[], setting: Setting): number[] {
  let last: { readonly point: number; readonly waitMs: number } | null = null;
  return observations.map(({ point, rateRps, gapCv2 }) => {
    if (last?.point !== point)
      last = { point, waitMs: waitAt(shape, setting, rateRps, gapCv2)?.waitMs ?? Number.POSITIVE_INFINITY };
    return last.waitMs;
  });
}

/**
 * M/G/1 with a given service time: the CV² ≥ 0 that fits best. The wait is w₀ + CV²·h with h the wait's slope. Where a base comes out at its
 * least it stays there, and CV² is sought again.
 */
function solveScatter(serviceMs: number, observations: readonly Observation[], setting: Setting) {
  const regular = waits(shapeOf('mg1', serviceMs, 0), observations, setting);
  const slope = waits(shapeOf('mg1', serviceMs, 1), observations, setting).map((w, i) => w - regular[i]!);
  const rest = observations.map(({ y }, i) => y - regular[i]!);
  const solveWith = (held: Bases) => {
    const h = less(slope, means(slope, observations), observations, held, false);
    const r = less(rest, means(rest, observations), observations, held, true);
    const weigh = (a: readonly number[], b: readonly number[]) =>
      observations.reduce((sum, { sigma }, i) => sum + (a[i]! * b[i]!) / sigma ** 2, 0);
    const power = weigh(h, h);
    const cv2 = power > 0 ? Math.min(MAX_CV2, Math.max(0, weigh(h, r) / power)) : 0;
    return solveBases(shapeOf('mg1', serviceMs, cv2), observations, setting);
  };
  const free = solveWith({});
  const least = leastBases(observations);
  const held = Object.fromEntries(
    FIGURES.filter((figure) => free.bases[figure] === least[figure]).map((figure) => [figure, least[figure]]),
  ) as Bases;
  return Object.keys(held).length === 0 ? free : solveWith(held);
}

type Bases = Partial<Record<Figure, number>>;

/** Values less the mean of their figure; of a figure with a held base less that, or as they are where `isRest` is not set. */
const less = (
  values: readonly number[],
  of: Bases,
  observations: readonly Observation[],
  held: Bases,
  isRest: boolean,
): number[] =>
  values.map((value, i) => {
    const { figure } = observations[i]!;
    return value - (held[figure] === undefined ? of[figure]! : isRest ? held[figure] : 0);
  });

/**
 * The least base that is sought of each figure, ms. A wait is 0 at no load, so that a base is what the client adds then: a fit of few rates that needs one
 * far below anything that was measured is in a false valley. Negative ones there are (time stamps that are taken late), and noise.
 */
export function leastBases(observations: readonly Observation[]): Bases {
  const least: Bases = {};
  for (const figure of FIGURES) {
    const own = observations.filter((each) => each.figure === figure);
    if (own.length === 0) continue;
    const lowest = own.reduce((a, b) => (b.rateRps < a.rateRps ? b : a));
    least[figure] = Math.min(0, lowest.y - 2 * Math.max(Math.abs(lowest.y), 2 * lowest.sigma));
  }
  return least;
}

function solveBases(shape: Shape, observations: readonly Observation[], setting: Setting) {
  const rest = waits(shape, observations, setting).map((wait, i) => observations[i]!.y - wait);
  const bases = means(rest, observations);
  const least = leastBases(observations);
  for (const figure of FIGURES)
    if (bases[figure] !== undefined) bases[figure] = Math.max(bases[figure], least[figure]!);
  const squares = observations.reduce(
    (sum, { figure, sigma }, i) => sum + ((rest[i]! - bases[figure]!) / sigma) ** 2,
    0,
  );
  return { shape, bases, squares };
}

/** Weighted mean of the values of each figure. */
function means(values: readonly number[], observations: readonly Observation[]): Bases {
  const result: Bases = {};
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
