/** Figures of a cell for people. */
import type { CellFigure, ProbeCell } from '../../src/audit/probe/document.ts';
import { ABSENT, METRIC_LABEL, ms, percent as percentText, plain } from '../format.ts';
import { grouped, oneLine } from '../text.ts';

/** `ttft mean` → `TTFT mean`; other names as they are. */
export function figureLabel(name: string): string {
  const [first = '', ...rest] = oneLine(name).split(' ');
  return [METRIC_LABEL[first as keyof typeof METRIC_LABEL] ?? first, ...rest].join(' ');
}

/** A value without its unit, shares as percentages: `200`, `23.6`, `98.5`. */
export function figureValue(value: number | null, unit: string): string {
  if (value === null) return ABSENT;
  if (unit === 'share')
    return plain(100 * value).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros));
  if (Number.isInteger(value)) return value < 0 ? `−${grouped(-value)}` : grouped(value);
  return unit === 'ms' ? ms(value) : plain(value);
}

/** `TTFT mean, ms`; the unit is not said again where it is the name. */
export function figureHead({ name, unit }: Pick<CellFigure, 'name' | 'unit'>): string {
  const label = figureLabel(name);
  return label === unit ? label : `${label}, ${unit === 'share' ? '%' : oneLine(unit)}`;
}

const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : text);

/** `TTFT mean −195 ms (−97.3 %)`; empty without a size. */
export function cellSize(size: ProbeCell['size']): string {
  if (size === null) return '';
  const { figure, value, unit, percent } = size;
  const off = signed(figureValue(value, unit), value);
  // A difference of shares is in points: `−50 %` would be read as a ratio.
  const said = figureLabel(figure).split(/[ ,]+/).at(-1) === unit;
  const amount = `${figureLabel(figure)} ${off}${said ? '' : ` ${unit === 'share' ? 'points' : oneLine(unit)}`}`;
  return percent === null || unit === 'share'
    ? amount
    : `${amount} (${signed(percentText(percent / 100), percent)} %)`;
}

/** Where a figure comes from: the client’s summary, its records of requests, the target’s ledger. */
export const BY: Readonly<Record<CellFigure['by'], string>> = {
  printed: 'summary',
  records: 'records',
  ledger: 'ledger',
};
