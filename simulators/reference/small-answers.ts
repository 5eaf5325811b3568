/** What a target answers besides completions: data and errors, with no regard to the server that sends them. Pure. */
import { type ApiError, badRequest, methodNotAllowed, notFound } from './api-error.ts';
import { countMessages, splitWords } from './count-tokens.ts';
import type { ModelSpec } from './plan.ts';

/** Every path that is served, with its method. */
const METHODS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'POST',
  '/v1/completions': 'POST',
  '/tokenize': 'POST',
  '/v1/models': 'GET',
  '/health': 'GET',
  '/metrics': 'GET',
  '/tare/stats': 'GET',
};

/** Why there is no answer: the path is unknown, or it takes another method (`allow`). */
export function notServed(method: string, path: string): { error: ApiError; allow: string | null } {
  const allow = METHODS[path];
  if (allow === undefined) return { error: notFound(method, path), allow: null };
  return { error: methodNotAllowed(method, path, allow), allow };
}

/** /v1/models: the one model. `created` in seconds of Unix time. */
export const modelList = (model: ModelSpec, created: number): object => ({
  object: 'list',
  data: [
    {
      id: model.name,
      object: 'model',
      created,
      owned_by: 'tare',
      root: model.name,
      max_model_len: model.maxModelLen,
    },
  ],
});

export const HEALTHY = { status: 'ok' } as const;

export type Tokenized =
  | { readonly ok: true; readonly answer: object }
  | { readonly ok: false; readonly error: ApiError };

/** /tokenize as vLLM has it: `prompt`, or `messages`; the ids are the words' ordinals, since nothing reads their values. */
export function tokenize(model: ModelSpec, body: Buffer | undefined): Tokenized {
  let parsed: { prompt?: unknown; messages?: unknown };
  try {
    parsed = Object(JSON.parse(String(body ?? '')));
  } catch (error) {
    return { ok: false, error: badRequest(`the body is not JSON: ${(error as Error).message}`) };
  }
  const { prompt, messages } = parsed;
  const count = typeof prompt === 'string' ? splitWords(prompt).length : countMessages(messages);
  if (count === null)
    return { ok: false, error: badRequest('prompt must be a text, or messages a list.', 'prompt') };
  const tokens = Array.from({ length: count }, (_, index) => index);
  return { ok: true, answer: { count, max_model_len: model.maxModelLen, tokens } };
}
