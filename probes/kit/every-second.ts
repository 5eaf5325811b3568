/** Probes in which every second event is odd, so that a client that cannot read the odd ones shows it in its gaps, and not only by failing. */
import type { Known } from '../../src/measure/probe/probe.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from './instants.ts';
import { TOKENS } from './profile.ts';

/** Which of M's events are odd: those of tokens 1, 3, … 47. Never the first or last, so that TTFT and E2E stay. */
export const isOdd = (i: number): boolean => i % 2 === 1 && i < TOKENS - 1;

/** A client that drops the odd events: 26 of 50 tokens are seen. */
export const oddLost = (what: string): Known => ({
  kind: 'events-lost',
  what,
  arithmetic: 'mean ITL 980 / 25 = 39.2 (+96 %)',
  sees: () => seenAt(TOKEN_INSTANTS.filter((_, i) => !isOdd(i))),
});

/** A client that takes the two halves of a cut event, 15 ms apart, for two tokens. */
export const HALF_EARLY_MS = 15;
export const HALVES_AS_CHUNKS: Known = {
  kind: 'reads-as-chunks',
  what: 'takes what one read of the socket brings for one chunk',
  arithmetic: 'mean ITL 980 / 73 = 13.42 (−33 %)',
  sees: () =>
    seenAt(
      inOrder(
        TOKEN_INSTANTS,
        TOKEN_INSTANTS.filter((_, i) => isOdd(i)).map((at) => at - HALF_EARLY_MS),
      ),
    ),
};
