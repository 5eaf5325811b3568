import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchedule, parseTrace, type ScheduleSpec } from '../../src/measure/schedule.ts';
import type { Arrivals } from '../../src/measure/workload.ts';

function offsets(spec: ScheduleSpec): number[] {
  const schedule = createSchedule(spec);
  const all: number[] = [];
  for (let at = schedule.next(); !Number.isNaN(at); at = schedule.next()) all.push(at);
  return all;
}

/** Gaps, from the start on, in units of the mean gap that was asked. */
function gaps(arrivals: Arrivals, requests: number, seed = 1): number[] {
  const all = offsets({ arrivals, rateRps: 1000, requests, seed });
  return all.map((at, i) => (at - (i === 0 ? 0 : all[i - 1]!)) / 1e6);
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const cv2 = (values: readonly number[]): number => {
  const m = mean(values);
  return mean(values.map((v) => (v - m) ** 2)) / m ** 2;
};

const anyArrivals: fc.Arbitrary<Arrivals> = fc.oneof(
  fc.constant<Arrivals>({ kind: 'constant' }),
  fc.constant<Arrivals>({ kind: 'poisson' }),
  fc.double({ min: 0.05, max: 20, noNaN: true }).map((value): Arrivals => ({ kind: 'gamma', cv2: value })),
);

describe('createSchedule', () => {
  it('places constant arrivals from 0 on, without a growing rounding error', () => {
    const all = offsets({ arrivals: { kind: 'constant' }, rateRps: 3, requests: 3_000_001, seed: 1 });
    expect(all[0]).toBe(0);
    expect(all[3_000_000]).toBe(1_000_000 * 1e9);
  });

  // 200,000 gaps: the standard error of their mean is CV/447, that of the CV² of an exponential about 0.006.
  it.each([
    ['poisson', { kind: 'poisson' }, 1],
    ['gamma:0.25', { kind: 'gamma', cv2: 0.25 }, 0.25],
    ['gamma:4', { kind: 'gamma', cv2: 4 }, 4],
  ] as const)('%s has the mean and the CV² that were asked', (_name, arrivals, expected) => {
    const all = gaps(arrivals, 200_000);
    expect(mean(all)).toBeCloseTo(1, 1.5);
    expect(Math.abs(cv2(all) / expected - 1)).toBeLessThan(0.05);
  });

  it('gives the number that was asked, in order, the same for the same seed and another for another', () => {
    fc.assert(
      fc.property(
        anyArrivals,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 0, max: 2 ** 40 }),
        (arrivals, requests, seed) => {
          const spec = { arrivals, rateRps: 77, requests, seed };
          const all = offsets(spec);
          expect(all).toHaveLength(requests);
          expect(all.every((at, i) => at >= (all[i - 1] ?? 0))).toBe(true);
          expect(offsets(spec)).toEqual(all);
          if (arrivals.kind !== 'constant') expect(offsets({ ...spec, seed: seed + 1 })).not.toEqual(all);
        },
      ),
    );
  });

  it('draws a gap that does not depend on how many follow', () => {
    const short = gaps({ kind: 'poisson' }, 10);
    expect(gaps({ kind: 'poisson' }, 1000).slice(0, 10)).toEqual(short);
  });

  it.each([
    [{ rateRps: 0 }, /rate/],
    [{ rateRps: Number.POSITIVE_INFINITY }, /rate/],
    [{ rateRps: null }, /rate/],
    [{ requests: 0 }, /requests/],
    [{ requests: 1.5 }, /requests/],
    [{ arrivals: { kind: 'trace', file: 'x' } as const, trace: [] }, /trace/],
    [{ arrivals: { kind: 'trace', file: 'x' } as const, trace: [1, 1] }, /rescaled/],
  ])('refuses %o', (change, message) => {
    const spec = { arrivals: { kind: 'poisson' } as Arrivals, rateRps: 1, requests: 1, seed: 1, ...change };
    expect(() => createSchedule(spec)).toThrow(message);
  });
});

describe('a trace', () => {
  const trace = [0.5, 0.6, 0.6, 1.5];
  const arrivals: Arrivals = { kind: 'trace', file: 'x.csv' };

  it('keeps its own times without a rate', () => {
    const all = offsets({ arrivals, rateRps: null, requests: 10, seed: 1, trace });
    expect(all).toEqual([5e8, 6e8, 6e8, 1.5e9]);
  });

  it('is rescaled to a rate: (n − 1) gaps over the time between first and last', () => {
    const all = offsets({ arrivals, rateRps: 30, requests: 4, seed: 1, trace });
    expect((3 / (all[3]! - all[0]!)) * 1e9).toBeCloseTo(30, 9);
  });

  it('is read from lines, from CSV by its header, with a byte order mark and CRLF', () => {
    expect(parseTrace('0\n0.25\n\n# a remark\n1e1\n')).toEqual([0, 0.25, 10]);
    expect(parseTrace('\uFEFFid,"timestamp",tokens\r\n7,0.5,16\r\n8,2,16\r\n')).toEqual([0.5, 2]);
    expect(parseTrace('seconds;x\n1;9\n2;9')).toEqual([1, 2]);
  });

  it.each([
    ['0\n2\n1', /line 3 .* back/],
    ['0\nabc', /line 2/],
    ['0\n-1', /line 2/],
    ['0,1\n,2', /line 2/],
    ['offset\n', /no arrivals/],
    ['', /no arrivals/],
    ['1\nNaN', /line 2/],
    ['1\nInfinity', /line 2/],
  ])('refuses %j', (text, message) => {
    expect(() => parseTrace(text)).toThrow(message);
  });
});
