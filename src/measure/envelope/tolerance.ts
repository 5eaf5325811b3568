/** What a client may be off by and still count as telling the truth: `--tolerance rate=2%,ttft_p50=1ms,e2e_p99=10%+2ms`. */
import { METRICS, type Metric, STATISTICS, type Statistic } from '../metrics.ts';

/** Of one figure: |reported − expected| may be `absolute_ms` and `relative` of the expected value, together. */
export interface BiasTolerance {
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly absolute_ms: number;
  /** A share: 0.1 is 10 %. */
  readonly relative: number;
}

export interface Tolerance {
  /** Share of the asked rate that may be missing, or too much: 0.02 is 2 %. */
  readonly rate: number;
  readonly bias: readonly BiasTolerance[];
}

export const DEFAULT_TOLERANCE = 'rate=2%,ttft_p50=1ms,ttft_p99=5ms,e2e_p99=10%+2ms';

const ACCEPTED = `use rate=2%, and METRIC_STATISTIC=5ms, 10% or 10%+2ms, with commas; METRIC is ${METRICS.join(', ')} and STATISTIC ${STATISTICS.join(', ')}`;

/** One `10%`, `2ms` or `0.5s`. */
function size(text: string): { readonly share: number } | { readonly ms: number } | null {
  const match = /^(\d+(?:\.\d+)?)(%|us|ms|s)$/.exec(text.trim());
  if (match === null) return null;
  const value = Number(match[1]);
  if (match[2] === '%') return { share: value / 100 };
  return { ms: value * { us: 0.001, ms: 1, s: 1000 }[match[2] as 'us' | 'ms' | 's'] };
}

function rateTolerance(text: string): number {
  const parsed = size(text);
  if (parsed === null || !('share' in parsed) || parsed.share <= 0 || parsed.share >= 1)
    throw new Error(`the tolerance of rate is a share between 0 and 100 %, e.g. rate=2%, not "${text}"`);
  return parsed.share;
}

function biasTolerance(name: string, text: string): BiasTolerance {
  const [metric, statistic, more] = name.split('_');
  if (
    more !== undefined ||
    !METRICS.includes(metric as Metric) ||
    !STATISTICS.includes(statistic as Statistic)
  )
    throw new Error(`"${name}" is no figure that can have a tolerance: ${ACCEPTED}`);
  let absolute_ms = 0;
  let relative = 0;
  for (const part of text.split('+')) {
    const parsed = size(part);
    if (parsed === null) throw new Error(`"${text}" is no tolerance of ${name}: ${ACCEPTED}`);
    if ('share' in parsed) relative += parsed.share;
    else absolute_ms += parsed.ms;
  }
  if (absolute_ms + relative <= 0)
    throw new Error(
      `a tolerance of 0 for ${name} can never be met, since no figure is free of noise: ${ACCEPTED}`,
    );
  return { metric: metric as Metric, statistic: statistic as Statistic, absolute_ms, relative };
}

/**
 * Parses a tolerance. What is named is the whole of what is judged, but for the rate, which is always judged (2 % unless given).
 * @throws Error that says what is accepted.
 */
export function parseTolerance(text: string): Tolerance {
  let rate: number | null = null;
  const bias = new Map<string, BiasTolerance>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    const value = part.slice(at + 1).trim();
    if (at < 1 || value === '') throw new Error(`"${part}" is no tolerance: ${ACCEPTED}`);
    if (bias.has(name) || (name === 'rate' && rate !== null))
      throw new Error(`${name} is given twice: which of them is meant?`);
    if (name === 'rate') rate = rateTolerance(value);
    else bias.set(name, biasTolerance(name, value));
  }
  return { rate: rate ?? 0.02, bias: [...bias.values()] };
}

const number = (value: number): string => String(Number(value.toPrecision(6)));

/** As its flag spells it: `10%+2ms`. */
export const formatSize = ({
  absolute_ms,
  relative,
}: Pick<BiasTolerance, 'absolute_ms' | 'relative'>): string =>
  [
    ...(relative > 0 ? [`${number(relative * 100)}%`] : []),
    ...(absolute_ms > 0 ? [`${number(absolute_ms)}ms`] : []),
  ].join('+');

/** The flag's spelling of a tolerance. */
export const formatTolerance = ({ rate, bias }: Tolerance): string =>
  [
    `rate=${number(rate * 100)}%`,
    ...bias.map((one) => `${one.metric}_${one.statistic}=${formatSize(one)}`),
  ].join(',');

/** What a figure may be off, ms, where `expected_ms` is what it should be. */
export const allowedMs = (
  tolerance: Pick<BiasTolerance, 'absolute_ms' | 'relative'>,
  expected_ms: number | null,
): number => tolerance.absolute_ms + tolerance.relative * Math.abs(expected_ms ?? 0);
