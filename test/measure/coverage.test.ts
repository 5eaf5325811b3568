/**
 * What Tare's intervals cover, by simulation with fixed seeds, through the functions that an audit calls. docs/intervals.md has the whole
 * tables (scripts/coverage.ts).
 */
import { describe, expect, it } from 'vitest';
import { betweenCoverage } from '../../scripts/bench-intervals/between.ts';
import { asIndependent, bootstraps } from '../../scripts/bench-intervals/rivals.ts';
import { FIGURES, PROCESSES, type Process, REPETITIONS } from '../../scripts/bench-intervals/shapes.ts';
import type { Tally } from '../../scripts/bench-intervals/tally.ts';
import { verdictShares } from '../../scripts/bench-intervals/verdicts.ts';
import { figuresCoverage, withinCoverage } from '../../scripts/bench-intervals/within.ts';
import { cellInterval } from '../../src/measure/bias.ts';
import { quantileInterval } from '../../src/measure/quantile-interval.ts';
import { exponential, normal, uniform } from '../../src/measure/random.ts';

const shape = (name: string) => REPETITIONS.find((one) => one.name === name)!;
const process = (name: string): Process => PROCESSES.find((one) => one.name === name)!;
const ofCell = (values: readonly number[]) => cellInterval(values, []).interval;
/** 95 ± 1 %. */
const expectNominal = (coverage: number) => {
  expect(coverage).toBeGreaterThan(0.94);
  expect(coverage).toBeLessThan(0.96);
};

describe('between trials, 10,000 cells each', () => {
  it.each([2, 3, 4, 5, 8, 10, 20])('%d repetitions, normal: 95 ± 1 in 100', (n) =>
    expectNominal(betweenCoverage(shape('normal'), n, 10_000, 2, ofCell).coverage),
  );
  it.each([
    ['lognormal, CV 0.5', 3, 0.91],
    ['lognormal, CV 0.5', 10, 0.93],
    ['lognormal, CV 1', 3, 0.85],
    ['lognormal, CV 1', 10, 0.91],
  ] as const)('skewed (%s), %d repetitions: at least %d', (name, n, least) => {
    const { coverage } = betweenCoverage(shape(name), n, 10_000, 2, ofCell);
    expect(coverage).toBeGreaterThan(least);
    expect(coverage).toBeLessThan(0.96);
  });
  it('would fail with a percentile bootstrap of three repetitions, which covers about three quarters', () => {
    const u = uniform(3);
    const percentile = (values: readonly number[]) => bootstraps(values, u).percentile;
    const { coverage } = betweenCoverage(shape('normal'), 3, 1000, 2, percentile);
    expect(coverage).toBeGreaterThan(0.68);
    expect(coverage).toBeLessThan(0.78);
  });
});

describe('a quantile of independent values, thousands of samples each', () => {
  it.each([
    [0.5, 6],
    [0.5, 25],
    [0.9, 36],
    [0.9, 200],
    [0.99, 368],
    [0.99, 1000],
  ])('p = %d of %d: 95 ± 1 in 100', (p, n) => {
    const u = uniform(4, n);
    const [truth, samples] = [-Math.log(1 - p), n > 500 ? 4000 : 8000];
    let held = 0;
    for (let k = 0; k < samples; k++) {
      const { low, high } = quantileInterval(
        Float64Array.from({ length: n }, () => exponential(u)).sort(),
        p,
      )!;
      if (low <= truth && truth <= high) held++;
    }
    expectNominal(held / samples);
  });
});

describe('within a trial', () => {
  const tallies = (name: string, n: number, trials: number): readonly Tally[] =>
    withinCoverage(process(name), n, trials, 2);

  it.each(['independent, normal', 'independent, exponential', 'independent, lognormal σ = 1'])(
    '%s, 1,000 requests, 2,500 trials: 95 ± 1 in 100 of mean, p50, p90, p99',
    (name) => {
      for (const [i, tally] of tallies(name, 1000, 2500).entries()) {
        expect(tally.stated / tally.trials, FIGURES[i]).toBeGreaterThan(0.9);
        expectNominal(tally.coverage);
      }
    },
  );
  it('requests that are alike (AR(1), φ = 0.5), 1,000: at least 93 %', () => {
    for (const tally of tallies('AR(1), φ = 0.5', 1000, 2000)) {
      expect(tally.coverage).toBeGreaterThan(0.93);
      expect(tally.coverage).toBeLessThan(0.965);
    }
  });
  it('waits of a queue at ρ = 0.6, 5,000: at least 91 % of mean, p50 and p90; of p99 nearly none is stated', () => {
    const [mean, p50, p90, p99] = tallies('M/M/1 waits, ρ = 0.6', 5000, 500);
    for (const tally of [mean!, p50!, p90!]) expect(tally.coverage).toBeGreaterThan(0.91);
    expect(p99!.stated / p99!.trials).toBeLessThan(0.1);
  });
  it('would fail if requests were taken for independent', () => {
    const [mean, p50] = withinCoverage(process('M/M/1 waits, ρ = 0.6'), 5000, 200, 2, asIndependent);
    expect(mean!.coverage).toBeLessThan(0.6);
    expect(p50!.coverage).toBeLessThan(0.75);
  });
  it('printed figures, 1,000 requests of varied latency: at least 93 % where delays are independent, 90 % where they queue', () => {
    for (const tally of figuresCoverage(process('independent, exponential'), 1000, 500, 2, 200_000))
      expect(tally.coverage).toBeGreaterThan(0.93);
    for (const tally of figuresCoverage(process('M/M/1 waits, ρ = 0.6'), 1000, 500, 2, 200_000))
      expect(tally.coverage).toBeGreaterThan(0.9);
  });
  it('never states one above the truth in more than one trial of twenty, even where trials are too short', () => {
    for (const one of PROCESSES)
      for (const [i, tally] of withinCoverage(one, 200, 400, 2).entries())
        expect(tally.above / tally.trials, `${one.name} ${FIGURES[i]}`).toBeLessThan(0.05);
  });
  it('states nothing of waits that grow all along in a short trial, and all that was seen of a long one', () => {
    for (const tally of tallies('overloaded, ρ = 1.2', 200, 200)) expect(tally.stated).toBeLessThan(10);
    const [mean, p50, p90, p99] = tallies('overloaded, ρ = 1.2', 1000, 300);
    for (const tally of [mean!, p50!]) expect(tally.coverage).toBeGreaterThan(0.94);
    expect(p90!.stated + p99!.stated).toBe(0);
  });
});

describe('verdicts of normal repetitions, 10,000 cells each', () => {
  it.each([2, 3, 5, 10])(
    '%d repetitions: a bias at the floor is found in 2.5 ± 0.6 of 100, inside it less',
    (n) => {
      const at = (bias: number) => verdictShares(n, bias, 0.3, normal, 10_000, 2);
      expect(at(1).found).toBeGreaterThan(0.019);
      expect(at(1).found).toBeLessThan(0.031);
      expect(at(1)['none above the floor']).toBeLessThan(0.031);
      expect(at(0.5).found).toBeLessThan(0.005);
      expect(at(0).found).toBe(0);
      expect(at(2)['none above the floor']).toBe(0);
    },
  );
});
