/** From a figure's values on both sides to what may be said of the change. Pure. */
import { differenceOf } from '../../measure/difference.ts';
import { mean, variance } from '../../measure/quantile.ts';
import { stepDown } from '../../measure/step-down.ts';
import type { Arrivals } from '../../measure/workload.ts';
import type { FigureValues } from './cell.ts';
import type { FamilyName, FigureComparison, FigureState, Side } from './document.ts';
import type { FigureSpec } from './figures.ts';

/** A figure of a cell before it is judged: how wide intervals must be depends on how many there are. */
export interface RawFigure {
  readonly figure: FigureSpec;
  readonly family: FamilyName;
  readonly values: FigureValues;
  /** Why it cannot be compared; null where it can. */
  readonly refused: string | null;
  /** What the figure would be of a faultless client; null where nobody can say. */
  readonly ideal: number | null;
}

/** The squared coefficient of variation of gaps of the process asked for; null for a trace. */
function gapsAsked(arrivals: Arrivals): number | null {
  if (arrivals.kind === 'trace') return null;
  return arrivals.kind === 'constant' ? 0 : arrivals.kind === 'poisson' ? 1 : arrivals.cv2;
}

/** What a faultless client has: all of the rate, no bias, the gaps that were asked for. Of CPU less is better. */
export function idealOf(figure: FigureSpec, arrivals: Arrivals): number | null {
  if (figure.kind === 'rate' || figure.kind === 'success') return 1;
  if (figure.kind === 'gaps') return gapsAsked(arrivals);
  return figure.kind === 'total' ? null : 0;
}

/** Whether a figure can be judged, and so counts in its family: two repetitions a side, and a floor. */
export const isJudged = ({ refused, values }: RawFigure): boolean =>
  refused === null && values.floor !== null && values.a.length >= 2 && values.b.length >= 2;

/**
 * Farther from the ideal is worse. Where both sides lie on one side of it, that is the sign of the difference. Where they do not, how much farther B
 * is than A is as uncertain as the difference (`half` its interval): unless all of that lies beyond the floor, neither.
 */
function direction(
  a: number,
  b: number,
  ideal: number | null,
  { half, floor }: { readonly half: number; readonly floor: number },
): 'worse' | 'better' | 'changed' {
  if (ideal === null) return 'changed';
  const farther = Math.abs(b - ideal) - Math.abs(a - ideal);
  const across = (a - ideal) * (b - ideal) < 0;
  const least = across ? half + floor : 0;
  return farther > least ? 'worse' : farther < -least ? 'better' : 'changed';
}

const sideOf = (values: readonly number[]): Side => ({
  mean: values.length === 0 ? null : mean(values),
  trials: values.length,
  spread: values.length < 2 ? null : Math.sqrt(variance(values)),
});

function whyUndetermined({ values }: RawFigure, interval: boolean): string {
  if (!interval) {
    const sides = [...(values.a.length < 2 ? ['A'] : []), ...(values.b.length < 2 ? ['B'] : [])].join(
      ' and ',
    );
    return `no interval: one repetition in ${sides}`;
  }
  return values.floor === null
    ? 'the floor of this figure was not measured on both sides'
    : 'the interval crosses the floor';
}

/** From so many times the spread of the other side on, intervals are known to miss too often. */
const UNLIKE = 3;

/** Spreads below the resolution are of the rounding. */
function caveatOf({ values }: RawFigure, a: Side, b: Side): string {
  const [x, y] = [Math.max(a.spread ?? 0, values.resolution), Math.max(b.spread ?? 0, values.resolution)];
  if (Math.max(x, y) <= UNLIKE * Math.min(x, y)) return '';
  const times = Math.max(x, y) / Math.min(x, y);
  return `its spread in ${x > y ? 'A' : 'B'} is ${times >= 10 ? times.toFixed(0) : times.toFixed(1)} times that of the other side, where intervals miss more often than stated`;
}

/** The judgement, with an interval at 1 − 0.05 / `comparisons`. */
function judge(raw: RawFigure, comparisons: number): FigureComparison {
  const { figure, family, values, refused, ideal } = raw;
  const [a, b] = [sideOf(values.a), sideOf(values.b)];
  const base = { figure: figure.name, unit: figure.unit, a, b, floor: values.floor, family };
  if (refused !== null)
    return {
      ...base,
      difference: null,
      low: null,
      high: null,
      state: 'refused',
      reason: refused,
      smallest_change: null,
      caveat: '',
    };
  const { difference, interval, state } = differenceOf(
    values.a,
    values.b,
    values.floor ?? 0,
    comparisons,
    values.resolution,
  );
  const half = interval === null ? 0 : (interval.high - interval.low) / 2;
  // Without a floor nothing is told: one of no height cannot be crossed from without, and no interval lies within.
  const decided: FigureState =
    values.floor === null || state === 'undetermined'
      ? 'undetermined'
      : state === 'unchanged'
        ? 'unchanged'
        : direction(a.mean!, b.mean!, ideal, { half, floor: values.floor });
  const open = decided === 'undetermined';
  return {
    ...base,
    difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    state: decided,
    reason: open ? whyUndetermined(raw, interval !== null) : '',
    smallest_change: open && interval !== null && values.floor !== null ? half + values.floor : null,
    caveat: open || interval === null ? '' : caveatOf(raw, a, b),
  };
}

/** All figures of a family together, in their order: changes by Holm's step-down, "unchanged" by intervals that all hold at once. */
export function judgeFamily(figures: readonly RawFigure[]): readonly FigureComparison[] {
  const judged = figures.filter(isJudged);
  const places = stepDown(
    judged.map(
      ({ values }) =>
        (comparisons) =>
          differenceOf(values.a, values.b, values.floor!, comparisons, values.resolution).state === 'changed',
    ),
  );
  const placeOf = new Map(judged.map((figure, i) => [figure, places[i]!]));
  const all = Math.max(1, judged.length);
  return figures.map((figure) => judge(figure, placeOf.get(figure) ?? all));
}
