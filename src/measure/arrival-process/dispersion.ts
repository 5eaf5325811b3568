/** Index of dispersion of counts over several windows. Source: Cox & Lewis, The Statistical Analysis of Series of Events, 1966, ch. 4. */
import { mean, variance } from '../quantile.ts';
import { chi2Quantile } from './chance.ts';
import type { Dispersion } from './types.ts';

/** Arrivals in each whole window of that length, from `from` on. */
export function countsIn(at: Float64Array, windowMs: number, from = at[0]!): Float64Array {
  // The last arrival ends the run, and would be one too many in the window that it closes.
  const counts = new Float64Array(Math.max(0, Math.floor((at[at.length - 1]! - from) / windowMs + 1e-9)));
  for (const t of at) {
    const window = Math.floor((t - from) / windowMs);
    if (window >= 0 && window < counts.length) counts[window]!++;
  }
  return counts;
}

/** Fewer windows than this say nothing of a variance. */
const MIN_WINDOWS = 10;

/** One window's index; null with fewer than ten windows. */
export function dispersionOver(
  at: Float64Array,
  windowMs: number,
): (Dispersion & { windows: number }) | null {
  const counts = countsIn(at, windowMs);
  const m = counts.length;
  if (m < MIN_WINDOWS) return null;
  const index = variance(counts) / mean(counts);
  return {
    window_s: windowMs / 1000,
    index,
    low: ((m - 1) * index) / chi2Quantile(0.975, m - 1),
    high: ((m - 1) * index) / chi2Quantile(0.025, m - 1),
    windows: m,
  };
}

/** Over 5, 20 and 100 mean gaps and over a second, the shortest first; those of which ten fit into the run. */
export function dispersion(at: Float64Array): Dispersion[] {
  const gap = (at[at.length - 1]! - at[0]!) / (at.length - 1);
  return [...new Set([5 * gap, 20 * gap, 100 * gap, 1000])]
    .sort((a, b) => a - b)
    .flatMap((windowMs) => {
      const over = dispersionOver(at, windowMs);
      if (over === null) return [];
      const { windows: _, ...rest } = over;
      return [rest];
    });
}
