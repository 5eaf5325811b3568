import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { modelJsonSchema } from '../../../reports/json-schema.ts';
import type { AuditDocument, ClientEntry, Trial } from '../../../src/audit/document.ts';
import { fitClient } from '../../../src/audit/model/client-model.ts';
import type { ClientModel } from '../../../src/audit/model/document.ts';
import { parseModelDocument } from '../../../src/audit/model/document-schema.ts';
import { grainOf } from '../../../src/audit/model/grain.ts';
import { loopsOf, spins } from '../../../src/audit/model/loops.ts';
import { modelDocument } from '../../../src/audit/model/model.ts';
import { meanWithError } from '../../../src/audit/model/points.ts';
import { queueTools } from '../../../src/audit/model/tools.ts';
import { simulatedAudit } from './simulated.ts';

const audit = simulatedAudit({
  loop: { tokenMs: () => 0.0625, baseMs: 0.4 },
  rates: [100, 200, 400, 600, 800],
  durationS: 10,
});

const modelOf = (document: AuditDocument): ClientModel =>
  fitClient(document, document.clients[0]!, { holdOut: null, seed: 1, tools: queueTools }).model;

const withTrials = (change: (trial: Trial) => Trial): AuditDocument => ({
  ...audit,
  trials: audit.trials.map(change),
});

const withFacts = (facts: Partial<ClientEntry['facts']>): AuditDocument => ({
  ...audit,
  clients: audit.clients.map((entry) => ({ ...entry, facts: { ...entry.facts, ...facts } })),
});

describe('what no queue model is fitted to', () => {
  it.each<[string, AuditDocument, ClientModel['refusal'], RegExp]>([
    [
      'a target without a ledger',
      { ...audit, plan: { ...audit.plan, target: { ...audit.plan.target, kind: 'external' } } },
      'no-ledger',
      /kept no ledger/,
    ],
    ['a closed loop', withFacts({ openLoop: false }), 'closed-loop', /closed loop/],
    [
      'constant arrivals of a client that could do Poisson',
      withTrials((trial) => ({ ...trial, workload: { ...trial.workload, arrivals: { kind: 'constant' } } })),
      'arrivals',
      /are constant.*--arrivals poisson/,
    ],
    [
      'bursts',
      withTrials((trial) => ({
        ...trial,
        workload: { ...trial.workload, arrivals: { kind: 'gamma', cv2: 4 } },
      })),
      'arrivals',
      /gamma:4/,
    ],
    [
      'arrivals that are asked Poisson and are not',
      withTrials((trial) => ({ ...trial, truth: { ...trial.truth!, gap_cv2: 0.05 } })),
      'arrivals',
      /at 100\/s the target saw gaps of CV² 0\.05/,
    ],
    [
      'clumps at every rate',
      withTrials((trial) => ({ ...trial, truth: { ...trial.truth!, gap_cv2: 5 } })),
      'arrivals',
      /gaps of CV² 5\.00/,
    ],
    [
      'a pool of threads with one queue',
      {
        ...withFacts({ runtime: 'goroutines' }),
        trials: audit.trials.map((trial) => ({
          ...trial,
          observed: {
            ...trial.observed!,
            architecture: { shape: 'equal', carriers: 4, carried_share: 0.95, carrier_processes: 1 },
          },
        })),
      },
      'thread-pool',
      /share one queue over several threads/,
    ],
    [
      'tokens neither together nor apart',
      { ...audit, plan: { ...audit.plan, latency: 'ttft=5ms,itl=100us' } },
      'token-gaps',
      /0\.1 ms apart: neither/,
    ],
    [
      'two rates',
      { ...audit, trials: audit.trials.filter(({ workload }) => workload.rateRps < 400) },
      'fewer-rates',
      /2 rates below saturation.*needs 4/,
    ],
    [
      'a bias that hardly rises above the floor',
      {
        ...audit,
        floor: {
          ...audit.floor!,
          floor_ms: {
            ...audit.floor!.floor_ms,
            ttft: { ...audit.floor!.floor_ms.ttft, mean: 5 },
            e2e: { ...audit.floor!.floor_ms.e2e, mean: 5 },
          },
        },
      },
      'within-floor',
      /floor of this machine/,
    ],
    ['a client without a trial', { ...audit, trials: [] }, 'not-run', /no trial/],
  ])('%s', (_, document, code, words) => {
    const model = modelOf(document);
    expect(model).toMatchObject({ state: 'refused', refusal: code, chosen: null, models: [] });
    expect(model.why).toMatch(words);
  });

  it('and the same audit as it is has a model', () => {
    expect(modelOf(audit).state).toBe('fitted');
  });

  it('clumps at high rates, where the loop is late, are its queue; and where the machine stalled it nothing is said of its arrivals', () => {
    const late = withTrials((trial) => ({
      ...trial,
      truth: { ...trial.truth!, gap_cv2: trial.workload.rateRps > 300 ? 5 : 1 },
    }));
    expect(modelOf(late).state).toBe('fitted');
    const stalled = withTrials((trial) => ({
      ...trial,
      truth: { ...trial.truth!, gap_cv2: 5 },
      observed: { ...trial.observed!, core_wait_share: 0.3 },
    }));
    expect(modelOf(stalled).state).toBe('fitted');
  });

  it('constant arrivals that are a Poisson process in truth are none of those', () => {
    const document = withFacts({ constantIsPoisson: true });
    const trials = document.trials.map((trial) => ({
      ...trial,
      workload: { ...trial.workload, arrivals: { kind: 'constant' as const } },
    }));
    expect(modelOf({ ...document, trials }).state).toBe('fitted');
  });
});

describe('trials that are left out', () => {
  /** One repetition in which another program had the core. */
  const spoiled = withTrials((trial) =>
    trial.repetition === 1
      ? {
          ...trial,
          observed: { ...trial.observed!, core_wait_share: 0.3 },
          bias: trial.bias.map((row) => ({ ...row, paired_ms: row.paired_ms === null ? null : 500 })),
        }
      : trial,
  );

  it('are those that the machine disturbed, by what it did and not by what came out', () => {
    const model = modelOf(spoiled);
    expect(model.state).toBe('fitted');
    expect(model.rates.every((one) => one.trials === 2 && one.ttft_bias_ms! < 10)).toBe(true);
    expect(model.notes.join(' ')).toMatch(/At 100\/s 1 of 3 trials are left out: the machine disturbed them/);
  });

  it('leave too little, and that is said to be the machine’s doing', () => {
    const most = withTrials((trial) =>
      trial.workload.rateRps > 200
        ? {
            ...trial,
            outcome: { kind: 'saturated', reason: 'it sent less' },
            observed: { ...trial.observed!, core_wait_share: 0.3 },
          }
        : trial,
    );
    expect(modelOf(most)).toMatchObject({ state: 'refused', refusal: 'fewer-rates' });
    expect(modelOf(most).why).toMatch(/has 2 rates .* at 3 more the machine disturbed every trial/);
  });

  it('stay where nothing else is left, and that is said first', () => {
    const all = withTrials((trial) => ({
      ...trial,
      observed: { ...trial.observed!, core_wait_share: 0.3 },
    }));
    expect(modelOf(all).notes[0]).toMatch(/disturbed so many trials/);
  });

  it('half saturated repetitions are no steady rate', () => {
    const two = {
      ...audit,
      trials: audit.trials
        .filter(({ repetition }) => repetition < 2)
        .map(
          (trial): Trial =>
            trial.workload.rateRps === 800 && trial.repetition === 1
              ? { ...trial, outcome: { kind: 'saturated', reason: 'it sent 700/s' } }
              : trial,
        ),
    };
    const model = modelOf(two);
    expect(model.rates.at(-1)).toMatchObject({ saturated: true, trials: 1 });
    expect(model.notes.join(' ')).toMatch(
      /At 800\/s 1 of 2 trials are left out: the rate was kept, where half/,
    );
  });

  it('a model that is off by more than half at unseen rates is not chosen, however wide the trials’ spread', () => {
    const { models } = modelOf(audit);
    const far = fitClient(audit, audit.clients[0]!, {
      holdOut: null,
      seed: 1,
      tools: {
        ...queueTools,
        fit: (points, options) => {
          const fit = queueTools.fit(points, options);
          return { ...fit, models: fit.models.map((one) => ({ ...one, heldOutError: 0.7 })) };
        },
      },
    }).model;
    expect(models).toHaveLength(2);
    expect(far).toMatchObject({ state: 'unexplained', chosen: null });
    expect(far.why).toMatch(/70 % off/);
  });
});

describe('what comes to the queue', () => {
  it.each([
    ['zero', 16, 'request'],
    ['ttft=50ms', 16, 'request'],
    ['ttft=50ms,itl=10ms', 1, 'request'],
    ['ttft=50ms,itl=10ms', 16, 'token'],
    ['itl=lognormal:20ms:0.5', 16, 'token'],
    ['itl=0.5ms', 16, null],
    ['itl=empirical:gaps.csv', 16, null],
    ['not injected', 16, null],
  ])('%s with %i tokens: %s', (latency, tokens, grain) => {
    expect(grainOf(latency, tokens).grain).toBe(grain);
  });

  it('threads that turn while they wait are told by the lowest rate', () => {
    const at = (rateRps: number, share: number | null) => ({ rateRps, share });
    expect(spins([at(100, 0.97), at(800, 0.99)])).toBe(true);
    expect(spins([at(100, 0.1), at(800, 0.99)])).toBe(false);
    expect(spins([at(800, 0.97)])).toBe(false);
    expect(spins([at(100, null), at(800, 0.99)])).toBe(false);
  });

  it('uneven work is taken for one queue, with a note', () => {
    const [trial] = audit.trials;
    const uneven = {
      ...trial!,
      observed: {
        ...trial!.observed!,
        architecture: { shape: 'uneven' as const, carriers: 3, carried_share: 0.7, carrier_processes: 3 },
      },
    };
    const found = loopsOf([uneven], { runtime: 'asyncio' });
    expect(found.loops).toBe(1);
    expect('notes' in found && found.notes[0]).toMatch(/unevenly/);
  });
});

describe('a mean and its error', () => {
  it('is the larger of what trials differ by and what each can tell', () => {
    const alike = [
      { value: 1, half: 0.98 },
      { value: 1.001, half: 0.98 },
    ];
    expect(meanWithError(alike)!.se).toBeCloseTo(0.5 / Math.SQRT2, 3);
    const unlike = [
      { value: 1, half: 0.01 },
      { value: 3, half: 0.01 },
    ];
    expect(meanWithError(unlike)).toEqual({ mean: 2, se: 1 });
  });

  it('of two trials without records is as wide as two can tell', () => {
    const two = [
      { value: 1, half: null },
      { value: 3, half: null },
    ];
    expect(meanWithError(two)!.se).toBeCloseTo(12.706 / 1.96, 2);
  });

  it('of one trial without records is unknown; of none there is no mean', () => {
    expect(meanWithError([{ value: 1, half: null }])).toEqual({ mean: 1, se: null });
    expect(meanWithError([])).toBeNull();
  });
});

describe('model.json', () => {
  const document = modelDocument(audit, {
    clients: null,
    holdOut: null,
    seed: 1,
    tools: queueTools,
    version: '0.1.0',
  });
  const text = JSON.stringify(document);

  it('is what its schema says, by ours and by the published one', async () => {
    expect(parseModelDocument(JSON.parse(text))).toEqual(JSON.parse(text));
    const published = new URL('../../../schema/model.schema.json', import.meta.url);
    const schema = JSON.parse(await readFile(published, 'utf8'));
    expect(schema).toEqual(JSON.parse(modelJsonSchema()));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...document, clients: [{ client: 'x' }] })).toBe(false);
  });

  it('has no figure that is none', () => {
    expect(text).not.toMatch(/NaN|Infinity/);
    expect(JSON.parse(text)).toEqual(document);
  });
});
