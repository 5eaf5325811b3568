/** What an answer’s bytes say: whether it is sound, and when its tokens came. */
import type { Answer } from '../../../src/measure/probe/answer.ts';
import { eventsOf, type OracleEvent } from './events.ts';
import { readResponse } from './response.ts';

/** An event that carries tokens: their number is that of its words, in the first choice and in all. */
export interface TokenEvent {
  readonly atMs: number;
  readonly words: number;
  readonly wordsOfFirstChoice: number;
}

export interface Reading {
  /** Why a client must call the request failed; null: it is sound. */
  readonly failure: string | null;
  readonly tokens: readonly TokenEvent[];
  /** The last count that the server gave. */
  readonly usage: number | null;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : objects(value)
        .map((part) => textOf(part.text))
        .join('');

/** Words between spaces as JSON knows them, not as Unicode does; text of white space alone is one. */
function wordsIn(text: string): number {
  if (text === '') return 0;
  return Math.max(1, text.split(/[ \t\r\n]+/).filter((word) => word !== '').length);
}

function wordsOf(choice: Json): number {
  const message = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {};
  const calls = objects(message.tool_calls).map((call) => (isObject(call.function) ? call.function : {}));
  return (
    wordsIn(textOf(choice.text) + textOf(message.content)) +
    wordsIn(textOf(message.reasoning_content) || textOf(message.reasoning)) +
    wordsIn(textOf(message.refusal)) +
    wordsIn(calls.map((call) => textOf(call.arguments)).join(''))
  );
}

function parsed(event: OracleEvent): Json | 'done' | 'empty' | 'malformed' {
  const data = event.data.trim();
  if (data === '') return 'empty';
  if (data === '[DONE]') return 'done';
  try {
    const json: unknown = JSON.parse(data);
    return isObject(json) ? json : 'empty';
  } catch {
    return 'malformed';
  }
}

const isError = (event: OracleEvent, json: Json): boolean =>
  event.name === 'error' || json.object === 'error' || Boolean(json.error);

function read(events: readonly OracleEvent[]): Reading {
  const tokens: TokenEvent[] = [];
  let failure: string | null = null;
  let usage: number | null = null;
  let finished = false;
  let done = false;
  for (const event of events) {
    const json = parsed(event);
    if (json === 'done') {
      done = true;
      break;
    }
    if (json === 'malformed') {
      failure ??= event.name === 'error' ? 'an event called error' : 'data that is not JSON';
      continue;
    }
    if (json === 'empty') continue;
    if (isError(event, json)) failure ??= 'an error in the body';
    const choices = objects(json.choices);
    const words = choices.reduce((sum, choice) => sum + wordsOf(choice), 0);
    if (words > 0)
      tokens.push({ atMs: event.atMs, words, wordsOfFirstChoice: choices[0] ? wordsOf(choices[0]) : 0 });
    const finishes = choices.map(({ finish_reason }) => finish_reason).filter((reason) => reason !== null);
    if (finishes.some((reason) => reason === 'abort' || reason === 'error'))
      failure ??= 'finish_reason says so';
    if (finishes.some((reason) => typeof reason === 'string')) finished = true;
    const count = isObject(json.usage) ? json.usage.completion_tokens : null;
    if (typeof count === 'number') usage = count;
  }
  if (!finished && !done) failure ??= 'neither [DONE] nor a finish_reason';
  if (!finished && tokens.length === 0) failure ??= '[DONE], but neither a token nor a finish_reason';
  return { failure, tokens, usage };
}

/** Reads an answer. */
export async function readingOf(answer: Answer): Promise<Reading> {
  const response = await readResponse(answer);
  const { failure, tokens, usage } = read(eventsOf(response));
  const { status, complete, complaint } = response;
  const why =
    status === null
      ? `no HTTP answer${complaint === null ? '' : ` (${complaint})`}`
      : status < 200 || status > 299
        ? `status ${status}`
        : complete
          ? failure
          : `the body is not whole${complaint === null ? '' : ` (${complaint})`}`;
  return { failure: why, tokens, usage };
}
