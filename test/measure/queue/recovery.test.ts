import { describe, expect, it } from 'vitest';
import { fitQueue } from '../../../src/measure/queue/fit.ts';
import { gatedLoop } from '../../../src/measure/queue/gated.ts';
import { solve } from '../../../src/measure/queue/least-squares.ts';
import { observe } from '../../../src/measure/queue/observations.ts';
import type { CurvePoint, FittedModel, GatedParameters } from '../../../src/measure/queue/types.ts';
import { normal, uniform } from '../../../src/measure/random.ts';
import { point } from './curves.ts';

const ONE = { loops: 1, split: 'random' } as const;

interface Client {
  readonly turnMs: number;
  readonly requestMs: number;
  readonly curve: readonly CurvePoint[];
}

/** `se`: relative standard error of a mean; errors are drawn where `noisy`. */
function curveOf(
  turnMs: number,
  requestMs: number,
  rates: readonly number[],
  se: number,
  noise: (() => number) | null = null,
): CurvePoint[] {
  return rates.map((rate) => {
    const wait = 1000 * gatedLoop(rate, turnMs / 1000, requestMs / 1000)!.wait;
    const e2e = 0.1 + turnMs + requestMs + wait;
    const own = (requestMs * 15) / 16;
    const error = noise === null ? 0 : noise() * se * e2e;
    return point(rate, e2e, {
      tokens: 16,
      ttftBias: { mean: e2e - own + error, se: se * e2e },
      e2eBias: { mean: e2e + error, se: se * e2e },
    });
  });
}

/** Gated clients of all kinds: a from 0.05 to 5 ms, a/b from 0.3 to 10, four to six rates up to a utilization of 0.4 to 0.9. */
const clients = (n: number, se: number, noisy: boolean): Client[] =>
  Array.from({ length: n }, (_, i) => {
    const u = uniform(77, i);
    const turnMs = 0.05 * 100 ** u();
    const requestMs = turnMs / (0.3 * (10 / 0.3) ** u());
    const count = 4 + Math.floor(3 * u());
    const top = (1000 * (0.4 + 0.5 * u())) / requestMs;
    const rates = Array.from({ length: count }, (_, j) => top * (0.1 + (0.9 * j) / (count - 1)));
    const noise = noisy ? () => normal(u) : null;
    return { turnMs, requestMs, curve: curveOf(turnMs, requestMs, rates, se, noise) };
  });

const gated = (models: readonly FittedModel[]) =>
  models.find(({ kind }) => kind === 'gated')!.parameters as GatedParameters;

describe('a gated loop is found, and not a false valley beside it', () => {
  it('of 150 clients without noise, each within 1 %', () => {
    for (const { turnMs, requestMs, curve } of clients(150, 0.004, false)) {
      const { shape, squares } = solve('gated', observe(curve), ONE);
      if (shape.kind !== 'gated') throw new Error('another kind');
      expect(squares).toBeLessThan(1e-3);
      expect(Math.abs(shape.turnMs / turnMs - 1), `${turnMs} ms`).toBeLessThan(0.01);
      expect(Math.abs(shape.requestMs / requestMs - 1), `${requestMs} ms`).toBeLessThan(0.01);
    }
  });

  it.each([
    [0.17, 0.036, [1000, 2000, 4000, 8000, 12000]],
    [2, 0.5, [100, 300, 600, 1000]],
    [2, 0.5, [100, 300, 600, 1000, 1500]],
  ])('%d and %d ms: chosen, with intervals that hold it and are no wider than a half', (a, b, rates) => {
    const fit = fitQueue(curveOf(a, b, rates, 0.004), { loops: 1, seed: 1, resamples: 100 });
    expect(fit).toMatchObject({ chosen: 'gated', tie: false });
    for (const [{ low, high }, truth] of [
      [gated(fit.models).turnMs, a],
      [gated(fit.models).requestMs, b],
    ] as const) {
      expect(low!).toBeLessThan(truth);
      expect(high!).toBeGreaterThan(truth);
      expect(high! - low!).toBeLessThan(0.6 * truth);
    }
    expect(fit.capacityRps!.low!).toBeLessThan(1000 / b);
    expect(fit.capacityRps!.high!).toBeGreaterThan(1000 / b);
  });

  it('with noise, within the interval of at least nine in ten', () => {
    const noisy = clients(30, 0.01, true);
    const held = noisy.filter(({ turnMs, requestMs, curve }) => {
      const { models } = fitQueue(curve, { loops: 1, seed: 1, resamples: 60 });
      const { turnMs: a, requestMs: b } = gated(models);
      const holds = ({ low, high }: typeof a, truth: number) =>
        (low ?? 0) <= truth && (high ?? truth) >= truth;
      return holds(a, turnMs) && holds(b, requestMs);
    });
    expect(held.length).toBeGreaterThanOrEqual(27);
  });
});
