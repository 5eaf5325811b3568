import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_ADJUSTED_NS, recordClock } from '../../src/measure/record-clock.ts';

const WALL = 1_764_000_000e9;
const wall = { beforeNs: WALL, afterNs: WALL };
/** 100 requests, each sent 200 µs before it arrives, on a clock that is `offsetNs` ahead of the ledger's. */
const pairs = (offsetNs: number, beforeNs: (i: number) => number = () => 200_000) =>
  Array.from({ length: 100 }, (_, i) => {
    const arrivalNs = 5_000e9 + i * 10e6;
    return { arrivalNs, startNs: arrivalNs - beforeNs(i) + offsetNs };
  });

describe('recordClock', () => {
  it('recognises the clock of the ledger, and says on what evidence', () => {
    expect(recordClock(pairs(0), null)).toEqual({
      clock: 'monotonic',
      offsetNs: 0,
      how: 'CLOCK_MONOTONIC, as the ledger: none of 100 requests starts after its arrival, the nearest 200 µs before it',
    });
  });
  it('recognises the wall clock by its offset, halfway between both ends of the trial', () => {
    expect(recordClock(pairs(WALL + 10_000), { beforeNs: WALL, afterNs: WALL + 20_000 })).toMatchObject({
      clock: 'wall',
      offsetNs: WALL + 10_000,
    });
    expect(recordClock(pairs(WALL), null)).toMatchObject({ clock: 'unknown', offsetNs: null });
  });
  it('does not use a wall clock that was adjusted in between', () => {
    const stepped = { beforeNs: WALL, afterNs: WALL + MOST_ADJUSTED_NS + 1000 };
    const found = recordClock(pairs(WALL), stepped);
    expect(found).toMatchObject({ clock: 'unknown', offsetNs: null });
    expect(found.how).toBe('the wall clock, which was adjusted by 0.101 ms during the trial');
  });
  it('is unknown when one request would start after it arrived', () => {
    const one = pairs(0, (i) => (i === 7 ? -6_000 : 200_000));
    expect(recordClock(one, wall).clock).toBe('unknown');
    expect(recordClock(one, wall).how).toContain('1 of 100 requests would start after they arrived');
    expect(recordClock(one, wall, 0.01).clock).toBe('monotonic');
    expect(
      recordClock(
        pairs(0, (i) => (i === 7 ? -4_000 : 200_000)),
        wall,
      ).clock,
    ).toBe('monotonic');
    expect(
      recordClock(
        pairs(WALL, (i) => (i === 7 ? -30_000 : 200_000)),
        wall,
      ).clock,
    ).toBe('unknown');
  });
  it('is unknown when every request would start seconds before it arrived, but not when most do', () => {
    expect(
      recordClock(
        pairs(0, () => 2e9),
        wall,
      ).clock,
    ).toBe('unknown');
    expect(
      recordClock(
        pairs(0, (i) => i * 100e6),
        wall,
      ).clock,
    ).toBe('monotonic');
  });
  it('is unknown for a clock of the client’s own, and without a stamp', () => {
    expect(recordClock(pairs(-5_000e9), wall)).toMatchObject({
      clock: 'unknown',
      how: expect.stringContaining('neither'),
    });
    expect(recordClock([], wall).how).toBe('it keeps no instants');
    expect(recordClock([{ startNs: Number.NaN, arrivalNs: 1 }], wall).how).toBe('it keeps no instants');
  });
  it('never puts a start more than the clock’s error after its arrival', () => {
    const offset = fc.constantFrom(0, WALL, -5_000e9, 2_000_000);
    const delay = fc.integer({ min: -100_000, max: 3e9 });
    fc.assert(
      fc.property(offset, fc.array(delay, { minLength: 1, maxLength: 20 }), (ahead, delays) => {
        const all = delays.map((before, i) => {
          const arrivalNs = 5_000e9 + i * 1e6;
          return { arrivalNs, startNs: arrivalNs - before + ahead };
        });
        const { offsetNs } = recordClock(all, wall);
        if (offsetNs === null) return;
        for (const { startNs, arrivalNs } of all)
          expect(startNs - offsetNs - arrivalNs).toBeLessThanOrEqual(20_000 + 512);
      }),
    );
  });
});
