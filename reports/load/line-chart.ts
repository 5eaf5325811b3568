/** A plain line chart of a few lines with their names beside their ends, as a specification of Vega-Lite. */
import { type Json, NUMBER_FORMAT, type View } from '../charts/chart.ts';
import { COLORS } from '../charts/palette.ts';
import { linearScale, logDomain, logScale, logTicks, spread } from '../charts/scales.ts';
import { textWidth } from '../charts/text-width.ts';

const WIDE = { width: 560, height: 260 } as const;
/** For a telephone: names then stand in a legend of the page's. */
const NARROW = { width: 250, height: 220 } as const;
const LABEL_SIZE = 12;
const LABEL_OFFSET = 10;

export interface ChartLine {
  readonly label: string;
  /** null breaks the line. */
  readonly points: readonly { readonly x: number; readonly y: number | null }[];
}

export interface LineChart {
  readonly x: { readonly title: string; readonly axis?: View; readonly domain: readonly [number, number] };
  readonly y: { readonly title: string; readonly log: boolean };
  readonly lines: readonly ChartLine[];
  /** Small, without names at the ends of its lines. */
  readonly narrow?: boolean;
}

/** Dashes tell lines apart where colours do not. */
export const DASHES: readonly (readonly number[])[] = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
];

const present = (line: ChartLine): { x: number; y: number }[] =>
  line.points.filter((point): point is { x: number; y: number } => point.y !== null);

/** The view and its outer width, px; null without a single value. */
export function lineChart({ x, y, lines, narrow = false }: LineChart): { view: View; width: number } | null {
  const PLOT = narrow ? NARROW : WIDE;
  const drawn = lines.filter((line) => present(line).length > 0);
  if (drawn.length === 0) return null;
  const values = drawn.flatMap((line) => present(line).map((point) => point.y));
  const least = Math.min(...values.filter((value) => value > 0), Number.POSITIVE_INFINITY);
  // Of a logarithmic axis: what is not above zero is drawn at its foot.
  const log = y.log && Number.isFinite(least);
  const domain: readonly [number, number] = log
    ? logDomain(values)
    : [0, Math.max(...values) > 0 ? Math.max(...values) * 1.06 : 1];
  const shown = (value: number | null): number | null =>
    value === null ? null : log ? Math.max(value, domain[0]) : value;
  const scale = (log ? logScale : linearScale)(domain, [PLOT.height, 0]);
  const encoding: View = {
    x: {
      field: 'x',
      type: 'quantitative',
      scale: { domain: [...x.domain], nice: false },
      axis: { title: x.title, format: NUMBER_FORMAT, grid: false, ...x.axis },
    },
    y: {
      field: 'y',
      type: 'quantitative',
      scale: { type: log ? 'log' : 'linear', domain: [...domain], nice: false },
      axis: {
        title: y.title,
        format: NUMBER_FORMAT,
        ...(log ? { values: [...logTicks(domain)] as Json } : { tickCount: 6 }),
      },
    },
  };
  const places = spread(
    drawn.map((line) => scale.position(shown(present(line).at(-1)!.y)!)),
    LABEL_SIZE + 4,
    6,
    PLOT.height - 6,
  );
  const at = (field: string) => ({ field, type: 'quantitative', scale: null, axis: null });
  const nameOf = (i: number, line: ChartLine, color: string): View => ({
    data: { values: [{ x: PLOT.width + LABEL_OFFSET, y: places[i]!, text: line.label }] },
    mark: {
      type: 'text',
      align: 'left',
      baseline: 'middle',
      fontSize: LABEL_SIZE,
      fontWeight: 600,
      color,
    },
    encoding: { x: at('x'), y: at('y'), text: { field: 'text', type: 'nominal' } },
  });
  const layers = drawn.flatMap((line, i): View[] => {
    const color = COLORS[i % COLORS.length]!;
    const values: Json[] = line.points.map((point) => ({ x: point.x, y: shown(point.y) }));
    const alone = present(line).length === 1;
    return [
      {
        data: { values },
        mark: {
          type: 'line',
          color,
          strokeWidth: 1.75,
          strokeDash: [...DASHES[i % DASHES.length]!],
          point: alone ? { color, size: 40 } : false,
        },
        encoding,
      },
      ...(narrow ? [] : [nameOf(i, line, color)]),
    ];
  });
  if (narrow)
    return { view: { width: PLOT.width, height: PLOT.height, layer: layers }, width: PLOT.width + 64 };
  const widest = Math.max(...drawn.map((line) => textWidth(line.label, LABEL_SIZE, true)));
  // Where Inter is not installed another font is used, and some are a fifth wider: the room for it is held by a mark that is not seen.
  layers.push({
    data: { values: [{ x: PLOT.width + LABEL_OFFSET + widest * 1.25, y: 0 }] },
    mark: { type: 'point', opacity: 0, size: 1 },
    encoding: { x: at('x'), y: at('y') },
  });
  return {
    view: { width: PLOT.width, height: PLOT.height, layer: layers },
    width:
      PLOT.width +
      LABEL_OFFSET +
      Math.max(...drawn.map((line) => textWidth(line.label, LABEL_SIZE, true))) +
      64,
  };
}
