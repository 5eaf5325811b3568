/** Answers of scripted probes of load: a token a write, the head with the first, what ends the stream with the last. */
import type { Answer, Asked } from '../../src/measure/probe/answer.ts';
import { chunk, ending, event } from './chunk.ts';
import { closed, streamed } from './stream.ts';

export const LOAD_TOKENS = 4;
export const LOAD_GAP_MS = 10;
/** From the first token to the last, ms. */
export const LOAD_DECODE_MS = (LOAD_TOKENS - 1) * LOAD_GAP_MS;

/**
 * Four tokens, 10 ms apart, the first one after `ttftMs`. The runner reads the instants of tokens off the writes of such an answer
 * (src/audit/probe/load/scripted.ts), so it has no other.
 */
export function answerAfter(asked: Asked, ttftMs: number): Answer {
  const pieces = Array.from({ length: LOAD_TOKENS }, (_, i) => ({
    atMs: ttftMs + i * LOAD_GAP_MS,
    body: event(chunk(asked, { finish: i === LOAD_TOKENS - 1 ? 'length' : null })),
  }));
  return streamed(closed(pieces, ending(asked, LOAD_TOKENS)), { headMs: ttftMs });
}
