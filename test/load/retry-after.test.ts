import { describe, expect, it } from 'vitest';
import { headerOf, isRefusal, parseHttpDate, waitOf } from '../../src/load/retry-after.ts';

const NOW = Date.UTC(2026, 10, 30, 8, 0, 0);
const S = 1e9;

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7 * S],
    [' 120 ', 120 * S],
    ['Mon, 30 Nov 2026 08:00:30 GMT', 30 * S],
    ['Monday, 30-Nov-26 08:00:30 GMT', 30 * S],
    ['Mon Nov 30 08:00:30 2026', 30 * S],
    ['Tue Dec  1 08:00:00 2026', 86_400 * S],
    // Passed, or now.
    ['Mon, 30 Nov 2026 07:00:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    // More than can be held.
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ])('%s', (text, ns) => {
    expect(waitOf(text, '', NOW)).toBe(ns);
  });

  it.each([
    '',
    'soon',
    '-5',
    '+5',
    '1.5',
    '1e9',
    '0x10',
    '5 s',
    '２',
    '30 Nov 2026',
    '2026-11-30T08:00:30Z',
    'Mon, 30 Nov 2026 08:00:30 +0100',
    'Mon, 30 Foo 2026 08:00:30 GMT',
    'Mon, 30 Nov 2026 08:00:30 GMT, 5',
  ])('"%s" is neither seconds nor a date', (text) => {
    expect(waitOf(text, '', NOW)).toBeNull();
  });

  it('takes a date against the answer’s own Date: clocks of two machines differ', () => {
    const later = 'Mon, 30 Nov 2026 08:00:30 GMT';
    expect(waitOf(later, 'Mon, 30 Nov 2026 08:00:20 GMT', NOW)).toBe(10 * S);
    expect(waitOf(later, 'nonsense', NOW)).toBe(30 * S);
    // Seconds need no clock.
    expect(waitOf('5', 'Mon, 30 Nov 2026 00:00:00 GMT', NOW)).toBe(5 * S);
  });

  it('a year of two digits is not more than 50 years ahead', () => {
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', NOW)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    expect(parseHttpDate('Friday, 06-Nov-70 08:49:37 GMT', NOW)).toBe(Date.UTC(2070, 10, 6, 8, 49, 37));
  });

  it('heeds 429 and 503 only', () => {
    expect([200, 301, 404, 429, 500, 502, 503, 504].filter(isRefusal)).toEqual([429, 503]);
  });

  it('finds a header in raw ones, whatever its case; the first one counts', () => {
    const raw = ['Date', 'x', 'RETRY-AFTER', '3', 'retry-after', '9', 'odd'].map((text) => Buffer.from(text));
    expect(headerOf(raw, 'retry-after')).toBe('3');
    expect(headerOf(raw, 'retry-bfter')).toBe('');
    expect(headerOf([], 'date')).toBe('');
  });
});
