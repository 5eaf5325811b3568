/** Answers put together below the level of `streamed`: by heads and chunks that are spelled by hand. */
import type { Answer, Ending } from '../../src/measure/probe/answer.ts';
import {
  bytesOf,
  httpChunk,
  joined,
  LAST_CHUNK,
  merged,
  type Piece,
  STREAM_HEADERS,
  type StreamOptions,
  streamed,
} from './stream.ts';

/** The head of a chunked stream, as text to be changed. */
export const CHUNKED_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n';

/** Pieces as they are, head and framing included; those at one instant leave in one write. */
export const raw = (pieces: readonly Piece[], ending: Ending = { kind: 'keep' }): Answer => ({
  writes: merged(pieces.map(({ atMs, body }) => ({ atMs, bytes: bytesOf(body) }))),
  ending,
});

/** Each piece as one HTTP chunk, and the end of the body in the last one’s write. `spell` makes the chunk. */
export function chunked(
  pieces: readonly Piece[],
  spell: (body: string | Uint8Array, i: number) => Uint8Array = (body) => httpChunk(body),
  end = LAST_CHUNK,
): Piece[] {
  return pieces.map(({ atMs, body }, i) => ({
    atMs,
    body: i === pieces.length - 1 ? joined(spell(body, i), end) : spell(body, i),
  }));
}

/** Halves of a piece: its first `at` bytes, and the rest. */
export function cut(body: string | Uint8Array, at: number): [Uint8Array, Uint8Array] {
  const bytes = bytesOf(body);
  return [bytes.slice(0, at), bytes.slice(at)];
}

/**
 * A streamed answer that says `connection: close` and closes right behind its end: a client that stops reading early has no
 * connection left on which its next request could meet the rest.
 */
export function closing(pieces: readonly Piece[], options: StreamOptions = {}): Answer {
  const lastMs = Math.max(pieces.at(-1)?.atMs ?? 0, options.endMs ?? 0);
  return streamed(pieces, {
    ...options,
    headers: [...(options.headers ?? STREAM_HEADERS), ['connection', 'close']],
    ending: options.ending ?? { kind: 'close', atMs: lastMs },
  });
}
