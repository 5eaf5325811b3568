import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedule } from '../../../scripts/arrival-power/simulate.ts';
import {
  binomialAtLeast,
  chi2Quantile,
  poissonAtLeast,
  sumDeviation,
} from '../../../src/measure/arrival-process/chance.ts';
import { countsIn, dispersion } from '../../../src/measure/arrival-process/dispersion.ts';
import { ksProbability, ksUniform } from '../../../src/measure/arrival-process/kolmogorov.ts';
import { lewis, poissonTests } from '../../../src/measure/arrival-process/poisson-tests.ts';
import { gammaShape, gapSpread } from '../../../src/measure/arrival-process/spread.ts';
import { gamma, uniform } from '../../../src/measure/random.ts';

describe('Kolmogorov and Smirnov', () => {
  // Critical values of Massey, JASA 46 (1951), table 1; those of four digits of Miller, JASA 51 (1956).
  it.each([
    [10, 0.2, 0.322],
    [10, 0.05, 0.409],
    [10, 0.01, 0.489],
    [20, 0.05, 0.294],
    [20, 0.01, 0.3524],
    [35, 0.05, 0.224],
    [50, 0.05, 0.1884],
    [100, 0.01, 0.1608],
  ])('n = %i: at the published %d critical value the probability is that', (n, p, critical) => {
    expect(ksProbability(critical, n)).toBeGreaterThan(0.96 * p);
    expect(ksProbability(critical, n)).toBeLessThan(1.04 * p);
  });

  it('takes the greater of both sides of a step', () => {
    expect(ksUniform([0.5])).toBe(0.5);
    expect(ksUniform([0.1, 0.2, 0.3])).toBeCloseTo(0.7, 12);
    expect(ksUniform([0.9])).toBe(0.9);
  });

  it('is sure of small distances and of large ones', () => {
    expect(ksProbability(0.001, 100)).toBe(1);
    expect(ksProbability(0.9, 100)).toBeLessThan(1e-60);
  });
});

describe('Poisson tests', () => {
  it('hold their level: 5 % of Poisson processes fail each', () => {
    let uniformFails = 0;
    let lewisFails = 0;
    for (let seed = 1; seed <= 2000; seed++) {
      const tests = poissonTests(Float64Array.from(schedule({ kind: 'poisson' }, 50, 60, seed)))!;
      if (tests.uniform_p < 0.05) uniformFails++;
      if (tests.lewis_p < 0.05) lewisFails++;
    }
    // Three standard deviations of 2,000 draws are 1.5 %.
    expect(Math.abs(uniformFails / 2000 - 0.05)).toBeLessThan(0.015);
    expect(Math.abs(lewisFails / 2000 - 0.05)).toBeLessThan(0.015);
  });

  it('Lewis sees gaps that are not exponential where the plain one does not', () => {
    const tests = poissonTests(Float64Array.from(schedule({ kind: 'gamma', cv2: 0.5 }, 50, 200, 1)))!;
    expect(tests.lewis_p).toBeLessThan(1e-4);
    expect(tests.uniform_p).toBeGreaterThan(0.01);
  });

  it('Lewis: equal gaps are all used up by the first step, one long gap by the last', () => {
    expect([...lewis(Float64Array.of(1, 1, 1, 1))]).toEqual([1, 1, 1]);
    expect([...lewis(Float64Array.of(0, 0, 0, 8))]).toEqual([0, 0, 0]);
    // C = 1, 2, 3 of 6: S(1) = 3·1/6, S(2) = S(1) + 2·1/6.
    expect(lewis(Float64Array.of(3, 1, 2))[0]).toBeCloseTo(3 / 6, 12);
    expect(lewis(Float64Array.of(3, 1, 2))[1]).toBeCloseTo(5 / 6, 12);
  });

  it('does not depend on unit or start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        (seed, scale) => {
          const at = Float64Array.from(schedule({ kind: 'poisson' }, 50, 40, seed));
          const other = poissonTests(at.map((t) => 5 + t * scale))!;
          expect(other.lewis_ks).toBeCloseTo(poissonTests(at)!.lewis_ks, 6);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('dispersion', () => {
  it('is 0 for constant, about 1 for Poisson and about CV² for gamma over long windows', () => {
    const last = (arrivals: Parameters<typeof schedule>[0]) =>
      dispersion(Float64Array.from(schedule(arrivals, 50, 20_000, 1))).find(
        ({ window_s }) => window_s === 1,
      )!;
    expect(last({ kind: 'constant' }).index).toBe(0);
    expect(last({ kind: 'poisson' }).low).toBeLessThan(1);
    expect(last({ kind: 'poisson' }).high).toBeGreaterThan(1);
    expect(last({ kind: 'gamma', cv2: 4 }).index).toBeGreaterThan(3);
  });

  it('counts whole windows only', () => {
    expect([...countsIn(Float64Array.of(0, 1, 9, 10, 11, 25), 10)]).toEqual([3, 2]);
  });
});

describe('chance', () => {
  it('gives published tails', () => {
    expect(chi2Quantile(0.975, 9)).toBeCloseTo(19.023, 3);
    expect(chi2Quantile(0.025, 9)).toBeCloseTo(2.7, 3);
    expect(poissonAtLeast(1, 2)).toBeCloseTo(1 - Math.exp(-2), 12);
    expect(poissonAtLeast(3, 2)).toBeCloseTo(0.323324, 6);
    expect(binomialAtLeast(8, 10, 0.5)).toBeCloseTo(56 / 1024, 12);
    expect(binomialAtLeast(60, 60, 1e-3)).toBeGreaterThan(0);
    expect(sumDeviation(1, 1, 1000)).toBeCloseTo(0.01, 2);
  });
});

describe('spread', () => {
  it.each([0.25, 1, 4])('finds the shape of gamma values, CV² %d', (cv2) => {
    const u = uniform(1, 2);
    const values = Float64Array.from({ length: 20_000 }, () => gamma(u, 1 / cv2));
    expect(1 / gammaShape(values, 0.001 / cv2) / cv2).toBeCloseTo(1, 1);
    // What lies below the floor counts as being there: the shape stays.
    expect(
      1 /
        gammaShape(
          values.map((x) => (x < 0.1 / cv2 ? 0 : x)),
          0.1 / cv2,
        ) /
        cv2,
    ).toBeCloseTo(1, 1);
  });

  it('leaves jitter out: 1,000/s with 1 ms of jitter is constant, though its gaps have a CV² of 1', () => {
    const u = uniform(1, 3);
    const at = Float64Array.from({ length: 3000 }, (_, i) => i - Math.log(u())).sort();
    expect(gapSpread(at)).toMatchObject({ regular: true });
    expect(gapSpread(at).cv2).toBeLessThan(0.15);
  });
});
