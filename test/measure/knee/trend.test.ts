import { describe, expect, it } from 'vitest';
import { slope } from '../../../src/measure/knee/trend.ts';
import { normal, uniform } from '../../../src/measure/random.ts';

describe('a slope', () => {
  it('is exact on a line, without width', () => {
    const line = Float64Array.from({ length: 10 }, (_, i) => 3 + 2 * i);
    const { value, low, high } = slope(line, 0.5);
    expect(value).toBeCloseTo(4, 12);
    expect(low).toBeCloseTo(4, 9);
    expect(high).toBeCloseTo(4, 9);
  });

  it('has the textbook interval where neighbours are not alike', () => {
    // Least squares by hand: y = 0, 1, 0, 1, … has slope 6/(n(n + 1)) … computed for n = 4: 0.2, residual squares 0.8.
    const { value, low, high } = slope(Float64Array.of(0, 1, 0, 1), 1);
    expect(value).toBeCloseTo(0.2, 12);
    const se = Math.sqrt(0.8 / 2 / 5);
    expect(high - low).toBeCloseTo(2 * 4.302653 * se, 5);
    expect(low).toBeCloseTo(0.2 - 4.302653 * se, 5);
  });

  it('covers zero for a queue that only drifts: nine of ten times, where the textbook’s does in six', () => {
    let covered = 0;
    const runs = 300;
    for (let seed = 1; seed <= runs; seed++) {
      const u = uniform(seed, 1, 1);
      let at = 0;
      const values = Float64Array.from({ length: 40 }, () => {
        at = 0.7 * at + normal(u);
        return at;
      });
      const { low, high } = slope(values, 1);
      if (low <= 0 && high >= 0) covered++;
    }
    expect(covered / runs).toBeGreaterThan(0.88);
  });
});
