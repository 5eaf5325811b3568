import { describe, expect, it } from 'vitest';
import { decodeClaim } from '../../../src/claims/file/decode.ts';

describe('the bytes of a claim', () => {
  it.each([
    ['UTF-8', Buffer.from('title: µ\n'), 'title: µ\n'],
    ['nothing', Buffer.alloc(0), ''],
    [
      'UTF-16 with its mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('title: a\n', 'utf16le')]),
      null,
    ],
    ['UTF-16 without one', Buffer.from('title: a\n', 'utf16le'), null],
    ['Latin-1', Buffer.from('title: \u00b5\n', 'latin1'), null],
  ])('as %s', (_, bytes, text) => expect(decodeClaim(bytes)).toBe(text));
});
