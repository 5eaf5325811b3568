/** Arrivals of stages, by time-rescaling. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ksProbability, ksUniform } from '../../../src/measure/arrival-process/kolmogorov.ts';
import { RateCurve } from '../../../src/measure/load/rate-curve.ts';
import { parseBursts, parseStages } from '../../../src/measure/load/stage-text.ts';
import { once, type StagePlan } from '../../../src/measure/load/stages.ts';
import { createSchedule, type ScheduleSpec } from '../../../src/measure/schedule.ts';
import type { Arrivals } from '../../../src/measure/workload.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

function seconds(stages: StagePlan, change: Partial<ScheduleSpec> = {}): number[] {
  const { next } = createSchedule({
    arrivals: { kind: 'constant' },
    rateRps: null,
    requests: UNLIMITED,
    seed: 1,
    stages,
    ...change,
  });
  const all: number[] = [];
  for (let at = next(); !Number.isNaN(at); at = next()) all.push(at / 1e9);
  return all;
}
const of = (text: string): StagePlan => once(parseStages(text));
const POISSON: Arrivals = { kind: 'poisson' };

describe('constant arrivals over stages', () => {
  it('are where Λ is a whole number, in a linear ramp from 0 to 8/s in 4 s: √k', () => {
    const all = seconds(of('4s@0..8'));
    expect(all).toHaveLength(16);
    for (const [k, at] of all.entries()) expect(at).toBeCloseTo(Math.sqrt(k), 9);
  });

  it('are where Λ is a whole number, in a geometric ramp from 1 to 8/s in 3 s: log₂(1 + k ln 2)', () => {
    const all = seconds(of('3s@geometric:1..8'));
    // 7 / ln 2 = 10.1: the last one is number 10.
    expect(all).toHaveLength(11);
    for (const [k, at] of all.entries()) expect(at).toBeCloseTo(Math.log2(1 + k * Math.LN2), 9);
  });

  it('pass over pauses', () => {
    expect(seconds(of('1s@0,1s@2,2s@0,1s@3')).map((s) => Number(s.toFixed(6)))).toEqual([
      1, 1.5, 4, 4.333333, 4.666667,
    ]);
  });

  it('come in bursts, cycle after cycle, and end by time or by number', () => {
    const stages = parseBursts('on=2s@2,off=3s');
    expect(seconds({ stages, lengthS: 11 })).toEqual([0, 0.5, 1, 1.5, 5, 5.5, 6, 6.5, 10, 10.5]);
    expect(seconds({ stages, lengthS: Number.POSITIVE_INFINITY }, { requests: 5 })).toEqual([
      0, 0.5, 1, 1.5, 5,
    ]);
  });

  it('are those of the plain rate where one stage holds it', () => {
    const plain = createSchedule({ arrivals: { kind: 'constant' }, rateRps: 7, requests: 70, seed: 1 });
    const all = seconds(of('10s@7'));
    expect(all).toHaveLength(70);
    for (const at of all) expect(at).toBeCloseTo(plain.next() / 1e9, 9);
  });

  it('follow Λ to within one, in order, for any stages', () => {
    const rate = fc.oneof(fc.constant(0), fc.double({ min: 0.5, max: 300, noNaN: true }));
    const stage = fc
      .record({
        durationS: fc.double({ min: 0.1, max: 4, noNaN: true }),
        fromRps: rate,
        toRps: rate,
        shape: fc.constantFrom('linear' as const, 'geometric' as const),
      })
      .map((s) => (s.fromRps * s.toRps === 0 ? { ...s, shape: 'linear' as const } : s));
    fc.assert(
      fc.property(
        fc.array(stage, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (stages, length, look) => {
          fc.pre(stages.some((s) => s.fromRps + s.toRps > 0));
          const plan = { stages, lengthS: length * once(stages).lengthS };
          const curve = new RateCurve(plan);
          fc.pre(curve.total > 1e-6);
          const all = seconds(plan);
          for (let i = 1; i < all.length; i++) expect(all[i]!).toBeGreaterThanOrEqual(all[i - 1]!);
          const at = look * plan.lengthS;
          const before = all.filter((s) => s <= at).length;
          expect(Math.abs(before - Math.floor(curve.countAt(at)))).toBeLessThanOrEqual(1);
          expect(Math.abs(all.length - curve.total)).toBeLessThan(1 + 1e-6);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('random arrivals over stages', () => {
  const plan = of('10s@50,20s@50..500,5s@0,10s@geometric:20..640');
  const borders = [0, 10, 30, 35, 45];
  const expected = [500, 5500, 0, 620 / (Math.log(32) / 10)];

  it('end by time, and have in each stage a Poisson number', () => {
    let off = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const all = seconds(plan, { arrivals: POISSON, seed });
      expected.forEach((mean, i) => {
        const n = all.filter((s) => s >= borders[i]! && s < borders[i + 1]!).length;
        if (mean === 0) expect(n).toBe(0);
        else {
          // 5 standard deviations; and the squares of all must have the mean 1.
          expect(Math.abs(n - mean)).toBeLessThan(5 * Math.sqrt(mean));
          off += (n - mean) ** 2 / mean;
        }
      });
    }
    // χ² with 120 degrees of freedom: 75 to 178 holds all but 1 in 1,000 on each side.
    expect(off).toBeGreaterThan(75);
    expect(off).toBeLessThan(178);
  });

  it.each([
    ['poisson', POISSON, (x: number) => 1 - Math.exp(-x)],
    // Gamma of shape 2 (CV² 0.5) and mean 1: its distribution function is 1 − e^(−2x)(1 + 2x).
    ['gamma:0.5', { kind: 'gamma', cv2: 0.5 } as const, (x: number) => 1 - Math.exp(-2 * x) * (1 + 2 * x)],
  ])('%s: taken back through Λ the gaps are those of the process', (_name, arrivals, below) => {
    const curve = new RateCurve(plan);
    const counts = seconds(plan, { arrivals, seed: 3 }).map((s) => curve.countAt(s));
    const gaps = counts.map((c, i) => below(c - (i === 0 ? 0 : counts[i - 1]!))).sort((a, b) => a - b);
    expect(gaps.length).toBeGreaterThan(6000);
    expect(ksProbability(ksUniform(gaps), gaps.length)).toBeGreaterThan(0.01);
    // Without the stages they are not: the test can tell.
    const plain = counts.length / 45;
    const times = seconds(plan, { arrivals, seed: 3 });
    const wrong = times
      .map((s, i) => below((s - (i === 0 ? 0 : times[i - 1]!)) * plain))
      .sort((a, b) => a - b);
    expect(ksProbability(ksUniform(wrong), wrong.length)).toBeLessThan(1e-6);
  });

  it('are cut by a limit, and those before it are the same', () => {
    const all = seconds(plan, { arrivals: POISSON });
    expect(seconds(plan, { arrivals: POISSON, requests: 100 })).toEqual(all.slice(0, 100));
  });
});

describe('stages that cannot be', () => {
  it.each([
    [{ stages: { stages: [], lengthS: 1 } }, /no stage/],
    [{ stages: of('1s@0') }, /pause/],
    [{ stages: { ...of('1s@1'), lengthS: 0 } }, /longer than 0/],
    [{ stages: of('1s@1'), arrivals: { kind: 'trace', file: 'x' } as Arrivals }, /own times/],
    [{ stages: of('1s@1'), requests: 0 }, /requests/],
  ])('are refused: %o', (change, message) => {
    expect(() => seconds(of('1s@1'), change)).toThrow(message);
  });
});
