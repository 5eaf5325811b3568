/** Faults and definitions that many probes name: one spelling for each. Times in ms. */
import type { Known } from '../../src/measure/probe/probe.ts';
import type { SeenDone } from '../../src/measure/probe/seen.ts';
import { KIND } from './kinds.ts';
import { gaps, LAST_MS, likeM, TOKENS, TTFT_MS } from './profile.ts';

/** The head as the first token, at `atMs`. */
export const headersAsToken = (atMs: number, arithmetic: string): Known => ({
  ...KIND.headersAsToken,
  arithmetic,
  reported: ['k6#746', 'k6#4086'],
  sees: () => likeM({ ttftMs: atMs }),
});

/** The first byte of whatever comes, at `atMs`. */
export const firstByteAsToken = (atMs: number, arithmetic: string): Known => ({
  kind: 'first-byte-as-token',
  what: 'times the first byte that comes, whatever it belongs to, and calls it the first token',
  arithmetic,
  sees: () => likeM({ ttftMs: atMs }),
});

/** The body is read to its end before anything in it is looked at. */
export const WHOLE_BODY: Known = {
  ...KIND.wholeBody,
  arithmetic: 'TTFT = E2E = 1,180 (+490 %); ITL 0; TPOT 0 / 49 = 0',
  sees: () => likeM({ ttftMs: LAST_MS, itlMs: gaps(TOKENS - 1, 0) }),
};

const END = {
  finish: KIND.endAtFinish,
  usage: KIND.endAtUsage,
  done: {
    kind: 'end-at-done',
    what: 'ends the request at [DONE] and not at the last token',
    definition: true,
  },
  response: KIND.endAtResponse,
} as const;

/** E2E that runs on to `e2eMs`, past the last token, under M otherwise. */
export const endAt = (end: keyof typeof END, e2eMs: number, arithmetic: string): Known => ({
  ...END[end],
  arithmetic,
  reported: ['inference-perf PR#452'],
  sees: () => likeM({ e2eMs }),
});

/** A request that failed, counted as a success with these figures. */
export const errorAsSuccess = (
  seen: SeenDone,
  arithmetic: string,
  what = 'counts the request as a success with what had come by then',
  reported: readonly string[] = ['vllm PR#57519', 'inference-perf#713'],
): Known => ({
  kind: 'error-as-success',
  what,
  arithmetic,
  reported,
  sees: () => seen,
});

/**
 * The same, and with all tokens that were asked for. That can be defended of an answer that is whole, and not here.
 */
export const requestedAsTokens = (seen: SeenDone, arithmetic: string): Known => ({
  kind: KIND.requestedAsTokens.kind,
  what: 'counts the request as a success, with as many tokens as were asked for',
  arithmetic,
  reported: ['vllm PR#57519', 'inference-perf#713'],
  sees: () => seen,
});

/** What had come when a stream of M broke off after `count` tokens, the error in the last one’s write. */
export const upTo = (count: number, change: Partial<SeenDone> = {}): SeenDone => ({
  ok: true,
  ttftMs: TTFT_MS,
  e2eMs: TTFT_MS + (count - 1) * 20,
  tokens: count,
  itlMs: gaps(count - 1, 20),
  ...change,
});

/** A success without a token: at `e2eMs`. */
export const tokenless = (e2eMs: number, change: Partial<SeenDone> = {}): SeenDone => ({
  ok: true,
  ttftMs: null,
  e2eMs,
  tokens: 0,
  itlMs: [],
  ...change,
});
