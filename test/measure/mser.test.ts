import { describe, expect, it } from 'vitest';
import { mser5 } from '../../src/measure/mser.ts';
import { normal, uniform } from '../../src/measure/random.ts';

/** The statistic by its definition, for every truncation. */
function byDefinition(values: readonly number[]): number {
  const means: number[] = [];
  for (let i = 0; i + 5 <= values.length; i += 5)
    means.push(values.slice(i, i + 5).reduce((a, b) => a + b) / 5);
  const statistics = means.slice(0, means.length - 4).map((_, d) => {
    const rest = means.slice(d);
    const centre = rest.reduce((a, b) => a + b) / rest.length;
    return rest.reduce((a, y) => a + (y - centre) ** 2, 0) / rest.length ** 2;
  });
  return 5 * statistics.indexOf(Math.min(...statistics));
}

const noisy = (n: number, seed: number, level: (i: number) => number): number[] => {
  const u = uniform(seed, 1, 1);
  return Array.from({ length: n }, (_, i) => level(i) + normal(u));
};

describe('MSER-5', () => {
  it('leaves out a transient that is known, and no more than a few batches beside', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const values = noisy(1000, seed, (i) => (i < 200 ? 20 * (1 - i / 200) : 0));
      const found = mser5(values);
      expect(found.state).toBe('found');
      const cut = found.state === 'found' ? found.values : Number.NaN;
      expect(cut).toBeGreaterThanOrEqual(160);
      expect(cut).toBeLessThanOrEqual(280);
      expect(cut).toBe(byDefinition(values));
    }
  });

  it('leaves out exactly a step', () => {
    const values = Array.from({ length: 400 }, (_, i) => (i < 55 ? 9 : 1));
    expect(mser5(values)).toEqual({ state: 'found', values: 55, batches: 80 });
  });

  it('leaves nothing out of a series that is steady: constant, or hardly any of noise', () => {
    expect(mser5(new Array(200).fill(3))).toEqual({ state: 'found', values: 0, batches: 40 });
    let left = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const found = mser5(noisy(2000, seed, () => 5));
      left += found.state === 'found' ? found.values : 2000;
    }
    expect(left / 20).toBeLessThan(200);
  });

  it('refuses a series that grows all along, and one that is short', () => {
    expect(mser5(Array.from({ length: 500 }, (_, i) => i ** 2))).toEqual({
      state: 'refused',
      why: expect.stringMatching(/^no steady state: by MSER-5 \d+ of 100 batches of 5 would go/),
    });
    expect(mser5(new Array(99).fill(1))).toEqual({
      state: 'refused',
      why: '99 values are too few: 100 are needed',
    });
  });
});
