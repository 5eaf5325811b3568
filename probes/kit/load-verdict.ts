/** Verdicts of probes of load, and the words for figures in them. */
import type { LoadFigure, LoadVerdict } from '../../src/measure/probe/probe.ts';

/** About three figures, thousands apart. */
export const say = (value: number): string => {
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) >= 1000 ? Math.round(value).toLocaleString('en-GB') : String(rounded);
};

/** With its sign. */
export const percentOff = (got: number, right: number): string => {
  const off = (100 * (got - right)) / right;
  return `${off < 0 ? '−' : '+'}${say(Math.abs(off))} %`;
};

export const figure = (
  name: string,
  unit: string,
  right: number | null,
  got: number | null,
  tolerance: number,
  by: LoadFigure['by'],
): LoadFigure => ({ name, unit, right, got, tolerance, by });

/** Whether a figure is right as far as can be told; one that is missing on either side is not judged. */
export const isOff = ({ right, got, tolerance }: LoadFigure): boolean =>
  right !== null && got !== null && Math.abs(got - right) > tolerance;

export const right = (words: string, figures: readonly LoadFigure[]): LoadVerdict => ({
  verdict: 'right',
  kind: null,
  words,
  size: null,
  figures,
});

/** The size of a figure that is off: got − right. */
export function sizeOf({ name, unit, right, got }: LoadFigure): LoadVerdict['size'] {
  if (right === null || got === null) return null;
  return {
    value: got - right,
    unit,
    figure: name,
    percent: right === 0 ? null : (100 * (got - right)) / right,
  };
}

export const faulty = (
  kind: string,
  words: string,
  size: LoadVerdict['size'],
  figures: readonly LoadFigure[],
): LoadVerdict => ({ verdict: 'faulty', kind, words, size, figures });

export const other = (
  kind: string,
  words: string,
  size: LoadVerdict['size'],
  figures: readonly LoadFigure[],
): LoadVerdict => ({ verdict: 'other definition', kind, words, size, figures });

/** The client gives nothing that could be judged. */
export const notApplicable = (words: string, figures: readonly LoadFigure[] = []): LoadVerdict => ({
  verdict: 'not applicable',
  kind: null,
  words,
  size: null,
  figures,
});

export const undetermined = (words: string, figures: readonly LoadFigure[] = []): LoadVerdict => ({
  verdict: 'undetermined',
  kind: null,
  words,
  size: null,
  figures,
});
