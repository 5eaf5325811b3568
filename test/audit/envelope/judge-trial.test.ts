import { describe, expect, it } from 'vitest';
import type { Outcome, Trial } from '../../../src/audit/document.ts';
import type { BiasTerm, RateTerm } from '../../../src/audit/envelope/document.ts';
import { type JudgeContext, judgeTrial } from '../../../src/audit/envelope/judge-trial.ts';
import {
  clientEstimateS,
  plannedTrial,
  trialDurationS,
  trialsWithin,
} from '../../../src/audit/envelope/plan.ts';
import { parseTolerance } from '../../../src/measure/envelope/tolerance.ts';
import { sampleDocument } from '../../reports/sample.ts';
import { sampleFloor, simulatedTrial } from './simulated-trials.ts';

const TOLERANCE = parseTolerance('rate=2%,ttft_p50=1ms');
const { plan, clients } = sampleDocument({ clients: ['asyncio'], rates: [25], repetitions: 1 });
const { facts } = clients[0]!;

const context = (change: Partial<JudgeContext> = {}): JudgeContext => ({
  tolerance: TOLERANCE,
  floor: sampleFloor(),
  facts,
  cores: 1,
  given: new Set(),
  ...change,
});

const trialAt = (rateRps: number): Trial =>
  simulatedTrial(plannedTrial(plan, TOLERANCE, facts, { client: 'asyncio', rateRps, nth: 1, order: 0 }));

type Truth = NonNullable<Trial['truth']>;
const withTruth = (trial: Trial, change: Partial<Truth>): Trial => ({
  ...trial,
  truth: { ...trial.truth!, ...change },
});
const withTarget = (trial: Trial, change: Partial<Truth['target']>): Trial =>
  withTruth(trial, { target: { ...trial.truth!.target, ...change } });
const withObserved = (trial: Trial, change: Partial<NonNullable<Trial['observed']>>): Trial => ({
  ...trial,
  observed: { ...trial.observed!, ...change },
});
const verdict = (trial: Trial, change: Partial<JudgeContext> = {}) =>
  judgeTrial(trial, 'ramp', context(change));

describe('a trial', () => {
  it('holds at a low rate and fails at a high one, in words with the tolerance', () => {
    expect(verdict(trialAt(200))).toMatchObject({ verdict: 'holds', reason: '' });
    const failing = verdict(trialAt(1500));
    expect(failing.verdict).toBe('fails');
    expect(failing.reason).toMatch(/^TTFT p50 \+\d.*\[.*\] for ±1 allowed$/);
  });

  it('is undetermined where the interval reaches over the tolerance', () => {
    const { verdict: found, reason } = verdict(trialAt(1099));
    expect(found).toBe('undetermined');
    expect(reason).toContain('longer trial');
  });

  it('is undetermined without a floor', () => {
    expect(verdict(trialAt(200), { floor: null }).verdict).toBe('undetermined');
  });

  it('has the target’s own lateness in the floor of its figures', () => {
    const late = verdict(withTruth(trialAt(1500), { lateness_p50_ms: 0.9 }));
    expect((late.terms[1] as BiasTerm).floor_ms).toBe(0.9);
  });
});

describe('the rate', () => {
  const rateOf = (trial: Trial, change: Partial<JudgeContext> = {}): RateTerm =>
    verdict(trial, { tolerance: parseTolerance('rate=2%'), ...change }).terms[0] as RateTerm;
  const whole = trialAt(200);

  it.each([
    ['arrivals', withTruth(whole, { rate_fidelity: 0.97 })],
    ['arrivals', withTruth(whole, { rate_fidelity: 1.03 })],
    [
      'requests',
      withTruth(whole, { rate_fidelity: 1, outcomes: { complete: 0.97 * whole.workload.requests } }),
    ],
    ['completions', withTruth(whole, { rate_fidelity: 1, completion_rps: 185 })],
    ['successes', { ...whole, reported: { ...whole.reported!, completed: 960, failed: 40 } }],
  ] as const)('fails by %s', (of, trial) => {
    expect(rateOf(trial as Trial)).toMatchObject({ verdict: 'fails', of });
    expect(verdict(trial as Trial).reason).toMatch(/ %|would do/);
  });

  it('holds where all are within, and by the tolerance that was asked for', () => {
    expect(rateOf(whole)).toMatchObject({ verdict: 'holds', of: 'arrivals', allowed_share: 0.02 });
    const less = withTruth(whole, { rate_fidelity: 0.96 });
    expect(rateOf(less, { tolerance: parseTolerance('rate=5%') }).verdict).toBe('holds');
    expect(
      rateOf(withTruth(whole, { rate_fidelity: 0.985 }), { tolerance: parseTolerance('rate=1%') }).verdict,
    ).toBe('fails');
  });

  it('allows chance to a client whose constant arrivals are Poisson', () => {
    const less = withTruth(whole, { rate_fidelity: 0.96, completion_rps: 195 });
    expect(rateOf(less).verdict).toBe('fails');
    const poisson = rateOf(less, { facts: { ...facts, constantIsPoisson: true } });
    expect(poisson.verdict).toBe('holds');
    expect(poisson.allowed_share).toBeCloseTo(0.02 + 3 / Math.sqrt(whole.workload.requests));
  });
});

describe('a client that fails', () => {
  const ended = (kind: Outcome['kind']): Trial => ({
    ...trialAt(200),
    outcome: { kind, reason: 'why' } as Outcome,
    bias: [],
    reported: null,
  });
  it.each(['clientFailed', 'timedOut', 'unparsable'] as const)('%s: it does not hold', (kind) => {
    expect(verdict(ended(kind))).toMatchObject({ verdict: 'fails', reason: 'why', terms: [] });
  });
  it.each(['incomplete', 'clientMissing'] as const)('%s: not its fault', (kind) => {
    expect(verdict(ended(kind))).toMatchObject({ verdict: 'undetermined', reason: 'why' });
  });
});

describe('a failing trial is not the client’s', () => {
  const failing = trialAt(1500);

  it.each([
    [
      'the target’s core is used up',
      withTarget(failing, { pacing: 'block', cpuNs: 7.5e9, windowNs: 8e9 }),
      '94 % of its core',
    ],
    ['the target is late at the median', withTruth(failing, { lateness_p50_ms: 1.4 }), 'late by 1.4 ms'],
  ])('where %s', (_, trial, words) => {
    const judged = verdict(trial);
    expect(judged.verdict).toBe('target');
    expect(judged.reason).toContain(words);
  });

  it('but one that holds then does hold', () => {
    expect(verdict(withTruth(trialAt(100), { lateness_p50_ms: 1.4 })).verdict).toBe('holds');
  });

  it('a target that spins uses its core always: that says nothing', () => {
    expect(verdict(withTarget(failing, { pacing: 'spin', cpuNs: 8e9, windowNs: 8e9 })).verdict).toBe('fails');
  });

  it.each([
    ['the hypervisor took time', withObserved(failing, { steal_share: 0.2 })],
    [
      'it waited for a core that it did not use',
      withObserved(failing, { core_wait_share: 0.3, cpu_share: 0.2 }),
    ],
    ['the target stalled', withTruth(failing, { lateness_p99_ms: 40 })],
    [
      'other programs had the cores',
      withObserved(failing, {
        machine: { work_share: 3, harness_share: 0.1 } as NonNullable<
          NonNullable<Trial['observed']>['machine']
        >,
      }),
    ],
  ])('where %s: undetermined', (_, trial) => {
    const judged = verdict(trial);
    expect(judged.verdict).toBe('undetermined');
    expect(judged.disturbed).not.toBeNull();
    expect(judged.reason).toContain(judged.disturbed);
  });

  it('a target that is late since others had its core is not at its own limit', () => {
    const machine = { work_share: 3, harness_share: 0.1 } as NonNullable<
      NonNullable<Trial['observed']>['machine']
    >;
    const late = withTruth(withObserved(failing, { machine }), { lateness_p50_ms: 5 });
    expect(verdict(late)).toMatchObject({ verdict: 'undetermined' });
  });

  it('its own threads in one another’s way are its own', () => {
    expect(verdict(withObserved(failing, { core_wait_share: 0.5, cpu_share: 0.9 })).verdict).toBe('fails');
  });

  it('a disturbed trial that holds does hold', () => {
    expect(verdict(withObserved(trialAt(100), { steal_share: 0.2 })).verdict).toBe('holds');
  });
});

describe('a p99 of few requests', () => {
  const few = (worst: number, reason: string, joined = 400): Trial => {
    const trial = trialAt(200);
    return {
      ...trial,
      joined: { by: 'requestId', records: joined, joined, share: 1, reason: null },
      bias: trial.bias.map((row) => ({
        ...row,
        within_low_ms: null,
        within_high_ms: null,
        paired_ms: 0.5,
        paired_reason: reason,
        paired_worst_tenth_ms: worst,
      })),
    };
  };
  const p99 = { tolerance: parseTolerance('ttft_p99=5ms') };
  const short = 'no interval: p99 needs 368 independent requests, and these 400 values are worth 300';

  it('holds by its worst tenth, and by nothing less', () => {
    expect(verdict(few(4, short), p99)).toMatchObject({ verdict: 'holds' });
    expect((verdict(few(4, short), p99).terms[1] as BiasTerm).by).toBe('worst tenth');
    expect(verdict(few(6, short), p99).verdict).toBe('undetermined');
    expect(verdict(few(4, short, 298), p99).verdict).toBe('undetermined');
    expect(verdict(few(4, 'no interval: the values drift through the trial'), p99).verdict).toBe(
      'undetermined',
    );
  });
});

describe('a figure that is missing', () => {
  const without = (trial: Trial): Trial => ({
    ...trial,
    bias: trial.bias.map((row) =>
      row.metric === 'ttft' ? { ...row, queueing_bias_ms: null, reported_ms: null } : row,
    ),
  });
  it('is not judged where the client never gave it', () => {
    expect(verdict(without(trialAt(200)))).toMatchObject({ verdict: 'holds', not_given: ['ttft_p50'] });
  });
  it('is undetermined where it gave it at another rate', () => {
    const judged = verdict(without(trialAt(200)), { given: new Set(['ttft_p50']) });
    expect(judged).toMatchObject({ verdict: 'undetermined', not_given: [] });
  });
});

describe('the plan', () => {
  it('lengthens trials at low rates for a p99, and no longer than 25 s', () => {
    const p99 = parseTolerance('ttft_p99=5ms');
    expect([1, 25, 50, 100, 200].map((rate) => trialDurationS(rate, 5, p99))).toEqual([25, 25, 16, 8, 5]);
    expect(trialDurationS(25, 5, parseTolerance('rate=2%'))).toBe(5);
  });

  it('estimates more for more trials, and finds the number that fits a time', () => {
    const search = { from_rps: 25, to_rps: 5000, ratio: 1.15, confirm: 2, ramp: 2, tolerances: TOLERANCE };
    const cost = { startupS: 1, teardownS: 1 };
    const estimate = (n: number) => clientEstimateS(search, n, 5, cost);
    expect(estimate(14)).toBeCloseTo(14 * 9.5);
    const fits = trialsWithin(200, search, 5, [cost]);
    expect(35 + estimate(fits)).toBeLessThanOrEqual(200);
    expect(35 + estimate(fits + 1)).toBeGreaterThan(200);
    expect(trialsWithin(1, search, 5, [cost])).toBe(4);
  });
});
