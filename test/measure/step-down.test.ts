import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printedStep } from '../../src/measure/resolution.ts';
import { stepDown } from '../../src/measure/step-down.ts';

/** Figures that are a change among at most so many comparisons. */
const upTo = (...most: readonly number[]) => most.map((m) => (comparisons: number) => comparisons <= m);

describe('stepDown', () => {
  it('judges the surest as one of all, the next as one of those that are left', () => {
    expect(stepDown(upTo(4, 3, 2, 1))).toEqual([4, 3, 2, 1]);
    expect(stepDown(upTo(1, 100, 3))).toEqual([1, 3, 2]);
  });

  it('stops at the first that is none: that and all after it are judged as one of all', () => {
    expect(stepDown(upTo(4, 2, 2, 1))).toEqual([4, 4, 4, 4]);
    expect(stepDown(upTo(0, 0))).toEqual([2, 2]);
    expect(stepDown([])).toEqual([]);
  });

  it('finds all that Bonferroni finds, and what it finds is a change where it was judged', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 10 }), (most) => {
        const places = stepDown(upTo(...most));
        for (const [i, m] of most.entries()) {
          if (m >= most.length) expect(m).toBeGreaterThanOrEqual(places[i]!);
          if (places[i]! < most.length) expect(m).toBeGreaterThanOrEqual(places[i]!);
        }
      }),
    );
  });
});

describe('printedStep', () => {
  it.each([
    [[51, 52, 100], 1],
    [[51.2, 52], 0.1],
    [[0.07, 12.34], 0.01],
    [[0.1 + 0.2, 1.1], 0.1],
    [[50.576688000000004], 0.000001],
    [[1 / 3], 0.000001],
    [[1000, 2000], 1],
    [[], null],
  ])('%j: %f', (values, step) => {
    if (step === null) expect(printedStep(values)).toBeNull();
    else expect(printedStep(values)).toBeCloseTo(step, 12);
  });
});
