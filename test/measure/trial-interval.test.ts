import { describe, expect, it } from 'vitest';
import { type Blocked, blocksFor, equalBlocks } from '../../src/measure/blocks.ts';
import { normal, uniform } from '../../src/measure/random.ts';
import { trialFigures } from '../../src/measure/trial-interval.ts';

const PS = [0.5, 0.9, 0.99];

const blocked = (values: Float64Array): Blocked => ({
  values,
  blockOf: equalBlocks(values.length, blocksFor(values.length)),
});
const noise = (seed: number, n: number, of: (z: number, i: number) => number = (z) => z) => {
  const u = uniform(seed);
  return blocked(Float64Array.from({ length: n }, (_, i) => of(normal(u), i)));
};
const figures = (reported: Blocked, expected: Blocked | null = null) =>
  trialFigures(reported, expected, blocksFor(reported.values.length), PS);
const width = (figure: ReturnType<typeof figures>[number]) => figure.interval!.high - figure.interval!.low;

describe('blocksFor', () => {
  it.each([
    [39, 3],
    [50, 5],
    [150, 10],
    [200, 20],
    [399, 20],
    [400, 40],
    [96_000, 40],
  ])('%d requests: %d blocks of ten or more', (n, blocks) => expect(blocksFor(n)).toBe(blocks));
});

describe('trialFigures', () => {
  it('gives 2·t(0.975, 19)·σ/√n for the mean of independent values', () => {
    const widths = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => width(figures(noise(seed, 2000))[0]!));
    const average = widths.reduce((a, b) => a + b) / widths.length;
    expect(average).toBeGreaterThan(0.85 * 2 * 2.093 * Math.sqrt(1 / 2000));
    expect(average).toBeLessThan(1.2 * 2 * 2.093 * Math.sqrt(1 / 2000));
  });
  it('cancels what both sides share', () => {
    const shared = noise(12, 3000);
    const shifted = { ...shared, values: shared.values.map((value) => value + 7) };
    for (const figure of figures(shifted, shared)) {
      expect(figure.reason).toBeNull();
      expect(figure.point).toBeCloseTo(7, 6);
      expect(figure.interval!.low).toBeCloseTo(7, 6);
      expect(figure.interval!.high).toBeCloseTo(7, 6);
    }
  });
  it('is wider where neighbours are alike', () => {
    const [alone, alike] = [noise(4, 2000), noise(4, 2000)];
    for (let i = 1; i < 2000; i++) alike.values[i] = 0.8 * alike.values[i - 1]! + 0.6 * alike.values[i]!;
    for (const s of [0, 1, 2])
      expect(width(figures(alike)[s]!)).toBeGreaterThan(1.6 * width(figures(alone)[s]!));
  });
  it('says how many requests p99 needs, instead of an interval that is too narrow', () => {
    const [, p50, p90, p99] = figures(noise(5, 300));
    expect([p50!.reason, p90!.reason]).toEqual([null, null]);
    expect(p99!.interval).toBeNull();
    expect(p99!.reason).toMatch(/p99 needs 368 independent requests, and these 300 values are worth \d+/);
  });
  it('has p99 of a thousand independent requests, but for a few trials whose blocks differ by chance', () => {
    const without = Array.from({ length: 100 }, (_, seed) => figures(noise(seed, 1000))[3]!).filter(
      (figure) => figure.interval === null,
    );
    expect(without.length).toBeLessThanOrEqual(6);
  });
  it('is a point where all values are the same', () => {
    for (const figure of figures(noise(1, 1000, () => 2)))
      expect(figure).toMatchObject({ point: 2, interval: { low: 2, high: 2 }, reason: null });
  });
  it('holds no interval, and says why, where a side is empty or too short', () => {
    const empty = { values: new Float64Array(0), blockOf: new Int32Array(0) };
    for (const [a, b] of [
      [empty, noise(1, 100)],
      [noise(1, 30), null],
    ] as const)
      for (const figure of trialFigures(a, b, 3, PS)) expect(figure.reason).toMatch(/too few/);
  });
});
