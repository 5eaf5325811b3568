/** What a client makes of a request that takes given instants for those of its tokens. */
import type { SeenDone } from '../../src/measure/probe/seen.ts';
import { gapsBetween, LAST_MS, TOKENS } from './profile.ts';
import { tokenMs } from './stream.ts';

/** When the tokens of M leave, ms. */
export const TOKEN_INSTANTS: readonly number[] = Array.from({ length: TOKENS }, (_, i) => tokenMs(i));

/** TTFT at the first, E2E at the last, a gap between each two; tokens by usage. ms, in order. */
export const seenAt = (instants: readonly number[], change: Partial<SeenDone> = {}): SeenDone => ({
  ok: true,
  ttftMs: instants[0] ?? null,
  e2eMs: instants.at(-1) ?? LAST_MS,
  tokens: TOKENS,
  itlMs: gapsBetween(instants),
  ...change,
});

export const inOrder = (...instants: (readonly number[])[]): number[] =>
  instants.flat().sort((a, b) => a - b);

/** A client that understands no event of M and calls the request a success all the same: no token, the end of the body for its end. */
export const NOTHING_SEEN: SeenDone = { ok: true, ttftMs: null, e2eMs: LAST_MS, tokens: 0, itlMs: [] };

/** A client that understands the events of M only when the body ends: all its tokens come at once. */
export const ALL_AT_END: SeenDone = seenAt(TOKEN_INSTANTS.map(() => LAST_MS));
