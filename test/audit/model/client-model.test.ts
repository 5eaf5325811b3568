import { describe, expect, it } from 'vitest';
import { growthWords } from '../../../reports/model/words.ts';
import type { AuditDocument } from '../../../src/audit/document.ts';
import { type FittedClient, fitClient } from '../../../src/audit/model/client-model.ts';
import { queueTools } from '../../../src/audit/model/tools.ts';
import { type SimulatedAudit, simulatedAudit } from './simulated.ts';

const modelled = (document: AuditDocument, holdOut: readonly number[] | null = null): FittedClient =>
  fitClient(document, document.clients[0]!, { holdOut, seed: 1, tools: queueTools });

const RATES = [100, 200, 400, 600, 800, 900];
/** 16 tokens of 62.5 µs: μ = 1,000/s, and no spread of service. */
const STEADY: SimulatedAudit = { loop: { tokenMs: () => 0.0625, baseMs: 0.4 }, rates: RATES };

const estimate = (document: AuditDocument, kind: 'mg1' | 'gated', holdOut?: readonly number[]) =>
  modelled(document, holdOut ?? null).model.models.find((one) => one.kind === kind)!.parameters;

describe('a simulated loop of known cost', () => {
  const document = simulatedAudit(STEADY);
  const { model } = modelled(document);

  it('is recovered within 5 %: μ by the curve and by CPU time, which agree', () => {
    expect(model.state).toBe('fitted');
    expect(model.chosen).toBe('mg1');
    const { mu_rps: mu } = model.models[0]!.parameters;
    expect(mu!.value / 1000).toBeCloseTo(1, 1);
    expect(Math.abs(mu!.value - 1000)).toBeLessThan(50);
    expect(Math.abs(model.cpu_mu_low_rate_rps! - 1000)).toBeLessThan(50);
    expect(model.agreement?.agrees).toBe(true);
    expect(model.models[0]!.held_out_error).toBeLessThan(0.15);
  });

  it('has ρ at each rate, by the model and by CPU time', () => {
    for (const one of model.rates) {
      expect(Math.abs(one.rho! - one.asked_rps / 1000)).toBeLessThan(0.05);
      expect(Math.abs(one.rho_by_cpu! - one.rho!)).toBeLessThan(0.06);
    }
  });

  it('predicts rates that it was not fitted to', () => {
    const held = modelled(document, [400, 800]).model;
    expect(held.rates.filter((one) => one.held_out).map((one) => one.asked_rps)).toEqual([400, 800]);
    const mg1 = held.models.find(({ kind }) => kind === 'mg1')!;
    const out = mg1.residuals.filter((one) => one.held_out);
    expect([...new Set(out.map((one) => one.asked_rps))]).toEqual([400, 800]);
    for (const one of out)
      expect(Math.abs(one.predicted_ms! - one.measured_ms) / one.measured_ms).toBeLessThan(0.2);
    expect(mg1.residuals.filter((one) => !one.held_out).map((one) => one.asked_rps)).not.toContain(400);
  });

  it('says the same again', () => {
    expect(modelled(simulatedAudit(STEADY)).model).toEqual(model);
  });
});

describe('other clients', () => {
  it('two loops share the rate', () => {
    const { model } = modelled(simulatedAudit({ ...STEADY, loops: 2, rates: RATES.map((rate) => 2 * rate) }));
    expect(model.loops).toBe(2);
    const { mu_rps: mu, capacity_rps: capacity } = model.models[0]!.parameters;
    expect(Math.abs(mu!.value - 1000)).toBeLessThan(50);
    expect(capacity.value).toBeCloseTo(2 * mu!.value, 6);
    expect(Math.abs(model.cpu_mu_low_rate_rps! - 1000)).toBeLessThan(50);
    expect(model.rates.at(-1)!.rho_by_cpu).toBeCloseTo(0.9, 1);
  });

  it('a loop with a dear turn is a gated loop, and its cost is recovered', () => {
    const gated = simulatedAudit({
      loop: { tokenMs: () => 0.025, baseMs: 0.2, turnMs: 0.6 },
      rates: [200, 500, 1000, 1500, 2000, 2250],
    });
    const { model } = modelled(gated);
    expect(model.chosen).toBe('gated');
    const { turn_ms: turn, request_ms: each } = estimate(gated, 'gated');
    expect(Math.abs(turn!.value / 0.6 - 1)).toBeLessThan(0.05);
    expect(Math.abs(each!.value / 0.4 - 1)).toBeLessThan(0.05);
    expect(model.models[1]!.parameters.capacity_rps.value).toBeCloseTo(1000 / each!.value, 6);
  });

  it('tokens that come one by one queue one by one: μ is that of whole requests all the same', () => {
    const { model } = modelled(
      simulatedAudit({ ...STEADY, grain: 'token', latency: 'ttft=50ms,itl=10ms', durationS: 8 }),
    );
    expect(model.grain).toBe('token');
    const { mu_rps: mu } = model.models[0]!.parameters;
    expect(Math.abs(mu!.value - 1000)).toBeLessThan(50);
    expect(model.rates[2]!.rho).toBeCloseTo(0.4, 1);
    expect(model.models[0]!.residuals[0]!.asked_rps).toBe(100);
  });

  it('beyond its capacity the delay grows with the run, and the run’s length is said', () => {
    const { model } = modelled(simulatedAudit({ ...STEADY, rates: [...RATES, 1500], durationS: 20 }));
    const last = model.rates.at(-1)!;
    expect(last).toMatchObject({ asked_rps: 1500, saturated: true });
    expect(last.growth!.growth_ms_per_s).toBeCloseTo(333, -1.5);
    expect(last.growth!.duration_s).toBeCloseTo(20, 0);
    // The simulation’s own mean over the run: a queue that is empty at first.
    expect(last.growth!.mean_of_run_ms / last.ttft_bias_ms!).toBeCloseTo(1, 1);
    expect(model.rates[0]!.growth).toBeNull();
  });

  it('grows by the clock at which requests were due, where a late client sent them for longer', () => {
    const { model } = modelled(
      simulatedAudit({ ...STEADY, rates: [...RATES, 2000], durationS: 20, late: true }),
    );
    const last = model.rates.at(-1)!;
    // 40,000 requests due in 20 s come for 40 s; the last one is 20 s late, and the mean is 10 s.
    expect(last.duration_s).toBeCloseTo(40, 0);
    expect(last.growth!.duration_s).toBeCloseTo(20, 0);
    expect(last.growth!.mean_of_run_ms / 10_000).toBeCloseTo(1, 1);
    expect(last.growth!.measured_over_predicted).toBeCloseTo(1, 1);
    expect(growthWords(2000, last.growth!, last.ttft_bias_ms, 'scheduled')).not.toMatch(/times that/);
  });

  it('grows by what arrived where there are too few steady rates for a model', () => {
    const { model } = modelled(
      simulatedAudit({ ...STEADY, rates: [100, 200, 2000], durationS: 20, late: true }),
    );
    expect(model).toMatchObject({ state: 'refused', refusal: 'fewer-rates' });
    expect(model.rates[0]!.growth).toBeNull();
    expect(model.rates[2]!.growth).toMatchObject({ capacity_by: 'arrivals' });
    expect(model.rates[2]!.growth!.mean_of_run_ms / 10_000).toBeCloseTo(1, 1);
  });

  it('a rate that saturated where the model has room contradicts it, and grows by what arrived', () => {
    const audit = simulatedAudit({ ...STEADY, durationS: 20 });
    const document: AuditDocument = {
      ...audit,
      trials: audit.trials.map((trial) =>
        trial.workload.rateRps === 600
          ? {
              ...trial,
              outcome: { kind: 'saturated', reason: 'it sent less' },
              truth: { ...trial.truth!, arrival_rps: 500 },
            }
          : trial,
      ),
    };
    const { model } = modelled(document);
    const at = model.rates.find((one) => one.asked_rps === 600)!;
    expect(model.notes[0]).toMatch(
      /the model is contradicted: the client saturated at 600\/s \(500\/s arrived\), where the model has ρ 0\.(59|6)/,
    );
    expect(at.growth).toMatchObject({ capacity_by: 'arrivals', capacity_rps: 500 });
    expect(growthWords(600, at.growth!, at.ttft_bias_ms, 'scheduled')).toMatch(/ times that: /);
    expect(modelled(audit).model.notes.join()).not.toMatch(/contradicted/);
  });
});
