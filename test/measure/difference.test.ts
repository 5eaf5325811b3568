import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../src/measure/difference.ts';
import { normal, uniform } from '../../src/measure/random.ts';

/** "Student" (Biometrika 6, 1908): hours of sleep gained by two drugs; the example of R's t.test. */
const SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
const SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

/** t(0.975, df) as printed in tables of the distribution. */
const T975 = { 1: 12.7062, 2: 4.30265, 3: 3.18245 } as const;

describe('differenceOf', () => {
  it('has the standard error of a published example, and reaches a little farther than Welch alone', () => {
    const { difference, interval } = differenceOf(SLEEP_1, SLEEP_2, 0);
    expect(difference).toBeCloseTo(1.58, 12);
    // R 4, t.test(extra ~ group, data = sleep): df 17.776, 95 % interval −3.3654832 to 0.2054832 of the first minus the second.
    const welch = { low: -0.2054832, high: 3.3654832 };
    // Its standard error is 0.8490910 (t = −1.8608). Here df = (17.776 + 9) / 2 = 13.388: t(0.975, 13.388) lies between those of 13 and 14, 2.1604 and 2.1448.
    const reach = (interval!.high - interval!.low) / 2 / 0.849091;
    expect(reach).toBeGreaterThan(2.1448);
    expect(reach).toBeLessThan(2.1604);
    expect(interval!.low).toBeLessThan(welch.low);
    expect(interval!.high).toBeGreaterThan(welch.high);
  });

  it('is that of one sample where the other side never varies', () => {
    // Of 1, 2, 3: mean 2, standard error 1/√3; two degrees of freedom.
    const half = T975[2] / Math.sqrt(3);
    const { difference, interval } = differenceOf([10, 10, 10], [1, 2, 3], 0);
    expect(difference).toBe(-8);
    expect(interval!.low).toBeCloseTo(-8 - half, 4);
    expect(interval!.high).toBeCloseTo(-8 + half, 4);
    expect(differenceOf([1, 2, 3], [10, 10, 10], 0).interval!.high).toBeCloseTo(8 + half, 4);
  });

  it('takes three degrees of freedom of three and three of equal spread: between Welch’s four and the side’s two', () => {
    const half = T975[3] * Math.sqrt(2 / 3);
    expect(differenceOf([1, 2, 3], [11, 12, 13], 0).interval!.high).toBeCloseTo(10 + half, 4);
  });

  it('never takes more than two sides of the smaller size would have', () => {
    const many = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? -50 : 50));
    // The large side has all of the variance: Welch alone would take its 11 degrees of freedom.
    const { interval } = differenceOf([0, 0.001], many, 0);
    const se = Math.sqrt((2500 * 12) / 11 / 12);
    // df = (2 + 1) / 2 = 1.5; t(0.975) lies between those of 2 and 1.
    expect(interval!.high / se).toBeGreaterThan(T975[2]);
    expect(interval!.high / se).toBeLessThan(T975[1]);
  });

  it('says nothing without an interval, and no number without a value', () => {
    expect(differenceOf([], [1, 2], 1)).toEqual({ difference: null, interval: null, state: 'undetermined' });
    expect(differenceOf([1, 2], [], 1)).toEqual({ difference: null, interval: null, state: 'undetermined' });
    expect(differenceOf([1], [4, 5], 0)).toEqual({ difference: 3.5, interval: null, state: 'undetermined' });
    expect(differenceOf([1, 1], [4], 0)).toEqual({ difference: 3, interval: null, state: 'undetermined' });
  });

  it('does not take rounding for certainty: of values that never vary the difference may be any from 0 to twice', () => {
    // Printed in whole ms: 51.49 and 51.51 are 51 and 52.
    expect(differenceOf([51, 51, 51], [52, 52, 52], 0.5)).toEqual({
      difference: 1,
      interval: { low: 0, high: 2 },
      state: 'undetermined',
    });
    expect(differenceOf([52, 52], [51, 51], 2).state).toBe('unchanged');
    expect(differenceOf([7, 7, 7], [7, 7, 7], 0)).toEqual({
      difference: 0,
      interval: { low: 0, high: 0 },
      state: 'unchanged',
    });
  });

  it('is not deceived by decimals whose variance is not quite 0 in floating point', () => {
    expect(differenceOf([0.1, 0.1, 0.1], [0.2, 0.2, 0.2], 0.05)).toEqual({
      difference: 0.1,
      interval: { low: 0, high: 0.2 },
      state: 'undetermined',
    });
  });

  it('does not lose variances whose squares vanish', () => {
    const { interval } = differenceOf([1e-170, 2e-170, 3e-170], [1e-170, 2e-170, 3e-170], 0);
    expect(Number.isFinite(interval!.high)).toBe(true);
  });

  it('judges by the whole interval: beyond the floor, within it, or neither', () => {
    const [a, b] = [
      [1, 2, 3],
      [11, 12, 13],
    ];
    const { low, high } = differenceOf(a, b, 0).interval!;
    expect(differenceOf(a, b, low - 1e-9).state).toBe('changed');
    expect(differenceOf(a, b, low).state).toBe('undetermined');
    expect(differenceOf(b, a, low - 1e-9).state).toBe('changed');
    expect(differenceOf(a, b, high - 1e-9).state).toBe('undetermined');
    expect(differenceOf(a, b, high).state).toBe('unchanged');
    expect(differenceOf(b, a, high).state).toBe('unchanged');
  });
});

// Steps of a nanosecond: squares of numbers near the smallest that there are vanish, and no clock has them.
const value = fc.double({ min: -1e4, max: 1e4, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);
const values = fc.array(value, { minLength: 2, maxLength: 8 });
const floors = fc.double({ min: 0, max: 100, noNaN: true });

describe('differenceOf, of any values', () => {
  it('turns its sign, and nothing else, when the sides are exchanged', () => {
    fc.assert(
      fc.property(values, values, floors, fc.integer({ min: 1, max: 300 }), (a, b, floor, m) => {
        const [one, other] = [differenceOf(a, b, floor, m), differenceOf(b, a, floor, m)];
        expect(other.state).toBe(one.state);
        expect(other.difference! + one.difference!).toBe(0);
        expect(other.interval!.low + one.interval!.high).toBe(0);
        expect(other.interval!.high + one.interval!.low).toBe(0);
      }),
    );
  });

  it('does not see what is added to both sides, and sees all that is added to one', () => {
    // Whole numbers, so that sums are exact.
    const whole = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: -1000, max: 1000 }), (a, b, shift) => {
        const plain = differenceOf(a, b, 1);
        const moved = (side: readonly number[]) => side.map((value) => value + shift);
        expect(differenceOf(moved(a), moved(b), 1).difference).toBeCloseTo(plain.difference!, 8);
        expect(differenceOf(moved(a), moved(b), 1).interval!.low).toBeCloseTo(plain.interval!.low, 8);
        expect(differenceOf(a, moved(b), 1).difference).toBeCloseTo(plain.difference! + shift, 8);
      }),
    );
  });

  it('holds its difference, is wider of more comparisons, and a higher floor never makes a change of none', () => {
    fc.assert(
      fc.property(values, values, floors, floors, (a, b, x, y) => {
        const [low, high] = [Math.min(x, y), Math.max(x, y)];
        const one = differenceOf(a, b, low);
        const many = differenceOf(a, b, low, 50);
        expect(one.interval!.low).toBeLessThanOrEqual(one.difference!);
        expect(one.interval!.high).toBeGreaterThanOrEqual(one.difference!);
        expect(many.interval!.high).toBeGreaterThanOrEqual(one.interval!.high);
        expect(many.interval!.low).toBeLessThanOrEqual(one.interval!.low);
        if (one.state === 'unchanged') expect(differenceOf(a, b, high).state).toBe('unchanged');
        if (differenceOf(a, b, high).state === 'changed') expect(one.state).toBe('changed');
      }),
    );
  });
});

/** Share of families of `m` intervals that miss somewhere (m × the share of intervals that do), of seeded normal values. */
function missesPerFamily(na: number, nb: number, spread: number, m: number, draws: number): number {
  const u = uniform(8, na, nb, spread, m);
  let misses = 0;
  for (let i = 0; i < draws; i++) {
    const a = Array.from({ length: na }, () => spread * normal(u));
    const b = Array.from({ length: nb }, () => normal(u));
    if (differenceOf(a, b, 0, m).state === 'changed') misses++;
  }
  return (misses / draws) * m;
}

describe('what the intervals cover', () => {
  // Three standard errors of the simulation are ±0.9 points at m = 1 and ±4 at m = 24 of 6,000 draws.
  it.each([
    [3, 3, 1, 0.05],
    [3, 3, 5, 0.05],
    [5, 5, 1, 0.05],
    [2, 2, 1, 0.05],
    [3, 10, 5, 0.06],
  ] as const)('%i against %i, spread %i : 1: at 95 %% at most %f misses', (na, nb, spread, most) => {
    const share = missesPerFamily(na, nb, spread, 1, 6000);
    expect(share).toBeLessThan(most + 0.009);
    // It is not just infinitely wide.
    expect(share).toBeGreaterThan(0.004);
  });

  it.each([
    [3, 3, 1, 0.05],
    [3, 3, 3, 0.05],
    [3, 10, 5, 0.1],
  ] as const)('of 24 at once, %i against %i, spread %i : 1, at most %f a family', (na, nb, spread, most) => {
    // Welch's own degrees of freedom give 0.28 a family of the last one.
    expect(missesPerFamily(na, nb, spread, 24, 12_000)).toBeLessThan(most + 0.04);
  });
});

describe('a resolution', () => {
  it('is added both ways whether or not the values vary, so that nothing flips at no spread', () => {
    const [a, b] = [
      [1, 1, 1],
      [51, 51, 51],
    ];
    expect(differenceOf(a, b, 0.5, 60, 1)).toEqual({
      difference: 50,
      interval: { low: 49, high: 51 },
      state: 'changed',
    });
    const nearly = differenceOf(a, [51, 51, 51.0000000001], 0.5, 60, 1);
    expect(nearly.state).toBe('changed');
    expect(nearly.interval!.low).toBeCloseTo(49, 6);
    expect(nearly.interval!.high).toBeCloseTo(51, 6);
    // Whole milliseconds next to each other are no change.
    expect(differenceOf([51, 51, 51], [52, 52, 52], 0.5, 1, 1).state).toBe('undetermined');
    expect(differenceOf([7, 7, 7], [7, 7, 7], 0.5, 1, 1).state).toBe('undetermined');
    expect(differenceOf([7, 7, 7], [7, 7, 7], 0.5, 1, 0.001).state).toBe('unchanged');
  });

  it('makes any interval a step wider each way', () => {
    fc.assert(
      fc.property(values, values, fc.double({ min: 0, max: 10, noNaN: true }), (a, b, step) => {
        const [plain, wide] = [differenceOf(a, b, 0, 5, 0), differenceOf(a, b, 0, 5, step)];
        expect(plain.interval!.low - wide.interval!.low).toBeCloseTo(step, 6);
        expect(wide.interval!.high - plain.interval!.high).toBeCloseTo(step, 6);
      }),
    );
  });
});
