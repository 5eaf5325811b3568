/** A judged figure in words: `TTFT p99 +18.2 ms [16.9, 19.6] for ±5 ms allowed`. */
import type { BiasTerm, RateTerm, Term } from './document.ts';

/** About three figures: 0.042, 1.23, 12.3, 123. */
const digits = (value: number): string => {
  const size = Math.abs(value);
  return size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
};
const signed = (value: number): string =>
  `${Number(digits(value)) === 0 ? '' : value < 0 ? '−' : '+'}${digits(value)}`;
const plain = (value: number): string =>
  `${Number(digits(value)) === 0 || value >= 0 ? '' : '−'}${digits(value)}`;
const short = (value: number): string => String(Number(value.toPrecision(3)));

/** `ttft_p99` as people write it. */
export const termName = (name: string): string => {
  const [metric, statistic] = name.split('_');
  return statistic === undefined ? name : `${metric!.toUpperCase()} ${statistic}`;
};

const OF = {
  requests: 'of its requests were completed',
  arrivals: 'of the asked rate arrived',
  completions: 'of the asked rate was completed',
  successes: 'of its requests succeeded, by its own count',
} as const;

const rateWords = ({ share, of, allowed_share, achieved_rps }: RateTerm): string =>
  `${(100 * share).toFixed(1)} % ${OF[of]}${achieved_rps === null ? '' : ` (${digits(achieved_rps)}/s)`}, at ${of === 'arrivals' && share > 1 ? 'most' : 'least'} ${(100 * (of === 'arrivals' && share > 1 ? 1 + allowed_share : 1 - allowed_share)).toFixed(1)} % would do`;

function biasWords({ name, bias_ms, low_ms, high_ms, allowed_ms, by, verdict, reason }: BiasTerm): string {
  if (bias_ms === null) return `${termName(name)}: ${reason}`;
  const interval = low_ms === null || high_ms === null ? '' : ` [${plain(low_ms)}, ${plain(high_ms)}]`;
  const how = by === 'figure' ? ' give or take the floor' : by === 'worst tenth' ? ' by its worst tenth' : '';
  return `${termName(name)} ${signed(bias_ms)} ms${interval}${how} for ±${short(allowed_ms)} allowed${verdict === 'undetermined' && reason !== '' ? ` (${reason})` : ''}`;
}

/** A term in words. */
export const termWords = (term: Term): string =>
  term.name === 'rate' ? rateWords(term as RateTerm) : biasWords(term as BiasTerm);
