/** The JSON of stream events, in the shape that vLLM gives them; every part can be made odd. */
import type { Asked } from '../../src/measure/probe/answer.ts';
import { TOKENS } from './profile.ts';

/** One token of text: a word with its space, so that N of them are N words however they are joined. */
export const TOKEN_TEXT = ' tok';

export interface ChunkParts {
  /** Instead of `{content: ' tok'}`. For a text completion its `content` becomes `text`. */
  readonly delta?: object;
  readonly finish?: string | null;
  /** Instead of the one choice. */
  readonly choices?: unknown;
  readonly usage?: unknown;
  /** Fields put beside, or over, those of the chunk. `undefined` takes one away. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** One chunk as an object, for those who spell it in another way. */
export function chunkObject(asked: Asked, parts: ChunkParts = {}): Record<string, unknown> {
  const { delta = { content: TOKEN_TEXT }, finish = null } = parts;
  const text = (delta as { content?: unknown }).content ?? '';
  const end = { logprobs: null, finish_reason: finish };
  const choice = asked.kind === 'chat' ? { index: 0, delta, ...end } : { index: 0, text, ...end };
  return {
    id: asked.id,
    object: asked.kind === 'chat' ? 'chat.completion.chunk' : 'text_completion',
    created: asked.created,
    model: asked.model,
    choices: parts.choices === undefined ? [choice] : parts.choices,
    ...(parts.usage === undefined ? {} : { usage: parts.usage }),
    ...parts.extra,
  };
}

/** One chunk's JSON. */
export const chunk = (asked: Asked, parts: ChunkParts = {}): string =>
  JSON.stringify(chunkObject(asked, parts));

/** A role with empty content. */
export const roleChunk = (asked: Asked): string =>
  chunk(asked, { delta: { role: 'assistant', content: '' } });

export const usageOf = (asked: Asked, tokens = TOKENS): object => ({
  prompt_tokens: asked.promptTokens,
  total_tokens: asked.promptTokens + tokens,
  completion_tokens: tokens,
});

/** The usage chunk: no choices. */
export const usageChunk = (asked: Asked, tokens = TOKENS): string =>
  chunk(asked, { choices: [], usage: usageOf(asked, tokens) });

/** An error as servers put it into a stream. */
export const errorChunk = (message = 'the engine died'): string =>
  JSON.stringify({ error: { message, type: 'internal_error', param: null, code: 500 } });

/** One event of one data line. */
export const event = (data: string, eol = '\n'): string => `data: ${data}${eol}${eol}`;

export const DONE = event('[DONE]');

/** What ends a stream: usage where it was asked for, and [DONE]. */
export const ending = (asked: Asked, tokens = TOKENS): string =>
  (asked.includeUsage ? event(usageChunk(asked, tokens)) : '') + DONE;
