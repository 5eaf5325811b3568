/**
 * Reads the bytes of a probe's answer as a faultless client would, by libraries that are not our client's: http-parser-js for HTTP/1.1,
 * eventsource-parser for the event stream. Only what happened, and when; what it means is for others.
 */
import { createParser } from 'eventsource-parser';
import { HTTPParser } from 'http-parser-js';
import type { Answer } from '../measure/probe/answer.ts';
import type { Timeline, TimelineEvent } from '../measure/probe/timeline.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Text, or the text of content parts. */
const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map((part) => (isObject(part) ? text(part.text) : '')).join('')
      : '';

/** One word is one token; text of white space alone is one, too. */
function countTokens(words: string): number {
  if (words === '') return 0;
  return Math.max(1, words.split(/\s+/).filter((word) => word !== '').length);
}

function meaning(atMs: number, data: string, name: string | undefined): TimelineEvent {
  const nothing = {
    atMs,
    hasChoice: false,
    tokens: 0,
    isAnswer: false,
    usage: null,
    isError: name === 'error',
  };
  const trimmed = data.trim();
  if (trimmed === '[DONE]') return { ...nothing, kind: 'done' };
  let json: unknown;
  try {
    json = JSON.parse(trimmed);
  } catch {
    return { ...nothing, kind: 'other' };
  }
  if (!isObject(json)) return { ...nothing, kind: 'other' };
  const choices = Array.isArray(json.choices) ? json.choices.filter(isObject) : [];
  let answer = '';
  let reasoning = '';
  for (const choice of choices) {
    const delta = isObject(choice.delta) ? choice.delta : {};
    answer += text(choice.text) + text(delta.content);
    reasoning += text(delta.reasoning_content) || text(delta.reasoning);
  }
  const usage = isObject(json.usage) ? json.usage.completion_tokens : null;
  return {
    ...nothing,
    kind: 'chunk',
    hasChoice: choices.length > 0,
    tokens: countTokens(answer) + countTokens(reasoning),
    isAnswer: answer !== '',
    usage: typeof usage === 'number' ? usage : null,
    isError: nothing.isError || (json.error !== undefined && json.error !== null),
  };
}

/**
 * Decodes pieces of a body for the parser, which takes a CR at the end of a piece for a line end only when it has seen the next piece.
 * By the grammar CR alone ends a line, and CRLF is the same end: the piece gets its LF at once, and a LF that follows is left out.
 */
function feeder(feed: (text: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let afterCr = false;
  return (bytes) => {
    let piece = decoder.decode(bytes, { stream: true });
    if (piece === '') return;
    if (afterCr && piece.startsWith('\n')) piece = piece.slice(1);
    afterCr = piece.endsWith('\r');
    feed(afterCr ? `${piece}\n` : piece);
  };
}

/** What an answer holds; null where it is no HTTP answer at all. Informational answers (1xx) before the real one are passed over. */
export function timelineOf(answer: Answer): Timeline | null {
  const events: TimelineEvent[] = [];
  let headMs: number | null = null;
  let status = 0;
  let endMs: number | null = null;
  let nowMs = 0;
  const stream = createParser({
    onEvent: ({ data, event }) => {
      // [DONE] ends the answer, whatever comes behind it.
      if (events.at(-1)?.kind !== 'done') events.push(meaning(nowMs, data, event));
    },
  });
  const feed = feeder((text) => stream.feed(text));
  const parser = new HTTPParser(HTTPParser.RESPONSE);
  parser[HTTPParser.kOnHeadersComplete] = (info) => {
    const code = info.statusCode ?? 0;
    if (code < 200) return;
    headMs ??= nowMs;
    status = code;
  };
  parser[HTTPParser.kOnBody] = (body, offset, length) => feed(body.subarray(offset, offset + length));
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (status !== 0) endMs ??= nowMs;
  };
  for (const write of answer.writes) {
    if (endMs !== null) break;
    nowMs = write.atMs;
    if (parser.execute(Buffer.from(write.bytes)) instanceof Error) break;
  }
  const { ending } = answer;
  if (ending.kind === 'close' && endMs === null) {
    nowMs = ending.atMs;
    parser.finish();
  }
  return headMs === null ? null : { headMs, status, events, endMs };
}
