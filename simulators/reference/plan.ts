/** What a request's body asks for: parsed and checked, with no regard to time. Pure. */
import { z } from 'zod';
import { type ApiError, badRequest, modelNotFound } from './api-error.ts';
import { countMessages, countPrompt } from './count-tokens.ts';

export type Kind = 'chat' | 'text';

/** What the simulated model is. */
export interface ModelSpec {
  readonly name: string;
  /** Output tokens where a request does not say. */
  readonly defaultTokens: number;
  /** Context length: prompt and output together may not be more. */
  readonly maxModelLen: number;
  /** The model ends of itself after this many tokens; null: it never does. */
  readonly eos: number | null;
}

/** A request that will be answered. */
export interface Plan {
  readonly kind: Kind;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly promptTokens: number;
  /** max_tokens, or the model's default. */
  readonly askedTokens: number;
  /** What the answer will hold. */
  readonly outputTokens: number;
  readonly finish: 'length' | 'stop';
  /** The answer breaks off with an error after these tokens; absent in an answer that is whole. */
  readonly broken?: true;
}

export type PlanOrError =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly error: ApiError };

const refuse = (error: ApiError): PlanOrError => ({ ok: false, error });

const tokens = z.int().min(1).nullish();
const flag = z.boolean().nullish();
/** What is looked at; other fields are passed over, as vLLM does. */
const BODY = z.object({
  model: z.string().nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  min_tokens: z.int().min(0).nullish(),
  n: z.int().min(1).max(1, 'this server gives one choice a request').nullish(),
  stream: flag,
  ignore_eos: flag,
  stream_options: z.object({ include_usage: flag }).nullish(),
  messages: z.unknown().optional(),
  prompt: z.unknown().optional(),
});
type Body = z.infer<typeof BODY>;

/** Tokens of the input, or the error that says what is wrong with it. */
function countInput(kind: Kind, body: Body): number | ApiError {
  if (kind === 'chat')
    return (
      countMessages(body.messages) ??
      badRequest('messages must be a list of at least one message with content.', 'messages')
    );
  const count = countPrompt(body.prompt);
  if (count === 'many') return badRequest('this server takes one prompt a request.', 'prompt');
  return (
    count ?? badRequest('prompt must be a text, a list of token ids, or a list of one of these.', 'prompt')
  );
}

/** What contradicts itself in a body whose fields are each right, or null. */
function contradiction(
  kind: Kind,
  body: Body,
  prompt: number,
  asked: number,
  model: ModelSpec,
): ApiError | null {
  if (body.stream_options && !body.stream)
    return badRequest('stream_options can only be given when stream is true.', 'stream_options');
  if ((body.min_tokens ?? 0) > asked)
    return badRequest(`min_tokens (${body.min_tokens}) is more than max_tokens (${asked}).`, 'min_tokens');
  if (prompt + asked <= model.maxModelLen) return null;
  return badRequest(
    `This model's maximum context length is ${model.maxModelLen} tokens. However, you requested ${asked} output ` +
      `tokens and your prompt contains ${prompt} input tokens.`,
    kind === 'chat' ? 'messages' : 'prompt',
    'context_length_exceeded',
  );
}

/** How many tokens the model gives, and why it ends. */
function outputOf(model: ModelSpec, asked: number, body: Body): Pick<Plan, 'outputTokens' | 'finish'> {
  if (model.eos === null || body.ignore_eos) return { outputTokens: asked, finish: 'length' };
  const end = Math.max(model.eos, body.min_tokens ?? 0);
  return end < asked ? { outputTokens: end, finish: 'stop' } : { outputTokens: asked, finish: 'length' };
}

/** Reads a parsed body. */
export function planOf(kind: Kind, parsed: unknown, model: ModelSpec): PlanOrError {
  const checked = BODY.safeParse(parsed);
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!;
    if (path.length === 0) return refuse(badRequest('the body must be a JSON object.'));
    return refuse(badRequest(`${path.join('.')}: ${message}.`, String(path[0])));
  }
  const body = checked.data;
  if (typeof body.model === 'string' && body.model !== model.name) return refuse(modelNotFound(body.model));
  const promptTokens = countInput(kind, body);
  if (typeof promptTokens !== 'number') return refuse(promptTokens);
  const limit = (kind === 'chat' ? body.max_completion_tokens : null) ?? body.max_tokens;
  const askedTokens = limit ?? Math.max(model.defaultTokens, body.min_tokens ?? 0);
  const wrong = contradiction(kind, body, promptTokens, askedTokens, model);
  if (wrong !== null) return refuse(wrong);
  return {
    ok: true,
    plan: {
      kind,
      stream: body.stream ?? false,
      includeUsage: body.stream_options?.include_usage ?? false,
      promptTokens,
      askedTokens,
      ...outputOf(model, askedTokens, body),
    },
  };
}

/** Parses the bytes of a body and reads it. */
export function planOfBytes(kind: Kind, body: Buffer, model: ModelSpec): PlanOrError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (error) {
    return refuse(badRequest(`the body is not JSON: ${(error as Error).message}`));
  }
  return planOf(kind, parsed, model);
}
