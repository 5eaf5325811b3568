/** What a completion request's body asks for. Pure. */
import { type ApiError, badRequest } from '../reference/api-error.ts';
import { type Kind, type ModelSpec, planOf } from '../reference/plan.ts';

export interface Wanted {
  readonly kind: Kind;
  readonly streamed: boolean;
  readonly tokens: number;
  readonly includeUsage: boolean;
  readonly ignoreEos: boolean;
  readonly promptTokens: number;
  readonly prompt: string;
}

export type Body =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly error: ApiError };

export function parseBody(body: Buffer): Body {
  try {
    return { ok: true, json: JSON.parse(body.toString()) };
  } catch (error) {
    return { ok: false, error: badRequest(`the body is not JSON: ${(error as Error).message}`) };
  }
}

const field = (json: unknown, name: string): unknown => (json as Record<string, unknown> | null)?.[name];

/** Whether a body asks for a stream. */
export const asksForStream = (json: unknown): boolean => field(json, 'stream') === true;

/** The words of a text, of parts with texts, of token ids, of messages; one after the other. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  const { content, text } = Object(value) as { content?: unknown; text?: unknown };
  return content !== undefined || text !== undefined ? textOf(content ?? text ?? '') : '';
}

/** Reads a body; `defaultTokens` stand where it does not say. */
export function readWanted(
  kind: Kind,
  json: unknown,
  model: ModelSpec,
  defaultTokens: number,
): { readonly ok: true; readonly wanted: Wanted } | { readonly ok: false; readonly error: ApiError } {
  const read = planOf(kind, json, { ...model, defaultTokens });
  if (!read.ok) return read;
  const { stream, askedTokens, includeUsage, promptTokens } = read.plan;
  const prompt = textOf(field(json, kind === 'chat' ? 'messages' : 'prompt'));
  const ignoreEos = field(json, 'ignore_eos') === true;
  const wanted = {
    kind,
    streamed: stream,
    tokens: askedTokens,
    includeUsage,
    ignoreEos,
    promptTokens,
    prompt,
  };
  return { ok: true, wanted };
}
