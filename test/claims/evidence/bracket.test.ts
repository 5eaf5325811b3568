import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  equalWork,
  hullOf,
  type MeasuredBias,
  ratesAround,
  SAME_RATE,
} from '../../../src/claims/evidence/bracket.ts';

const points: readonly MeasuredBias[] = [
  { rate_rps: 50, low_ms: 1, high_ms: 2 },
  { rate_rps: 100, low_ms: 0.5, high_ms: 0.8 },
  { rate_rps: 200, low_ms: -1, high_ms: 3 },
  { rate_rps: 400, low_ms: 7, high_ms: 9 },
];
const rates = points.map(({ rate_rps }) => rate_rps);
const at = (from: number, to = from) => {
  const around = ratesAround(rates, [from, to]);
  return around === null ? null : hullOf(points.filter(({ rate_rps }) => around.includes(rate_rps)));
};

describe('a bracket of audited rates', () => {
  it.each([
    ['a measured rate stands alone', 100, 100, { low_ms: 0.5, high_ms: 0.8, rates_rps: [100, 100] }],
    ['so does one within 1 % of it', 99.2, 99.2, { low_ms: 0.5, high_ms: 0.8, rates_rps: [100, 100] }],
    [
      'between two: the hull, though the bias falls there',
      70,
      70,
      { low_ms: 0.5, high_ms: 2, rates_rps: [50, 100] },
    ],
    ['a range takes in what lies inside', 60, 150, { low_ms: -1, high_ms: 3, rates_rps: [50, 200] }],
    ['the highest', 400, 400, { low_ms: 7, high_ms: 9, rates_rps: [400, 400] }],
    ['below the lowest: nothing', 40, 40, null],
    ['above the highest: nothing', 410, 410, null],
    ['a range that reaches beyond: nothing', 300, 500, null],
    ['of a single end within: nothing', 30, 60, null],
    ['a range from just below a rate', 49.6, 120, { low_ms: -1, high_ms: 3, rates_rps: [50, 200] }],
  ] as const)('%s', (_, from, to, expected) => {
    expect(at(from, to)).toEqual(expected);
  });

  it('leaves out no rate that lies in the range, however near its neighbours', () => {
    expect(ratesAround([100, 100.4, 100.8], [99.5, 100.4])).toEqual([100, 100.4]);
  });

  it('says nothing where nothing was measured', () => {
    expect(ratesAround([], [1, 1])).toBeNull();
    expect(hullOf([])).toBeNull();
  });

  const whole = (min: number, max: number) => fc.integer({ min, max });
  const measured = fc.uniqueArray(
    fc.record({ rate_rps: whole(1, 600), low_ms: whole(-50, 50), width: whole(0, 50) }),
    { minLength: 1, maxLength: 8, selector: ({ rate_rps }) => rate_rps },
  );
  const range = fc
    .tuple(whole(1, 1300), whole(0, 300))
    .map(([from, width]) => [from / 2, (from + width) / 2] as const);

  it('always holds the intervals of both neighbours, and never one beyond what was measured', () => {
    fc.assert(
      fc.property(measured, range, (list, [from, to]) => {
        const all = list.map((one) => ({ ...one, high_ms: one.low_ms + one.width }));
        const around = ratesAround(
          all.map(({ rate_rps }) => rate_rps),
          [from, to],
        );
        const sorted = [...all].sort((a, b) => a.rate_rps - b.rate_rps);
        if (around === null) {
          const inside = sorted[0]!.rate_rps <= from && sorted.at(-1)!.rate_rps >= to;
          return !inside;
        }
        const hull = hullOf(all.filter(({ rate_rps }) => around.includes(rate_rps)))!;
        // The nearest measured rates, 1 % off the range and further.
        const below = sorted.filter(({ rate_rps }) => rate_rps <= from * (1 + SAME_RATE)).at(-1);
        const above = sorted.find(({ rate_rps }) => rate_rps * (1 + SAME_RATE) >= to);
        const inside = sorted.filter(({ rate_rps }) => rate_rps >= from && rate_rps <= to);
        const held = [below, above, ...inside].every(
          (one) => one !== undefined && hull.low_ms <= one.low_ms && hull.high_ms >= one.high_ms,
        );
        const [low, high] = hull.rates_rps;
        return held && low <= from * (1 + SAME_RATE) && high * (1 + SAME_RATE) >= to;
      }),
      { numRuns: 5000 },
    );
  });
});

describe('equal work', () => {
  it('is the rate itself where replies are as long', () => {
    expect(equalWork([100, 120], 16, 16)).toEqual([100, 120]);
  });

  it('holds the rate at which any cost by request and token comes to as much', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 2000, noNaN: true }),
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 1, max: 4000 }),
        fc.double({ min: 1, max: 500, noNaN: true }),
        fc.double({ min: 0, max: 500, noNaN: true }),
        (rps, claimed, audited, request, token) => {
          const [low, high] = equalWork([rps, rps], claimed, audited);
          const equal = (rps * (request + token * claimed)) / (request + token * audited);
          return low <= equal * (1 + 1e-9) && equal <= high * (1 + 1e-9);
        },
      ),
    );
  });
});
