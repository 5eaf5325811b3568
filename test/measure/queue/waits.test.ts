import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthPerSecond, meanDelayOfRun } from '../../../src/measure/queue/fluid.ts';
import { gatedLoop } from '../../../src/measure/queue/gated.ts';
import { loopArrivals } from '../../../src/measure/queue/loops.ts';
import { batchCv2, batchWaits, fixedBatch, waitGg1, waitMg1 } from '../../../src/measure/queue/mg1.ts';

describe('waitMg1', () => {
  // M/M/1: W_q = ρ/(μ − λ). 80/s at 100/s: 0.8/20. M/D/1: half of it. L_q/μ, the form with ρ², would give 0.032 and 0.016.
  it.each([
    ['M/M/1', 80, 100, 1, 0.04],
    ['M/D/1', 80, 100, 0, 0.02],
    ['M/G/1 with CV² 4', 80, 100, 4, 0.1],
    ['M/M/1 at ρ = 1/2', 50, 100, 1, 0.01],
  ])('%s by hand', (_, lambda, mu, cv2, wait) => {
    expect(waitMg1(lambda, mu, cv2)).toBeCloseTo(wait, 12);
  });

  it('has no steady state at ρ ≥ 1', () => {
    expect(waitMg1(100, 100, 1)).toBeNull();
    expect(waitMg1(101, 100, 0)).toBeNull();
  });

  it("keeps Little's law with the mean number that wait, L_q = ρ²(1 + CV²)/(2(1 − ρ))", () => {
    fc.assert(
      fc.property(rho, fc.double({ min: 0.01, max: 1e5, noNaN: true }), cv2s, (r, mu, cv2) => {
        const lq = (r ** 2 * (1 + cv2)) / (2 * (1 - r));
        expect(waitMg1(r * mu, mu, cv2)! * r * mu).toBeCloseTo(lq, 6);
      }),
    );
  });
});

const rho = fc.double({ min: 0.01, max: 0.95, noNaN: true });
const cv2s = fc.double({ min: 0, max: 10, noNaN: true });

describe('batchWaits', () => {
  it('of four exponential events, by hand', () => {
    // 100 batches/s of 4 events at 500/s: ρ = 0.8, E[B] = 8 ms, Var B = 4·4 ms², E[B²] = 80 ms²; first = 100·80e-6/(2·0.2) = 20 ms.
    const waits = batchWaits(100, 500, 1, fixedBatch(4))!;
    expect(waits.first).toBeCloseTo(0.02, 12);
    expect(waits.random).toBeCloseTo(0.02 + 0.003, 12);
    expect(waits.last).toBeCloseTo(0.02 + 0.006, 12);
  });

  it('of geometric batches of exponential events at random is M/M/1 longer by the mean batch', () => {
    // A geometric sum of exponential times is exponential of mean m/μ: first = ρ·(m/μ)/(1 − ρ); a random event has m − 1 before it on average.
    const [m, mu, lambda] = [3, 300, 60];
    const waits = batchWaits(lambda, mu, 1, { mean: m, meanSquare: 2 * m * m - m })!;
    expect(waits.first).toBeCloseTo((0.6 * m) / mu / 0.4, 12);
    expect(waits.random - waits.first).toBeCloseTo((m - 1) / mu, 12);
  });

  it('is M/G/1 for the first of a batch, and for every one of a batch of one', () => {
    fc.assert(
      fc.property(rho, cv2s, fc.integer({ min: 1, max: 50 }), (r, cv2, n) => {
        const size = fixedBatch(n);
        const waits = batchWaits((r * 1000) / n, 1000, cv2, size)!;
        expect(waits.first).toBeCloseTo(waitMg1((r * 1000) / n, 1000 / n, batchCv2(cv2, size))!, 9);
        if (n === 1) expect(waits.last).toBe(waits.first);
        else expect(waits.last).toBeGreaterThan(waits.random);
      }),
    );
  });

  it('has no steady state where events come faster than they are served', () => {
    expect(batchWaits(100, 400, 1, fixedBatch(4))).toBeNull();
  });
});

describe('gatedLoop', () => {
  it('without a cost of its own is M/D/1', () => {
    fc.assert(
      fc.property(rho, fc.double({ min: 1e-5, max: 1, noNaN: true }), (r, each) => {
        const state = gatedLoop(r / each, 0, each)!;
        expect(state.wait / waitMg1(r / each, 1 / each, 0)!).toBeCloseTo(1, 6);
        expect(state.busyShare).toBeCloseTo(r, 6);
      }),
    );
  });

  it('that costs the turn alone: known moments where a turn never finds nothing', () => {
    // λa = 50: a turn takes Poisson(50) requests, each of which waited for half a turn (and b = 0).
    const state = gatedLoop(500, 0.1, 0)!;
    expect(state.turnSize).toBeCloseTo(50, 9);
    expect(state.wait).toBeCloseTo(0.05, 9);
    expect(state.busyShare).toBeCloseTo(1, 9);
  });

  it('of two turns in a row, by hand at a low rate', () => {
    // To first order in λ a request finds a turn of one going with probability λ(a + b), and waits half of it.
    const [a, b, lambda] = [0.003, 0.001, 0.01];
    expect(gatedLoop(lambda, a, b)!.wait / ((lambda * (a + b) ** 2) / 2)).toBeCloseTo(1, 3);
  });

  it.each([
    [0.5, 0.3, 1],
    [0.3, 2, 1],
    [0.8, 0.1, 1],
  ])('has the moments of its chain of turn sizes, iterated: λ = %d, a = %d, b = %d', (lambda, a, b) => {
    const size = 120;
    let turns: number[] = Array.from({ length: size }, (_, n) => (n === 1 ? 1 : 0));
    for (let step = 0; step < 400; step++) {
      const next = new Array<number>(size).fill(0);
      turns.forEach((share, n) => {
        const arrive = lambda * (a + b * n);
        // Poisson, one probability from the last; none that arrive are one that is waited for.
        let probability = Math.exp(-arrive);
        next[1]! += share * probability;
        for (let k = 1; k < size; k++) {
          probability *= arrive / k;
          next[k]! += share * probability;
        }
      });
      turns = next;
    }
    const mean = turns.reduce((sum, share, n) => sum + share * n, 0);
    expect(gatedLoop(lambda, a, b)!.turnSize / mean).toBeCloseTo(1, 7.5);
  });

  it('works for a share λ(a/n + b) of the time', () => {
    fc.assert(
      fc.property(rho, fc.double({ min: 0, max: 20, noNaN: true }), (r, a) => {
        const state = gatedLoop(r, a, 1)!;
        expect(state.busyShare).toBeCloseTo(r * (a / state.turnSize + 1), 6);
        expect(state.busyShare).toBeLessThanOrEqual(1 + 1e-9);
        expect(state.turnSize).toBeGreaterThanOrEqual(1 - 1e-9);
      }),
    );
  });

  it('has no steady state where the requests alone take all the time', () => {
    expect(gatedLoop(1000, 0, 0.001)).toBeNull();
  });
});

describe('all waits', () => {
  const waits = [
    (lambda: number, unit: number, x: number) => waitMg1(lambda / unit, 1 / unit, x),
    (lambda: number, unit: number, x: number) =>
      batchWaits(lambda / unit / 3, 1 / unit, x, fixedBatch(3))?.last,
    (lambda: number, unit: number, x: number) => gatedLoop(lambda / unit, x * unit, unit)?.wait,
  ];

  it('grow with the rate, and scale with the unit of time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...waits),
        rho,
        fc.double({ min: 1.001, max: 1.04, noNaN: true }),
        cv2s,
        fc.double({ min: 1e-4, max: 1e3, noNaN: true }),
        (wait, r, more, x, unit) => {
          expect(wait(r * more, 1, x)!).toBeGreaterThan(wait(r, 1, x)!);
          expect(wait(r, unit, x)! / unit / wait(r, 1, x)!).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});

describe('loops', () => {
  it('by chance keep a Poisson process; in turn each gets every k-th arrival', () => {
    expect(loopArrivals(400, 4, 'random')).toEqual({ lambda: 100, gapCv2: 1 });
    expect(loopArrivals(400, 4, 'inTurn')).toEqual({ lambda: 100, gapCv2: 0.25 });
    expect(loopArrivals(400, 4, 'random', 0)).toEqual({ lambda: 100, gapCv2: 0.75 });
  });

  it('Allen–Cunneen is Pollaczek–Khinchine for a Poisson process and nothing for a clockwork', () => {
    expect(waitGg1(80, 100, 2, 1)).toBe(waitMg1(80, 100, 2));
    expect(waitGg1(80, 100, 0, 0)).toBe(0);
  });
});

describe('beyond saturation', () => {
  it('what is handled is delayed by 1 − μ/λ more a second; what comes, by λ/μ − 1, half of it on average', () => {
    expect(growthPerSecond(400, 100)).toBe(0.75);
    expect(meanDelayOfRun(400, 100, 10)).toBe(15);
    expect(meanDelayOfRun(90, 100, 10)).toBe(0);
    expect(growthPerSecond(90, 100)).toBe(0);
  });
});
