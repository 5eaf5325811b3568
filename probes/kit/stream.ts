/** From pieces of a body to writes on a connection. */
import type { Answer, Asked, Ending, Write } from '../../src/measure/probe/answer.ts';
import { chunk, ending, event } from './chunk.ts';
import { GAP_MS, HEAD_MS, TOKENS, TTFT_MS } from './profile.ts';

/** A part of the body that leaves in a write of its own. */
export interface Piece {
  readonly atMs: number;
  readonly body: string | Uint8Array;
}

export type HeaderList = readonly (readonly [string, string])[];

export const STREAM_HEADERS: HeaderList = [
  ['content-type', 'text/event-stream; charset=utf-8'],
  ['cache-control', 'no-cache'],
];
export const JSON_HEADERS: HeaderList = [['content-type', 'application/json']];

export interface StreamOptions {
  /** When the head leaves; with the first piece in one write where that is at the same instant. */
  readonly headMs?: number;
  readonly status?: string;
  readonly headers?: HeaderList;
  /** `chunked`: a piece is a chunk; `length`: content-length; `close`: neither, the end of the connection is the end of the body. */
  readonly framing?: 'chunked' | 'length' | 'close';
  /** When the chunked body's end leaves; with the last piece in one write unless given. `null`: never. */
  readonly endMs?: number | null;
  readonly ending?: Ending;
}

const encoder = new TextEncoder();
export const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? encoder.encode(text) : text;

export function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const all = parts.map(bytesOf);
  const whole = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A head's bytes. */
export const head = (status: string, headers: HeaderList): string =>
  `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

/** One HTTP chunk. */
export const httpChunk = (body: string | Uint8Array, extension = ''): Uint8Array => {
  const data = bytesOf(body);
  return joined(`${data.length.toString(16)}${extension}\r\n`, data, '\r\n');
};
export const LAST_CHUNK = '0\r\n\r\n';

/** Writes at one instant in one: used where a boundary is not the point. */
export function merged(writes: readonly Write[]): Write[] {
  const out: Write[] = [];
  for (const write of writes) {
    const last = out.at(-1);
    if (last !== undefined && last.atMs === write.atMs)
      out[out.length - 1] = { atMs: last.atMs, bytes: joined(last.bytes, write.bytes) };
    else out.push(write);
  }
  return out;
}

/** A streamed answer: head, pieces, end. Pieces at one instant leave in one write. */
export function streamed(pieces: readonly Piece[], options: StreamOptions = {}): Answer {
  const { headMs = HEAD_MS, status = '200 OK', headers = STREAM_HEADERS, framing = 'chunked' } = options;
  const bodies = pieces.map(({ body }) => bytesOf(body));
  const length = bodies.reduce((sum, body) => sum + body.length, 0);
  const frame: HeaderList =
    framing === 'chunked'
      ? [['transfer-encoding', 'chunked']]
      : framing === 'length'
        ? [['content-length', String(length)]]
        : [['connection', 'close']];
  const writes: Write[] = [{ atMs: headMs, bytes: bytesOf(head(status, [...headers, ...frame])) }];
  pieces.forEach(({ atMs }, i) => {
    const body = bodies[i]!;
    if (body.length > 0) writes.push({ atMs, bytes: framing === 'chunked' ? httpChunk(body) : body });
  });
  const lastMs = pieces.at(-1)?.atMs ?? headMs;
  const endMs = options.endMs === undefined ? lastMs : options.endMs;
  if (framing === 'chunked' && endMs !== null) writes.push({ atMs: endMs, bytes: bytesOf(LAST_CHUNK) });
  const end: Ending =
    options.ending ?? (framing === 'close' ? { kind: 'close', atMs: endMs ?? lastMs } : { kind: 'keep' });
  return { writes: merged(writes), ending: end };
}

/** When token `i` (from 0) leaves under M. */
export const tokenMs = (i: number): number => TTFT_MS + i * GAP_MS;

/** Token events of M: `count` of them, from token `first` on, without what ends the stream. `finish` goes with the last one. */
export function tokens(asked: Asked, first = 0, count = TOKENS, finish: string | null = null): Piece[] {
  return Array.from({ length: count }, (_, k) => ({
    atMs: tokenMs(first + k),
    body: event(chunk(asked, { finish: k === count - 1 ? finish : null })),
  }));
}

/** Puts text behind the last piece, in its write. */
export function closed(pieces: readonly Piece[], text: string): Piece[] {
  const last = pieces.at(-1)!;
  return [...pieces.slice(0, -1), { atMs: last.atMs, body: joined(last.body, text) }];
}

/** M's body: 50 token events; usage and [DONE] with the last one. */
export const plainPieces = (asked: Asked): Piece[] =>
  closed(tokens(asked, 0, TOKENS, 'length'), ending(asked));

/** M itself. */
export const plain = (asked: Asked, options: StreamOptions = {}): Answer =>
  streamed(plainPieces(asked), options);

/** M with the text of each event spelled in another way: `spell(json, i)` gives the whole event, its empty line included. */
export function spelled(
  asked: Asked,
  spell: (json: string, i: number) => string | Uint8Array,
  options: StreamOptions = {},
  done: string = ending(asked),
): Answer {
  const pieces = Array.from({ length: TOKENS }, (_, i) => ({
    atMs: tokenMs(i),
    body: spell(chunk(asked, { finish: i === TOKENS - 1 ? 'length' : null }), i),
  }));
  return streamed(closed(pieces, done), options);
}

/** An answer that is not streamed. */
export function whole(
  status: string,
  json: string,
  atMs = HEAD_MS,
  headers: HeaderList = JSON_HEADERS,
): Answer {
  const length: HeaderList = [['content-length', String(bytesOf(json).length)]];
  return {
    writes: [{ atMs, bytes: bytesOf(head(status, [...headers, ...length]) + json) }],
    ending: { kind: 'keep' },
  };
}
