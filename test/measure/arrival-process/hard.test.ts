/** Clients that an independent review saw accused of what they do not do, or called by a wrong name. */
import { describe, expect, it } from 'vitest';
import { FAULTS, onMachine, QUIET, schedule } from '../../../scripts/arrival-power/simulate.ts';
import { identifyArrivals } from '../../../src/measure/arrival-process/identify.ts';
import type { ArrivalIdentity } from '../../../src/measure/arrival-process/types.ts';
import { exponential, uniform } from '../../../src/measure/random.ts';
import type { Arrivals } from '../../../src/measure/workload.ts';

const CONSTANT: Arrivals = { kind: 'constant' };
const POISSON: Arrivals = { kind: 'poisson' };
const kinds = ({ departures }: ArrivalIdentity) => departures.map(({ kind }) => kind);
const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** `senders` at equal gaps each, started at any instant. */
function unsynchronised(senders: number, rateRps: number, requests: number, jitterMs: number, seed: number) {
  const u = uniform(seed, 5);
  const phases = seeds(senders).map(() => u());
  const round = (senders * 1000) / rateRps;
  const at = Array.from({ length: Math.floor(requests / senders) }, (_, i) =>
    phases.map((phase) => (i + phase) * round),
  ).flat();
  return identifyArrivals(onMachine(at, { ...QUIET, jitterMs }, seed), { arrivals: CONSTANT, rateRps });
}

describe('senders at equal gaps that were not started evenly', () => {
  it.each([
    [2, 20, 0.1],
    [2, 20, 1],
    [3, 50, 1],
    [8, 20, 0.1],
    [8, 20, 1],
    [8, 100, 1],
  ])('%i at %i/s together, jitter %f ms: so many senders, or nothing', (senders, rate, jitterMs) => {
    const allowed = new Set(['uneven-phases', 'jitter', 'stall']);
    let named = 0;
    for (const seed of seeds(20)) {
      const found = unsynchronised(senders, rate, 200, jitterMs, seed);
      // Two that start within a ms are in step, which a timer looks like; three seeds or less.
      const wrong = kinds(found).filter((kind) => !allowed.has(kind));
      if (wrong.length > 0) expect(found.departures[0]!.evidence).toContain('in step');
      const uneven = found.departures.find(({ kind }) => kind === 'uneven-phases');
      if (uneven === undefined) continue;
      expect(uneven.size).toBe(senders);
      named++;
    }
    expect(named).toBeGreaterThan(senders === 2 ? 13 : 17);
  });

  it('a timer out of step with the load stays a timer, a random process random', () => {
    for (const seed of seeds(20)) {
      const spec = { stated: CONSTANT, rateRps: 50, requests: 300, seed };
      const at = (x: number[]) =>
        identifyArrivals(onMachine(x, QUIET, seed), { arrivals: CONSTANT, rateRps: 50 });
      expect(kinds(at(FAULTS.ticks(spec, 15.6)))).toContain('ticks');
      expect(kinds(at(FAULTS.cv2(spec, 1)))[0]).toBe('random-gaps');
      expect(kinds(at(FAULTS.none(spec)))).toEqual([]);
    }
  });
});

describe('a healthy gamma process', () => {
  it.each([
    [0.25, 5, 30],
    [0.1, 5, 30],
    [0.25, 10, 60],
    [0.5, 5, 30],
    [1, 3, 30],
  ])('CV² %f, %i/s, n = %i: a few equal seconds are chance', (cv2, rateRps, n) => {
    const arrivals: Arrivals = { kind: 'gamma', cv2 };
    const accused = seeds(500).filter((seed) =>
      kinds(
        identifyArrivals(onMachine(schedule(arrivals, rateRps, n, seed), QUIET, seed), { arrivals, rateRps }),
      ).includes('renewed-each-second'),
    );
    expect(accused).toEqual([]);
  });

  it('CV² 10, n = 30: most gaps are alike, and it is not constant for that', () => {
    const arrivals: Arrivals = { kind: 'gamma', cv2: 10 };
    const accused = seeds(500).filter(
      (seed) =>
        !identifyArrivals(onMachine(schedule(arrivals, 50, 30, seed), QUIET, seed), { arrivals, rateRps: 50 })
          .agrees,
    );
    expect(accused.length).toBeLessThanOrEqual(2);
  });

  it.each<[Arrivals, number, number]>([
    [{ kind: 'gamma', cv2: 0.25 }, 100, 50],
    [CONSTANT, 1000, 60],
    [POISSON, 1000, 60],
  ])('%o at %i/s, n = %i: one stall of 50 ms changes neither rate nor gaps', (arrivals, rateRps, n) => {
    const accused = seeds(100).filter((seed) => {
      const u = uniform(seed, 6);
      const at = schedule(arrivals, rateRps, n, seed);
      const from = at[0]! + u() * (at.at(-1)! - at[0]!);
      let k = 0;
      const held = at.map((t) => (t >= from && t < from + 50 ? from + 50 + 0.08 * k++ : t));
      held.sort((a, b) => a - b);
      return !identifyArrivals(onMachine(held, QUIET, seed), { arrivals, rateRps }).agrees;
    });
    expect(accused.length).toBeLessThanOrEqual(2);
  });
});

describe('a client that is slower than its load, and answers that take a multiple of its gap', () => {
  const slow = (rateRps: number, serviceMs: number, factor: number, random: number, seed: number) => {
    const u = uniform(seed, 9);
    const gap = (1000 / rateRps) * factor;
    let t = 0;
    const at = Float64Array.from({ length: 300 }, () => {
      t += gap * (1 - random + random * exponential(u));
      return 1e12 + (t + 0.05 * exponential(u)) * 1e6;
    }).sort();
    const ends = at.map((x) => x + (serviceMs + 0.2 * exponential(u)) * 1e6);
    return kinds(identifyArrivals(at, { arrivals: CONSTANT, rateRps }, ends));
  };

  it.each([
    [200, 200],
    [100, 200],
    [100, 50],
  ])('%i/s, answers of %i ms: no closed loop at any slowness', (rate, serviceMs) => {
    for (const step of seeds(28)) expect(slow(rate, serviceMs, 1 + 0.02 * step, 0, step)).toEqual(['drift']);
  });

  it('is at another rate, and no sleep that drifts, where its gaps vary', () => {
    for (const step of seeds(20)) expect(slow(100, 200, 1.1 + 0.02 * step, 0.3, step)).toEqual(['rate']);
  });
});

describe('several at a time', () => {
  it('a timer of 50 ms that wakes late by a ms, a request every 0.3 to 0.6 ms, and stalls: ticks', () => {
    for (const seed of seeds(20)) {
      const u = uniform(seed, 8);
      let tick = -1;
      let t = 0;
      const at = schedule(CONSTANT, 97, 194, seed).map((due) => {
        const k = Math.ceil(due / 50);
        if (k === tick) t += 0.3 + 0.3 * u();
        else t = Math.max(t, k * 50 + exponential(u));
        tick = k;
        return t;
      });
      const machine = { jitterMs: 0.05, stallsPerS: 0.3, stallMs: [10, 10.01] } as const;
      const found = identifyArrivals(onMachine(at, machine, seed), { arrivals: CONSTANT, rateRps: 97 });
      expect(kinds(found)).toEqual(['ticks']);
      expect(Math.abs(found.departures[0]!.size - 50)).toBeLessThan(5);
    }
  });

  it('two senders with one seed are two at a time; random gaps are one', () => {
    const machine = { jitterMs: 0.3, stallsPerS: 0.3, stallMs: [5, 15] } as const;
    const sizes = seeds(20).map((seed) => {
      const u = uniform(seed, 8);
      const both = schedule(POISSON, 97 / 2, 250, seed).flatMap((t) => [t, t + 0.3 + 0.3 * u()]);
      both.sort((a, b) => a - b);
      const found = identifyArrivals(onMachine(both, QUIET, seed), { arrivals: POISSON, rateRps: 97 });
      const alone = onMachine(schedule(POISSON, 97, 194, seed), machine, seed);
      expect(kinds(identifyArrivals(alone, { arrivals: CONSTANT, rateRps: 97 }))).toEqual(['random-gaps']);
      return found.departures.find(({ kind }) => kind === 'clumps')?.size ?? Number.NaN;
    });
    sizes.sort((a, b) => a - b);
    expect(Math.abs(sizes[10]! - 2)).toBeLessThan(0.2);
    for (const size of sizes) expect(Math.abs(size - 2)).toBeLessThan(0.3);
  });
});
