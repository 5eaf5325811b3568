import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivalFigures, gapCv2, peakInFlight, ratePerSecond } from '../../src/measure/arrivals.ts';
import { exponential, uniform } from '../../src/measure/random.ts';
import { ledgerOf } from './ledger-builder.ts';

describe('rate and regularity', () => {
  it('knows a constant process', () => {
    const instants = Float64Array.from({ length: 101 }, (_, i) => i * 1e7);
    expect(ratePerSecond(instants)).toBeCloseTo(100, 9);
    expect(gapCv2(instants)).toBeCloseTo(0, 12);
  });
  it('knows a Poisson process', () => {
    const u = uniform(7);
    let at = 0;
    const instants = Float64Array.from({ length: 20_000 }, () => (at += exponential(u) * 1e7));
    expect(ratePerSecond(instants)).toBeCloseTo(100, -0.5);
    expect(gapCv2(instants)).toBeGreaterThan(0.93);
    expect(gapCv2(instants)).toBeLessThan(1.07);
  });
  it('is null where there is too little to say', () => {
    expect(ratePerSecond([1])).toBeNull();
    expect(ratePerSecond([5, 5])).toBeNull();
    expect(gapCv2([1, 2])).toBeNull();
  });
});

describe('concurrency', () => {
  it('equals a count by brute force', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 30 })), {
          maxLength: 30,
        }),
        (spans) => {
          const brute = Math.max(
            0,
            ...spans.map(([start]) => spans.filter(([s, d]) => s <= start && s + d > start).length),
          );
          expect(
            peakInFlight(
              spans.map(([s]) => s),
              spans.map(([s, d]) => s + d),
            ),
          ).toBe(brute);
        },
      ),
    );
  });
  it('counts a request that never ended', () => {
    expect(peakInFlight([0, 1, 2], [Number.NaN, 1.5, Number.NaN])).toBe(2);
  });
});

describe('arrivalFigures', () => {
  it('completions are not diluted by the drain', () => {
    const figures = arrivalFigures(
      ledgerOf(Array.from({ length: 11 }, (_, i) => ({ at: i * 100, tokens: [1000] }))),
    );
    expect(figures.arrivalRps).toBeCloseTo(10, 9);
    expect(figures.completionRps).toBeCloseTo(10, 9);
    expect(figures.outcomes).toEqual({ complete: 11 });
  });
  it('completions are not decided by one late answer, and show a growing backlog', () => {
    const rows = Array.from({ length: 101 }, (_, i) => ({ at: i * 10, tokens: [1] }));
    const late = arrivalFigures(ledgerOf([...rows.slice(0, 100), { at: 1000, tokens: [1, 500] }]));
    expect(late.completionRps).toBeCloseTo(100, 6);
    const backlog = arrivalFigures(ledgerOf(rows.map((row, i) => ({ ...row, end: 10 + i * 2 }))));
    expect(backlog.completionRps).toBeCloseTo(1000 / 12, 6);
  });
});
