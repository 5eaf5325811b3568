import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectiveQuantileInterval,
  quantileInterval,
  rankProbability,
  valuesNeeded,
} from '../../src/measure/quantile-interval.ts';

const ranks = (n: number) => Float64Array.from({ length: n }, (_, i) => i + 1);

describe('rankProbability', () => {
  it('is that of a binomial: n = 3, p = ½: 7/8, 4/8, 1/8', () => {
    for (const [r, expected] of [
      [0, 1],
      [1, 7 / 8],
      [2, 4 / 8],
      [3, 1 / 8],
      [4, 0],
    ] as const)
      expect(rankProbability(r, 3, 0.5)).toBeCloseTo(expected, 12);
  });
});

describe('valuesNeeded', () => {
  it.each([
    [0.5, 6],
    [0.9, 36],
    [0.99, 368],
    [0.999, 3688],
    [0.01, 368],
  ])('p = %d: %d, the least n with p^n ≤ 0.025', (p, n) => {
    expect(valuesNeeded(p)).toBe(n);
    expect(Math.max(p, 1 - p) ** n).toBeLessThanOrEqual(0.025);
    expect(Math.max(p, 1 - p) ** (n - 1)).toBeGreaterThan(0.025);
  });
});

describe('quantileInterval', () => {
  it('lies between the ranks of the sign test: n = 25, median: 95.7 % from rank 8 to 18, 89.2 % from 9 to 17', () => {
    const { low, high } = quantileInterval(ranks(25), 0.5)!;
    expect(low).toBeGreaterThan(8);
    expect(low).toBeLessThan(9);
    expect(high).toBeCloseTo(26 - low, 9);
  });
  it('is at the ranks themselves where their coverage is the level', () => {
    // Ranks 6 and 15 of 20 cover 95.9 %.
    const level = 1 - 2 * rankProbability(15, 20, 0.5);
    expect(quantileInterval(ranks(20), 0.5, level)!.low).toBeCloseTo(6, 6);
    expect(quantileInterval(ranks(20), 0.5, level)!.high).toBeCloseTo(15, 6);
  });
  it('follows Hettmansperger & Sheather’s weight (n − k)I / (k + (n − 2k)I) for the median', () => {
    const [n, k] = [25, 8];
    const [at, next] = [rankProbability(k, n, 0.5), rankProbability(k + 1, n, 0.5)];
    const share = (at - 0.975) / (at - next);
    expect(quantileInterval(ranks(n), 0.5)!.low).toBeCloseTo(
      k + ((n - k) * share) / (k + (n - 2 * k) * share),
      9,
    );
  });
  it('is null where the largest value may lie below the quantile too often', () => {
    expect(quantileInterval(ranks(367), 0.99)).toBeNull();
    expect(quantileInterval(ranks(368), 0.99)).not.toBeNull();
    expect(quantileInterval([], 0.5)).toBeNull();
  });
  it('follows any increasing map of the values at its ranks, and holds the sample’s quantile', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 40, maxLength: 300 }),
        fc.constantFrom(0.1, 0.5, 0.75, 0.9),
        (values, p) => {
          const sorted = Float64Array.from(values).sort();
          const { low, high } = quantileInterval(sorted, p)!;
          const [least, most] = [
            sorted[Math.floor(p * (sorted.length - 1))]!,
            sorted[Math.ceil(p * (sorted.length - 1))]!,
          ];
          expect(low).toBeLessThanOrEqual(most);
          expect(high).toBeGreaterThanOrEqual(least);
        },
      ),
    );
  });
});

describe('effectiveQuantileInterval', () => {
  it('is that of as many values where they are independent', () => {
    const [exact, effective] = [
      quantileInterval(ranks(500), 0.9)!,
      effectiveQuantileInterval(ranks(500), 0.9, 500)!,
    ];
    expect(effective.low).toBeCloseTo(exact.low, 0);
    expect(effective.high).toBeCloseTo(exact.high, 0);
  });
  it('is twice as wide where they are worth a quarter', () => {
    const width = (effective: number) => {
      const { low, high } = effectiveQuantileInterval(ranks(4000), 0.5, effective)!;
      return high - low;
    };
    expect(width(1000) / width(4000)).toBeCloseTo(2, 1);
  });
  it('is null where they are worth too few', () =>
    expect(effectiveQuantileInterval(ranks(4000), 0.99, 360)).toBeNull());
});
