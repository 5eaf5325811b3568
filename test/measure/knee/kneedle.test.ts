import { describe, expect, it } from 'vitest';
import { kneedle } from '../../../src/measure/knee/kneedle.ts';

describe('the bend of a curve', () => {
  it('is where a hockey stick bends', () => {
    const points = [10, 20, 30, 40, 50, 60, 70].map((x) => ({ x, y: x <= 50 ? 1 : 1 + (x - 50) }));
    expect(kneedle(points)).toEqual({ x: 50 });
    expect(kneedle([...points].reverse())).toEqual({ x: 50 });
  });

  it('is that of 1/(1 − ρ) where the distance from the diagonal is greatest', () => {
    const points = Array.from({ length: 20 }, (_, i) => ({ x: i * 5, y: 1 / (1 - i * 0.05) }));
    // (x − 0)/95 − (y − 1)/19 is greatest at 1 − x/100 = √(1/20) = 0.2236…: at 77.6, so at 80 or 75.
    expect(kneedle(points)).toEqual({ x: 80 });
  });

  it('is not there in a line, in a flat curve or with few points', () => {
    const line = [1, 2, 3, 4, 5, 6].map((x) => ({ x, y: x }));
    expect(kneedle(line)).toEqual({ absent: expect.stringMatching(/does not bend/) });
    expect(kneedle(line.map(({ x }) => ({ x, y: 1 })))).toEqual({ absent: 'the curve is flat' });
    expect(kneedle(line.slice(0, 4))).toEqual({ absent: expect.stringMatching(/too few/) });
  });
});
