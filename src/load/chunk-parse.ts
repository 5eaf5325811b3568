/**
 * The meaning of a chunk of an answer, by JSON.parse: the definition that the byte recogniser must agree with, and what it falls back
 * to for spellings that it does not know.
 */
import { EVENT } from './event-kind.ts';

export interface ChunkMeaning {
  /** Bits of EVENT. */
  readonly kind: number;
  /** `usage.completion_tokens`, or −1. */
  readonly completionTokens: number;
  /** `usage.prompt_tokens`, or −1. */
  readonly promptTokens: number;
  readonly id: string | null;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : -1;

/** An `error` that says something: not null, false or an empty string. */
const isError = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== '';

/** Reasons that are no end of an answer: it broke inside the server (vLLM), or was ended from outside (vLLM, SGLang). */
const FAILED_REASONS: ReadonlySet<unknown> = new Set(['error', 'abort']);

function choiceKind(choice: unknown): number {
  if (!isObject(choice)) return 0;
  let kind = 0;
  if (isText(choice.text)) kind |= EVENT.content;
  if (isText(choice.finish_reason)) kind |= EVENT.finish;
  if (FAILED_REASONS.has(choice.finish_reason)) kind |= EVENT.error;
  for (const message of [choice.delta, choice.message]) {
    if (!isObject(message)) continue;
    if (isText(message.content)) kind |= EVENT.content;
    if (isText(message.reasoning_content) || isText(message.reasoning)) kind |= EVENT.reasoning;
  }
  return kind;
}

const NOTHING = { completionTokens: -1, promptTokens: -1, id: null };

/** The meaning of one event's data, or of the body of an answer that is not streamed. */
export function parseChunk(text: string): ChunkMeaning {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 0, ...NOTHING };
  if (trimmed === '[DONE]') return { kind: EVENT.done, ...NOTHING };
  let chunk: unknown;
  try {
    chunk = JSON.parse(trimmed);
  } catch {
    return { kind: EVENT.malformed, ...NOTHING };
  }
  if (!isObject(chunk)) return { kind: 0, ...NOTHING };
  let kind = 0;
  if (isError(chunk.error) || chunk.object === 'error') kind |= EVENT.error;
  if (Array.isArray(chunk.choices)) for (const choice of chunk.choices) kind |= choiceKind(choice);
  const usage = isObject(chunk.usage) ? chunk.usage : {};
  const completionTokens = count(usage.completion_tokens);
  if (completionTokens >= 0) kind |= EVENT.usage;
  return {
    kind,
    completionTokens,
    promptTokens: count(usage.prompt_tokens),
    id: typeof chunk.id === 'string' ? chunk.id : null,
  };
}
