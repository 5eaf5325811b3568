/** Documents that a reviewer made to have a comparison say what is not so. */
import { describe, expect, it } from 'vitest';
import { compareExitCode } from '../../../src/audit/compare-audits/exit-code.ts';
import { compareOutcomes } from '../../../src/audit/compare-audits/outcomes.ts';
import type { AuditDocument, Trial } from '../../../src/audit/document.ts';
import { sampleDocument } from '../../reports/sample.ts';
import { again, compare, figuresOf, inState, mapTrials, shifted } from './pair.ts';

const base = sampleDocument({ clients: ['asyncio'], rates: [100, 400] });
const at = { client: 'asyncio', rate: 100, metric: 'ttft', statistic: 'p50' } as const;
const found = (a: AuditDocument, b: AuditDocument, name: string) =>
  figuresOf(compare(a, b)).find((figure) => figure.at === `asyncio 100 ${name}`)!;

/** Every printed figure of a metric at this value, in all repetitions. */
const printing = (document: AuditDocument, value: (trial: Trial) => number) =>
  mapTrials(document, (trial) => ({
    ...trial,
    bias: trial.bias.map((row) =>
      row.metric === 'ttft'
        ? { ...row, reported_ms: value(trial), queueing_bias_ms: value(trial) - 50 }
        : row,
    ),
  }));

const failing = (repetitions: number, failed: number, rate = 100): AuditDocument => {
  const many = sampleDocument({ clients: ['asyncio'], rates: [100, 400], repetitions });
  return mapTrials(many, (trial) =>
    trial.repetition < failed && trial.workload.rateRps === rate
      ? { ...trial, outcome: { kind: 'clientFailed', reason: 'x' }, bias: [], reported: null, truth: null }
      : trial,
  );
};

const saturating = (count: number) =>
  mapTrials(base, (trial) =>
    trial.repetition < count && trial.workload.rateRps === 100
      ? { ...trial, outcome: { kind: 'saturated', reason: 'x' } as const }
      : trial,
  );

describe('failures', () => {
  it('of 9 in 10 trials against none are worse; of 2 in 3 they are doubtful and no pass', () => {
    const ten = compare(failing(10, 0), again(failing(10, 9)));
    expect(ten.clients[0]!.rates[0]!.outcomes).toMatchObject({ state: 'worse', failed_b: 9 });
    expect(compareExitCode(ten)).toBe(3);
    const three = compare(failing(3, 0), again(failing(3, 2)));
    expect(three.clients[0]!.rates[0]!.outcomes).toMatchObject({ state: 'undetermined', heavy: true });
    expect(compareExitCode(three)).toBe(4);
    const back = compare(failing(3, 2), again(failing(3, 0)));
    expect(back.clients[0]!.rates[0]!.outcomes).toMatchObject({ heavy: false });
    expect(compareExitCode(compare(failing(4, 0), again(failing(4, 1))))).toBe(0);
  });

  it('are judged together over all cells', () => {
    // 5 of 6 against 0 of 6: p = 0.0152.
    const [a, b] = [failing(6, 0), failing(6, 5)].map((document) =>
      document.trials.filter(({ workload }) => workload.rateRps === 100),
    ) as [Trial[], Trial[]];
    expect(compareOutcomes(a, b, 3).state).toBe('worse');
    expect(compareOutcomes(a, b, 4).state).toBe('undetermined');
  });

  it('that end for the better are told, though no figure is', () => {
    const better = compare(failing(3, 3), again(failing(3, 0)), { names: ['ttft_p50'] });
    const only = {
      ...better,
      clients: better.clients.map((client) => ({
        ...client,
        rates: client.rates.filter(({ rate_rps }) => rate_rps === 100),
      })),
    };
    expect(only.clients[0]!.rates[0]!.figures.every(({ state }) => state === 'refused')).toBe(true);
    expect(compareExitCode(only)).toBe(0);
  });

  it('of single requests are a figure beside the rate', () => {
    const losing = again(
      mapTrials(base, (trial) => ({
        ...trial,
        truth: {
          ...trial.truth!,
          outcomes: { complete: trial.truth!.requests * 0.9, refused: trial.truth!.requests * 0.1 },
        },
      })),
    );
    expect(inState(compare(base, losing), 'worse')).toEqual(['asyncio 100 success', 'asyncio 400 success']);
    // Those that the client alone counts as failed count too.
    const own = again(
      mapTrials(base, (trial) => ({
        ...trial,
        reported: { ...trial.reported!, failed: trial.truth!.requests / 10 },
      })),
    );
    expect(inState(compare(base, own), 'worse')).toEqual(['asyncio 100 success', 'asyncio 400 success']);
    expect(found(base, again(base), 'success')).toMatchObject({ state: 'unchanged', difference: 0 });
  });

  it('of none in few requests do not prove that there are none', () => {
    const few = (document: AuditDocument) =>
      mapTrials(document, (trial) => ({ ...trial, truth: { ...trial.truth!, outcomes: { complete: 100 } } }));
    expect(found(few(base), again(few(base)), 'success').state).toBe('undetermined');
  });
});

describe('saturation', () => {
  it('of all trials against none is worse; of some it is said', () => {
    const whole = compare(base, again(saturating(3)));
    expect(whole.clients[0]!.rates[0]!.outcomes).toMatchObject({ state: 'same', saturation: 'worse' });
    expect(compareExitCode(whole)).toBe(3);
    const some = compare(base, again(saturating(2))).clients[0]!.rates[0]!;
    expect(some.outcomes).toMatchObject({ saturation: 'undetermined', saturated_b: 2 });
    expect(some.outcomes!.saturation_reason).toMatch(
      /2 of 3 in B: latencies of a saturated trial belong to another rate/,
    );
    expect(some.notes[0]).toMatch(/^saturated in B \(0 of 3 trials in A, 2 of 3 in B\)/);
  });
});

describe('values without spread', () => {
  it('are told where they are far apart, whatever the ninth decimal is', () => {
    const [a, b] = [printing(base, () => 51), again(printing(base, () => 101))];
    const hair = again(printing(base, ({ repetition }) => (repetition === 1 ? 101.0000000001 : 101)));
    expect(found(a, b, 'ttft_p50').state).toBe('worse');
    expect(found(a, hair, 'ttft_p50').state).toBe('worse');
    // One step of whole milliseconds.
    expect(found(a, b, 'ttft_p50').low).toBeCloseTo(49, 9);
    expect(found(a, again(printing(base, () => 52)), 'ttft_p50').state).toBe('undetermined');
    // The same step printed to hundredths is told.
    expect(
      found(
        printing(base, () => 51.01),
        again(printing(base, () => 52.02)),
        'ttft_p50',
      ).state,
    ).toBe('worse');
  });
});

describe('direction', () => {
  it('is not that of two means whose distances from none are not told apart', () => {
    const mean = found(base, again(base), 'ttft_p50').a.mean!;
    const noisy = (by: number) => {
      const moved = shifted(base, { ...at, by: by - mean });
      return mapTrials(moved, (trial) => ({
        ...trial,
        bias: trial.bias.map((row) => ({
          ...row,
          queueing_bias_ms:
            row.queueing_bias_ms === null ? null : row.queueing_bias_ms + trial.repetition - 2,
        })),
      }));
    };
    // −30 → +31: farther by 1, with intervals of some ms.
    expect(found(noisy(-30), again(noisy(31)), 'ttft_p50').state).toBe('changed');
    expect(found(noisy(-30), again(noisy(90)), 'ttft_p50').state).toBe('worse');
    expect(found(noisy(-90), again(noisy(30)), 'ttft_p50').state).toBe('better');
  });
});

describe('the same, another, or gone', () => {
  it('trials that are in both are not compared', () => {
    const half = again(base);
    const mixed = {
      ...half,
      trials: half.trials.map((trial, i) => (trial.workload.rateRps === 100 ? base.trials[i]! : trial)),
    };
    const comparison = compare(base, mixed);
    expect(comparison.same_audit).toBe(false);
    expect(inState(comparison, 'refused').every((name) => name.includes(' 100 '))).toBe(true);
    expect(found(base, mixed, 'rate').reason).toBe('the same trials in A and in B');
    const one = { ...half, trials: half.trials.map((trial, i) => (i === 0 ? base.trials[0]! : trial)) };
    const rate = base.trials[0]!.workload.rateRps;
    expect(
      figuresOf(compare(base, one)).find((figure) => figure.at === `asyncio ${rate} rate`)!.reason,
    ).toMatch(/^1 of its trials are in A and in B/);
  });

  it('another model of a server is refused', () => {
    const served = (model: string): AuditDocument => ({
      ...base,
      plan: { ...base.plan, target: { ...base.plan.target, kind: 'external', url: 'http://a', model } },
    });
    expect(found(served('x'), again(served('y')), 'rate').reason).toBe('other models: x in A, y in B');
    expect(found(served('x'), again(served('x')), 'rate').state).toBe('unchanged');
  });

  it('a client or a rate that is gone from B is no pass', () => {
    const two = sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100, 400] });
    const client = { ...again(two), clients: two.clients.filter(({ name }) => name !== 'asyncio') };
    expect(compareExitCode(compare(two, client))).toBe(4);
    expect(compareExitCode(compare(client, two))).toBe(0);
    const rate = {
      ...again(two),
      trials: again(two).trials.filter(({ workload }) => workload.rateRps === 100),
    };
    expect(compareExitCode(compare(two, rate))).toBe(4);
    expect(compareExitCode(compare(rate, again(two)))).toBe(4);
    expect(compareExitCode(compare(two, client, { clients: ['tare-multi'] }))).toBe(0);
  });

  it('a trace is compared by its name, and it is said', () => {
    const traced = mapTrials(base, (trial) => ({
      ...trial,
      workload: {
        ...trial.workload,
        arrivals: { kind: 'trace', file: 'day.csv' } as unknown as Trial['workload']['arrivals'],
      },
    }));
    expect(compare(traced, again(traced)).clients[0]!.rates[0]!.notes[0]).toMatch(
      /trace day\.csv: compared by its name/,
    );
  });

  it('a trial without a ledger is left out, and does not take the others with it', () => {
    const one = mapTrials(again(base), (trial) =>
      trial.repetition === 1 ? { ...trial, truth: null } : trial,
    );
    const comparison = compare(base, one);
    const rate = found(base, one, 'rate');
    expect(rate).toMatchObject({ state: 'unchanged', b: { trials: 2 } });
    expect(comparison.clients[0]!.rates[0]!.notes).toContain(
      'trials of B without a ledger are left out of its rate',
    );
    const none = mapTrials(again(base), (trial) => ({ ...trial, truth: null }));
    expect(found(base, none, 'rate').reason).toBe('nobody counted it in B');
  });
});

describe('what decides', () => {
  it('is the rate, success and TTFT, or E2E without it; what else changes does not set the exit code', () => {
    const e2e = again(
      shifted(base, { client: 'asyncio', rate: 100, metric: 'e2e', statistic: 'p99', by: 90 }),
    );
    const comparison = compare(base, e2e);
    expect(inState(comparison, 'worse')).toEqual(['asyncio 100 e2e_p99']);
    expect(compareExitCode(comparison)).toBe(0);
    expect(compareExitCode(compare(base, e2e, { names: ['e2e_p99'] }))).toBe(3);
    const mute = (document: AuditDocument) =>
      mapTrials(document, (trial) => ({
        ...trial,
        bias: trial.bias.map((row) => (row.metric === 'ttft' ? { ...row, queueing_bias_ms: null } : row)),
      }));
    expect(compareExitCode(compare(mute(base), mute(e2e)))).toBe(3);
  });

  it('is not made wider by figures that cannot be judged', () => {
    const bare = (document: AuditDocument) => ({
      ...document,
      findings: document.findings.map((f) => ({ ...f, floor_ms: null })),
    });
    const { family } = compare(bare(base), again(bare(base)));
    expect([family.primary.intervals, family.besides.intervals]).toEqual([4, 4]);
  });

  it('shows, where it is open, from which change on it would have told', () => {
    const wild = mapTrials(base, (trial) => ({
      ...trial,
      bias: trial.bias.map((row) => ({ ...row, queueing_bias_ms: trial.repetition * 3 })),
    }));
    const figure = found(wild, again(wild), 'ttft_p50');
    expect(figure.state).toBe('undetermined');
    expect(figure.smallest_change).toBeCloseTo((figure.high! - figure.low!) / 2 + figure.floor!, 9);
    const more = again(shifted(wild, { ...at, by: figure.smallest_change! * 1.01 }));
    expect(found(wild, more, 'ttft_p50').state).toBe('worse');
    const less = again(shifted(wild, { ...at, by: figure.smallest_change! * 0.99 }));
    expect(found(wild, less, 'ttft_p50').state).toBe('undetermined');
  });

  it('warns of a spread that is many times the other', () => {
    const spread = (document: AuditDocument, by: number, times: number) =>
      mapTrials(document, (trial) => ({
        ...trial,
        bias: trial.bias.map((row) => ({ ...row, queueing_bias_ms: by + times * trial.repetition })),
      }));
    expect(found(spread(base, 0, 0.1), again(spread(base, 90, 1)), 'ttft_p50')).toMatchObject({
      state: 'worse',
    });
    expect(found(spread(base, 0, 0.1), again(spread(base, 90, 1)), 'ttft_p50').caveat).toMatch(
      /^its spread in B is 10/,
    );
    expect(found(spread(base, 0, 0.1), again(spread(base, 90, 0.2)), 'ttft_p50').caveat).toBe('');
  });
});
