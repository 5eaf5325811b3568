/** The base profile M of the probes: every right answer begins from its arithmetic. Times in ms. */
import type { SeenDone } from '../../src/measure/probe/seen.ts';

export const HEAD_MS = 5;
export const TTFT_MS = 200;
export const GAP_MS = 20;
export const TOKENS = 50;
/** 200 + 49 · 20 = 1,180. */
export const LAST_MS = TTFT_MS + (TOKENS - 1) * GAP_MS;

/** `count` gaps of the same length. */
export const gaps = (count: number, ms: number): number[] => new Array<number>(count).fill(ms);

/** Gaps between instants in order. */
export const gapsBetween = (instants: readonly number[]): number[] =>
  instants.slice(1).map((at, i) => at - instants[i]!);

/** M: TTFT 200, E2E 1,180, 50 tokens, 49 gaps of 20; so TPOT 980 / 49 = 20 and NTPOT 1,180 / 50 = 23.6. */
export const M: SeenDone = {
  ok: true,
  ttftMs: TTFT_MS,
  e2eMs: LAST_MS,
  tokens: TOKENS,
  itlMs: gaps(TOKENS - 1, GAP_MS),
};

/** M, but for what is given. */
export const likeM = (change: Partial<SeenDone>): SeenDone => ({ ...M, ...change });

export const FAILED = { ok: false } as const;
