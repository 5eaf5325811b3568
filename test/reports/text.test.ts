import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../reports/command-line.ts';
import { intervalMs, limitMs, ms, percent, rate, signedMs } from '../../reports/format.ts';
import { grouped, listed, oneLine, shorten } from '../../reports/text.ts';

describe('oneLine', () => {
  it.each([
    ['a\nb\tc\r\nd', 'a b c d'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['user\u202egpj.exe', 'user gpj.exe'],
    ['\ud800x', '\ufffdx'],
    ['größer ✓ 日本', 'größer ✓ 日本'],
  ])('%j becomes %j', (given, expected) => {
    expect(oneLine(given)).toBe(expected);
  });

  it('leaves no control character and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = oneLine(text);
        expect(once).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(oneLine(once)).toBe(once);
      }),
    );
  });
});

describe('figures', () => {
  it.each([
    [null, '–'],
    [0, '0.000'],
    [-0.0001, '0.000'],
    [0.0421, '0.042'],
    [1.234, '1.23'],
    [24.06, '24.1'],
    [1234.5, '1,235'],
    [-12.34, '−12.3'],
  ])('ms(%s) is %s', (value, text) => {
    expect(ms(value)).toBe(text);
  });

  it('signs differences, but not a rounded nothing', () => {
    expect([24.1, 0.0001, -0.0001, -3].map(signedMs)).toEqual(['+24.1', '0.000', '0.000', '−3.00']);
  });

  it('never rounds a share below one up to all of it', () => {
    expect([1, 0.99996, 0.982, 0.5, null].map(percent)).toEqual(['100', '99.9', '98.2', '50', '–']);
  });

  it('writes rates, limits and intervals', () => {
    expect([50, 12.5, 1599.6, null].map(rate)).toEqual(['50', '12.5', '1,600', '–']);
    expect([1, 0.6, 2.5, 1200].map(limitMs)).toEqual(['1', '0.6', '2.5', '1,200']);
    expect(intervalMs(20.31, 27.94)).toBe('[20.3, 27.9]');
    expect(intervalMs(-0.1, null)).toBe('');
  });

  it('groups, lists and shortens', () => {
    expect([999, 1000, 1234567.891].map(grouped)).toEqual(['999', '1,000', '1,234,567.891']);
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listed(items))).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(shorten('abcdef', 4)).toBe('abc…');
    expect(shorten('😀😀😀', 3)).toBe('😀😀😀');
  });
});

describe('commandLine', () => {
  it('quotes what a shell would change', () => {
    expect(commandLine(['k6', 'run', "it's", '$(rm -rf x)', 'a=b', ''])).toBe(
      `k6 run 'it'\\''s' '$(rm -rf x)' a=b ''`,
    );
  });
});
