import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Case,
  capped,
  FAULTS,
  type Fault,
  NOISY,
  onMachine,
  QUIET,
} from '../../../scripts/arrival-power/simulate.ts';
import { identifyArrivals } from '../../../src/measure/arrival-process/identify.ts';
import type { Arrivals } from '../../../src/measure/workload.ts';

const CONSTANT: Arrivals = { kind: 'constant' };
const POISSON: Arrivals = { kind: 'poisson' };

function identified(spec: Case, fault: Fault, dose: number, machine = QUIET) {
  return identifyArrivals(onMachine(fault(spec, dose), machine, spec.seed), {
    arrivals: spec.stated,
    rateRps: spec.rateRps,
  });
}
const spec = (stated: Arrivals, rateRps: number, requests = 1000, seed = 3): Case => ({
  stated,
  rateRps,
  requests,
  seed,
});

describe('a healthy client on a noisy machine', () => {
  it.each([
    [CONSTANT, 'constant'],
    [POISSON, 'poisson'],
    [{ kind: 'gamma', cv2: 4 } as const, 'gamma'],
    [{ kind: 'gamma', cv2: 0.25 } as const, 'gamma'],
  ])('%o is what it was asked to be, at any rate', (stated, process) => {
    for (const rate of [10, 50, 200])
      for (const seed of [1, 2, 3, 4, 5]) {
        const found = identified(spec(stated, rate, 1000, seed), FAULTS.none, 0, NOISY);
        expect(found.departures, `${rate}/s, seed ${seed}`).toEqual([]);
        expect(found).toMatchObject({ process, agrees: true, requests: 1000 });
      }
  });

  it('a stall of the machine with its catch-up is no departure', () => {
    const at = FAULTS.none(spec(CONSTANT, 200)).map((t) =>
      t >= 2000 && t < 2030 ? 2030 + (t - 2000) / 100 : t,
    );
    expect(identifyArrivals(onMachine(at, QUIET, 1), { arrivals: CONSTANT, rateRps: 200 }).agrees).toBe(true);
  });

  it('a constant schedule that a starved machine keeps late is constant with stalls, and no random process', () => {
    const starved = { jitterMs: 0.3, stallsPerS: 8, stallMs: [5, 150] } as const;
    for (const seed of [1, 2, 3, 4, 5]) {
      const found = identified(spec(CONSTANT, 50, 500, seed), FAULTS.none, 0, starved);
      expect(found.process).toBe('constant');
      expect(found.departures.map((one) => one.kind)).toEqual(['stall']);
      const random = identified(spec(CONSTANT, 50, 500, seed), FAULTS.cv2, 1, starved);
      expect(random.departures.map((one) => one.kind)).toContain('random-gaps');
    }
  });

  it('whatever the seed, a schedule that is kept exactly agrees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(20, 100, 700), (seed, rate) => {
        expect(identified(spec(CONSTANT, rate, 300, seed), FAULTS.none, 0, NOISY).agrees).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a client with one departure', () => {
  it.each<[string, string, Arrivals, number, keyof typeof FAULTS, number, number]>([
    ['a sleep that drifts', 'drift', CONSTANT, 100, 'drift', 0.449, 0.449],
    ['the same at 1,000/s', 'drift', CONSTANT, 1000, 'drift', 0.449, 0.449],
    ['half of the senders', 'rate', CONSTANT, 100, 'rate', -0.5, -0.5],
    ['a rate that is lower, of a random process', 'rate', POISSON, 100, 'rate', -0.3, -0.3],
    ['Poisson for constant', 'random-gaps', CONSTANT, 50, 'cv2', 1, 1],
    ['constant for Poisson', 'regular-gaps', POISSON, 50, 'cv2', 0, 0],
    ['gamma for Poisson', 'other-cv2', POISSON, 50, 'cv2', 4, 4],
    ['a timer of 15.6 ms', 'ticks', CONSTANT, 50, 'ticks', 15.6, 15.6],
    ['a timer of 100 ms', 'ticks', POISSON, 50, 'ticks', 100, 100],
    ['a timer of 10 ms', 'ticks', POISSON, 200, 'ticks', 10, 10],
    ['one seed in two workers', 'clumps', POISSON, 50, 'clumps', 2, 2],
    ['one seed in four workers', 'clumps', POISSON, 100, 'clumps', 4, 4],
    ['a tenth of arrivals on the second', 'on-the-second', POISSON, 50, 'pinned', 0.1, 0.1],
    ['a rate that doubles', 'ramp', CONSTANT, 100, 'ramp', 2, 2],
    ['stalls of 200 ms every second', 'stall', POISSON, 100, 'stall', 200, 200],
    ['stalls of 100 ms every second', 'stall', CONSTANT, 100, 'stall', 100, 100],
    ['arrivals that scatter', 'jitter', CONSTANT, 50, 'jitter', 5, 5],
  ])('%s: %s, with its size', (_, kind, stated, rate, fault, dose, size) => {
    const found = identified(spec(stated, rate, 1000), FAULTS[fault], dose);
    const named = found.departures.find((one) => one.kind === kind);
    expect(found.departures.map((one) => one.kind)).toContain(kind);
    expect(Math.abs(named!.size - size)).toBeLessThanOrEqual(Math.max(0.1 * Math.abs(size), 0.01));
    expect(found.agrees).toBe(false);
  });

  it('a "constant" that is renewed each second and pinned to it has three names', () => {
    const found = identified(spec(CONSTANT, 10, 600), FAULTS.second, 0.1);
    expect(found.departures.map((one) => one.kind)).toEqual([
      'random-gaps',
      'on-the-second',
      'renewed-each-second',
    ]);
    expect(found.departures[1]!.size).toBeCloseTo(0.1, 2);
  });

  it('a rate that swings within each second has a dispersion that grows with the window', () => {
    const found = identified(spec(POISSON, 100, 1000), FAULTS.bursts, 4);
    expect(found.departures.map((one) => one.kind)).toEqual(['bursts']);
    expect(found.dispersion.map(({ index }) => index)[0]).toBeLessThan(found.departures[0]!.size);
  });
});

describe('a closed loop', () => {
  const loop = (rate: number, cap: number, serviceMs: number, stated: Arrivals = POISSON) => {
    const { arrivalsNs, endsNs } = capped(spec(stated, rate, 400), cap, () => serviceMs, QUIET);
    return identifyArrivals(arrivalsNs, { arrivals: stated, rateRps: rate }, endsNs);
  };

  it.each([POISSON, CONSTANT])('is known by arrivals that follow answers: %o', (stated) => {
    // 4 in flight for 100 ms: 40/s of the 100/s that were asked.
    const found = loop(100, 4, 100, stated);
    expect(found.departures.map((one) => one.kind)).toEqual(['closed-loop', 'rate']);
    expect(found.departures[0]!.size).toBe(4);
    expect(found.departures[1]!.size).toBeCloseTo(-0.6, 1);
  });

  it.each([119.5, 120, 120.5])(
    'is no name for a schedule that is kept while answers take %f ms',
    (serviceMs) => {
      expect(loop(100, 1000, serviceMs, CONSTANT).departures).toEqual([]);
      expect(loop(100, 1000, serviceMs, POISSON).departures).toEqual([]);
    },
  );
});

describe('the edges', () => {
  it.each([0, 1, 2, 29])('%i arrivals are too few', (n) => {
    const at = Float64Array.from({ length: n }, (_, i) => i * 1e7);
    expect(identifyArrivals(at, { arrivals: CONSTANT, rateRps: 100 })).toMatchObject({
      process: 'too few',
      agrees: null,
      departures: [],
    });
  });

  it('all at one instant have no rate', () => {
    const found = identifyArrivals(new Float64Array(50).fill(1e9), { arrivals: CONSTANT, rateRps: 100 });
    expect(found).toMatchObject({ process: 'too few', rate_rps: null });
  });

  it('a trace has gaps of its own: none is called other', () => {
    const found = identified(spec({ kind: 'gamma', cv2: 4 }, 50), FAULTS.none, 0);
    const at = onMachine(FAULTS.none(spec({ kind: 'gamma', cv2: 4 }, 50)), QUIET, 1);
    expect(found.process).toBe('gamma');
    expect(identifyArrivals(at, { arrivals: { kind: 'trace', file: 't' }, rateRps: 50 }).departures).toEqual(
      [],
    );
  });

  it('every figure is finite, whatever arrives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000_000_000 }), { minLength: 30, maxLength: 120 }),
        fc.constantFrom(CONSTANT, POISSON, { kind: 'gamma', cv2: 2 } as const),
        (gaps, arrivals) => {
          let t = 0;
          const at = Float64Array.from(gaps, (gap) => {
            t += gap;
            return t;
          });
          const ends = at.map((x) => x + 1e8);
          const text = JSON.stringify(identifyArrivals(at, { arrivals, rateRps: 50 }, ends), (_, value) =>
            typeof value === 'number' && !Number.isFinite(value) ? 'NOT FINITE' : value,
          );
          expect(text).not.toContain('NOT FINITE');
        },
      ),
      { numRuns: 100 },
    );
  });
});
