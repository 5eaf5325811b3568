import { describe, expect, it } from 'vitest';
import type { AuditPlan } from '../../src/audit/document.ts';
import {
  checkLength,
  DEFAULT_BUDGET_S,
  DEFAULT_RATES,
  fitToBudget,
  orderTrials,
  planEstimateS,
} from '../../src/audit/plan.ts';
import { REFERENCE_TARGET } from '../reports/sample.ts';

const light = { startupS: 0.5, teardownS: 0.3 };
const heavy = { startupS: 9, teardownS: 3 };
const plan = (change: Partial<AuditPlan> = {}): AuditPlan => ({
  target: REFERENCE_TARGET,
  clients: ['tare', 'asyncio'],
  rates_rps: [50, 200],
  repetitions: 3,
  duration_s: 4,
  arrivals: 'constant',
  arrivals_otherwise: {},
  latency: 'zero',
  prompt_tokens: 8,
  output_tokens: 16,
  seed: 1,
  workers: null,
  target_cpus: null,
  client_cpus: null,
  pinning_note: '',
  estimated_s: 0,
  ...change,
});
const costs = new Map([
  ['tare', light],
  ['asyncio', light],
]);

describe('fitToBudget', () => {
  it('gives three light clients the whole ladder, three times, within the budget', () => {
    const clients = ['a', 'b', 'c'];
    const fit = fitToBudget(clients, new Map(clients.map((name) => [name, light])), DEFAULT_BUDGET_S);
    expect(fit.rates).toEqual(DEFAULT_RATES);
    expect(fit.repetitions).toBe(3);
  });
  it('gives up repetitions before it overruns, and never plans nothing', () => {
    const clients = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const many = new Map(clients.map((name, i) => [name, i < 3 ? heavy : light]));
    const fit = fitToBudget(clients, many, DEFAULT_BUDGET_S);
    expect(fit.repetitions).toBe(1);
    expect(
      planEstimateS(clients, many, fit.rates.length, fit.repetitions, fit.durationS),
    ).toBeLessThanOrEqual(DEFAULT_BUDGET_S);
    const tight = fitToBudget(clients, many, 1);
    expect(tight.rates.length * tight.repetitions).toBeGreaterThan(0);
  });
});

describe('orderTrials', () => {
  const trials = orderTrials(plan(), costs);
  it('holds every cell once, and whole repetitions in turn', () => {
    expect(trials).toHaveLength(12);
    expect(new Set(trials.map((trial) => trial.id)).size).toBe(12);
    expect(trials.map((trial) => trial.repetition)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
  });
  it('is a function of the seed, and another seed is another order', () => {
    const ids = (seed: number) => orderTrials(plan({ seed }), costs).map((trial) => trial.id);
    expect(ids(1)).toEqual(ids(1));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => ids(seed).join())).size).toBeGreaterThan(1);
  });
  it('gives every client the same workload at a rate and repetition, and another one each repetition', () => {
    const of = (client: string, repetition: number) =>
      trials.find((t) => t.client === client && t.rateRps === 50 && t.repetition === repetition)!.workload;
    expect(of('tare', 1)).toEqual(of('asyncio', 1));
    expect(of('tare', 1).seed).not.toBe(of('tare', 2).seed);
    expect(of('tare', 1).requests).toBe(200);
  });
});

describe('checkLength', () => {
  it('refuses hours, says how many, and takes --yes', () => {
    expect(() => checkLength(4 * 3600, false)).toThrow(/about 4\.0 hours.*--yes/);
    expect(() => checkLength(4 * 3600, true)).not.toThrow();
    expect(() => checkLength(300, false)).not.toThrow();
  });
});
