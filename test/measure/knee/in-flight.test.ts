import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockMeans, countAt, firstAfter, inFlight, lastBelow } from '../../../src/measure/knee/in-flight.ts';
import type { StepRequests } from '../../../src/measure/knee/types.ts';

const requests = (pairs: readonly (readonly [number, number])[]): StepRequests => ({
  scheduledS: Float64Array.from(pairs, ([sent]) => sent),
  sentS: Float64Array.from(pairs, ([sent]) => sent),
  endS: Float64Array.from(pairs, ([, end]) => end),
  ok: new Uint8Array(pairs.length).fill(1),
});

describe('requests under way', () => {
  const flight = inFlight(
    requests([
      [1, 3],
      [2, 5],
      [4, Number.NaN],
      [Number.NaN, 4],
    ]),
  );

  it('are those sent and not ended; one without an end stays, one that was never sent does not count', () => {
    expect([0, 1, 2, 2.9, 3, 4, 5, 99].map((s) => countAt(flight, s))).toEqual([0, 1, 2, 2, 1, 2, 1, 1]);
  });

  it('have means by blocks: the area under them', () => {
    expect([...blockMeans(flight, 0, 6, 3)]).toEqual([0.5, 1.5, 1.5]);
    expect([...blockMeans(flight, 1, 5, 1)]).toEqual([1.5]);
  });

  it('were below a level last when it was next reached for good', () => {
    const rising = inFlight(
      requests([
        [1, 2],
        [3, 9],
        [4, 9],
        [5, 9],
      ]),
    );
    expect(lastBelow(rising, 1, 8)).toBe(3);
    expect(lastBelow(rising, 2, 8)).toBe(4);
    expect(lastBelow(rising, 4, 8)).toBe(8);
    expect(lastBelow(inFlight(requests([[2, 9]])), 1, 8)).toBe(2);
  });

  it('are what counting one by one gives', () => {
    const pair = fc.tuple(fc.nat(50), fc.nat(20)).map(([at, more]) => [at, at + more + 1] as const);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), fc.nat(80), (pairs, at) => {
        const counted = pairs.filter(([sent, end]) => sent <= at && end > at).length;
        expect(countAt(inFlight(requests(pairs)), at)).toBe(counted);
      }),
    );
  });

  it('finds the first value above another', () => {
    const sorted = Float64Array.of(1, 2, 2, 3);
    expect([0, 1, 2, 3].map((s) => firstAfter(sorted, s))).toEqual([0, 1, 3, 4]);
  });
});
