/** Small charts, one a client, over the same rates at even distances: however many rates and marks, none covers its neighbour. */
import { rate } from '../format.ts';
import type { View } from './chart.ts';
import { type KeyEntry, keyHeight, keyLayers } from './key.ts';
import { INK, MUTED } from './palette.ts';

export const PANEL = { width: 300, height: 150 } as const;
const COLUMNS = 2;
/** Two panels with their axes, px. */
export const PANELS_WIDTH = 740;

export interface RateBands {
  /** Encoding of the horizontal place; its field is `x`. */
  readonly x: View;
  /** Width of one rate, px. */
  readonly band: number;
  /** Value for `x`: the rate's middle, moved by so many px. */
  place(rate_rps: number, moved: number): number;
}

/** The axis of rates. */
export function rateBands(rates: readonly number[]): RateBands {
  const band = PANEL.width / rates.length;
  const labels = rates.map((rps) => rate(rps));
  return {
    band,
    place: (rate_rps, moved) => Number((rates.indexOf(rate_rps) + moved / band).toFixed(4)),
    x: {
      field: 'x',
      type: 'quantitative',
      scale: { domain: [-0.5, rates.length - 0.5], nice: false, zero: false },
      axis: {
        title: 'Requested rate (requests/s)',
        values: rates.map((_, i) => i),
        labelExpr: `${JSON.stringify(labels)}[datum.value]`,
        grid: false,
        labelOverlap: 'parity',
        titleColor: MUTED,
        titleFontSize: 11,
      },
    },
  };
}

/** One client's panel. `note`: a second line under its name. */
export const panelView = (name: string, note: string | null, layer: readonly View[]): View => ({
  title: {
    text: name,
    ...(note === null ? {} : { subtitle: note, subtitleFontSize: 11, subtitlePadding: 2 }),
    anchor: 'start',
    frame: 'group',
    fontSize: 12,
    fontWeight: 600,
    color: INK,
    offset: 8,
  },
  width: PANEL.width,
  height: PANEL.height,
  layer,
});

/** Panels under their key, two beside one another. */
export function panelsView(key: readonly KeyEntry[], panels: readonly View[]): View {
  const height = keyHeight(key, PANELS_WIDTH - 80);
  return {
    vconcat: [
      { width: PANEL.width, height, layer: keyLayers(key, PANELS_WIDTH - 80, -height) },
      { concat: panels, columns: COLUMNS, spacing: { row: 24, column: 28 } },
    ],
    spacing: 14,
  };
}
