/** The shared form of "something against the requested rate, a line a client": layers, direct labels, sideways shift. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { oneLine, shorten } from '../text.ts';
import { type Json, NUMBER_FORMAT, type View } from './chart.ts';
import { INK, look, PAPER } from './palette.ts';
import { logDomain, logScale, type Scale, spread } from './scales.ts';
import { ROOM, textWidth } from './text-width.ts';

export const PLOT = { width: 560, height: 320 } as const;
const LABEL_SIZE = 12;
const LABEL_LINE = 16;
/** From the plot's right edge to the labels. */
const LABEL_OFFSET = 26;
/** Longer names end in an ellipsis. */
const LABEL_LENGTH = 40;

export interface Point {
  readonly client: string;
  readonly rate_rps: number;
  /** null breaks the line. */
  readonly value: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
  /** Drawn hollow. */
  readonly hollow: boolean;
}

/** The clients of an audit that have points, with their look; the look follows the place in the audit, not in the chart. */
export interface Series {
  readonly client: string;
  readonly label: string;
  readonly color: string;
  readonly shape: string;
  readonly points: readonly Point[];
}

/** Points grouped by client, in the audit's order; clients without a figure are left out. */
export function seriesOf(document: AuditDocument, points: readonly Point[]): readonly Series[] {
  return document.clients.flatMap((entry, index) => {
    const own = points.filter((point) => point.client === entry.name).sort((a, b) => a.rate_rps - b.rate_rps);
    if (!own.some((point) => point.value !== null)) return [];
    return [
      { client: entry.name, label: shorten(oneLine(entry.name), LABEL_LENGTH), ...look(index), points: own },
    ];
  });
}

/** The axis of requested rates. */
export function rateAxis(rates: readonly number[]): { scale: Scale; encoding: View } {
  const domain = logDomain(rates, 0.04);
  return {
    scale: logScale(domain, [0, PLOT.width]),
    encoding: {
      field: 'x_rps',
      type: 'quantitative',
      scale: { type: 'log', domain: [...domain], nice: false },
      axis: {
        title: 'Requested rate (requests/s, log scale)',
        values: [...rates],
        format: NUMBER_FORMAT,
        grid: false,
        labelOverlap: 'parity',
      },
    },
  };
}

/** Each client's points moved sideways by some px, so that intervals at one rate do not hide one another. */
function shifted(rate: number, index: number, of: number, scale: Scale): number {
  const step = Math.min(4, 24 / Math.max(1, of));
  const pixels = (index - (of - 1) / 2) * step;
  const [low, high] = scale.domain;
  return rate * (high / low) ** (pixels / PLOT.width);
}

export interface LineLayers {
  readonly layers: readonly View[];
  /** Width of the labels at the right, px. */
  readonly labelWidth: number;
}

/** The scales of both axes and their encodings; the one of the value axis without its field. */
export interface Axes {
  readonly x: { readonly scale: Scale; readonly encoding: View };
  readonly y: { readonly scale: Scale; readonly encoding: View };
  /** Whether clients are moved sideways from one another; not where the horizontal place is itself compared. */
  readonly shift: boolean;
}

/** Horizontal value of a series' point at a rate. */
export const placeOf = (rate: number, index: number, of: number, { x, shift }: Axes): number =>
  shift ? shifted(rate, index, of, x.scale) : rate;

/**
 * Bands, lines, interval bars, points and direct labels of the series, each kind above the one before, so that no client's band
 * hides another one's points.
 */
export function lineLayers(series: readonly Series[], axes: Axes): LineLayers {
  const drawn = series.map((one, index) => seriesLayers(one, index, series.length, axes));
  const layers = (['bands', 'bars', 'lines', 'points'] as const).flatMap((kind) =>
    drawn.flatMap((own) => own[kind]),
  );
  return { layers: [...layers, ...labelLayers(series, axes)], labelWidth: labelWidth(series) };
}

type Kind = 'bands' | 'bars' | 'lines' | 'points';

function seriesLayers(
  one: Series,
  index: number,
  of: number,
  axes: Axes,
): Readonly<Record<Kind, readonly View[]>> {
  const values: Json[] = one.points.map((point) => ({
    client: one.label,
    rate_rps: point.rate_rps,
    x_rps: placeOf(point.rate_rps, index, of, axes),
    value: point.value,
    low: point.low ?? null,
    high: point.high ?? null,
    hollow: point.hollow,
  }));
  const data = { values };
  const x = axes.x.encoding;
  const encoding = { x, y: { ...axes.y.encoding, field: 'value' } };
  const span = { x, y: { ...axes.y.encoding, field: 'low' }, y2: { field: 'high' } };
  const bounded = one.points.filter((point) => point.low != null && point.high != null).length;
  const transform = [{ filter: 'isValid(datum.low) && isValid(datum.high)' }];
  const { color, shape } = one;
  return {
    bands:
      bounded < 2 ? [] : [{ data, transform, mark: { type: 'area', color, opacity: 0.13 }, encoding: span }],
    bars:
      bounded === 0
        ? []
        : [{ data, transform, mark: { type: 'rule', color, strokeWidth: 1.5 }, encoding: span }],
    lines: [{ data, mark: { type: 'line', color, strokeWidth: 1.75 }, encoding }],
    points: [
      {
        data,
        transform: [{ filter: 'isValid(datum.value)' }],
        mark: { type: 'point', shape, size: 60, opacity: 1, stroke: color, strokeWidth: 1.75 },
        encoding: { ...encoding, fill: { condition: { test: 'datum.hollow', value: PAPER }, value: color } },
      },
    ],
  };
}

const labelWidth = (series: readonly Series[]): number =>
  LABEL_OFFSET + 12 + ROOM * Math.max(0, ...series.map((one) => textWidth(one.label, LABEL_SIZE)));

/** Name and symbol of each series beside its last point, moved apart, with a thin line to the point. */
function labelLayers(series: readonly Series[], axes: Axes): readonly View[] {
  const { x, y } = { x: axes.x.scale, y: axes.y.scale };
  const ends = series.map((one, index) => {
    const last = one.points.findLast((point) => point.value !== null)!;
    return {
      x: x.position(placeOf(last.rate_rps, index, series.length, axes)),
      y: y.position(last.value!),
    };
  });
  const places = spread(
    ends.map((end) => end.y),
    LABEL_LINE,
    6,
    PLOT.height - 6,
  );
  const at = (field: string) => ({ field, type: 'quantitative', scale: null, axis: null });
  return series.flatMap((one, index): View[] => {
    const end = ends[index]!;
    const place = places[index]!;
    const data = {
      values: [
        {
          label: one.label,
          x: end.x + 7,
          y: end.y,
          x_symbol: PLOT.width + LABEL_OFFSET,
          x_bend: PLOT.width + LABEL_OFFSET - 8,
          y_label: place,
        },
      ],
    };
    return [
      {
        data,
        mark: { type: 'rule', color: one.color, strokeWidth: 1, opacity: 0.55 },
        encoding: { x: at('x'), y: at('y'), x2: { field: 'x_bend' }, y2: { field: 'y_label' } },
      },
      {
        data,
        mark: { type: 'point', shape: one.shape, filled: true, size: 60, opacity: 1, color: one.color },
        encoding: { x: at('x_symbol'), y: at('y_label') },
      },
      {
        data,
        mark: { type: 'text', align: 'left', baseline: 'middle', dx: 10, fontSize: LABEL_SIZE, color: INK },
        encoding: { x: at('x_symbol'), y: at('y_label'), text: { field: 'label', type: 'nominal' } },
      },
    ];
  });
}
