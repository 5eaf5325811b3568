import { describe, expect, it } from 'vitest';
import { fitQueue } from '../../../src/measure/queue/fit.ts';
import { gatedLoop } from '../../../src/measure/queue/gated.ts';
import { waitMg1 } from '../../../src/measure/queue/mg1.ts';
import { predict } from '../../../src/measure/queue/predict.ts';
import { type SimulatedClient, simulateCurve } from '../../../src/measure/queue/simulate.ts';
import type {
  CurvePoint,
  GatedParameters,
  Mg1Parameters,
  QueueFit,
} from '../../../src/measure/queue/types.ts';
import { fcfs, point } from './curves.ts';

const UTILIZATIONS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const FEW = { loops: 1, seed: 1, resamples: 40 };
/** No intervals. */
const NONE = { ...FEW, resamples: 0 };

const simulated = (client: SimulatedClient, mu: number, seed: number, other = {}): CurvePoint[] =>
  simulateCurve(client, {
    rates: UTILIZATIONS.map((rho) => rho * mu),
    runs: 20,
    requests: 10_000,
    seed,
    ttftBaseMs: 0.3,
    e2eBaseMs: 0.3,
    ...other,
  });
const model = (fit: QueueFit, kind: 'mg1' | 'gated') => fit.models.find((each) => each.kind === kind)!;
const mg1 = (fit: QueueFit) => model(fit, 'mg1').parameters as Mg1Parameters;
const gated = (fit: QueueFit) => model(fit, 'gated').parameters as GatedParameters;
const near = (value: number, truth: number, share: number) =>
  expect(Math.abs(value / truth - 1), `${value} for ${truth}`).toBeLessThan(share);
const covers = ({ low, high }: { low: number | null; high: number | null }, truth: number) => {
  expect(low!).toBeLessThanOrEqual(truth);
  expect(high!).toBeGreaterThanOrEqual(truth);
};

/** Points without noise, of which a fit must give the parameters back. */
const exactMg1 = (mu: number, cv2: number, rates: readonly number[], baseMs = 1) =>
  rates.map((rate) => point(rate, baseMs + 1000 * waitMg1(rate, mu, cv2)!));
const exactGated = (aMs: number, bMs: number, rates: readonly number[], baseMs = 1) =>
  rates.map((rate) => point(rate, baseMs + 1000 * gatedLoop(rate, aMs / 1000, bMs / 1000)!.wait));

describe('parameters are recovered from a curve without noise', () => {
  it.each([
    [1000, 0],
    [1000, 1],
    [250, 5],
    [20_000, 0.3],
  ])('M/G/1, μ %d, CV² %d', (mu, cv2) => {
    const fit = fitQueue(
      exactMg1(
        mu,
        cv2,
        UTILIZATIONS.map((rho) => rho * mu),
      ),
      NONE,
    );
    near(mg1(fit).muRps.value, mu, 1e-4);
    expect(mg1(fit).cv2.value).toBeCloseTo(cv2, 3);
    near(mg1(fit).e2eBaseMs!.value, 1, 1e-4);
    expect(mg1(fit).muRps.low).toBeNull();
  });

  it.each([
    [0.2, 0.1],
    [1, 1],
    [4, 0.5],
  ])('gated, a %d ms, b %d ms', (a, b) => {
    const fit = fitQueue(
      exactGated(
        a,
        b,
        UTILIZATIONS.map((rho) => (1000 * rho) / b),
      ),
      NONE,
    );
    near(gated(fit).turnMs.value, a, 1e-3);
    near(gated(fit).requestMs.value, b, 1e-3);
    expect(fit.chosen).toBe('gated');
  });
});

describe('parameters are recovered from simulated clients within 5 %', () => {
  const cases = [
    ['M/D/1', fcfs('deterministic'), 0, 1],
    ['M/M/1', fcfs('exponential'), 1, 1],
    ['M/G/1, gamma', fcfs('gamma', 4), 4, 1],
    ['batches of 2', fcfs('exponential', 1, 2), 0.5, 2],
    ['batches of 4', fcfs('deterministic', 0, 4), 0, 4],
  ] as const;
  it.each(cases.flatMap((each) => [1, 2].map((seed) => [...each, seed] as const)))(
    '%s',
    (_, client, cv2, size, seed) => {
      const fit = fitQueue(simulated(client, 1000, seed), FEW);
      const { muRps, cv2: scatter, batchEvents } = mg1(fit);
      near(muRps.value, 1000, 0.05);
      // The wait has CV² as 1 + CV²: what a curve can hold to 5 %.
      near(1 + scatter.value, 1 + cv2, 0.05);
      near(batchEvents!.value, size, 0.05);
      // At CV² = 0, the bound of what there is, intervals are one-sided, and the notes say so.
      if (cv2 > 0) covers(muRps, 1000);
      if (cv2 > 0) covers(scatter, cv2);
      else expect(scatter.value > 1e-3 || fit.notes.join().includes('the least there is')).toBe(true);
      expect(fit.chosen === 'mg1' || fit.tie).toBe(true);
      if (cv2 > 0) covers(fit.capacityRps!, 1000);
    },
  );

  it.each([1, 2])('four loops, seed %d', (seed) => {
    const client = fcfs('exponential');
    const fit = fitQueue(simulated(client, 4000, seed, { loops: 4 }), { ...NONE, loops: 4 });
    near(mg1(fit).muRps.value, 1000, 0.05);
    expect(fit.notes.join()).toContain('4 loops are assumed');
    // Taken for one loop it is a fast one, whose waits are a quarter of these at the same service: CV² makes up for it.
    const one = fitQueue(simulated(client, 4000, seed, { loops: 4 }), NONE);
    near(mg1(one).muRps.value, 4000, 0.05);
    expect(mg1(one).cv2.value).toBeGreaterThan(5);
  });

  it.each([
    [0.001, 0.001, 1],
    [0.0002, 0.0001, 2],
    [0.002, 0.0005, 3],
  ])('gated, a %d s, b %d s', (turnS, requestS, seed) => {
    const fit = fitQueue(simulated({ kind: 'gated', turnS, requestS, events: 8 }, 1 / requestS, seed), FEW);
    near(gated(fit).turnMs.value, 1000 * turnS, 0.05);
    near(gated(fit).requestMs.value, 1000 * requestS, 0.05);
    covers(gated(fit).requestMs, 1000 * requestS);
    expect(fit).toMatchObject({ chosen: 'gated', tie: false });
    expect(model(fit, 'mg1').heldOutError!).toBeGreaterThan(1.25 * model(fit, 'gated').heldOutError!);
  });
});

describe('the choice', () => {
  it('is M/G/1 where services scatter more than a gated loop can', () => {
    const fit = fitQueue(simulated(fcfs('gamma', 4), 1000, 3), NONE);
    expect(fit).toMatchObject({ chosen: 'mg1', tie: false });
    expect(model(fit, 'gated').heldOutError!).toBeGreaterThan(0.1);
  });

  it('is both for M/D/1, which is a gated loop whose turns cost nothing', () => {
    const fit = fitQueue(simulated(fcfs('deterministic'), 1000, 3), NONE);
    expect(fit).toMatchObject({ chosen: 'mg1', tie: true });
    expect(fit.why).toContain('both models');
    expect(gated(fit).turnMs.value).toBeLessThan(0.03);
  });

  it('is none where the delay does not follow the rate as that of a queue', () => {
    const zigzag = [100, 200, 300, 400, 500, 600].map((rate, i) => point(rate, i % 2 === 0 ? 1 : 4));
    const fit = fitQueue(zigzag, NONE);
    expect(fit.chosen).toBeNull();
    expect(fit.why).toMatch(/^the model does not explain this client/);
    expect(fit.agreement).toBeNull();
  });

  it('is none of three rates, nor of four of which two are one', () => {
    for (const rates of [
      [300, 600, 900],
      [300, 600, 605, 900],
    ]) {
      const three = fitQueue(exactMg1(1000, 1, rates), NONE);
      expect(three).toMatchObject({ chosen: null, tie: false, models: [], capacityRps: null });
      expect(three.why).toMatch(/^too few steady rates: 3, and a model needs 4/);
    }
  });
});

describe('held-out rates', () => {
  const curve = exactMg1(1000, 1, [100, 300, 500, 700, 850, 900]);

  it('each in turn, with the fit to all of them beside', () => {
    const { residuals, heldOutError } = model(fitQueue(curve, NONE), 'mg1');
    expect(residuals.filter((each) => each.heldOut && each.figure === 'ttft')).toHaveLength(6);
    expect(residuals.filter((each) => !each.heldOut && each.figure === 'ttft')).toHaveLength(6);
    expect(heldOutError!).toBeLessThan(1e-3);
  });

  it('named ones are predicted by the others, and not fitted', () => {
    const spoilt = curve.map((each) => (each.rateRps === 900 ? point(900, 30) : each));
    const fit = fitQueue(spoilt, { ...NONE, holdOut: [910] });
    const { residuals, fittedRps, heldOutError } = model(fit, 'mg1');
    near(mg1(fit).muRps.value, 1000, 1e-3);
    expect(fittedRps).toEqual({ low: 100, high: 850 });
    const out = residuals.filter((each) => each.heldOut);
    expect(out.map(({ rateRps }) => rateRps)).toEqual([900, 900]);
    expect(out[0]!.predictedMs!).toBeCloseTo(10, 1);
    expect(heldOutError!).toBeCloseTo(2 / 3, 2);
    expect(fit.chosen).toBeNull();
  });
});

describe('what a curve does not tell', () => {
  it('far below saturation μ and CV² are not told apart, and it says so', () => {
    const low = fitQueue(
      simulated(fcfs('exponential'), 1000, 1, { rates: [20, 50, 100, 150, 200, 250] }),
      FEW,
    );
    const { muRps, cv2 } = mg1(low);
    expect(cv2.low!).toBeLessThan(0.5);
    expect(cv2.high ?? 100).toBeGreaterThan(5);
    expect(muRps.low!).toBeLessThan(1000);
    expect(muRps.high ?? 1e5).toBeGreaterThan(1000);
    expect(low.notes.join('\n')).toMatch(/CV² is only known to .*near saturation/);
  });

  it('a client that no rate delays has a service rate that is bounded from below only', () => {
    const flat = fitQueue(
      [100, 200, 400, 800, 1600].map((rate) => point(rate, 1)),
      FEW,
    );
    const { muRps } = mg1(flat);
    expect(muRps.low!).toBeGreaterThan(1600);
    expect(muRps.high).toBeNull();
    expect(flat.notes.join()).toMatch(/μ is only known to \d+\/s or more/);
    expect(model(flat, 'mg1').heldOutError!).toBeLessThan(0.01);
  });

  it('saturated rates are left out, and it says so', () => {
    const curve = [...exactMg1(1000, 1, [100, 300, 500, 700, 900]), point(990, 700, { saturated: true })];
    const fit = fitQueue(curve, NONE);
    near(mg1(fit).muRps.value, 1000, 1e-3);
    expect(fit.notes[0]).toMatch(/1 saturated rate is left out.*990\/s/);
  });

  it('one figure alone is fitted, and means without errors are', () => {
    const curve = exactMg1(1000, 1, [100, 300, 500, 700, 900]).map((each) => ({
      ...each,
      ttftBias: null,
      e2eBias: { mean: each.e2eBias!.mean, se: null },
    }));
    const fit = fitQueue(curve, NONE);
    near(mg1(fit).muRps.value, 1000, 1e-3);
    expect(mg1(fit)).toMatchObject({ ttftBaseMs: null, batchEvents: null });
    expect(fit.notes.join()).toContain('no standard error');
  });

  it('regular arrivals are taken into account, and named as an approximation', () => {
    const fit = fitQueue(simulated(fcfs('exponential'), 1000, 1, { gapCv2: 0.5 }), NONE);
    near(mg1(fit).muRps.value, 1000, 0.05);
    expect(fit.notes.join()).toMatch(/no Poisson process at 9 of 9.*approximation/);
  });
});

describe('CPU time beside the curve', () => {
  const cpu = (curve: readonly CurvePoint[], of: (rate: number) => number | null) =>
    curve.map((each) => ({ ...each, cpuMsPerRequest: of(each.rateRps) }));
  const rates = [100, 300, 500, 700, 900];

  it('agrees, and gives the service rate at both ends', () => {
    const fit = fitQueue(
      cpu(exactMg1(1000, 1, rates), (rate) => (rate === 100 ? 1.25 : 1.1)),
      NONE,
    );
    expect(fit.cpuMuRps.atLowRate).toBeCloseTo(800, 6);
    expect(fit.cpuMuRps.atHighRate).toBeCloseTo(1000 / 1.1, 6);
    expect(fit.agreement).toMatchObject({ agrees: true });
    expect(fit.agreement!.factor).toBeCloseTo(1 / 1.1, 2);
  });

  it('does not where the loop waits for something else, or works for nobody', () => {
    const curve = exactMg1(1000, 1, rates);
    expect(
      fitQueue(
        cpu(curve, () => 0.5),
        NONE,
      ).agreement,
    ).toMatchObject({ agrees: false });
    expect(
      fitQueue(
        cpu(curve, () => 0.5),
        NONE,
      ).agreement!.words,
    ).toContain('waits for more');
    expect(
      fitQueue(
        cpu(curve, () => 2),
        NONE,
      ).agreement!.words,
    ).toContain('no request waits');
    expect(fitQueue(curve, NONE)).toMatchObject({
      agreement: null,
      cpuMuRps: { atLowRate: null, atHighRate: null },
    });
  });

  it('of a gated loop is compared with what a request costs at that rate, b + a/n', () => {
    const at = (rate: number) => 0.5 + 2 / gatedLoop(rate, 0.002, 0.0005)!.turnSize;
    const curve = cpu(exactGated(2, 0.5, [100, 200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800]), at);
    const fit = fitQueue(curve, NONE);
    expect(fit.chosen).toBe('gated');
    expect(fit.agreement!.factor).toBeCloseTo(1, 2);
    expect(fit.cpuMuRps.atHighRate!).toBeGreaterThan(2 * fit.cpuMuRps.atLowRate!);
  });
});

it('predicts growth where there is no steady state', () => {
  const fit = fitQueue(exactMg1(1000, 1, [100, 300, 500, 700, 900]), NONE);
  const beyond = predict(model(fit, 'mg1'), 2000);
  expect(beyond).toMatchObject({ ttftBiasMs: null, e2eBiasMs: null, busyShare: 1 });
  expect(beyond.growthMsPerS!).toBeCloseTo(500, 0);
  expect(beyond.rho).toBeCloseTo(2, 2);
});

it('is the same by the same seed', () => {
  const curve = exactMg1(1000, 1, [100, 300, 500, 700, 800, 900]);
  const fit = fitQueue(curve, FEW);
  expect(fitQueue(curve, FEW)).toEqual(fit);
  expect(fitQueue(curve, { ...FEW, seed: 2 })).not.toEqual(fit);
});

describe('what is no measurement, and what is no parameter', () => {
  const rates = [100, 200, 400, 600, 800];
  const curve = exactMg1(1000, 1, rates);

  it.each([
    ['a mean', { ttftBias: { mean: Number.NaN, se: 0.1 } }],
    ['an error', { e2eBias: { mean: 1, se: Number.NaN } }],
    ['a rate', { rateRps: Number.NaN }],
    ['a rate of 0', { rateRps: 0 }],
  ])('%s that is no number is left out, and said', (_, odd) => {
    const fit = fitQueue([...curve, point(700, 3, odd)], NONE);
    expect(fit.notes[0]).toMatch(/^1 point is left out/);
    expect({ ...fit, notes: [] }).toEqual({ ...fitQueue(curve, NONE), notes: [] });
  });

  it('rates that are one are held out together', () => {
    const twice = fitQueue([...curve, ...exactMg1(1000, 1, [404])], NONE);
    const zero = (rate: number) =>
      model(twice, 'mg1').residuals.filter((each) => each.heldOut && each.rateRps === rate).length;
    expect([zero(400), zero(404)]).toEqual([2, 2]);
    expect(
      fitQueue(
        [500, 501, 502, 503, 504].map((rate) => point(rate, 1)),
        NONE,
      ).models,
    ).toEqual([]);
  });

  it('a parameter at the end of the search has no interval there, and its model is not chosen', () => {
    const wild = exactMg1(1000, 400, rates).map((each) => ({
      ...each,
      ttftBias: { mean: each.ttftBias!.mean, se: 0.05 * each.ttftBias!.mean },
      e2eBias: null,
    }));
    const fit = fitQueue(wild, FEW);
    expect(model(fit, 'mg1').unsound).toContain('the end of the search');
    expect(mg1(fit).cv2.high).toBeNull();
    expect(fit.chosen).not.toBe('mg1');
    if (gated(fit).turnMs.value > 100) expect(gated(fit).turnMs.high).toBeNull();
  });
});
