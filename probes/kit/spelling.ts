/** M in other spellings of the event stream, and with other lines between its events. */
import type { Answer, Asked } from '../../src/measure/probe/answer.ts';
import { chunk, usageChunk } from './chunk.ts';
import { TOKENS } from './profile.ts';
import { joined, type Piece, type StreamOptions, streamed, tokenMs } from './stream.ts';

/** The data of M's events: 50 chunks, then usage where it was asked for, then [DONE]. */
export const dataOf = (asked: Asked): string[] => [
  ...Array.from({ length: TOKENS }, (_, i) => chunk(asked, { finish: i === TOKENS - 1 ? 'length' : null })),
  ...(asked.includeUsage ? [usageChunk(asked)] : []),
  '[DONE]',
];

/** `spell(data, i)` gives the whole event of any data of M, its empty line included. */
export type Spell = (data: string, i: number) => string | Uint8Array;

/** M's body in another spelling, usage and [DONE] too; they leave with the last token. */
export function spelledPieces(asked: Asked, spell: Spell): Piece[] {
  const events = dataOf(asked).map(spell);
  return Array.from({ length: TOKENS }, (_, i) => ({
    atMs: tokenMs(i),
    body: i < TOKENS - 1 ? events[i]! : joined(...events.slice(i)),
  }));
}

/** M in another spelling. */
export const everyEvent = (asked: Asked, spell: Spell, options: StreamOptions = {}): Answer =>
  streamed(spelledPieces(asked, spell), options);

/** Pieces by their instants; of those at one instant, the first given first. */
export const woven = (...lists: readonly (readonly Piece[])[]): Piece[] =>
  lists.flat().sort((a, b) => a.atMs - b.atMs);

/** The same pieces, later. */
export const later = (pieces: readonly Piece[], byMs: number): Piece[] =>
  pieces.map(({ atMs, body }) => ({ atMs: atMs + byMs, body }));

/** 10 ms behind every token but the last one, in the middle of the gap: where decoys go. ms. */
export const MIDDLES: readonly number[] = Array.from({ length: TOKENS - 1 }, (_, i) => tokenMs(i) + 10);

/** `text(i)` in a write of its own in every gap between tokens. */
export const inEveryGap = (text: (i: number) => string): Piece[] =>
  MIDDLES.map((atMs, i) => ({ atMs, body: text(i) }));

/** Each piece in two writes: `cut(bytes, i)` bytes of it `earlyMs` before the rest, which leaves at its instant. 0: it is left whole. */
export function cutPieces(
  pieces: readonly Piece[],
  earlyMs: number,
  cut: (bytes: Uint8Array, i: number) => number,
): Piece[] {
  return pieces.flatMap(({ atMs, body }, i) => {
    const bytes = joined(body);
    const at = cut(bytes, i);
    if (at <= 0 || at >= bytes.length) return [{ atMs, body: bytes }];
    return [
      { atMs: atMs - earlyMs, body: bytes.subarray(0, at) },
      { atMs, body: bytes.subarray(at) },
    ];
  });
}
