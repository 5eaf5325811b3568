import { describe, expect, it } from 'vitest';
import { clopperPearson, fewestForShare } from '../../../src/measure/gate/binomial.ts';

describe('the exact interval of a share', () => {
  it.each([
    // The textbook's: 0 and 10 of 10 by (0.025)^(1/10), 5 of 10, 81 of 263.
    [0, 10, 0, 0.3085],
    [10, 10, 0.6915, 1],
    [5, 10, 0.1871, 0.8129],
    [81, 263, 0.2527, 0.3676],
  ])('%i of %i', (k, n, low, high) => {
    const interval = clopperPearson(k, n, 0.05);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('begins at a share with the fewest requests that show it, and not with one less', () => {
    const n = fewestForShare(0.99, 0.05);
    expect(n).toBe(368);
    expect(clopperPearson(n, n, 0.05).low).toBeGreaterThanOrEqual(0.99);
    expect(clopperPearson(n - 1, n - 1, 0.05).low).toBeLessThan(0.99);
    expect(fewestForShare(1, 0.05)).toBe(Number.POSITIVE_INFINITY);
  });
});
