import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsFor, extentS, fitExtent, runsOf } from '../../../src/measure/profile/design.ts';
import { GOOD_RHO, goodTo } from '../../../src/measure/profile/good-to.ts';
import {
  chooseRate,
  DIRECT_ROOM,
  guessCost,
  nextPilot,
  USUAL_RHO,
} from '../../../src/measure/profile/rate.ts';

const ids = (cells: readonly { id: string }[]) => cells.map(({ id }) => id);

describe('the design', () => {
  it('varies tokens at a small prompt, the prompt at 16 tokens, and has one corner', () => {
    expect(ids(cellsFor(() => true, 'full'))).toEqual([
      't1-p16',
      't16-p16',
      't64-p16',
      't256-p16',
      't16-p190',
      't16-p2900',
      't256-p2900',
    ]);
    expect(ids(cellsFor(() => true, 'short'))).toEqual(['t1-p16', 't64-p16', 't256-p16', 't16-p2900']);
  });

  it('takes the longest prompt and the fewest tokens that a client takes', () => {
    const takes = ({ tokens, promptTokens }: { tokens: number; promptTokens: number }) =>
      tokens >= 4 && promptTokens <= 1024;
    expect(ids(cellsFor(takes, 'short'))).toEqual(['t4-p16', 't64-p16', 't256-p16', 't16-p1000']);
    expect(ids(cellsFor(({ promptTokens }) => promptTokens < 100, 'short'))).not.toContain('t16-p500');
  });

  it('runs every cell once a repetition, in an order that a seed decides (property)', () => {
    const cells = cellsFor(() => true, 'full');
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 5 }), (seed, repetitions) => {
        const runs = runsOf(cells, repetitions, seed);
        for (let r = 1; r <= repetitions; r++)
          expect(ids(runs.filter((run) => run.repetition === r).map(({ cell }) => cell)).sort()).toEqual(
            ids(cells).sort(),
          );
        expect(runsOf(cells, repetitions, seed)).toEqual(runs);
      }),
    );
    const orders = [1, 2, 3, 4].map((seed) => ids(runsOf(cells, 1, seed).map(({ cell }) => cell)).join());
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  it('measures as much as the budget has room for, and never less than two repetitions', () => {
    const many = fitExtent(3600, 2);
    expect(many).toMatchObject({ size: 'full', repetitions: 5 });
    const some = fitExtent(120, 2);
    expect(extentS(some, 2)).toBeLessThanOrEqual(120);
    expect(some.repetitions).toBeGreaterThanOrEqual(2);
    expect(fitExtent(1, 2).repetitions).toBe(2);
  });
});

describe('the rate', () => {
  const request = { writes: 1, promptTokens: 16 };

  it('keeps the client as busy as it shall be', () => {
    expect(chooseRate(1000, USUAL_RHO, request, 3, DIRECT_ROOM)).toEqual({ rps: 300, limited: null });
    expect(chooseRate(50_000, USUAL_RHO, request, 10, DIRECT_ROOM)).toEqual({ rps: 6, limited: null });
  });

  it('is held down by what the target can do, and held up by the requests that a run needs', () => {
    expect(chooseRate(10, USUAL_RHO, request, 3, DIRECT_ROOM)).toEqual({
      rps: DIRECT_ROOM.requestsPerS,
      limited: 'target',
    });
    expect(chooseRate(10, USUAL_RHO, { writes: 256, promptTokens: 16 }, 3, DIRECT_ROOM).rps).toBe(
      Math.round(DIRECT_ROOM.writesPerS / 256),
    );
    expect(chooseRate(10, USUAL_RHO, { writes: 1, promptTokens: 2900 }, 3, DIRECT_ROOM).rps).toBe(
      Math.round(DIRECT_ROOM.promptTokensPerS / 2900),
    );
    expect(chooseRate(1e6, USUAL_RHO, request, 3, DIRECT_ROOM)).toEqual({ rps: 8, limited: 'requests' });
  });

  it('a pilot near enough is the last one; another one is no more than six times off', () => {
    expect(nextPilot(100, 0.3)).toBeNull();
    expect(nextPilot(100, 0.15)).toBeCloseTo(200, 9);
    expect(nextPilot(100, 0.9)).toBeCloseTo(100 / 3, 9);
    expect(nextPilot(100, 0.001)).toBe(600);
    expect(nextPilot(100, 0)).toBe(600);
  });

  it('guesses a cost from the same kind of request, else from a plane through few, many and long', () => {
    const known = [
      { tokens: 1, promptTokens: 16, us: 100 },
      { tokens: 256, promptTokens: 16, us: 100 + 255 * 10 },
      { tokens: 16, promptTokens: 2900, us: 100 + 15 * 10 + 500 },
    ];
    expect(guessCost([], 16, 16)).toBeNull();
    expect(guessCost(known, 256, 16)).toBe(2650);
    expect(guessCost(known, 64, 16)).toBeCloseTo(100 + 63 * 10, 6);
    // The long prompt was run with 16 tokens: what they cost is not the prompt's.
    expect(guessCost(known, 64, 2900)).toBeCloseTo(100 + 63 * 10 + 500, 6);
    expect(guessCost(known, 1, 1458)).toBeCloseTo(100 + 250, 6);
  });

  it('takes what it knows nothing of for dear, so that a first pilot overwhelms nobody', () => {
    const known = [{ tokens: 1, promptTokens: 16, us: 100 }];
    expect(guessCost(known, 256, 16)).toBeCloseTo(100 + 255 * 10, 6);
    expect(guessCost(known, 1, 2016)).toBeCloseTo(200, 6);
  });
});

describe('goodTo', () => {
  const cost = (us: number, low_us = us * 0.9, high_us = us * 1.1) => ({ us, low_us, high_us });

  it('is ρ over the cost of the busiest thread', () => {
    const good = goodTo(cost(1000), cost(1100), 4)!;
    expect(good.rps).toBeCloseTo(GOOD_RHO * 1000, 9);
    expect(good.low_rps).toBeCloseTo(500 / 1.1, 9);
    expect(good.high_rps).toBeCloseTo(500 / 0.9, 9);
    expect(good.bound_by).toBe('busiest thread');
  });

  it('is what the cores of all threads allow, where that is less', () => {
    expect(goodTo(cost(1000), cost(4000), 1)).toMatchObject({ rps: 125, bound_by: 'all threads' });
    expect(goodTo(null, cost(4000), 4)).toMatchObject({ rps: 500, bound_by: 'all threads' });
  });

  it('has no upper end where the cost may be 0, and is not known where it is none', () => {
    expect(goodTo(cost(10, -2, 22), cost(10, -2, 22), 1)).toMatchObject({ rps: 50_000, high_rps: null });
    expect(goodTo(null, cost(-3, -9, 3), 1)).toBeNull();
    // All threads are no bound of the one that requests pass.
    expect(goodTo(cost(-3, -9, 3), cost(10, 8, 12), 1)).toBeNull();
  });
});
