import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateCurve, stageCount, stageInstant } from '../../../src/measure/load/rate-curve.ts';
import { once, type Stage, type StagePlan } from '../../../src/measure/load/stages.ts';

const stage = (
  durationS: number,
  fromRps: number,
  toRps = fromRps,
  shape: Stage['shape'] = 'linear',
): Stage => ({ durationS, fromRps, toRps, shape });

const rps = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 1e4, noNaN: true }));
const anyStage: fc.Arbitrary<Stage> = fc
  .record({
    durationS: fc.double({ min: 0.05, max: 100, noNaN: true }),
    fromRps: rps,
    toRps: rps,
    shape: fc.constantFrom('linear' as const, 'geometric' as const),
  })
  .filter((s) => s.shape === 'linear' || (s.fromRps > 0 && s.toRps > 0));
const anyPlan: fc.Arbitrary<StagePlan> = fc
  .array(anyStage, { minLength: 1, maxLength: 6 })
  .filter((stages) => stages.some((s) => s.fromRps + s.toRps > 0))
  .chain((stages) =>
    fc.record({
      stages: fc.constant(stages),
      lengthS: fc.double({ min: 0.2, max: 3, noNaN: true }).map((share) => share * once(stages).lengthS),
    }),
  );

/** Λ by adding up the rate in small steps (Simpson's rule): knows none of the closed forms. */
function byAdding(curve: RateCurve, from: number, to: number, steps = 2000): number {
  const h = (to - from) / steps;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const at = from + i * h;
    sum += (curve.rateAt(at) + 4 * curve.rateAt(at + h / 2) + curve.rateAt(at + h)) * (h / 6);
  }
  return sum;
}

describe('a stage', () => {
  it.each([
    // 0 to 100/s in 10 s is 5 t²: 125 at 5 s, 500 in all.
    [stage(10, 0, 100), 5, 125],
    [stage(10, 0, 100), 10, 500],
    // Down from 100/s: 100 t − 5 t².
    [stage(10, 100, 0), 5, 375],
    [stage(10, 100, 0), 10, 500],
    // 10 to 40/s in 6 s: 10 t + 2.5 t².
    [stage(6, 10, 40), 2, 30],
    [stage(10, 50), 0.4, 20],
    // 50 to 800/s in 4 s doubles each second: 50 (2^t − 1)/ln 2.
    [stage(4, 50, 800, 'geometric'), 1, 50 / Math.LN2],
    [stage(4, 50, 800, 'geometric'), 4, 750 / Math.LN2],
    [stage(4, 800, 50, 'geometric'), 1, 400 / Math.LN2],
  ])('%o has been due at %d s %d requests', (s, at, count) => {
    expect(stageCount(s, at)).toBeCloseTo(count, 9);
    expect(stageInstant(s, count)).toBeCloseTo(at, 9);
  });

  it('begins at its first instant whatever its rate', () => {
    for (const s of [stage(10, 0, 100), stage(10, 100, 0), stage(1, 2, 9, 'geometric'), stage(1, 3)])
      expect(stageInstant(s, 0)).toBe(0);
  });
});

describe('the rate curve', () => {
  const pauses = new RateCurve(once([stage(10, 50), stage(10, 0), stage(20, 5)]));

  it('passes over a pause: what is due at its beginning is due at its end', () => {
    expect(pauses.total).toBe(600);
    expect(pauses.instantAt(499)).toBeCloseTo(9.98, 12);
    expect(pauses.instantAt(500)).toBe(20);
    expect(pauses.instantAt(501)).toBeCloseTo(20.2, 12);
    expect(pauses.instantAt(599)).toBeCloseTo(39.8, 12);
    expect(pauses.instantAt(600)).toBeNaN();
  });

  it('gives a border to what follows, and the end to the last stage', () => {
    expect([0, 9.99, 10, 19.99, 20, 40, 99].map((s) => pauses.stageAt(s))).toEqual([0, 0, 1, 1, 2, 2, 2]);
    expect([0, 10, 20, 39, 40].map((s) => pauses.rateAt(s))).toEqual([50, 0, 5, 5, 0]);
  });

  it('says how long each stage was gone through', () => {
    expect(pauses.timeIn(15)).toEqual([10, 5, 0]);
    expect(pauses.timeIn(1e9)).toEqual([10, 10, 20]);
  });

  it('begins anew, and may be cut in the midst', () => {
    const bursts = new RateCurve({ stages: [stage(2, 200), stage(3, 0)], lengthS: 11 });
    expect(bursts.total).toBe(1000);
    expect(bursts.instantAt(400)).toBe(5);
    expect(bursts.instantAt(801)).toBeCloseTo(10.005, 12);
    expect(bursts.timeIn(11)).toEqual([5, 6]);
    expect(bursts.stageAt(10)).toBe(0);
    expect(bursts.countAt(7)).toBe(800);
  });

  it('has no end where only the number of requests ends it', () => {
    const bursts = new RateCurve({
      stages: [stage(0.1, 30), stage(0.2, 0)],
      lengthS: Number.POSITIVE_INFINITY,
    });
    // 3 requests a cycle of 0.3 s: after a million cycles nothing has added up.
    expect(bursts.instantAt(3_000_000)).toBeCloseTo(300_000, 6);
    expect(bursts.stageAt(bursts.instantAt(3_000_000))).toBe(0);
  });

  it('adds up to the integral of its rate, for any stages', () => {
    fc.assert(
      fc.property(anyStage, fc.double({ min: 0.05, max: 0.999, noNaN: true }), (s, share) => {
        fc.pre(s.fromRps + s.toRps > 0);
        const curve = new RateCurve(once([s]));
        const until = share * s.durationS;
        const added = byAdding(curve, 0, until);
        expect(Math.abs(curve.countAt(until) - added)).toBeLessThan(1e-4 * Math.max(1, added));
      }),
    );
  });

  it('is the inverse of its inverse, for any stages', () => {
    fc.assert(
      fc.property(anyPlan, fc.double({ min: 1e-9, max: 0.999, noNaN: true }), (plan, share) => {
        const curve = new RateCurve(plan);
        fc.pre(curve.total > 1e-3);
        const count = share * curve.total;
        const at = curve.instantAt(count);
        expect(at).toBeLessThanOrEqual(plan.lengthS * (1 + 1e-12));
        expect(Math.abs(curve.countAt(at) - count)).toBeLessThan(1e-6 * Math.max(1, count));
      }),
      { numRuns: 1000 },
    );
  });
});
