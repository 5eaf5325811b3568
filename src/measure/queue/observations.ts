/** What is fitted: the curve's steady means with their weights, one observation for each figure and rate. ms. */
import { quantileSorted } from '../quantile.ts';
import type { CurvePoint } from './types.ts';

export const FIGURES = ['ttft', 'e2e'] as const;
export type Figure = (typeof FIGURES)[number];

export interface Observation {
  /** Index of its point in the list of steady points: TTFT and E2E of one point share their queue, and so their error. */
  readonly point: number;
  readonly rateRps: number;
  readonly figure: Figure;
  readonly y: number;
  /** Standard error as measured; null where unknown. */
  readonly se: number | null;
  /** What its distance from a model is divided by. */
  readonly sigma: number;
  readonly gapCv2: number;
  readonly requests: number;
}

/** A model of a real loop is not exact to better than this part of a figure, whatever its standard error: no rate alone rules a fit. */
export const MODEL_ERROR = 0.01;
/** Assumed relative error of a mean whose standard error is not known and of whose curve none is. */
const UNKNOWN_ERROR = 0.1;
/** Gaps whose CV² is this near to 1 are taken for those of a Poisson process: finite runs scatter that much. */
const POISSON_WITHIN = 0.15;

export const looksPoisson = (gapCv2: number | null): boolean =>
  gapCv2 === null || Math.abs(gapCv2 - 1) <= POISSON_WITHIN;

export const steady = (points: readonly CurvePoint[]): CurvePoint[] =>
  points
    .filter(
      (point) => !point.saturated && isSound(point) && (point.ttftBias !== null || point.e2eBias !== null),
    )
    .sort((a, b) => a.rateRps - b.rateRps);

/** A rate above 0 and means that are numbers: all else is no measurement. */
export const isSound = ({ rateRps, ttftBias, e2eBias }: CurvePoint): boolean =>
  Number.isFinite(rateRps) &&
  rateRps > 0 &&
  [ttftBias, e2eBias].every(
    (mean) =>
      mean === null ||
      (Number.isFinite(mean.mean) && (mean.se === null || (Number.isFinite(mean.se) && mean.se >= 0))),
  );

/** Rates within this factor of one another are one rate: the one says nothing of the load that the other does not. */
const ONE_RATE = 1.02;

/** The rates in rising order, those that are one together. */
export function distinctRates(points: readonly { readonly rateRps: number }[]): number[][] {
  const groups: number[][] = [];
  for (const rate of [...new Set(points.map(({ rateRps }) => rateRps))].sort((a, b) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && rate <= last[0]! * ONE_RATE) last.push(rate);
    else groups.push([rate]);
  }
  return groups;
}

/** `points`: steady ones. Where a standard error is unknown it is taken relative to the mean as the median of those that are known. */
export function observe(points: readonly CurvePoint[]): Observation[] {
  const relative = points
    .flatMap(({ ttftBias, e2eBias }) => [ttftBias, e2eBias])
    .flatMap((mean) =>
      mean === null || mean.se === null || mean.mean === 0 ? [] : [mean.se / Math.abs(mean.mean)],
    )
    .sort((a, b) => a - b);
  const usual = relative.length === 0 ? UNKNOWN_ERROR : quantileSorted(relative, 0.5);
  return points.flatMap((point, index) =>
    FIGURES.flatMap((figure): Observation[] => {
      const mean = figure === 'ttft' ? point.ttftBias : point.e2eBias;
      if (mean === null) return [];
      const se = mean.se ?? usual * Math.abs(mean.mean);
      return [
        {
          point: index,
          rateRps: point.rateRps,
          figure,
          y: mean.mean,
          se: mean.se,
          sigma: Math.max(Math.hypot(se, MODEL_ERROR * mean.mean), 1e-6),
          gapCv2: looksPoisson(point.gapCv2) ? 1 : point.gapCv2!,
          requests: point.requests,
        },
      ];
    }),
  );
}
