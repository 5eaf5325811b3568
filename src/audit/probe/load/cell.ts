/** Cells of probes of load: from a judge's verdict, and where there is none to be had. Pure. */
import type { LoadFigure, LoadVerdict } from '../../../measure/probe/probe.ts';
import type { CellFigure, ProbeCell, ProbeVerdict } from '../document.ts';

export interface CellPlace {
  readonly client: string;
  readonly probe: string;
  readonly requests: number;
  readonly run: string | null;
}

const isOff = ({ right, got, tolerance }: LoadFigure): boolean =>
  right !== null && got !== null && Math.abs(got - right) > tolerance;

/** A figure with the verdict that explains it, where it is off. */
function figureOf(figure: LoadFigure, { verdict, kind }: LoadVerdict): CellFigure {
  const off = isOff(figure);
  return {
    ...figure,
    stated: null,
    verdict: figure.got === null ? 'not applicable' : off ? verdict : 'right',
    kind: off ? kind : null,
  };
}

function sizeOf({ size, figures }: LoadVerdict): ProbeCell['size'] {
  if (size === null) return null;
  return {
    figure: size.figure ?? figures.find(isOff)?.name ?? '',
    value: size.value,
    unit: size.unit,
    percent: size.percent ?? null,
  };
}

export const cellOf = (place: CellPlace, verdict: LoadVerdict, confirms: ProbeVerdict | null): ProbeCell => ({
  ...place,
  verdict: verdict.verdict,
  kind: verdict.kind,
  words: verdict.words,
  size: sizeOf(verdict),
  figures: verdict.figures.map((figure) => figureOf(figure, verdict)),
  confirms,
});

/** A cell without figures: not asked, ended without figures, or not to be told. */
export const bareCell = (
  place: CellPlace,
  verdict: 'crashed' | 'not applicable' | 'undetermined',
  words: string,
  confirms: ProbeVerdict | null = null,
): ProbeCell => ({ ...place, verdict, kind: null, words, size: null, figures: [], confirms });
