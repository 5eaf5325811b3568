import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  quantileSorted,
  summarize,
  summarizeNearestRank,
  summarizeNextValue,
} from '../../src/measure/quantile.ts';

describe('quantiles', () => {
  it('are numpy.percentile’s (type 7)', () => {
    // numpy.percentile([1, 2, 3, 4, 10], [50, 90, 99]) = 3, 7.6, 9.76
    const sorted = [1, 2, 3, 4, 10];
    expect([0.5, 0.9, 0.99].map((p) => quantileSorted(sorted, p))).toEqual([
      3,
      expect.closeTo(7.6, 12),
      expect.closeTo(9.76, 12),
    ]);
  });
  it('are ordered, lie within the values, and are null of nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), (values) => {
        const { p50_ms, p90_ms, p99_ms, n } = summarize(values, 'none');
        expect(n).toBe(values.length);
        expect(p50_ms!).toBeLessThanOrEqual(p90_ms!);
        expect(p90_ms!).toBeLessThanOrEqual(p99_ms!);
        expect(p50_ms!).toBeGreaterThanOrEqual(Math.min(...values));
        expect(p99_ms!).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
    expect(summarize([], 'nothing was sent')).toMatchObject({ mean_ms: null, absent: 'nothing was sent' });
  });
  it('of the next value are values, and the last one at the end', () => {
    // As in oha 1.16.0, result_data.rs percentile_iter().
    const values = Array.from({ length: 40 }, (_, i) => 40 - i);
    expect(summarizeNextValue(values, 'none')).toEqual({
      n: 40,
      mean_ms: 20.5,
      p50_ms: 21,
      p90_ms: 37,
      p99_ms: 40,
    });
    // Of rank ⌈p·n⌉, as in guidellm: 0.9 · 40 = 36 exactly, so the 36th.
    expect(summarizeNearestRank(values, 'none')).toMatchObject({ p50_ms: 20, p90_ms: 36, p99_ms: 40 });
    expect(summarizeNearestRank([7, 9, 8], 'none')).toMatchObject({ p50_ms: 8, p90_ms: 9 });
    expect(summarizeNextValue([7], 'none')).toMatchObject({ p50_ms: 7, p99_ms: 7 });
    expect(summarizeNextValue([], 'nothing was sent')).toMatchObject({
      p50_ms: null,
      absent: 'nothing was sent',
    });
  });
});
