import fc from 'fast-check';
import { Float64Histogram } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { DurationHistogram } from '../../src/load/histogram.ts';

const anyNs = fc.oneof(
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: 2 ** 31 }),
  fc.integer({ min: 0, max: 10_000_000_000_000 }),
);

describe('DurationHistogram', () => {
  it('finds the bucket that the library finds, for every size of value', () => {
    const library = new Float64Histogram(1, 3.6e12, 3);
    const ours = new DurationHistogram();
    const values = [0, 1, 2047, 2048, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 3.6e12];
    for (let power = 11; power < 42; power++) values.push(2 ** power - 1, 2 ** power, 2 ** power + 1);
    for (const value of values.filter((v) => v <= 3.6e12)) {
      library.recordValue(value);
      ours.record(value);
    }
    const expected = [...Array(library.countsArrayLength).keys()].filter(
      (i) => library.getCountAtIndex(i) > 0,
    );
    expect([...ours.snapshot().buckets].sort((a, b) => a - b)).toEqual(expected);
  });

  it('gives nearest-rank percentiles within 0.1 % above the value, and exact mean, least and greatest', () => {
    fc.assert(
      fc.property(
        fc.array(anyNs, { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        (values, percent) => {
          const h = new DurationHistogram();
          for (const value of values) h.record(value);
          const sorted = [...values].sort((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil((percent / 100) * values.length - 1e-9)) - 1]!;
          const got = h.percentile(percent);
          expect(got).toBeGreaterThanOrEqual(exact);
          expect(got).toBeLessThanOrEqual(exact * 1.001 + 1);
          expect(h.mean).toBe(values.reduce((a, b) => a + b, 0) / values.length);
          expect([h.min, h.max]).toEqual([sorted[0], sorted.at(-1)]);
        },
      ),
    );
  });

  it('merged from snapshots, equals one that recorded everything', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyNs, { maxLength: 50 }), { minLength: 1, maxLength: 5 }), (parts) => {
        const whole = new DurationHistogram();
        const merged = new DurationHistogram();
        for (const part of parts) {
          const h = new DurationHistogram();
          for (const value of part) {
            h.record(value);
            whole.record(value);
          }
          merged.add(structuredClone(h.snapshot()));
        }
        expect(merged.count).toBe(whole.count);
        for (const percent of [1, 50, 90, 99, 100])
          expect(merged.percentile(percent)).toBe(whole.percentile(percent));
        expect([merged.mean, merged.min, merged.max]).toEqual([whole.mean, whole.min, whole.max]);
      }),
    );
  });

  it('counts the values that are missing from a total as infinitely late', () => {
    const h = new DurationHistogram();
    for (let i = 1; i <= 90; i++) h.record(i);
    expect(h.percentile(50, 100)).toBe(50);
    expect(h.percentile(90, 100)).toBe(90);
    expect(h.percentile(91, 100)).toBe(Number.POSITIVE_INFINITY);
    expect(new DurationHistogram().percentile(50, 10)).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes many at once, negative noise as 0, and durations beyond its first range', () => {
    const h = new DurationHistogram();
    h.recordMany(0, 3);
    h.record(-5);
    h.record(86_400e9);
    expect(h.count).toBe(5);
    expect(h.percentile(80)).toBe(0);
    expect(h.max).toBe(86_400e9);
    expect(h.percentile(100)).toBe(86_400e9);
  });

  it('has no figures when empty', () => {
    const h = new DurationHistogram();
    expect([h.mean, h.min, h.max, h.percentile(50)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});
