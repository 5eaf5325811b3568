/**
 * Quantiles by linear interpolation between order statistics (Hyndman & Fan type 7), the default of numpy.percentile and so of
 * every Python client that Tare audits: with the same values both sides print the same figure.
 */
import { absent, type Summary } from './metrics.ts';

/** The p-quantile (0 ≤ p ≤ 1) of ascending values; NaN of none. */
export function quantileSorted(sorted: ArrayLike<number>, p: number): number {
  const n = sorted.length;
  if (n === 0) return Number.NaN;
  const place = p * (n - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, n - 1)]!;
  return low + (high - low) * (place - below);
}

/** Arithmetic mean; NaN of none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** Sample variance (n − 1); NaN below two values. */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) return Number.NaN;
  const centre = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i]! - centre) ** 2;
  return sum / (values.length - 1);
}

/** Mean, p50, p90 and p99 of values in milliseconds; `why` says why there are none, where there are none. */
export function summarize(valuesMs: ArrayLike<number>, why: string): Summary {
  if (valuesMs.length === 0) return absent(why);
  const sorted = Float64Array.from(valuesMs).sort();
  return {
    n: sorted.length,
    mean_ms: mean(sorted),
    p50_ms: quantileSorted(sorted, 0.5),
    p90_ms: quantileSorted(sorted, 0.9),
    p99_ms: quantileSorted(sorted, 0.99),
  };
}

/** As `summarize`, with percentiles that are values themselves: the one at index ⌊p·n⌋ of n in order, or the last. */
export const summarizeNextValue = (valuesMs: ArrayLike<number>, why: string): Summary =>
  summarizeByIndex(valuesMs, why, (p, n) => Math.min(Math.floor(p * n), n - 1));

/** As `summarize`, with percentiles that are values of the sample: the one of rank ⌈p·n⌉ (Hyndman & Fan type 1). */
export const summarizeNearestRank = (valuesMs: ArrayLike<number>, why: string): Summary =>
  // p·n is off by a rounding error where it should be whole: 0.9 · 10 is 9.000…02 in some orders of multiplication.
  summarizeByIndex(valuesMs, why, (p, n) => Math.max(0, Math.ceil(p * n - 1e-9) - 1));

function summarizeByIndex(
  valuesMs: ArrayLike<number>,
  why: string,
  indexOf: (p: number, n: number) => number,
): Summary {
  const n = valuesMs.length;
  if (n === 0) return absent(why);
  const sorted = Float64Array.from(valuesMs).sort();
  const at = (p: number) => sorted[indexOf(p, n)]!;
  return { n, mean_ms: mean(sorted), p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99) };
}
