/** Streams that many probes of chunks and counts are made of: M with its chunks changed, events of several tokens, pieces put between. */
import type { Answer, Asked } from '../../src/measure/probe/answer.ts';
import { type ChunkParts, chunk, ending, event, TOKEN_TEXT } from './chunk.ts';
import { LAST_MS, TOKENS } from './profile.ts';
import { closed, joined, type Piece, type StreamOptions, streamed, tokenMs } from './stream.ts';

/** M's token events with the parts of each changed; `finish` of the last one is "length" unless given. No end of the stream. */
export const changed = (asked: Asked, parts: (i: number) => ChunkParts, count = TOKENS): Piece[] =>
  Array.from({ length: count }, (_, i) => ({
    atMs: tokenMs(i),
    body: event(chunk(asked, { finish: i === count - 1 ? 'length' : null, ...parts(i) })),
  }));

/** M with the parts of each token's chunk changed. */
export const withParts = (
  asked: Asked,
  parts: (i: number) => ChunkParts,
  options: StreamOptions = {},
): Answer => streamed(closed(changed(asked, parts), ending(asked)), options);

/** An event of several tokens. */
export interface Burst {
  readonly atMs: number;
  readonly tokens: number;
}

/** Events of the given sizes, and the end of the stream with the last one. */
export function bursts(asked: Asked, list: readonly Burst[]): Piece[] {
  const total = list.reduce((sum, { tokens }) => sum + tokens, 0);
  const pieces = list.map(({ atMs, tokens }, i) => ({
    atMs,
    body: event(
      chunk(asked, {
        delta: { content: TOKEN_TEXT.repeat(tokens) },
        finish: i === list.length - 1 ? 'length' : null,
      }),
    ),
  }));
  return closed(pieces, ending(asked, total));
}

/** Gaps between the tokens of events after the first one: a gap to the event, then zeros within it. The first event's own tokens have none. */
export const burstGaps = (list: readonly Burst[]): number[] =>
  list
    .slice(1)
    .flatMap(({ atMs, tokens }, i) => [atMs - list[i]!.atMs, ...new Array<number>(tokens - 1).fill(0)]);

/** `count` tokens from `firstMs` on, `gapMs` apart, and the end of the stream with the last one. */
export function answerOf(
  asked: Asked,
  count: number,
  { firstMs = tokenMs(0), gapMs = tokenMs(1) - tokenMs(0), finish = 'length' } = {},
): Piece[] {
  const pieces = Array.from({ length: count }, (_, i) => ({
    atMs: firstMs + i * gapMs,
    body: event(chunk(asked, { finish: i === count - 1 ? finish : null })),
  }));
  return closed(pieces, ending(asked, count));
}

/** Pieces put among others by their instants; at one instant, behind those that are there. */
export const among = (pieces: readonly Piece[], more: readonly Piece[]): Piece[] =>
  [...pieces, ...more].sort((a, b) => a.atMs - b.atMs);

/** A piece of M's last instant. */
export const atLast = (...parts: readonly (string | Uint8Array)[]): Piece => ({
  atMs: LAST_MS,
  body: joined(...parts),
});

/** The choices of a chunk that ends a stream without text, with its delta (or text) as given; `undefined` leaves it out. */
export const finishChoices = (
  asked: Asked,
  value: object | null | undefined,
  finish = 'length',
): object[] => {
  const text = value === undefined ? undefined : value === null ? null : '';
  return asked.kind === 'chat'
    ? [{ index: 0, delta: value, logprobs: null, finish_reason: finish }]
    : [{ index: 0, text, logprobs: null, finish_reason: finish }];
};
