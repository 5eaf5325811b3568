import { describe, expect, it } from 'vitest';
import { mean, variance } from '../../../src/measure/quantile.ts';
import { growthPerSecond, meanDelayOfRun } from '../../../src/measure/queue/fluid.ts';
import { gatedLoop } from '../../../src/measure/queue/gated.ts';
import { loopArrivals } from '../../../src/measure/queue/loops.ts';
import { batchWaits, fixedBatch, waitGg1, waitMg1 } from '../../../src/measure/queue/mg1.ts';
import { type ServiceLaw, serviceTimes } from '../../../src/measure/queue/service.ts';
import {
  run,
  type SimulatedClient,
  type SimulationOptions,
  simulateCurve,
} from '../../../src/measure/queue/simulate.ts';
import { uniform } from '../../../src/measure/random.ts';

/** Distance of a simulated mean from a formula's value (both ms), in standard errors, and relative. */
function off(
  client: SimulatedClient,
  rate: number,
  truthMs: number,
  figure: 'ttftBias' | 'e2eBias' = 'e2eBias',
  options: Partial<SimulationOptions> = {},
) {
  const [point] = simulateCurve(client, { rates: [rate], runs: 10, requests: 20_000, seed: 11, ...options });
  const { mean: value, se } = point![figure]!;
  return { errors: Math.abs(value - truthMs) / se!, relative: Math.abs(value / truthMs - 1) };
}
/** Seeds are fixed, so that nothing here fails by chance; 4 standard errors of a t with 9 degrees of freedom have p = 0.003. */
const agrees = ({ errors, relative }: { errors: number; relative: number }) => {
  expect(errors).toBeLessThan(4);
  expect(relative).toBeLessThan(0.08);
};

describe('serviceTimes', () => {
  it.each([
    ['deterministic', 0],
    ['exponential', 1],
    ['gamma', 0.5],
    ['gamma', 4],
    ['lognormal', 2],
  ] as const)('%s of CV² %d', (law, cv2) => {
    const time = serviceTimes({ law, meanS: 0.002, cv2 }, uniform(1));
    const drawn = Array.from({ length: 200_000 }, time);
    expect(mean(drawn) / 0.002).toBeCloseTo(1, 1.7);
    expect(Math.abs(variance(drawn) / 0.002 ** 2 - cv2)).toBeLessThan(0.1 * cv2 + 1e-9);
  });
});

describe('loops in the order of arrival, against the formula', () => {
  const cases = (['deterministic', 'exponential', 'gamma', 'lognormal'] as const).flatMap((law) =>
    [0.1, 0.5, 0.8].map((rho): [ServiceLaw, number] => [law, rho]),
  );
  it.each(cases)('M/G/1, %s, ρ = %d', (law, rho) => {
    const cv2 = { deterministic: 0, exponential: 1, gamma: 3, lognormal: 0.5 }[law];
    const wait = waitMg1(rho * 1000, 1000, cv2)!;
    agrees(off({ kind: 'fcfs', service: { law, meanS: 0.001, cv2 } }, rho * 1000, 1000 * (wait + 0.001)));
  });

  it.each([0.2, 0.5, 0.8])('four events a request, first and last, ρ = %d', (rho) => {
    const client = {
      kind: 'fcfs',
      service: { law: 'exponential', meanS: 0.001 },
      batch: { size: 4 },
    } as const;
    const waits = batchWaits(rho * 250, 1000, 1, fixedBatch(4))!;
    agrees(off(client, rho * 250, 1000 * (waits.first + 0.001), 'ttftBias'));
    agrees(off(client, rho * 250, 1000 * (waits.last + 0.001), 'e2eBias'));
  });

  it('a geometric number of events', () => {
    const client = {
      kind: 'fcfs',
      service: { law: 'deterministic', meanS: 0.001 },
      batch: { geometricMean: 3 },
    } as const;
    const waits = batchWaits(200, 1000, 0, { mean: 3, meanSquare: 15 })!;
    agrees(off(client, 200, 1000 * (waits.first + 0.001), 'ttftBias'));
    agrees(off(client, 200, 1000 * (waits.last + 0.001), 'e2eBias'));
  });

  const exponential = { kind: 'fcfs', service: { law: 'exponential', meanS: 0.001 } } as const;

  it('three loops by chance are three queues of a third', () => {
    agrees(off(exponential, 2100, 1000 * (waitMg1(700, 1000, 1)! + 0.001), 'e2eBias', { loops: 3 }));
  });

  it('two loops in turn are E₂/M/1, which Allen–Cunneen only comes near to', () => {
    // E_k/M/1 (Kleinrock I, § 6.4): σ = (kλ/(kλ + μ(1 − σ)))^k, W_q = σ/(μ(1 − σ)).
    let sigma = 0.5;
    for (let i = 0; i < 500; i++) sigma = (1400 / (1400 + 1000 * (1 - sigma))) ** 2;
    const exact = sigma / (1000 * (1 - sigma));
    agrees(
      off(exponential, 1400, 1000 * (exact + 0.001), 'e2eBias', {
        loops: 2,
        split: 'inTurn',
        requests: 60_000,
      }),
    );
    const { lambda, gapCv2 } = loopArrivals(1400, 2, 'inTurn');
    const near = waitGg1(lambda, 1000, 1, gapCv2)! / exact;
    expect(near).toBeGreaterThan(1);
    expect(near).toBeLessThan(1.1);
    expect(waitMg1(700, 1000, 1)! / exact).toBeGreaterThan(1.3);
  });

  it('regular arrivals at regular service never wait', () => {
    const [point] = simulateCurve(
      { kind: 'fcfs', service: { law: 'deterministic', meanS: 0.001 } },
      { rates: [900], runs: 2, requests: 1000, seed: 1, gapCv2: 0 },
    );
    expect(point!.e2eBias!.mean).toBeCloseTo(1, 9);
  });
});

describe('gated loops, against the formula', () => {
  const cases = [0.1, 1, 4].flatMap((ratio) => [0.1, 0.4, 0.7, 0.9].map((rho) => [ratio, rho] as const));
  it.each(cases)('a/b = %d, λb = %d', (ratio, rho) => {
    const [a, b] = [ratio * 0.001, 0.001];
    const { wait } = gatedLoop(rho / b, a, b)!;
    const client = { kind: 'gated', turnS: a, requestS: b, events: 10 } as const;
    agrees(off(client, rho / b, 1000 * (wait + a + b), 'e2eBias'));
    agrees(off(client, rho / b, 1000 * (wait + a + b / 10), 'ttftBias'));
  });
});

it('more work than can be done: the delay grows with the run, by the clock of arrivals and by that of answers', () => {
  const delays: number[] = [];
  run(
    { kind: 'fcfs', service: { law: 'exponential', meanS: 0.001 } },
    1500,
    { requests: 60_000 },
    5,
    (_, last) => delays.push(last),
  );
  // 40 s of arrivals at 1500/s, served at 1000/s: the last one waits 20 s, and is handled at 60 s.
  expect(mean(delays) / meanDelayOfRun(1500, 1000, 40)).toBeCloseTo(1, 1.5);
  expect(delays.at(-1)! / (60 * growthPerSecond(1500, 1000))).toBeCloseTo(1, 1.5);
  const cut = delays.filter((delay, i) => i / 1500 + delay < 40);
  expect(mean(cut) / ((40 * growthPerSecond(1500, 1000)) / 2)).toBeCloseTo(1, 1.5);
});

it('a curve is the same by the same seed and another by another one', () => {
  const client = { kind: 'gated', turnS: 0.001, requestS: 0.001 } as const;
  const options = { rates: [300], runs: 3, requests: 500, seed: 4, ttftBaseMs: 2, e2eBaseMs: 3 };
  const curve = simulateCurve(client, options);
  expect(simulateCurve(client, options)).toEqual(curve);
  expect(simulateCurve(client, { ...options, seed: 5 })).not.toEqual(curve);
  expect(curve[0]!.e2eBias!.mean - curve[0]!.ttftBias!.mean).toBeCloseTo(1, 9);
});
