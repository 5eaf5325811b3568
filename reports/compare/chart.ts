/**
 * What a figure was in A and in B, a row a client and rate (a dumbbell): hollow A, filled B; the band of the floor around A, and a bar
 * where B lies by the interval of the difference. A change is a bar that does not touch its band.
 */
import type { Comparison, FigureComparison } from '../../src/audit/compare-audits/document.ts';
import type { ChartSpec, Json, View } from '../charts/chart.ts';
import { NUMBER_FORMAT } from '../charts/chart.ts';
import { BAND, COLORS, INK, MUTED, PAPER } from '../charts/palette.ts';
import { symlogTicks } from '../charts/scales.ts';
import { textWidth } from '../charts/text-width.ts';
import { rate } from '../format.ts';
import type { Provenance } from '../provenance.ts';
import { oneLine, shorten } from '../text.ts';
import { changeText, figureLabel, STATE_WORDS, valueText } from './format.ts';
import { figureRows } from './rows.ts';
import { pairName } from './words.ts';

const ROW = 26;
const PLOT_WIDTH = 420;
const LABEL_SIZE = 12;
/** Charts of a comparison: one a figure that everybody looks at. */
export const CHARTED = ['rate', 'success', 'ttft_p50', 'ttft_p99', 'e2e_p99', 'cpu'] as const;

/** State by colour, and by a word beside it. */
const COLOR: Readonly<Record<FigureComparison['state'], string>> = {
  worse: COLORS[1],
  better: COLORS[0],
  changed: COLORS[3],
  unchanged: COLORS[6],
  undetermined: MUTED,
  refused: MUTED,
};

interface Dumbbell {
  /** Its place: names are cut for the axis, so two may read alike. */
  readonly key: string;
  readonly row: string;
  readonly figure: FigureComparison;
}

function dumbbells(comparison: Comparison, name: string): readonly Dumbbell[] {
  return figureRows(comparison)
    .filter(({ figure }) => figure.figure === name && figure.difference !== null)
    .map(({ client, rate: cell, figure }, i) => ({
      key: `${i}`,
      row: `${shorten(oneLine(pairName(client)), 28)}  ${rate(cell.rate_rps)}/s`,
      figure,
    }));
}

/** Values as drawn: shares in %. */
const drawn = ({ unit }: FigureComparison, value: number): number => (unit === 'share' ? value * 100 : value);

function datum({ key, row, figure }: Dumbbell): { readonly [key: string]: Json } {
  const a = drawn(figure, figure.a.mean!);
  const at = (value: number | null) => (value === null ? null : a + drawn(figure, value));
  return {
    key: `${key} ${row}`,
    row,
    a,
    b: drawn(figure, figure.b.mean!),
    low: at(figure.low),
    high: at(figure.high),
    floor_low: figure.floor === null ? null : a - drawn(figure, figure.floor),
    floor_high: figure.floor === null ? null : a + drawn(figure, figure.floor),
    color: COLOR[figure.state],
    text: `${changeText(figure)}  ${STATE_WORDS[figure.state]}`,
  };
}

/** Beyond so many floors an axis is logarithmic. */
const WIDE = 20;

const valuesOf = (rows: readonly Dumbbell[]): readonly number[] =>
  rows
    .map(datum)
    .flatMap(({ a, b, low, high, floor_low, floor_high }) => [a, b, low, high, floor_low, floor_high])
    .filter((value): value is number => typeof value === 'number');

/** The smallest floor, where the values go far beyond it; null: the axis is linear. */
function linearBelow(rows: readonly Dumbbell[]): number | null {
  if (rows[0]!.figure.unit !== 'ms') return null;
  const floors = rows.map((row) => row.figure.floor ?? 0).filter((floor) => floor > 0);
  const floor = floors.length === 0 ? 1 : Math.min(...floors);
  return Math.max(...valuesOf(rows).map(Math.abs)) > WIDE * floor ? floor : null;
}

function axis(rows: readonly Dumbbell[], title: string): View {
  const constant = linearBelow(rows);
  if (constant === null)
    return {
      type: 'quantitative',
      scale: { zero: false, nice: true, padding: 12 },
      axis: { title, format: NUMBER_FORMAT, tickCount: 5, labelOverlap: 'greedy', labelSeparation: 6 },
    };
  const values = valuesOf(rows);
  const domain: readonly [number, number] = [Math.min(0, ...values) * 1.1, Math.max(0, ...values) * 1.1];
  return {
    type: 'quantitative',
    scale: { type: 'symlog', constant, domain: [...domain], nice: false },
    axis: {
      title,
      values: [...symlogTicks(domain, constant)],
      format: NUMBER_FORMAT,
      labelOverlap: 'greedy',
      labelSeparation: 6,
    },
  };
}

function layers(rows: readonly Dumbbell[], x: View, textPx: number): readonly View[] {
  const keys = rows.map(({ key, row }) => `${key} ${row}`);
  const y: View = {
    field: 'key',
    type: 'ordinal',
    sort: keys,
    axis: {
      // Without its place, which ends at the first space.
      labelExpr: "slice(datum.label, indexof(datum.label, ' ') + 1)",
      title: null,
      domain: false,
      ticks: false,
      grid: true,
      labelColor: INK,
      labelFontSize: LABEL_SIZE,
      labelLimit: 320,
    },
  };
  const color: View = { field: 'color', type: 'nominal', scale: null, legend: null };
  const span = (from: string, to: string) => ({ y, x: { ...x, field: from }, x2: { field: to } });
  const valid = (field: string) => [{ filter: `isValid(datum.${field})` }];
  return [
    {
      transform: valid('floor_low'),
      mark: { type: 'bar', height: 14, color: BAND, opacity: 0.6 },
      encoding: span('floor_low', 'floor_high'),
    },
    {
      transform: valid('low'),
      mark: { type: 'rule', strokeWidth: 5, opacity: 0.45 },
      encoding: { ...span('low', 'high'), color },
    },
    { mark: { type: 'rule', strokeWidth: 1.5 }, encoding: { ...span('a', 'b'), color } },
    {
      mark: {
        type: 'point',
        shape: 'circle',
        size: 60,
        opacity: 1,
        filled: true,
        fill: PAPER,
        stroke: INK,
        strokeWidth: 1.75,
      },
      encoding: { y, x: { ...x, field: 'a' } },
    },
    {
      mark: { type: 'point', shape: 'diamond', size: 80, opacity: 1, filled: true },
      encoding: { y, x: { ...x, field: 'b' }, color },
    },
    {
      mark: { type: 'text', align: 'left', baseline: 'middle', fontSize: 11, color: INK },
      encoding: { y, x: { value: PLOT_WIDTH + 12 }, text: { field: 'text', type: 'nominal' } },
    },
    // Room for fonts wider than the one that was measured: a page shows what its reader has.
    {
      mark: { type: 'rule', opacity: 0 },
      encoding: { y, x: { value: PLOT_WIDTH }, x2: { value: PLOT_WIDTH + 12 + 1.25 * textPx } },
    },
  ];
}

/** The chart of a figure; null where no pair has it on both sides. */
export function compareChart(comparison: Comparison, name: string, provenance: Provenance): ChartSpec | null {
  const rows = dumbbells(comparison, name);
  if (rows.length === 0) return null;
  const { unit } = rows[0]!.figure;
  const label = figureLabel(name);
  const what =
    unit === 'ms'
      ? `Added to ${label} (ms)`
      : name === 'rate'
        ? 'Share of the requested rate (%)'
        : name === 'success'
          ? 'Requests answered (%)'
          : 'CPU of the busiest thread (% of a core)';
  const side = (text: string) => textWidth(text, 11);
  const widest = Math.max(...rows.map((row) => side(String(datum(row).text))));
  const left = Math.max(...rows.map(({ row }) => textWidth(row, LABEL_SIZE)));
  return {
    name: `compare-${name.replace('_', '-')}`,
    title: `${what}: A and B`,
    explanation:
      'Circle: A. Diamond: B. Grey band: the floor around A, in which B cannot be told from A. Thick bar: where B lies by the interval of the difference between repetitions. ' +
      `A change is a bar clear of its band.${linearBelow(rows) !== null ? ' The axis is linear inside the smallest floor, logarithmic beyond.' : ''}`,
    alternative: `Dumbbell chart. ${rows
      .map(
        ({ row, figure }) =>
          `${row}: ${valueText(unit, figure.a.mean)} in A, ${valueText(unit, figure.b.mean)} in B, difference ${changeText(figure)}, ${STATE_WORDS[figure.state]}.`,
      )
      .join(' ')}`,
    provenance,
    view: {
      width: PLOT_WIDTH,
      height: ROW * rows.length,
      data: { values: rows.map(datum) },
      layer: [...layers(rows, axis(rows, what), widest)],
    },
    width: PLOT_WIDTH + left + 1.25 * widest + 60,
  };
}
