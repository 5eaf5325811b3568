import { describe, expect, it } from 'vitest';
import type { TrialVerdict } from '../../../src/measure/envelope/judge.ts';
import {
  limitPosterior,
  massWithin,
  POWERS,
  type RateTrials,
  widened,
} from '../../../src/measure/envelope/posterior.ts';
import { uniform } from '../../../src/measure/random.ts';
import { drawnLimit, search, withRamp } from './simulated.ts';

const RANGE = { from_rps: 100, to_rps: 400, ramp: 2 };
const cell = (rate_rps: number, holds: number, fails: number, undetermined = 0): RateTrials => ({
  rate_rps,
  holds,
  fails,
  undetermined,
});

describe('where the limit lies', () => {
  it('is the share of the prior without trials that tell', () => {
    // Equal factors of two: below 100, 100 to 200, 200 to 400, above.
    const silent = limitPosterior([cell(100, 0, 0), cell(200, 0, 0), cell(400, 0, 0)], RANGE, 0.1);
    expect(massWithin(silent, 100, 200)).toBeCloseTo(0.25, 12);
    expect(massWithin(silent, null, 200)).toBeCloseTo(0.5, 12);
    expect(massWithin(silent, 200, null)).toBeCloseTo(0.5, 12);
    expect(massWithin(silent, null, null)).toBeCloseTo(1, 12);
  });

  it('is found by Bayes from those that do, where the limit is an edge', () => {
    // Likelihoods of a limit below 200, and above.
    const one = limitPosterior([cell(200, 2, 1)], RANGE, 0.1, [Infinity]);
    const [below, above] = [0.1 ** 2 * 0.9, 0.9 ** 2 * 0.1];
    expect(massWithin(one, 200, null)).toBeCloseTo(above / (above + below), 12);
  });

  it('is known less closely where it may be a slope', () => {
    const cells = [cell(180, 2, 0), cell(200, 0, 2)];
    const by = (powers: readonly number[]) => massWithin(limitPosterior(cells, RANGE, 0.1, powers), 180, 200);
    expect(by([Infinity])).toBeGreaterThan(2 * by([4]));
    expect(by(POWERS)).toBeLessThan(by([Infinity]));
    expect(by(POWERS)).toBeGreaterThan(by([4]));
  });

  it('is likelier where trials tell nothing', () => {
    const cells = (n: number) => [cell(100, 2, 0), cell(150, 0, 0, n), cell(250, 0, 0), cell(400, 0, 2)];
    const around = (n: number) => massWithin(limitPosterior(cells(n), RANGE, 0.1), 100, 250);
    expect(around(3)).toBeGreaterThan(around(0) + 0.02);
  });

  it('is finite after very many trials', () => {
    const many = limitPosterior([cell(100, 90, 10), cell(200, 50, 50, 40), cell(400, 5, 95)], RANGE, 0.1);
    expect(massWithin(many, 100, 400)).toBeGreaterThan(0.99);
  });
});

describe('a bracket that is not sure', () => {
  const posterior = { edges: [50, 100, 150, 200, 400, 800], mass: [0.05, 0.2, 0.3, 0.35, 0.1] };

  it('is widened to the neighbour where more is won', () => {
    expect(widened(posterior, 150, 200, 0.6)).toMatchObject({ low_rps: 150, high_rps: 400 });
    expect(widened(posterior, 150, 200, 0.8).low_rps).toBe(100);
  });

  it('stays where it is sure, and may end without an end', () => {
    expect(widened(posterior, 150, 200, 0.3)).toMatchObject({ low_rps: 150, high_rps: 200 });
    expect(widened(posterior, 150, 200, 0.99)).toMatchObject({ low_rps: null, high_rps: null });
  });
});

/** A client whose limit is a slope, and that tells nothing in seven of ten trials between 20 and 80 % of holding. */
function sloped(limit: number, power: number, seed: number, band: boolean) {
  const u = uniform(seed, 0x510e);
  return (rate: number): TrialVerdict => {
    const q = power === Infinity ? Number(rate <= limit) : 1 / (1 + (rate / limit) ** power);
    if (band && q > 0.2 && q < 0.8 && u() < 0.7) return 'undetermined';
    return u() < 0.1 + 0.8 * q ? 'holds' : 'fails';
  };
}

/** How often brackets and likely ranges hold the limit, and how often they say so. */
function coverage(runs: number, client: (limit: number, seed: number) => (rate: number) => TrialVerdict) {
  const config = withRamp(14, 2);
  const sums = { covered: 0, stated: 0, likely: 0, likelyStated: 0, n: 0 };
  for (let seed = 1; seed <= runs; seed++) {
    const limit = drawnLimit(seed, config);
    const { bracket } = search(client(limit, seed), { budget: 14, config });
    if (bracket.confidence === null || bracket.state !== 'bracket') continue;
    const within = (low: number | null, high: number | null) =>
      Number((low ?? 0) <= limit && limit < (high ?? Infinity));
    const [low, high] = [bracket.holds!.rate_rps, bracket.fails!.rate_rps];
    sums.n++;
    sums.covered += within(low, high);
    sums.stated += bracket.confidence;
    sums.likely +=
      bracket.likely == null ? within(low, high) : within(bracket.likely.low_rps, bracket.likely.high_rps);
    sums.likelyStated += bracket.likely?.confidence ?? bracket.confidence;
  }
  const of = (sum: number) => sum / sums.n;
  return {
    covered: of(sums.covered),
    stated: of(sums.stated),
    likely: of(sums.likely),
    likelyStated: of(sums.likelyStated),
    error: 3 * Math.sqrt(0.25 / sums.n),
  };
}

describe('brackets of clients whose slope is not known', () => {
  it.each([false, true])('cover as often as they say over all slopes (a silent band: %s)', (band) => {
    const found = coverage(480, (limit, seed) => sloped(limit, POWERS[seed % POWERS.length]!, seed, band));
    expect(found.covered).toBeGreaterThan(found.stated - found.error);
    // A silent band is sharper knowledge than is assumed of it.
    if (!band) expect(found.covered).toBeLessThan(found.stated + found.error);
    expect(found.likely).toBeGreaterThan(found.likelyStated - found.error);
  });

  it.each([8, 16, 40, Infinity])('have a likely range that holds it at a power of %d', (power) => {
    for (const band of [false, true])
      expect(coverage(150, (limit, seed) => sloped(limit, power, seed, band)).likely).toBeGreaterThan(0.72);
  });
});
