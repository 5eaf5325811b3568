/** How far a figure can be off where a client's own delay is bounded: one bound, on when it saw what, for every kind of latency. Pure. */
import type { ClaimFigure, ClaimRow } from '../claim.ts';

/** What a client adds is small where it is at most this share of a figure. */
export const SMALL_SHARE = 0.05;

/**
 * The most that a figure of this metric can be off, ms, where the client adds at most `atMostMs` to TTFT and to E2E alike. Means of what is
 * divided by a reply's tokens N are so many times less off: TPOT = (E2E − TTFT) / (N − 1) by 2 · bound / (N − 1), and so is the mean of gaps,
 * which add up to E2E − TTFT; NTPOT = E2E / N by bound / N. That holds of means of replies of one length; of a percentile the bound itself stands.
 */
export function boundOn(
  { metric, statistic }: Pick<ClaimFigure, 'metric' | 'statistic'>,
  { outputTokens, outputLength }: Pick<ClaimRow, 'outputTokens' | 'outputLength'>,
  atMostMs: number,
): number {
  const tokens = outputLength === 'fixed' && outputTokens !== null ? outputTokens.value : null;
  if (statistic !== 'mean' || tokens === null || tokens < 2) return atMostMs;
  if (metric === 'tpot' || metric === 'itl') return (2 * atMostMs) / (tokens - 1);
  return metric === 'ntpot' ? atMostMs / tokens : atMostMs;
}
