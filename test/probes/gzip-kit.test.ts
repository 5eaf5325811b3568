import { createGunzip, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowsGzip, gzipped } from '../../probes/kit/gzip.ts';
import { bytesOf, joined, type Piece } from '../../probes/kit/stream.ts';

const pieces = (texts: readonly string[]): Piece[] => texts.map((body, i) => ({ atMs: i, body }));

describe('gzip, flushed piece by piece', () => {
  it('is one gzip stream, by zlib’s own reader', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1 }), (texts) => {
        const whole = joined(...gzipped(pieces(texts)).map(({ body }) => body));
        expect(new Uint8Array(gunzipSync(whole))).toEqual(bytesOf(texts.join('')));
      }),
    );
  });

  it('gives each piece as soon as its bytes are there, before the stream has ended', async () => {
    const texts = ['data: a\n\n', 'data: b\n\n', 'data: c\n\n'];
    const gunzip = createGunzip();
    for (const [i, { body }] of gzipped(pieces(texts)).entries()) {
      const got = new Promise<string>((resolve) => gunzip.once('data', (data) => resolve(String(data))));
      gunzip.write(body);
      expect(await got).toBe(texts[i]);
    }
    gunzip.destroy();
  });
});

describe('whether a request allows gzip', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['identity', false],
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['deflate, GZIP;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*', true],
    ['*;q=0', false],
    ['br;q=1.0, x-gzip', true],
  ])('%j: %s', (field, allowed) => {
    expect(allowsGzip(field)).toBe(allowed);
  });
});
