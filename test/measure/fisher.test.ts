import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fisherExact } from '../../src/measure/fisher.ts';

describe('fisherExact', () => {
  it('has the p-values of known tables', () => {
    // Fisher's lady tasting tea, 3 of 4 right: 0.4857 two-sided (R: fisher.test(matrix(c(3,1,1,3),2))).
    expect(fisherExact(3, 4, 1, 4)).toBeCloseTo(0.485714, 6);
    // R: fisher.test(matrix(c(2,10,15,3),2)), convictions of twins: 0.0005367.
    expect(fisherExact(10, 12, 3, 18)).toBeCloseTo(0.0005367, 6);
    // By hand: 2 / C(6, 3).
    expect(fisherExact(0, 3, 3, 3)).toBeCloseTo(0.1, 12);
    // 9 of 10 against 0 of 10: 2 · C(10, 9) / C(20, 9).
    expect(fisherExact(9, 10, 0, 10)).toBeCloseTo(20 / 167_960, 12);
  });

  it('is 1 where nothing differs or a side is empty, and the same with sides or outcomes exchanged', () => {
    expect(fisherExact(0, 5, 0, 9)).toBe(1);
    expect(fisherExact(3, 3, 0, 0)).toBe(1);
    const n = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(n, n, fc.nat(), fc.nat(), (m, k, p, q) => {
        const [x, y] = [p % (m + 1), q % (k + 1)];
        const one = fisherExact(x, m, y, k);
        expect(one).toBeGreaterThan(0);
        expect(one).toBeLessThanOrEqual(1);
        expect(fisherExact(y, k, x, m)).toBeCloseTo(one, 9);
        expect(fisherExact(m - x, m, k - y, k)).toBeCloseTo(one, 9);
      }),
    );
  });
});
