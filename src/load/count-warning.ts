/** What it means for the figures that an answer's events are not its tokens: several in one, or some that no event brought. */
import type { LoadReport, LoadWarning } from './report.ts';

/** Of this warning alone: it is about what the server's stream can tell, and not about the client. */
export const COUNTS_DIFFER = 'counts-differ';
/** Answers whose two counts differ, above this share of those with a usage: less moves no figure. */
export const MAX_UNEQUAL_SHARE = 0.01;

const factor = (over: number, under: number): string => (over / under).toFixed(3);

/**
 * TPOT is (last − first) / (N − 1), N being usage's count. Of N tokens, k came with the first event and cost no time after it, so the time
 * a token took is (last − first) / (N − k): TPOT is too small by (N − k)/(N − 1). With E events k is at most N − E + 1.
 */
export function countWarning({ tokens, options }: Pick<LoadReport, 'tokens' | 'options'>): LoadWarning[] {
  const { unequal, with_both: answers, per_answer: n, events_per_answer: e } = tokens.usage_and_events;
  if (!options.stream || n === null || e === null || unequal <= MAX_UNEQUAL_SHARE * answers) return [];
  const definitions = 'TPOT and NTPOT are by usage’s count, ITL is by event';
  const k = n / e;
  const effect =
    n <= e
      ? `usage counts no more than came as events: by events TPOT is that by usage times (N − 1)/(E − 1), ${factor(n - 1, e - 1)}`
      : `where the first event held k of N tokens TPOT is too small by (N − k)/(N − 1): ${factor(n - k, n - 1)} if it held the mean, ${factor(e - 1, n - 1)} if it held all that are more than the events`;
  return [
    {
      code: COUNTS_DIFFER,
      evidence: `in ${unequal} of ${answers} answers usage’s count is not that of the token events: ${n.toFixed(1)} tokens in ${e.toFixed(1)} events in the mean, ${k.toFixed(2)} tokens an event`,
      remedy: `${definitions}; ${effect}`,
    },
  ];
}
