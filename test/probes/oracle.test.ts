/** The reader that judges the probes’ bytes: what it must find, it finds. */
import { describe, expect, it } from 'vitest';
import { chunk, DONE, ending, errorChunk, event } from '../../probes/kit/chunk.ts';
import { FAILED, M, TOKENS } from '../../probes/kit/profile.ts';
import { closed, type Piece, plainPieces, streamed, tokens, whole } from '../../probes/kit/stream.ts';
import type { Answer } from '../../src/measure/probe/answer.ts';
import { asked } from './asked.ts';
import { disagreements } from './oracle/compare.ts';
import { readingOf } from './oracle/reading.ts';

const one = asked();
const ten = tokens(one, 0, 10);
const failureOf = async (answer: Answer): Promise<string | null> => (await readingOf(answer)).failure;

describe('finds an answer failed', () => {
  it.each<[string, Answer, RegExp]>([
    ['a status', whole('503 Service Unavailable', '{"error":{"message":"full"}}'), /status 503/],
    ['an error object in the stream', streamed(closed(ten, event(errorChunk()) + DONE)), /error/],
    ['an event called error', streamed(closed(ten, `event: error\ndata: {"a":1}\n\n${DONE}`)), /error/],
    ['an error of no JSON', streamed(closed(ten, 'event: error\ndata: died\n\n')), /event called error/],
    [
      'data that are not JSON',
      streamed(plainPieces(one).map((piece, i) => (i === 3 ? { atMs: 260, body: event('{"a":') } : piece))),
      /not JSON/,
    ],
    ['a body without its end', streamed(plainPieces(one), { endMs: null }), /not whole/],
    ['a reset', streamed(ten, { endMs: null, ending: { kind: 'reset', atMs: 400 } }), /not whole .*reset/],
    [
      'a body that the connection’s end cuts',
      streamed(ten, { endMs: null, ending: { kind: 'close', atMs: 400 } }),
      /not whole/,
    ],
    ['an end without [DONE] and finish_reason', streamed(ten), /neither/],
    ['[DONE] alone', streamed([{ atMs: 200, body: DONE }]), /neither a token/],
    ['no answer', { writes: [], ending: { kind: 'reset', atMs: 5 } }, /no HTTP answer/],
    [
      'bytes that are no HTTP',
      { writes: [{ atMs: 5, bytes: Buffer.from('garbage\r\n\r\n') }], ending: { kind: 'close', atMs: 5 } },
      /no HTTP answer/,
    ],
  ])('by %s', async (_, answer, words) => {
    expect(await failureOf(answer)).toMatch(words);
    expect(disagreements(M, await readingOf(answer))).toHaveLength(1);
    expect(disagreements(FAILED, await readingOf(answer))).toEqual([]);
  });
});

describe('finds that a stream is not M', () => {
  const changed = (change: (pieces: Piece[]) => Piece[]): Answer => streamed(change(plainPieces(one)));
  const moved = (i: number, by: number) => (pieces: Piece[]) =>
    pieces.map((piece, k) => (k === i ? { atMs: piece.atMs + by, body: piece.body } : piece));

  it('but M is', async () => {
    expect(disagreements(M, await readingOf(changed((pieces) => pieces)))).toEqual([]);
    expect(disagreements(FAILED, await readingOf(changed((pieces) => pieces)))).toHaveLength(1);
  });

  it.each<[string, (pieces: Piece[]) => Piece[], RegExp]>([
    ['a first token 1 ms late', moved(0, 1), /TTFT/],
    ['a last token 1 ms late', moved(TOKENS - 1, 1), /E2E/],
    ['a token 1 ms late', moved(20, 1), /gaps/],
    ['a token less', (pieces) => pieces.filter((_, i) => i !== 20), /gaps/],
    [
      'two tokens in an event',
      (pieces) =>
        pieces
          .map((piece, i) =>
            i === 3
              ? { atMs: piece.atMs, body: event(chunk(one, { delta: { content: ' tok tok' } })) }
              : piece,
          )
          .filter((_, i) => i !== 49),
      /failure|sound|E2E/,
    ],
  ])('with %s', async (_, change, words) => {
    expect(disagreements(M, await readingOf(changed(change))).join('\n')).toMatch(words);
  });
});

it('has an event at its CR, though the library waits for the next byte; CRLF in two segments is one line end', async () => {
  const crs = (pieces: readonly Piece[]): Piece[] =>
    pieces.map(({ atMs, body }) => ({ atMs, body: Buffer.from(body).toString().replaceAll('\n', '\r') }));
  expect(disagreements(M, await readingOf(streamed(crs(plainPieces(one)))))).toEqual([]);
  const text = `data: ${chunk(one)}`;
  const cut = [
    { atMs: 200, body: `${text}\r` },
    { atMs: 210, body: '\n' },
    { atMs: 220, body: '\r' },
    { atMs: 230, body: `\n${event(chunk(one, { finish: 'stop' }))}` },
    { atMs: 240, body: ending(one) },
  ];
  expect((await readingOf(streamed(cut))).tokens.map(({ atMs }) => atMs)).toEqual([220, 230]);
});
