import { describe, expect, it } from 'vitest';
import { type Gates, simulateGates } from '../../../scripts/gate-errors.ts';
import {
  confidenceAt,
  FIRST_LOOK,
  judgeLook,
  lookAt,
  meanAt,
  partsAt,
  repetitionsFor,
} from '../../../src/measure/gate/looks.ts';

describe('the share of the error at each look', () => {
  it('begins with the third repetition', () => {
    expect([1, 2, 3, 4, 10].map(lookAt)).toEqual([0, 0, 1, 2, 8]);
  });

  it('is never more than all of it, however many looks there are', () => {
    for (const checks of [1, 4, 12]) {
      let spent = 0;
      for (let look = 1; look <= 10_000; look++) spent += checks / partsAt(look, checks);
      expect(spent).toBeLessThan(1);
      expect(spent).toBeGreaterThan(0.9998);
    }
  });

  it('is half of it at the first', () => {
    expect(confidenceAt(1, 1)).toBeCloseTo(0.975, 12);
    expect(confidenceAt(2, 4)).toBeCloseTo(1 - 0.05 / 24, 12);
  });
});

describe('an interval at a look', () => {
  it('is Student’s, with that share: t(0.9875, 2) = 6.205', () => {
    // Mean 2, s = 1: the half is 6.2053 / √3.
    const { low, high } = meanAt([1, 2, 3])(partsAt(1, 1))!;
    expect(low).toBeCloseTo(2 - 6.2053 / Math.sqrt(3), 3);
    expect(high).toBeCloseTo(2 + 6.2053 / Math.sqrt(3), 3);
  });

  it('is none of two repetitions', () => {
    expect(meanAt([1, 2])(1)).toBeNull();
  });
});

describe('what a look tells', () => {
  const limits = (most: number) => ({
    within: ({ high }: { high: number }) => high <= most,
    beyond: ({ low }: { low: number }) => low > most,
  });
  // Half of the interval: 3.583 for one check, 7.29 for four.
  const at = meanAt([1, 2, 3]);

  it('passes by the interval of the check alone, since all checks must pass', () => {
    expect(judgeLook(at, 1, 4, limits(5.6))).toMatchObject({ state: 'pass', confidence: 0.975 });
    expect(judgeLook(at, 1, 4, limits(5.5)).state).toBe('undetermined');
  });

  it('fails by the wider one that all checks share, since any may fail the whole', () => {
    expect(judgeLook(at, 1, 1, limits(-1.6)).state).toBe('fail');
    expect(judgeLook(at, 1, 4, limits(-1.6))).toMatchObject({ state: 'undetermined', confidence: 0.975 });
    expect(judgeLook(at, 1, 4, limits(-5.4))).toMatchObject({ state: 'fail', confidence: 1 - 0.05 / 8 });
  });

  it('is nothing before the first look', () => {
    expect(judgeLook(at, 0, 1, limits(100))).toEqual({
      state: 'undetermined',
      interval: null,
      confidence: null,
    });
  });
});

describe('how many repetitions would tell', () => {
  it('is the first number with which the interval is short enough', () => {
    const values = [0.8, 1, 1.2];
    const n = repetitionsFor(values, 0.3, 1)!;
    expect(n).toBeGreaterThan(FIRST_LOOK);
    const half = (count: number) => {
      // As many values with the same mean and variance.
      const d = 0.2 * Math.sqrt((count - 1) / count);
      const even = Array.from({ length: count }, (_, i) => 1 + (i % 2 === 0 ? d : -d));
      return meanAt(even)(partsAt(lookAt(count), 1))!.high - 1;
    };
    if (n % 2 === 0) expect(half(n)).toBeLessThan(0.3);
    expect(half(n - (n % 2 === 0 ? 2 : 1))).toBeGreaterThan(0.3);
  });

  it('is not told of a figure at its limit', () => {
    expect(repetitionsFor([0.8, 1, 1.2], 0, 1)).toBeNull();
    expect(repetitionsFor([0.8, 1, 1.2], 1e-4, 1)).toBeNull();
  });
});

describe('how often a gate errs', () => {
  const of = (change: Partial<Gates>): Gates => ({
    gates: 800,
    seed: 3,
    figures: 4,
    most: 8,
    bias: [0.3, 0.3],
    spread: 0.2,
    shape: 'normal',
    looking: 'spent',
    ...change,
  });

  it.each(['normal', 'skewed'] as const)(
    'a figure at the limit passes and fails in fewer than 5 of 100 (%s)',
    (shape) => {
      expect(simulateGates(of({ shape, bias: [1, 0] })).pass).toBeLessThan(0.05);
      expect(simulateGates(of({ shape, bias: [1, 1] })).fail).toBeLessThan(0.05);
      expect(simulateGates(of({ shape, bias: [-1, 0] })).pass).toBeLessThan(0.05);
    },
  );

  it('a stall in one repetition of ten makes a figure at the limit pass oftener than that: docs/gate.md says it', () => {
    expect(simulateGates(of({ shape: 'stalls', bias: [1, 0] })).pass).toBeGreaterThan(0.05);
  });

  it('values that are rounded do not pass for it, though all are equal', () => {
    const pass = simulateGates(of({ shape: 'rounded', bias: [1.001, 0], spread: 0.05 })).pass;
    expect(pass).toBeLessThan(0.05);
  });

  it('looking eight times as if each look were the only one errs far more often', () => {
    expect(simulateGates(of({ bias: [1, 1], looking: 'naive' })).fail).toBeGreaterThan(0.1);
  });

  it('what is clear is decided, and at the first look', () => {
    const good = simulateGates(of({ spread: 0.05 }));
    expect(good.pass).toBeGreaterThan(0.99);
    expect(good.repetitions).toBeLessThan(4);
    const bad = simulateGates(of({ bias: [3, 0], spread: 0.2 }));
    expect(bad.fail).toBeGreaterThan(0.99);
  });
});
