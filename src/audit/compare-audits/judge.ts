/** From a figure's values on both sides to what may be said of the change. Pure. */
import { differenceOf } from '../../measure/difference.ts';
import { mean } from '../../measure/quantile.ts';
import type { Arrivals } from '../../measure/workload.ts';
import type { FigureValues } from './cell.ts';
import type { FigureComparison, FigureState, Side } from './document.ts';
import type { FigureSpec } from './figures.ts';

/** A figure of a cell before it is judged: how wide intervals must be depends on how many there are. */
export interface RawFigure {
  readonly figure: FigureSpec;
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
  if (figure.kind === 'rate') return 1;
  if (figure.kind === 'gaps') return gapsAsked(arrivals);
  return figure.kind === 'total' ? null : 0;
}

/** Whether a figure has an interval, and so counts in the family. */
export const hasInterval = ({ refused, values }: RawFigure): boolean =>
  refused === null && values.a.length >= 2 && values.b.length >= 2;

/** Farther from the ideal is worse; where the figure went from one side of it to the other and is as far away, neither. */
function direction(
  a: number,
  b: number,
  ideal: number | null,
  floor: number,
): 'worse' | 'better' | 'changed' {
  if (ideal === null) return 'changed';
  const farther = Math.abs(b - ideal) - Math.abs(a - ideal);
  return farther > floor ? 'worse' : farther < -floor ? 'better' : 'changed';
}

const sideOf = (values: readonly number[]): Side => ({
  mean: values.length === 0 ? null : mean(values),
  trials: values.length,
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

/** The judgement, at 1 − 0.05 / `family` each. */
export function judge(raw: RawFigure, family: number): FigureComparison {
  const { figure, values, refused, ideal } = raw;
  const base = {
    figure: figure.name,
    unit: figure.unit,
    a: sideOf(values.a),
    b: sideOf(values.b),
    floor: values.floor,
  };
  if (refused !== null)
    return { ...base, difference: null, low: null, high: null, state: 'refused', reason: refused };
  // Without a floor nothing is told: one of no height cannot be crossed from without, and no interval lies within.
  const { difference, interval, state } = differenceOf(values.a, values.b, values.floor ?? 0, family);
  const decided: FigureState =
    values.floor === null || state === 'undetermined'
      ? 'undetermined'
      : state === 'unchanged'
        ? 'unchanged'
        : direction(base.a.mean!, base.b.mean!, ideal, values.floor);
  return {
    ...base,
    difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    state: decided,
    reason: decided === 'undetermined' ? whyUndetermined(raw, interval !== null) : '',
  };
}
