/** Keys above charts whose marks are placed in pixels: symbols with words, in lines. */
import type { View } from './chart.ts';
import { INK } from './palette.ts';
import { ROOM, textWidth } from './text-width.ts';

/** Two strokes across, as a path in Vega's unit square. */
export const CROSS = 'M-1,-1L1,1M1,-1L-1,1';
/** A level stroke, likewise. */
export const LEVEL = 'M-1,0L1,0';

export interface SymbolLook {
  readonly shape: string;
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth?: number;
  readonly size?: number;
}

export interface KeyEntry {
  readonly label: string;
  readonly look: SymbolLook;
}

const SIZE = 11;
const LINE = 18;
const SYMBOL = 12;
const GAP = 18;

/** A place in pixels, without a scale. */
export const pixel = (field: string): View => ({ field, type: 'quantitative', scale: null, axis: null });

/** Where each entry stands, in lines of at most `width` px. */
function places(
  entries: readonly KeyEntry[],
  width: number,
): { at: { x: number; line: number }[]; lines: number } {
  let x = 0;
  let line = 0;
  const at = entries.map(({ label }) => {
    const own = SYMBOL + 6 + ROOM * textWidth(label, SIZE) + GAP;
    if (x > 0 && x + own > width) {
      x = 0;
      line++;
    }
    const place = { x, line };
    x += own;
    return place;
  });
  return { at, lines: line + 1 };
}

/** The key's height, px, of entries in lines of at most `width` px. */
export const keyHeight = (entries: readonly KeyEntry[], width: number): number =>
  entries.length === 0 ? 0 : places(entries, width).lines * LINE;

/** Symbols and words in lines that end `above` px above the plot. */
export function keyLayers(entries: readonly KeyEntry[], width: number, above = 12): readonly View[] {
  if (entries.length === 0) return [];
  const { at, lines } = places(entries, width);
  const y = (line: number) => (line - lines) * LINE + LINE / 2 - above;
  const symbols = entries.map(({ look }, i): View => {
    const { x, line } = at[i]!;
    return {
      data: { values: [{ x: x + SYMBOL / 2, y: y(line) }] },
      mark: { type: 'point', size: 48, strokeWidth: 1.75, opacity: 1, ...look },
      encoding: { x: pixel('x'), y: pixel('y') },
    };
  });
  return [
    ...symbols,
    {
      data: {
        values: entries.map(({ label }, i) => ({ x: at[i]!.x + SYMBOL + 6, y: y(at[i]!.line), label })),
      },
      mark: { type: 'text', align: 'left', baseline: 'middle', fontSize: SIZE, color: INK },
      encoding: { x: pixel('x'), y: pixel('y'), text: { field: 'label', type: 'nominal' } },
    },
  ];
}
