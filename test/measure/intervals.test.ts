import { describe, expect, it } from 'vitest';
import { meanInterval, skewedInterval, studentInterval } from '../../src/measure/intervals.ts';

describe('studentInterval', () => {
  it('is null below two values', () => expect(studentInterval([1])).toBeNull());
  it('matches the table: n = 5, t = 2.776445', () => {
    const { low, high } = studentInterval([1, 2, 3, 4, 5])!;
    expect((high - low) / 2).toBeCloseTo((2.776445 * Math.sqrt(2.5)) / Math.sqrt(5), 5);
  });
});

describe('skewedInterval', () => {
  it('is Student’s where there is no skew', () => {
    const [skewed, student] = [skewedInterval([1, 2, 3, 4, 5])!, studentInterval([1, 2, 3, 4, 5])!];
    expect(skewed.low).toBeCloseTo(student.low, 9);
    expect(skewed.high).toBeCloseTo(student.high, 9);
  });
  it('reaches farther to the side of the long tail', () => {
    const { low, high } = skewedInterval([1, 1.1, 1.2, 1.1, 5])!;
    expect(high - 1.88).toBeGreaterThan(2 * (1.88 - low));
    expect(low).toBeLessThan(1.88);
  });
  it('is a point where all values are the same', () =>
    expect(skewedInterval([2, 2, 2, 2, 2])).toEqual({ low: 2, high: 2 }));
});

describe('meanInterval', () => {
  it('corrects for skew from eight values on', () => {
    const seven = [1, 2, 9, 1, 1, 2, 1];
    expect(meanInterval(seven)).toEqual(studentInterval(seven));
    expect(meanInterval([...seven, 2])).toEqual(skewedInterval([...seven, 2]));
  });
});
