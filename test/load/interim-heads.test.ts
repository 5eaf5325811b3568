import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InterimHeads } from '../../src/load/interim-heads.ts';

/** What undici reads of one request's answer, which came in these segments: all that `read()` gives after each one. */
function readThrough(segments: readonly Buffer[], heads = new InterimHeads()): string {
  const queue: Buffer[] = [];
  const socket = { read: (): Buffer | null => queue.shift() ?? null } as unknown as Socket;
  heads.watch(socket);
  heads.expectHead();
  const got: Buffer[] = [];
  for (const segment of segments) {
    queue.push(segment);
    for (let bytes = socket.read(); bytes !== null; bytes = socket.read()) got.push(bytes);
  }
  return Buffer.concat(got).toString('latin1');
}

const INTERIM = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.0 100\r\n\r\n',
  'HTTP/1.1 102 Processing\r\nx-a: b\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
];
const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
/** A body may hold what looks like an interim answer. */
const BODY = '1b\r\nHTTP/1.1 100 Continue\r\n\r\nab\r\n0\r\n\r\n';

describe('interim answers', () => {
  it('are left out, however many and however cut; all else is left as it is', () => {
    const answer = fc.tuple(fc.array(fc.constantFrom(...INTERIM), { maxLength: 3 }), fc.array(fc.nat()));
    fc.assert(
      fc.property(answer, ([interim, cuts]) => {
        const bytes = Buffer.from(interim.join('') + HEAD + BODY);
        const at = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort(
          (a, b) => a - b,
        );
        const segments = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        expect(readThrough(segments)).toBe(HEAD + BODY);
      }),
    );
  });

  it.each([
    ['an answer that starts with a segment like one', [HEAD, 'HTTP/1.1 100 Continue\r\n\r\n']],
    ['a change of protocol', ['HTTP/1.1 101 Switching Protocols\r\n\r\n']],
    ['what is not HTTP', ['HTTP/2 100\r\n\r\n']],
    ['an interim head without an end', [`HTTP/1.1 100 ${'x'.repeat(20_000)}`]],
  ])('%s goes to undici as it is', (_, texts) => {
    expect(readThrough(texts.map((text) => Buffer.from(text)))).toBe(texts.join(''));
  });

  it('half of one that the connection broke in is not in the way of the next answer', () => {
    const heads = new InterimHeads();
    expect(readThrough([Buffer.from('HTTP/1.1 100 Con')], heads)).toBe('');
    expect(readThrough([Buffer.from(HEAD)], heads)).toBe(HEAD);
  });
});
