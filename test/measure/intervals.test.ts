import { describe, expect, it } from 'vitest';
import {
  blockHalfWidth,
  blockStandardErrors,
  equalBlocks,
  studentInterval,
} from '../../src/measure/intervals.ts';
import { normal, uniform } from '../../src/measure/random.ts';

describe('studentInterval', () => {
  it('is null below two values', () => expect(studentInterval([1])).toBeNull());
  it('matches the table: n = 5, t = 2.776445', () => {
    const { low, high } = studentInterval([1, 2, 3, 4, 5])!;
    expect((high - low) / 2).toBeCloseTo((2.776445 * Math.sqrt(2.5)) / Math.sqrt(5), 5);
  });
});

describe('blockStandardErrors', () => {
  const sample = (seed: number, n: number, shift: number) => {
    const u = uniform(seed);
    return { values: Float64Array.from({ length: n }, () => shift + normal(u)), blockOf: equalBlocks(n, 20) };
  };
  it('gives σ·√(1/n + 1/n) for the mean of independent values', () => {
    const errors = [11, 12, 13, 14, 15].map(
      (seed) => blockStandardErrors(sample(seed, 2000, 5), sample(seed + 100, 2000, 0), 20, [0.5], seed)![0]!,
    );
    const average = errors.reduce((a, b) => a + b) / errors.length;
    expect(average).toBeGreaterThan(0.8 * Math.sqrt(2 / 2000));
    expect(average).toBeLessThan(1.2 * Math.sqrt(2 / 2000));
  });
  it('covers the true difference about 95 times in 100', () => {
    let covered = 0;
    for (let seed = 0; seed < 300; seed++) {
      const a = sample(seed, 400, 1);
      const b = sample(seed + 10_000, 400, 0);
      const se = blockStandardErrors(a, b, 20, [], seed, 100)![0]!;
      const difference = a.values.reduce((x, y) => x + y) / 400 - b.values.reduce((x, y) => x + y) / 400;
      if (Math.abs(difference - 1) <= blockHalfWidth(se, 20)) covered++;
    }
    expect(covered / 300).toBeGreaterThan(0.91);
    expect(covered / 300).toBeLessThan(0.985);
  });
  it('cancels what both sides share', () => {
    const shared = sample(3, 1000, 0);
    const shifted = { values: shared.values.map((v) => v + 7), blockOf: shared.blockOf };
    for (const se of blockStandardErrors(shifted, shared, 20, [0.5, 0.99], 1)!) expect(se).toBeCloseTo(0, 9);
  });
  it('is null where a side is empty or too short', () => {
    const empty = { values: new Float64Array(0), blockOf: new Int32Array(0) };
    expect(blockStandardErrors(empty, sample(1, 100, 0), 20, [0.5], 1)).toBeNull();
    expect(blockStandardErrors(sample(1, 100, 0), sample(1, 100, 0), 3, [0.5], 1)).toBeNull();
  });
});
