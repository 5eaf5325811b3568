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

const PROMPT_STREAM = 2;
const DIGITS = 9;
const SLOT = 'r'.padEnd(DIGITS + 1, '0');
const WORDS =
  'the of a river stone wind letter morning house street garden winter train music paper light'.split(' ');

/** Path of an endpoint below the base URL. */
export const endpointPath = (endpoint: BodySpec['endpoint']): string =>
  endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions';

/** The body of a workload's requests, the same for every seed, worker and machine. */
export function bodyTemplate(spec: BodySpec): BodyTemplate {
  const u = uniform(spec.seed, PROMPT_STREAM);
  const words = [SLOT];
  while (words.length < spec.promptTokens) words.push(WORDS[Math.floor(u() * WORDS.length)]!);
  const prompt = words.join(' ');
  const body = {
    model: spec.model,
    ...(spec.endpoint === 'chat' ? { messages: [{ role: 'user', content: prompt }] } : { prompt }),
    max_tokens: spec.outputTokens,
    stream: spec.stream,
    ...(spec.stream ? { stream_options: { include_usage: true } } : {}),
    ...spec.extra,
  };
  const bytes = Buffer.from(JSON.stringify(body));
  const at = bytes.indexOf(SLOT);
  // A prompt of the user's own in `extra` has no slot: then all bodies are alike.
  return at < 0 ? { bytes, offset: 0, digits: 0 } : { bytes, offset: at + 1, digits: DIGITS };
}

/** Writes the request's number into a copy of the template. */
export function patchBody(body: Uint8Array, template: BodyTemplate, index: number): void {
  let rest = index;
  for (let at = template.offset + template.digits - 1; at >= template.offset; at--) {
    body[at] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
