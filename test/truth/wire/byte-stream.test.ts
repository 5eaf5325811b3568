import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../src/truth/wire/byte-stream.ts';

function collector() {
  const got: { ns: number; text: string; length: number }[] = [];
  const stream = new ByteStream((ns, payload, length) => got.push({ ns, text: payload.toString(), length }));
  return { got, stream, text: () => got.map((one) => one.text).join('') };
}

describe('bytes of a stream', () => {
  it('come in order and once, however they are cut, repeated and shuffled, across the wrap of the numbers', () => {
    const whole = 'abcdefghijklmnopqrstuvwxyz';
    const piece = fc.tuple(fc.nat(25), fc.integer({ min: 1, max: 6 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(30), (pieces, before) => {
        const first = (2 ** 32 - before) >>> 0;
        const { stream, text } = collector();
        stream.begin((first - 1) >>> 0);
        // The pieces at random, then all of it, so that nothing is missing at the end.
        for (const [at, size] of [...pieces, [0, whole.length] as const]) {
          const bytes = Buffer.from(whole.slice(at, at + size));
          stream.push(1, (first + at) >>> 0, bytes.length, bytes, false);
        }
        expect(text()).toBe(whole);
        expect(stream.unseen).toBe(0);
      }),
    );
  });

  it('that overtook others have the stamp of what they waited for', () => {
    const { stream, got } = collector();
    stream.begin(99);
    stream.push(10, 103, 3, Buffer.from('def'), false);
    stream.push(20, 100, 3, Buffer.from('abc'), false);
    expect(got).toEqual([
      { ns: 20, text: 'abc', length: 3 },
      { ns: 20, text: 'def', length: 3 },
    ]);
  });

  it('that the peer has and the capture has not are counted, and what follows is passed on', () => {
    const { stream, got } = collector();
    stream.begin(99);
    stream.push(10, 103, 3, Buffer.from('def'), true);
    stream.acknowledged(20, 107);
    expect(got).toEqual([
      { ns: 20, text: '', length: 3 },
      { ns: 20, text: 'def', length: 3 },
    ]);
    expect(stream.unseen).toBe(3);
  });

  it('beyond snaplen have a length and no content; a repeat of part of them is cut', () => {
    const { stream, got } = collector();
    stream.begin(99);
    stream.push(10, 100, 500, Buffer.from('head'), false);
    stream.push(20, 100, 502, Buffer.from('head'), false);
    expect(got).toEqual([
      { ns: 10, text: 'head', length: 500 },
      { ns: 20, text: '', length: 2 },
    ]);
  });
});
