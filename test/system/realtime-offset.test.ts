import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedOffset, realtimeOffset, toMonotonic } from '../../src/system/realtime-offset.ts';

describe('the offset of CLOCK_REALTIME', () => {
  it('is within its bounds, whatever time passes between readings', () => {
    const gap = fc.bigInt({ min: 20n, max: 400n });
    const offset = fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_900_000_000_000_000_000n });
    fc.assert(
      fc.property(offset, fc.array(gap, { minLength: 1, maxLength: 20 }), (ahead, gaps) => {
        let now = 12_345_678_901n;
        let reading = 0;
        // Time passes with every reading, and one in a thousand waits for the scheduler.
        const pass = () => {
          now += reading % 1000 === 0 ? 700_000n : gaps[reading % gaps.length]!;
          reading++;
          return now;
        };
        const found = realtimeOffset({
          monotonicNs: pass,
          wallMs: () => Number((pass() + ahead) / 1_000_000n),
        });
        const error = Math.abs(Number(found.ns - ahead));
        expect(error).toBeLessThanOrEqual(found.uncertaintyNs + 1);
      }),
    );
  });

  it('is known to a reading or two where nothing comes between', () => {
    let now = 5n;
    const monotonicNs = () => {
      now += 60n;
      return now;
    };
    const found = realtimeOffset({
      monotonicNs,
      wallMs: () => Number((monotonicNs() + 7_000_000_123n) / 1_000_000n),
    });
    expect(found.uncertaintyNs).toBeLessThanOrEqual(120);
  });

  it('turns stamps into CLOCK_MONOTONIC to the nanosecond', () => {
    const offset = 1_795_985_313_379_992_786n;
    expect(toMonotonic(offset)(1_795_985_320, 5)).toBe(6_620_007_219);
    expect(toMonotonic(offset)(1_795_985_313, 379_992_787)).toBe(1);
  });

  it('is as uncertain as the wall clock was moved between two measurements', () => {
    const begin = { ns: 1000n, uncertaintyNs: 5 };
    expect(joinedOffset(begin, { ns: 1004n, uncertaintyNs: 7 })).toEqual({ ns: 1000n, uncertaintyNs: 11 });
    expect(joinedOffset(begin, { ns: -1_000_000_000n, uncertaintyNs: 7 }).uncertaintyNs).toBe(1_000_001_007);
  });
});
