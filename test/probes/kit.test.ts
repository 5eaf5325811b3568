/** What spells the probes’ streams keeps every byte and every instant, whatever is put in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunk, DONE, event } from '../../probes/kit/chunk.ts';
import { cutPieces, everyEvent, later, woven } from '../../probes/kit/spelling.ts';
import {
  bytesOf,
  httpChunk,
  joined,
  merged,
  type Piece,
  plainPieces,
  streamed,
  whole,
} from '../../probes/kit/stream.ts';
import type { Answer } from '../../src/measure/probe/answer.ts';
import { asked } from './asked.ts';
import { readResponse } from './oracle/response.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });
const pieces: fc.Arbitrary<Piece[]> = fc
  .array(fc.record({ wait: fc.integer({ min: 0, max: 30 }), body: bytes }), { minLength: 1, maxLength: 12 })
  .map((list) => {
    let atMs = 5;
    return list.map(({ wait, body }) => {
      atMs += wait;
      return { atMs, body };
    });
  });

/** What of the body has come at each instant at which something came. */
function byInstant(list: readonly Piece[]): Map<number, string> {
  const out = new Map<number, string>();
  for (const { atMs, body } of list)
    out.set(atMs, (out.get(atMs) ?? '') + Buffer.from(bytesOf(body)).toString('hex'));
  return out;
}

async function read(answer: Answer): Promise<Map<number, string>> {
  const response = await readResponse(answer);
  expect(response).toMatchObject({ status: 200, complete: true });
  return byInstant(response.pieces.map(({ atMs, bytes: body }) => ({ atMs, body })));
}

describe('streamed', () => {
  it.each(['chunked', 'length', 'close'] as const)(
    'delivers every byte at its instant, framed by %s',
    async (framing) => {
      await fc.assert(
        fc.asyncProperty(pieces, async (list) => {
          expect(await read(streamed(list, { framing }))).toEqual(byInstant(list));
        }),
        { numRuns: 60 },
      );
    },
  );

  it('ends the body when it is told to, or never', async () => {
    const list = plainPieces(asked());
    expect((await readResponse(streamed(list, { endMs: null }))).complete).toBe(false);
    const late = streamed(list, { endMs: 1500 });
    expect(late.writes.at(-1)).toEqual({ atMs: 1500, bytes: bytesOf('0\r\n\r\n') });
  });
});

it('httpChunk gives the length in hexadecimal, and the bytes as they are', () => {
  fc.assert(
    fc.property(bytes, (body) => {
      const text = Buffer.from(httpChunk(body)).toString('latin1');
      const size = text.slice(0, text.indexOf('\r\n'));
      expect(Number.parseInt(size, 16)).toBe(body.length);
      expect(text.slice(size.length + 2)).toBe(`${Buffer.from(body).toString('latin1')}\r\n`);
    }),
  );
});

it('merged leaves one write an instant, and every byte in order', () => {
  fc.assert(
    fc.property(pieces, (list) => {
      const writes = list.map(({ atMs, body }) => ({ atMs, bytes: bytesOf(body) }));
      const out = merged(writes);
      expect(joined(...out.map((write) => write.bytes))).toEqual(
        joined(...writes.map((write) => write.bytes)),
      );
      for (const [i, { atMs }] of out.entries()) if (i > 0) expect(atMs).toBeGreaterThan(out[i - 1]!.atMs);
    }),
  );
});

it('whole delivers its JSON', async () => {
  const json = JSON.stringify({ text: 'é 語 🙂' });
  const response = await readResponse(whole('200 OK', json));
  expect(response).toMatchObject({ status: 200, complete: true, contentType: 'application/json' });
  expect(Buffer.concat(response.pieces.map((piece) => piece.bytes)).toString()).toBe(json);
});

describe('spelling', () => {
  it('cutPieces keeps the bytes; the last part of a piece leaves at its instant', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: -3, max: 500 }), (list, at) => {
        const out = cutPieces(list, 1, () => at);
        expect(joined(...out.map(({ body }) => body))).toEqual(joined(...list.map(({ body }) => body)));
        for (const { atMs } of list) expect(out.some((piece) => piece.atMs === atMs)).toBe(true);
      }),
    );
  });

  it('woven is in order of time and loses nothing; at one instant the first list comes first', () => {
    fc.assert(
      fc.property(pieces, pieces, (a, b) => {
        const out = woven(a, later(b, 3));
        expect(out).toHaveLength(a.length + b.length);
        for (const [i, { atMs }] of out.entries())
          if (i > 0) expect(atMs).toBeGreaterThanOrEqual(out[i - 1]!.atMs);
      }),
    );
    expect(woven([{ atMs: 1, body: 'a' }], [{ atMs: 1, body: 'b' }]).map(({ body }) => body)).toEqual([
      'a',
      'b',
    ]);
  });

  it('everyEvent in the usual spelling is M, byte for byte', () => {
    for (const includeUsage of [true, false])
      expect(everyEvent(asked({ includeUsage }), (data) => event(data))).toEqual(
        streamed(plainPieces(asked({ includeUsage }))),
      );
  });

  it('[DONE] is an event of its own', () => {
    expect(DONE).toBe('data: [DONE]\n\n');
    expect(JSON.parse(chunk(asked()))).toMatchObject({ choices: [{ index: 0, delta: { content: ' tok' } }] });
  });
});
