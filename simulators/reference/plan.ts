/** What a request's body asks for: parsed and checked, with no regard to time. Pure. */
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
}

export type PlanOrError =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly error: ApiError };

const refuse = (error: ApiError): PlanOrError => ({ ok: false, error });

type Body = Readonly<Record<string, unknown>>;

/** A whole number of at least `least`; undefined where absent or null; an error otherwise. */
function count(body: Body, name: string, least: number): number | undefined | ApiError {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value))
    return badRequest(`${name} must be a whole number.`, name);
  return value < least ? badRequest(`${name} must be at least ${least}, got ${value}.`, name) : value;
}

function flag(body: Body, name: string): boolean | ApiError {
  const value = body[name];
  if (value === undefined || value === null) return false;
  return typeof value === 'boolean' ? value : badRequest(`${name} must be true or false.`, name);
}

const isError = (value: unknown): value is ApiError =>
  typeof value === 'object' && value !== null && 'status' in value;

/** Tokens of the input, or the error that says what is wrong with it. */
function countInput(kind: Kind, body: Body): number | ApiError {
  if (kind === 'chat') {
    const tokens = countMessages(body.messages);
    return tokens ?? badRequest('messages must be a list of at least one message with content.', 'messages');
  }
  const tokens = countPrompt(body.prompt);
  if (tokens === 'many') return badRequest('this server takes one prompt a request.', 'prompt');
  return (
    tokens ?? badRequest('prompt must be a text, a list of token ids, or a list of one of these.', 'prompt')
  );
}

/** How many tokens the model gives, and why it ends. */
function outputOf(
  model: ModelSpec,
  asked: number,
  least: number,
  ignoreEos: boolean,
): Pick<Plan, 'outputTokens' | 'finish'> {
  if (model.eos === null || ignoreEos) return { outputTokens: asked, finish: 'length' };
  const end = Math.max(model.eos, least);
  return end < asked ? { outputTokens: end, finish: 'stop' } : { outputTokens: asked, finish: 'length' };
}

/** Reads a parsed body. Unknown fields are passed over, as vLLM does. */
export function planOf(kind: Kind, parsed: unknown, model: ModelSpec): PlanOrError {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return refuse(badRequest('the body must be a JSON object.'));
  const body = parsed as Body;
  if (body.model !== undefined && body.model !== null && typeof body.model !== 'string')
    return refuse(badRequest('model must be a text.', 'model'));
  if (typeof body.model === 'string' && body.model !== model.name) return refuse(modelNotFound(body.model));
  const promptTokens = countInput(kind, body);
  if (isError(promptTokens)) return refuse(promptTokens);
  const maxTokens = count(body, 'max_tokens', 1);
  if (isError(maxTokens)) return refuse(maxTokens);
  const maxCompletion = kind === 'chat' ? count(body, 'max_completion_tokens', 1) : undefined;
  if (isError(maxCompletion)) return refuse(maxCompletion);
  const minTokens = count(body, 'min_tokens', 0);
  if (isError(minTokens)) return refuse(minTokens);
  const n = count(body, 'n', 1);
  if (isError(n)) return refuse(n);
  if (n !== undefined && n > 1)
    return refuse(badRequest('this server gives one choice a request (n = 1).', 'n'));
  const stream = flag(body, 'stream');
  if (isError(stream)) return refuse(stream);
  const ignoreEos = flag(body, 'ignore_eos');
  if (isError(ignoreEos)) return refuse(ignoreEos);
  const options = body.stream_options ?? {};
  if (typeof options !== 'object' || Array.isArray(options))
    return refuse(badRequest('stream_options must be an object.', 'stream_options'));
  if (body.stream_options && !stream)
    return refuse(badRequest('stream_options can only be given when stream is true.', 'stream_options'));
  const includeUsage = flag(options as Body, 'include_usage');
  if (isError(includeUsage)) return refuse(includeUsage);

  const limit = maxCompletion ?? maxTokens;
  const askedTokens = limit ?? Math.max(model.defaultTokens, minTokens ?? 0);
  if (minTokens !== undefined && minTokens > askedTokens)
    return refuse(
      badRequest(`min_tokens (${minTokens}) is more than max_tokens (${askedTokens}).`, 'min_tokens'),
    );
  if (promptTokens + askedTokens > model.maxModelLen)
    return refuse(
      badRequest(
        `This model's maximum context length is ${model.maxModelLen} tokens. However, you requested ${askedTokens} ` +
          `output tokens and your prompt contains ${promptTokens} input tokens.`,
        kind === 'chat' ? 'messages' : 'prompt',
        'context_length_exceeded',
      ),
    );
  const output = outputOf(model, askedTokens, minTokens ?? 0, ignoreEos);
  return { ok: true, plan: { kind, stream, includeUsage, promptTokens, askedTokens, ...output } };
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
