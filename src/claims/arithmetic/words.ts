/** Figures and results in words, alike in all checks. */
import type { CheckId, CheckResult, CheckState } from '../arithmetic-check.ts';
import type { ClaimFigure, ClaimMetric, ClaimStatistic, Quantity } from '../claim.ts';
import type { Range } from './range.ts';

const METRIC_LABEL: Record<ClaimMetric, string> = {
  ttft: 'TTFT',
  itl: 'ITL',
  tpot: 'TPOT',
  ntpot: 'NTPOT',
  e2e: 'E2E',
  output_throughput: 'output throughput',
  input_throughput: 'input throughput',
  total_throughput: 'total throughput',
  request_throughput: 'request throughput',
  user_throughput: 'throughput a user',
  success_rate: 'success rate',
  completed: 'completed requests',
  failed: 'failed requests',
};

/** `TTFT p99`, `output throughput`, `E2E`. */
export const labelOf = (metric: ClaimMetric, statistic: ClaimStatistic): string =>
  statistic === null || statistic === 'total'
    ? METRIC_LABEL[metric]
    : `${METRIC_LABEL[metric]} ${statistic === 'p999' ? 'p99.9' : statistic}`;

export const inputOf = (figure: ClaimFigure) => ({
  name: `${labelOf(figure.metric, figure.statistic)}, ${figure.row}`,
  text: figure.quantity.text,
});

export const given = (name: string, quantity: Quantity) => ({ name, text: quantity.text });

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

/** Four digits, thousands set off: `8,730`, `57.35`, `0.542`; large numbers to the unit. */
export function num(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'infinity' : '−infinity';
  const magnitude = Math.abs(value);
  const rounded = magnitude >= 1000 ? Math.round(magnitude) : Number(magnitude.toPrecision(4));
  const text = GROUPED.format(rounded);
  return value < 0 && rounded !== 0 ? `−${text}` : text;
}

/** `91.0 %`. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Of milliseconds: `61.68 s`, `93.06 ms`. */
export const time = (ms: number): string => (Math.abs(ms) >= 1000 ? `${num(ms / 1000)} s` : `${num(ms)} ms`);

/** Both ends, or one number where they print alike: `13.64 to 13.86`. */
export function ends(range: Range, write: (value: number) => string = num): string {
  if (range.high === Number.POSITIVE_INFINITY) return `${write(range.low)} or more`;
  const [low, high] = [write(range.low), write(range.high)];
  return low === high ? low : `${low} to ${high}`;
}

/** `a`, `a and b`, `a, b and c`. */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

type Parts = Omit<CheckResult, 'check' | 'title' | 'state' | 'finding'>;

/** A result; what is left out is empty. */
export const result = (
  check: CheckId,
  title: string,
  state: CheckState,
  finding: string,
  parts: Partial<Parts> = {},
): CheckResult => ({
  check,
  title,
  state,
  finding,
  rows: [],
  figures: [],
  headlines: [],
  inputs: [],
  working: [],
  explanations: [],
  questions: [],
  ...parts,
});

/** What a check gives where it found nothing to test: itself, not applicable. */
export const orNothing = (
  results: readonly CheckResult[],
  check: CheckId,
  title: string,
  missing: string,
  questions: readonly string[] = [],
): readonly CheckResult[] =>
  results.length > 0 ? results : [result(check, title, 'not applicable', missing, { questions })];
