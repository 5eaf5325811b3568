import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundedMoment,
  lengthDrawer,
  lengthMoments,
  normalBelow,
  placeLognormal,
} from '../../../src/measure/load/length.ts';
import { formatLength, parseLength } from '../../../src/measure/load/length-text.ts';
import type { LengthSpec } from '../../../src/measure/load/request-shape.ts';
import { TASK_PRESETS } from '../../../src/measure/load/task-presets.ts';
import { uniform } from '../../../src/measure/random.ts';

function sample(spec: LengthSpec, n = 200_000) {
  const draw = lengthDrawer(spec);
  const u = uniform(5, 77);
  const values = Float64Array.from({ length: n }, () => draw(u));
  const mean = values.reduce((a, b) => a + b, 0) / n;
  const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / n;
  return { values, mean, cv: Math.sqrt(variance) / mean, se: Math.sqrt(variance / n) };
}

describe('the normal distribution function', () => {
  // Tables: Φ(1.96), Φ(−1), Φ(3.090232).
  it.each([
    [0, 0.5],
    [1.96, 0.9750021],
    [-1, 0.1586553],
    [3.090232, 0.999],
    [-6, 9.8659e-10],
  ])('at %f', (z, p) => {
    expect(normalBelow(z) / p).toBeCloseTo(1, 4);
    expect(normalBelow(z) + normalBelow(-z)).toBeCloseTo(1, 12);
  });
});

describe('a bounded lognormal', () => {
  it('has the moments of the integral, bounds counted as values', () => {
    const at = { mu: 4, sigma: 1.1, low: 10, high: 300 };
    // Midpoints over z: an integral that knows nothing of the closed form.
    const steps = 200_000;
    let first = 0;
    let second = 0;
    for (let i = 0; i < steps; i++) {
      const z = -9 + (18 * (i + 0.5)) / steps;
      const weight = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * (18 / steps);
      const x = Math.min(300, Math.max(10, Math.exp(4 + 1.1 * z)));
      first += x * weight;
      second += x * x * weight;
    }
    expect(boundedMoment(at, 1) / first).toBeCloseTo(1, 5);
    expect(boundedMoment(at, 2) / second).toBeCloseTo(1, 5);
  });

  it('without bounds that matter is the textbook’s: μ = ln mean − σ²/2', () => {
    const { mu, sigma } = placeLognormal({ kind: 'lognormal', mean: 200, cv: 0.5, low: 1, high: 1e6 });
    expect(sigma).toBeCloseTo(Math.sqrt(Math.log(1.25)), 12);
    expect(mu).toBeCloseTo(Math.log(200) - Math.log(1.25) / 2, 6);
    expect(lengthMoments({ kind: 'lognormal', mean: 200, cv: 0.5, low: 1, high: 1e6 }).cv).toBeCloseTo(
      0.5,
      5,
    );
  });

  it('has the mean that is stated, whatever its bounds cut off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 2, max: 5000 }),
        fc.double({ min: 0.02, max: 0.98, noNaN: true }),
        fc.double({ min: 0.05, max: 4, noNaN: true }),
        (low, width, place, cv) => {
          const mean = low + place * width;
          const { mean: got } = lengthMoments({ kind: 'lognormal', mean, cv, low, high: low + width });
          expect(got / mean).toBeCloseTo(1, 6);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('drawn lengths', () => {
  const specs: readonly string[] = [
    ...Object.values(TASK_PRESETS).flatMap(({ prompt, output }) => [prompt, output]),
    // Short ones, where rounding to the nearest would show, and ones whose bounds cut off a third.
    'lognormal:1.6:0.8:1-9',
    'lognormal:100:1.5:60-220',
    'uniform:3-7',
    'constant:12',
  ];
  it.each(specs)('%s: mean and CV by formula, whole numbers within the bounds', (text) => {
    const spec = parseLength(text);
    const { mean, cv } = lengthMoments(spec);
    const got = sample(spec);
    expect(Math.abs(got.mean - mean)).toBeLessThanOrEqual(4 * got.se);
    // Rounding at random adds at most 1/4 to the variance; the CV of a heavy tail has an error of a few per cent.
    const most = Math.sqrt(cv * cv + 0.25 / mean ** 2);
    expect(got.cv).toBeGreaterThanOrEqual(cv * 0.96);
    expect(got.cv).toBeLessThanOrEqual(most * 1.04);
    const low = spec.kind === 'constant' ? spec.tokens : spec.low;
    const high = spec.kind === 'constant' ? spec.tokens : spec.high;
    expect(got.values.every((v) => Number.isInteger(v) && v >= low && v <= high)).toBe(true);
  });

  it('of a uniform have each value as often', () => {
    const counts = new Map<number, number>();
    for (const v of sample(parseLength('uniform:3-7')).values) counts.set(v, (counts.get(v) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([3, 4, 5, 6, 7]);
    // 40,000 each, ± 4 σ of 179.
    for (const n of counts.values()) expect(Math.abs(n - 40_000)).toBeLessThan(720);
  });

  it('are heavy-tailed: the presets’ p99 is far above the mean', () => {
    const { values, mean } = sample(parseLength(TASK_PRESETS.generation.output));
    const p99 = [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
    expect(p99 / mean).toBeGreaterThan(4);
  });
});

describe('the spelling of a length', () => {
  it('is read as it is written', () => {
    expect(parseLength('lognormal:300:1.2:8-4000')).toEqual({
      kind: 'lognormal',
      mean: 300,
      cv: 1.2,
      low: 8,
      high: 4000,
    });
    expect(parseLength('uniform:10-20')).toEqual({ kind: 'uniform', low: 10, high: 20 });
    expect(parseLength('constant:7')).toEqual(parseLength('7'));
    // Without bounds: from 1 to 30 times the mean.
    expect(parseLength('lognormal:10:1')).toMatchObject({ low: 1, high: 300 });
  });
  it.each(specsOf())('%s comes back', (text) => {
    expect(formatLength(parseLength(text))).toBe(text);
  });
  it.each([
    ['gauss:1:2', /"gauss" is not known/],
    ['constant:0', /whole number from 1/],
    ['constant:1.5', /whole number/],
    ['constant:1:2', /one value/],
    ['uniform:9-3', /9 is more than 3/],
    ['uniform:9', /LOW-HIGH/],
    ['uniform:1-2-3', /LOW-HIGH/],
    ['lognormal:10', /mean and a coefficient/],
    ['lognormal:10:0', /coefficient of variation "0"/],
    ['lognormal:10:-1', /coefficient/],
    ['lognormal:10:1:20-40', /mean 10 must lie between 20 and 40/],
    ['lognormal:1:1', /mean 1 must lie between 1/],
    ['constant:2000000', /1000000/],
    ['', /is not known/],
  ])('%s is refused', (text, why) => {
    expect(() => parseLength(text)).toThrow(why);
    expect(() => parseLength(text)).toThrow(/Accepted: lognormal/);
  });
});

function specsOf(): string[] {
  return Object.values(TASK_PRESETS).flatMap(({ prompt, output }) => [prompt, output]);
}
