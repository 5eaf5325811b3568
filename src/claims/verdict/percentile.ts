/** What can confirm a percentile: other statistics of its row where they leave it no room, and nothing else on paper. Pure. */
import type { ClaimFigure, ClaimRow, ClaimStatistic } from '../claim.ts';

/** From the least to the greatest value of a run. */
const ORDERED = ['min', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'] as const;
const rank = (statistic: ClaimStatistic): number => (ORDERED as readonly unknown[]).indexOf(statistic);

/** Whether a figure is the value of one request, or next to it: no sum over all of them gives it again. */
export const isOrdered = ({ statistic }: ClaimFigure): boolean => rank(statistic) >= 0;

/** How a percentile could be confirmed; of a figure for which nothing does. */
export const NO_PERCENTILE =
  'no other figure of a claim confirms a percentile: the raw results of every request would, and a claim cannot hold them yet';

/**
 * Whether the nearest statistics on both sides leave a figure no other value than one that prints as it does. A place in the order alone
 * confirms nothing: every value between two others has it.
 */
export function isPinned(figure: ClaimFigure, row: ClaimRow): boolean {
  const own = rank(figure.statistic);
  const others = row.figures.filter(
    (one) => one.metric === figure.metric && one.id !== figure.id && rank(one.statistic) >= 0,
  );
  const below = others
    .filter((one) => rank(one.statistic) < own)
    .toSorted((a, b) => rank(b.statistic) - rank(a.statistic))[0];
  const above = others
    .filter((one) => rank(one.statistic) > own)
    .toSorted((a, b) => rank(a.statistic) - rank(b.statistic))[0];
  if (own < 0 || below === undefined || above === undefined) return false;
  const { value, half } = figure.quantity;
  const slack = 1e-9 * value;
  return (
    below.quantity.value - below.quantity.half >= value - half - slack &&
    above.quantity.value + above.quantity.half <= value + half + slack
  );
}
