import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, summarizeNearestRank } from '../../../src/measure/quantile.ts';
import { correct } from '../../../src/measure/queue/correct.ts';
import type { Correction, ReportedFigure } from '../../../src/measure/queue/correct-types.ts';
import { fitQueue } from '../../../src/measure/queue/fit.ts';
import { waitMg1 } from '../../../src/measure/queue/mg1.ts';
import { run, type SimulatedClient, simulateCurve } from '../../../src/measure/queue/simulate.ts';
import { decay, markov } from '../../../src/measure/queue/tail.ts';
import { exponential, uniform } from '../../../src/measure/random.ts';
import { fcfs, point } from './curves.ts';

const RATES = [100, 200, 400, 600, 800, 900];
const OPTIONS = { loops: 1, seed: 1, resamples: 40 };
const FIT = fitQueue(
  RATES.map((rate) => point(rate, 1 + 1000 * waitMg1(rate, 1000, 1)!)),
  OPTIONS,
);

const figure = (other: Partial<ReportedFigure> = {}): ReportedFigure => ({
  metric: 'ttft',
  statistic: 'mean',
  valueMs: 50,
  tokens: null,
  requests: null,
  ...other,
});
const interval = (correction: Correction) => {
  if (correction.state === 'refused') throw new Error(correction.reason);
  return correction;
};
const reason = (correction: Correction) =>
  correction.state === 'refused' ? correction.reason : 'not refused';

describe('a mean', () => {
  it('is reduced by the predicted delay, with its interval', () => {
    const { lowMs, highMs, method, biasMs, higher } = interval(correct(figure(), FIT, 500));
    expect(method).toBe('subtraction');
    expect(biasMs.low).toBeLessThan(2);
    expect(biasMs.high).toBeGreaterThan(2);
    expect(lowMs).toBeCloseTo(50 - biasMs.high, 9);
    expect(highMs).toBeCloseTo(50 - biasMs.low, 9);
    expect(highMs - lowMs).toBeLessThan(0.5);
    expect(higher).toBeNull();
  });

  it('of NTPOT has the delay of E2E over the tokens, of TPOT that of the events after the first', () => {
    const e2e = interval(correct(figure({ metric: 'e2e' }), FIT, 500));
    const ntpot = interval(correct(figure({ metric: 'ntpot', tokens: 10 }), FIT, 500));
    expect(ntpot.biasMs.high).toBeCloseTo(e2e.biasMs.high / 10, 9);
    const own = fitQueue(
      RATES.map((rate) => {
        const ms = 1 + 1000 * waitMg1(rate, 1000, 1)!;
        return point(rate, ms, { e2eBias: { mean: ms + 0.9, se: 0.002 * (ms + 0.9) } });
      }),
      OPTIONS,
    );
    const tpot = interval(correct(figure({ metric: 'tpot', tokens: 10 }), own, 500));
    expect(tpot.biasMs.low).toBeLessThan(0.1);
    expect(tpot.biasMs.high).toBeGreaterThan(0.1);
  });

  it('below the client’s own part is refused, and never negative', () => {
    expect(reason(correct(figure({ valueMs: 1 }), FIT, 500))).toContain('below the client');
    expect(interval(correct(figure({ valueMs: 2 }), FIT, 500)).lowMs).toBe(0);
  });
});

describe('of few requests', () => {
  const noisy = fitQueue(
    RATES.map((rate, i) => {
      const ms = 1 + 1000 * waitMg1(rate, 1000, 1)!;
      const own = 0.9 + (i % 2 === 0 ? 0.02 : -0.02);
      return point(rate, ms, { e2eBias: { mean: ms + own, se: 0.01 * (ms + own) } });
    }),
    OPTIONS,
  );
  const width = (metric: 'ttft' | 'tpot', requests: number) => {
    const { lowMs, highMs } = interval(correct(figure({ metric, tokens: 11, requests }), noisy, 500));
    return highMs - lowMs;
  };

  it('TPOT scatters as the root of the requests says, and TTFT as well', () => {
    // Rates of 10,000 requests whose means are off by 0.02 ms: one request by some 2 ms, 400 by 0.1 ms, to be divided by ten tokens.
    expect(width('tpot', 400)).toBeGreaterThan(0.04);
    expect(width('tpot', 400)).toBeLessThan(0.1);
    expect(width('tpot', 100)).toBeGreaterThan(1.5 * width('tpot', 400));
    expect(width('ttft', 100)).toBeGreaterThan(1.5 * width('ttft', 10_000));
  });

  it('one has no delay below nothing, and an upper end that needs no normal mean', () => {
    const { biasMs } = interval(correct(figure({ requests: 1 }), noisy, 500));
    expect(biasMs.low).toBeGreaterThanOrEqual(0);
    const at30 = interval(correct(figure({ requests: 30 }), noisy, 500));
    const at29 = interval(correct(figure({ requests: 29 }), noisy, 500));
    expect(at29.biasMs.high).toBeGreaterThan(2 * at30.biasMs.high - 2);
  });
});

describe('refused, with the reason', () => {
  it.each([
    ['near saturation', 895, /utilization of .*from 0.9 on/],
    ['beyond what was measured', 940, /beyond the rates/],
  ])('%s', (_, rate, words) => {
    expect(reason(correct(figure(), FIT, rate))).toMatch(words);
  });

  it('where the model does not explain the client, or too little was measured', () => {
    const zigzag = fitQueue(
      [100, 200, 300, 400, 500].map((rate, i) => point(rate, i % 2 === 0 ? 1 : 4)),
      OPTIONS,
    );
    expect(reason(correct(figure(), zigzag, 300))).toContain('does not explain');
    const few = fitQueue(
      [100, 200, 300].map((rate) => point(rate, rate)),
      OPTIONS,
    );
    expect(reason(correct(figure(), few, 200))).toContain('too few steady rates');
  });

  it('where the utilization may be too high, for all that is known: 0.85 by the fit, of means with wide errors', () => {
    const noisy = fitQueue(
      [100, 200, 400, 600, 700, 850].map((rate) => {
        const ms = 5 + 1000 * waitMg1(rate, 1000, 1)!;
        return point(rate, ms, { e2eBias: null, ttftBias: { mean: ms, se: 1 } });
      }),
      OPTIONS,
    );
    expect(reason(correct(figure(), noisy, 850))).toMatch(/utilization of 0\.9\d at 850/);
  });

  it('without the figure or the tokens that are needed, or with quantiles out of order', () => {
    const one = fitQueue(
      RATES.map((rate) => point(rate, 1 + 1000 * waitMg1(rate, 1000, 1)!, { e2eBias: null })),
      OPTIONS,
    );
    expect(reason(correct(figure({ metric: 'e2e' }), one, 500))).toContain('no E2E');
    expect(reason(correct(figure({ metric: 'tpot', tokens: 1 }), FIT, 500))).toContain('output tokens');
    expect(reason(correct(figure({ metric: 'ntpot' }), FIT, 500))).toContain('output tokens');
    const others = [{ quantile: 0.5, valueMs: 60 }];
    expect(reason(correct(figure({ statistic: { quantile: 0.9 }, others }), FIT, 500))).toContain(
      'not in order',
    );
    expect(reason(correct(figure({ statistic: { quantile: 1.2 } }), FIT, 500))).toContain('not in order');
    const tpot = figure({ metric: 'tpot', tokens: 10, statistic: { quantile: 0.9 } });
    expect(reason(correct(tpot, FIT, 500))).toContain('higher quantile');
  });
});

describe('a quantile', () => {
  it('is not reduced: the server was no slower, and its higher quantile no faster than it less the delay’s bound', () => {
    const one = interval(correct(figure({ statistic: { quantile: 0.5 } }), FIT, 500));
    expect(one).toMatchObject({ method: 'bounds', lowMs: 0, highMs: 50 });
    expect(one.higher!.quantile).toBe(0.75);
    expect(one.higher!.atLeastMs).toBeCloseTo(50 - 4 * one.biasMs.high, 9);
  });

  it('has a lower bound where a lower quantile was reported', () => {
    const others = [
      { quantile: 0.5, valueMs: 48 },
      { quantile: 0.95, valueMs: 70 },
    ];
    const p90 = interval(correct(figure({ statistic: { quantile: 0.9 }, others }), FIT, 500));
    expect(p90.lowMs).toBeCloseTo(48 - p90.biasMs.high / 0.4, 9);
    const byModel = interval(correct(figure({ statistic: { quantile: 0.9 }, others }), FIT, 500, 'model'));
    expect(byModel.lowMs).toBeGreaterThanOrEqual(p90.lowMs);
  });
});

describe('where the client shortens figures at low rates', () => {
  const early = fitQueue(
    RATES.map((rate) => point(rate, -2 + 1000 * waitMg1(rate, 1000, 1)!)),
    OPTIONS,
  );

  it('a quantile of the server may be above the reported one, by as much', () => {
    const { highMs, assumptions } = interval(correct(figure({ statistic: { quantile: 0.5 } }), early, 750));
    expect(highMs).toBeGreaterThan(52);
    expect(highMs).toBeLessThan(53.3);
    expect(assumptions.join()).toMatch(/shortens a figure by [23](\.\d+)? ms at the most/);
  });

  it('and Markov’s bound is of what the delay is above its least', () => {
    expect(markov(1, -2)(0.1)).toBe(28);
    expect(markov(2)(0.1)).toBe(20);
  });
});

describe('the model’s tail', () => {
  it('is not taken where the client may be a gated loop, and that is said', () => {
    const tied = { ...FIT, chosen: 'mg1' as const, tie: true };
    const asked = interval(correct(figure({ statistic: { quantile: 0.9 } }), tied, 500, 'model'));
    expect(asked.assumptions.join()).toContain('may as well be a gated loop');
    const alone = { ...FIT, chosen: 'mg1' as const, tie: false };
    const taken = interval(correct(figure({ statistic: { quantile: 0.9 } }), alone, 500, 'model'));
    expect(taken.assumptions.join()).not.toContain('gated loop');
    expect(taken.higher!.atLeastMs).toBeGreaterThan(asked.higher!.atLeastMs);
  });

  it('a higher quantile of which nothing is known is not given as 0', () => {
    const far = interval(correct(figure({ statistic: { quantile: 0.99 } }), FIT, 850));
    expect(far.higher).toBeNull();
    expect(far.assumptions.join()).toContain('nothing is said of a higher quantile');
  });
});

describe('the truth is within', () => {
  const clients: readonly [string, SimulatedClient, number][] = [
    ['M/M/1', fcfs('exponential'), 1000],
    ['four events a request', fcfs('exponential', 1, 4), 1000],
    ['gated', { kind: 'gated', turnS: 0.001, requestS: 0.0005 }, 2000],
  ];
  const fits = clients.map(([, client, mu]) =>
    fitQueue(
      simulateCurve(client, {
        rates: [0.1, 0.3, 0.5, 0.7, 0.8, 0.9].map((rho) => rho * mu),
        runs: 10,
        requests: 4000,
        seed: 8,
        ttftBaseMs: 0.5,
        e2eBaseMs: 0.5,
      }),
      OPTIONS,
    ),
  );
  const cases = clients.flatMap(([name], which) =>
    [0.2, 0.5, 0.75].map((rho) => [name, which, rho] as const),
  );

  /** A run through the client against a server whose slow answers are those that met a busy client (`worst`), or any. */
  function measured(which: number, rho: number, seed: number, worst: boolean) {
    const [, client, mu] = clients[which]!;
    const [ttft, e2e]: [number[], number[]] = [[], []];
    run(client, rho * mu, { requests: 4000 }, seed, (first, last) => {
      ttft.push(1000 * first + 0.5);
      e2e.push(1000 * last + 0.5);
    });
    const u = uniform(seed, 9);
    const server = ttft.map(() => 20 + 5 * exponential(u));
    if (worst) {
      const order = ttft.map((_, i) => i).sort((a, b) => ttft[a]! - ttft[b]!);
      const slowest = [...server].sort((a, b) => a - b);
      order.forEach((i, place) => {
        server[i] = slowest[place]!;
      });
    }
    return {
      server,
      reported: { ttft: server.map((s, i) => s + ttft[i]!), e2e: server.map((s, i) => s + e2e[i]!) },
    };
  }

  it.each(cases)('%s %d, ρ = %d', (_, which, rho) => {
    const rate = rho * clients[which]![2];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.boolean(),
        fc.constantFrom('ttft' as const, 'e2e' as const),
        (seed, worst, metric) => {
          const { server, reported } = measured(which, rho, seed, worst);
          const truth = summarizeNearestRank(server, '');
          const seen = summarizeNearestRank(reported[metric], '');
          if (truth.n === 0 || seen.n === 0) throw new Error('no values');
          const mine = { metric, requests: 4000 };
          const average = interval(
            correct(figure({ ...mine, valueMs: mean(reported[metric]) }), fits[which]!, rate),
          );
          expect(average.lowMs).toBeLessThanOrEqual(mean(server));
          expect(average.highMs).toBeGreaterThanOrEqual(mean(server));
          const all = [
            { quantile: 0.5, valueMs: seen.p50_ms!, truth: truth.p50_ms! },
            { quantile: 0.9, valueMs: seen.p90_ms!, truth: truth.p90_ms! },
            { quantile: 0.99, valueMs: seen.p99_ms!, truth: truth.p99_ms! },
          ];
          for (const { quantile, valueMs, truth: own } of all) {
            const others = all.filter((other) => other.quantile !== quantile);
            const bounds = interval(
              correct(figure({ ...mine, statistic: { quantile }, valueMs, others }), fits[which]!, rate),
            );
            expect(bounds.lowMs).toBeLessThanOrEqual(own);
            expect(bounds.highMs).toBeGreaterThanOrEqual(own);
            if (bounds.higher === null) continue;
            const above = [...server].sort((a, b) => a - b)[Math.ceil(bounds.higher.quantile * 4000) - 1]!;
            expect(bounds.higher.atLeastMs).toBeLessThanOrEqual(above);
          }
        },
      ),
      { numRuns: 15, seed: 3 },
    );
  });

  it('and not within a subtraction of means, where slow answers met a busy client', () => {
    const { server, reported } = measured(0, 0.75, 1, true);
    const [truth, seen] = [summarizeNearestRank(server, ''), summarizeNearestRank(reported.ttft, '')];
    const average = interval(correct(figure({ valueMs: mean(reported.ttft) }), fits[0]!, 750));
    expect(seen.p99_ms! - average.biasMs.high).toBeGreaterThan(truth.p99_ms!);
  });
});

describe('tails', () => {
  it('of M/M/1 decay with μ − λ', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), (rho) => {
        expect(decay(rho, 1)).toBeCloseTo(1 - rho, 6);
      }),
    );
  });

  it('decay more slowly where services scatter more, and satisfy their equation', () => {
    expect(decay(0.8, 0)).toBeGreaterThan(decay(0.8, 0.5));
    expect(decay(0.8, 1)).toBeGreaterThan(decay(0.8, 4));
    const theta = decay(0.8, 0);
    expect(Math.exp(theta) / (1 + theta / 0.8)).toBeCloseTo(1, 9);
  });

  it('by Markov: of delays of mean 2 at most a tenth is longer than 20', () => {
    expect(markov(2)(0.1)).toBe(20);
  });
});
