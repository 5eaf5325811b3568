/** Figures of a comparison for people, each in its unit. */
import type { FigureComparison } from '../../src/audit/compare-audits/document.ts';
import type { FigureUnit } from '../../src/audit/compare-audits/figures.ts';
import { METRICS, type Metric } from '../../src/measure/metrics.ts';
import { ABSENT, METRIC_LABEL, ms, percent, plain, signedMs } from '../format.ts';

const MINUS = '−';

const LABEL: Readonly<Record<string, string>> = {
  rate: 'share of the rate',
  success: 'requests answered',
  cpu: 'CPU of the busiest thread',
  gap_cv2: 'CV² of gaps',
};

/** `TTFT p99`, `share of the rate`, `TTFT p99, total bias`. */
export function figureLabel(figure: string): string {
  const [metric, statistic, total] = figure.split('_') as [string, string?, string?];
  if (!METRICS.includes(metric as Metric)) return LABEL[figure] ?? figure;
  return `${METRIC_LABEL[metric as Metric]} ${statistic}${total === undefined ? '' : ', total bias'}`;
}

/** A unit behind a figure. */
export const UNIT: Readonly<Record<FigureUnit, string>> = { ms: ' ms', share: ' %', cv2: '' };
/** A unit behind a difference. */
const DIFFERENCE_UNIT: Readonly<Record<FigureUnit, string>> = { ms: ' ms', share: ' points', cv2: '' };

/** A mean without its unit. */
export const valueText = (unit: FigureUnit, value: number | null): string =>
  unit === 'ms' ? ms(value) : unit === 'share' ? percent(value) : plain(value);

const digits = (magnitude: number): number =>
  magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;

const scaled = (unit: FigureUnit, value: number): number => (unit === 'share' ? value * 100 : value);

/** With a sign always, without its unit; shares in points of 100. */
export const differenceText = (unit: FigureUnit, value: number | null): string =>
  value === null ? ABSENT : signedMs(scaled(unit, value));

function bound(value: number, places: number): string {
  const text = Math.abs(value).toFixed(places);
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** `2.0 to 4.2`, both with as many digits; empty without an interval. */
export function intervalText({ unit, low, high }: Pick<FigureComparison, 'unit' | 'low' | 'high'>): string {
  if (low === null || high === null) return '';
  const [a, b] = [scaled(unit, low), scaled(unit, high)];
  const places = digits(Math.max(Math.abs(a), Math.abs(b)));
  return `${bound(a, places)} to ${bound(b, places)}`;
}

export const floorText = ({ unit, floor }: Pick<FigureComparison, 'unit' | 'floor'>): string =>
  floor === null ? ABSENT : ms(scaled(unit, floor));

/** `+3.10 ms (2.00 to 4.20)`. */
export function changeText(figure: FigureComparison): string {
  const interval = intervalText(figure);
  const text = `${differenceText(figure.unit, figure.difference)}${DIFFERENCE_UNIT[figure.unit]}`;
  return interval === '' ? text : `${text} (${interval})`;
}

/** `TTFT p99, ms`: the label with its unit. */
export const labelWithUnit = ({ figure, unit }: Pick<FigureComparison, 'figure' | 'unit'>): string =>
  `${figureLabel(figure)}${UNIT[unit] === '' ? '' : `,${UNIT[unit]}`}`;

export const STATE_WORDS: Readonly<Record<FigureComparison['state'], string>> = {
  worse: 'worse',
  better: 'better',
  changed: 'changed',
  unchanged: 'unchanged',
  undetermined: 'undetermined',
  refused: 'not compared',
};

type Smallest = Pick<FigureComparison, 'unit' | 'smallest_change'>;

/** `±3.10`: the smallest change that an undetermined figure would have shown, without its unit; empty where there is none. */
export const smallestNumber = ({ unit, smallest_change }: Smallest): string =>
  smallest_change === null ? '' : `±${ms(scaled(unit, smallest_change))}`;

/** `±3.10 ms`. */
export const smallestText = (figure: Smallest): string =>
  figure.smallest_change === null ? '' : `${smallestNumber(figure)}${DIFFERENCE_UNIT[figure.unit]}`;

/** The state, with what it could have shown where it is undetermined. */
export const stateText = (figure: FigureComparison): string =>
  figure.smallest_change === null
    ? STATE_WORDS[figure.state]
    : `${STATE_WORDS[figure.state]} (shows from ${smallestText(figure)} on)`;
