import { describe, expect, it } from 'vitest';
import { meanAt } from '../../../src/measure/gate/looks.ts';
import { stepOf } from '../../../src/measure/gate/resolution.ts';

describe('the step of printed figures', () => {
  it.each([
    [[50.1, 51.23, 0.4], 0.01],
    [[50, 61, 102], 1],
    [[50, 60, 110], 10],
    [[0.1 + 0.2, 7], 0.1],
    [[Math.PI, 1], 0],
    [[0, 0], 0],
    [[0, 20], 10],
  ])('of %j is %d', (values, step) => expect(stepOf(values)).toBeCloseTo(step, 12));

  it('makes the interval of equal figures no narrower', () => {
    expect(meanAt([5, 5, 5], 1)(1)).toEqual({ low: 4.5, high: 5.5 });
    const { low, high } = meanAt([1, 2, 3])(1)!;
    expect(meanAt([1, 2, 3], 0.1)(1)).toEqual({ low, high });
  });
});
