/**
 * Request bodies, made beforehand. Two requests differ in one word at the start of the prompt, the request's number, so that a prefix cache does not
 * answer for the server; it is patched in place.
 */
import { uniform } from '../measure/random.ts';

export interface BodySpec {
  readonly endpoint: 'chat' | 'completions';
  readonly model: string;
  readonly stream: boolean;
  /** Words of the prompt, at least 1. */
  readonly promptTokens: number;
  /** max_tokens. */
  readonly outputTokens: number;
  readonly seed: number;
  /** Fields added to the body (`ignore_eos`, `temperature` …); they win over ours. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A body, and where its number is: `digits` ASCII digits at `offset`. */
export interface BodyTemplate {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly digits: number;
}

/** Random stream of prompts. */
export const PROMPT_STREAM = 2;
/** Digits of the request's number. */
export const NUMBER_DIGITS = 9;
const SLOT = 'r'.padEnd(NUMBER_DIGITS + 1, '0');
const WORDS =
  'the of a river stone wind letter morning house street garden winter train music paper light'.split(' ');

/** A word of a prompt. */
export const randomWord = (u: () => number): string => WORDS[Math.floor(u() * WORDS.length)]!;

/** Path of an endpoint below the base URL. */
export const endpointPath = (endpoint: BodySpec['endpoint']): string =>
  endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions';

/** The body with a prompt and a max_tokens, before it is serialized. */
export const bodyObject = (spec: BodySpec, prompt: string, maxTokens: number): object => ({
  model: spec.model,
  ...(spec.endpoint === 'chat' ? { messages: [{ role: 'user', content: prompt }] } : { prompt }),
  max_tokens: maxTokens,
  stream: spec.stream,
  ...(spec.stream ? { stream_options: { include_usage: true } } : {}),
  ...spec.extra,
});

/** The body of a workload's requests, the same for every worker and machine. */
export function bodyTemplate(spec: BodySpec): BodyTemplate {
  const u = uniform(spec.seed, PROMPT_STREAM);
  const words = [SLOT];
  while (words.length < spec.promptTokens) words.push(randomWord(u));
  const bytes = Buffer.from(JSON.stringify(bodyObject(spec, words.join(' '), spec.outputTokens)));
  const at = bytes.indexOf(SLOT);
  // A prompt of the user's own in `extra` has no slot: then all bodies are alike.
  return at < 0 ? { bytes, offset: 0, digits: 0 } : { bytes, offset: at + 1, digits: NUMBER_DIGITS };
}

/** Writes the request's number into a copy of the template. */
export function patchBody(body: Uint8Array, template: BodyTemplate, index: number): void {
  let rest = index;
  for (let at = template.offset + template.digits - 1; at >= template.offset; at--) {
    body[at] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
