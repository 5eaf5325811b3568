import { describe, expect, it } from 'vitest';
import { clientVerdict } from '../../reports/verdict.ts';
import type { AuditDocument, Finding, Outcome } from '../../src/audit/document.ts';
import { sampleDocument } from './sample.ts';

const RATES = [100, 200, 400];

interface Cell {
  /** Queueing bias of p50 and p99 with its interval; null: not printed; no interval: `none`. */
  readonly p50?: readonly [value: number, low: number, high: number] | number | null;
  readonly p99?: readonly [value: number, low: number, high: number] | number | null;
  readonly outcomes?: readonly Outcome[];
  readonly fidelity?: number;
}

const SMALL = [0.1, 0.05, 0.15] as const;
const MEASURED: Outcome = { kind: 'measured' };

/** An audit of one client, `c`, whose cells are as given, a cell a rate; undefined: no trial at that rate. */
function audit(cells: readonly (Cell | undefined)[], change: Partial<AuditDocument> = {}): AuditDocument {
  const base = sampleDocument({ clients: ['asyncio'], rates: RATES });
  const entry = { ...base.clients[0]!, name: 'c' };
  const findings: Finding[] = [];
  const trials: AuditDocument['trials'][number][] = [];
  const rates: AuditDocument['rates'][number][] = [];
  cells.forEach((cell, i) => {
    if (cell === undefined) return;
    const rate_rps = RATES[i]!;
    for (const statistic of ['p50', 'p99'] as const) {
      const given = cell[statistic] === undefined ? SMALL : cell[statistic];
      const [value, low, high] =
        typeof given === 'number' ? [given, null, null] : (given ?? [null, null, null]);
      findings.push({
        ...base.findings.find(
          (f) => f.metric === 'ttft' && f.statistic === statistic && f.rate_rps === rate_rps,
        )!,
        client: 'c',
        bias_ms: value,
        low_ms: low,
        high_ms: high,
        floor_ms: 0.2,
      });
    }
    const outcomes = cell.outcomes ?? [MEASURED];
    outcomes.forEach((outcome, repetition) => {
      trials.push({
        ...base.trials.find((t) => t.workload.rateRps === rate_rps)!,
        client: 'c',
        repetition,
        outcome,
      });
    });
    rates.push({
      ...base.rates.find((r) => r.rate_rps === rate_rps)!,
      client: 'c',
      fidelity: cell.fidelity ?? 1,
      achieved_rps: rate_rps * (cell.fidelity ?? 1),
    });
  });
  return { ...base, clients: [entry], findings, trials, rates, ...change };
}

const sentence = (document: AuditDocument, tolerance?: number) =>
  clientVerdict(document, 'c', tolerance).sentence;

const SATURATED: Outcome[] = [{ kind: 'saturated', reason: 'it sent less than it was asked' }];

describe('the verdict sentence', () => {
  it('says that a client holds at every rate', () => {
    const verdict = clientVerdict(audit([{}, {}, {}]), 'c');
    expect(verdict).toMatchObject({ verdict: 'within', holds_rps: 400, fails_rps: null });
    expect(verdict.sentence).toBe('c: within 1 ms (TTFT p50 and p99) at every rate tried, 100–400/s.');
  });

  it('names the bracket, the bias, its interval and its figure', () => {
    const verdict = clientVerdict(audit([{}, {}, { p50: [24.1, 20.3, 27.9], p99: [80, -10, 170] }]), 'c');
    expect(verdict).toMatchObject({ verdict: 'bounded', holds_rps: 200, fails_rps: 400 });
    expect(verdict.sentence).toBe(
      'c: within 1 ms (TTFT p50 and p99) up to 200/s; at 400/s it adds 24.1 ms [20.3, 27.9] to TTFT p50.',
    );
  });

  it('says by how much the bias has grown at the highest rate', () => {
    expect(sentence(audit([{}, { p99: [3, 2, 4] }, { p99: [90, 80, 100] }]))).toBe(
      'c: within 1 ms (TTFT p50 and p99) up to 100/s; at 200/s it adds 3.00 ms [2.00, 4.00] to TTFT p99, and 90.0 ms at 400/s (p99).',
    );
  });

  it('tells a client that prints too little from one that prints too much', () => {
    const text = sentence(audit([{}, {}, { p50: [-5, -6, -4] }]));
    expect(text).toContain('at 400/s it takes 5.00 ms [4.00, 6.00] off TTFT p50');
  });

  it('widens the tolerance to the floor, and says so', () => {
    const document = audit([{ p99: [1.5, 0.9, 2.1] }]);
    const wide = { ...document, findings: document.findings.map((f) => ({ ...f, floor_ms: 2.5 })) };
    const one = { ...wide, plan: { ...wide.plan, rates_rps: [100] } };
    expect(sentence(one)).toBe(
      'c: within 2.5 ms, the floor here (TTFT p50 and p99) at 100/s, the only rate tried.',
    );
  });

  it('gives each figure the bound of its own floor', () => {
    const document = audit([
      { p50: [0.5, 0.4, 0.6], p99: [3, 2, 4] },
      {},
      { p50: [1.4, 1.2, 1.6], p99: [3, 2, 4] },
    ]);
    const findings = document.findings.map((f) => ({ ...f, floor_ms: f.statistic === 'p99' ? 5 : 0.3 }));
    expect(sentence({ ...document, findings })).toBe(
      'c: within 1 ms (TTFT p50) and 5 ms (TTFT p99, the floor here) up to 200/s; at 400/s it adds 1.40 ms [1.20, 1.60] to TTFT p50.',
    );
  });

  it('does not hide that a higher rate is within tolerance again', () => {
    const verdict = clientVerdict(audit([{ p50: [1.4, 1.3, 1.5] }, {}, {}]), 'c');
    expect(verdict).toMatchObject({ verdict: 'out', holds_rps: null, fails_rps: 100 });
    expect(verdict.sentence).toBe(
      'c: at 100/s it adds 1.40 ms [1.30, 1.50] to TTFT p50; within 1 ms (TTFT p50 and p99) at 200/s and 400/s.',
    );
  });

  it('tells what happens first, first', () => {
    const text = sentence(
      audit([{ p99: [0.9, 0.5, 1.3] }, { p99: [9, 8, 10] }, { fidelity: 0.5, outcomes: SATURATED }]),
    );
    expect(text).toMatch(/^c: undetermined at 100\/s .*; at 200\/s it adds .*; asked for 400\/s it sends/);
  });

  it('follows the tolerance that was asked for', () => {
    const document = audit([{}, {}, { p50: [3, 2, 4] }]);
    expect(clientVerdict(document, 'c', 5).verdict).toBe('within');
    expect(clientVerdict(document, 'c', 1.9).verdict).toBe('bounded');
  });

  it('calls an interval that reaches over the tolerance undetermined, not within and not biased', () => {
    const verdict = clientVerdict(audit([{ p50: [0.9, 0.5, 1.3] }, undefined, undefined]), 'c');
    expect(verdict).toMatchObject({ verdict: 'undetermined', holds_rps: null, fails_rps: null });
    expect(verdict.sentence).toBe(
      'c: undetermined at 100/s (TTFT p50 +0.900 ms [0.50, 1.30] reaches over ±1 ms); not run at 200/s and 400/s (no trial was run).',
    );
  });

  it('does not claim a bracket across an undetermined rate', () => {
    const verdict = clientVerdict(audit([{}, { p99: [0.9, 0.5, 1.3] }, { p99: [9, 8, 10] }]), 'c');
    expect(verdict).toMatchObject({ holds_rps: 100, fails_rps: 400 });
    expect(verdict.sentence).toContain('up to 100/s');
    expect(verdict.sentence).toContain('undetermined at 200/s');
  });

  it('prints no finding without an interval', () => {
    const text = sentence(
      audit([
        { p50: 12, p99: 40 },
        { p50: 12, p99: 40 },
        { p50: 12, p99: 40 },
      ]),
    );
    expect(text).not.toMatch(/12|40 ms/);
    expect(text).toMatch(/^c: undetermined at 100\/s, 200\/s and 400\/s \(at 100\/s there is no interval/);
  });

  it('says what one repetition cannot show', () => {
    const document = audit([{}, {}, {}]);
    expect(sentence({ ...document, plan: { ...document.plan, repetitions: 1 } })).toMatch(
      /From one repetition\.$/,
    );
  });

  it('does not call a client within tolerance where it sent too little, however small its bias', () => {
    const verdict = clientVerdict(
      audit([{}, { fidelity: 0.6, outcomes: SATURATED }, { fidelity: 0.4, outcomes: SATURATED }]),
      'c',
    );
    expect(verdict).toMatchObject({ verdict: 'bounded', holds_rps: 100, fails_rps: 200 });
    expect(verdict.sentence).toContain('asked for 200/s it sends 120/s (60 %)');
    expect(verdict.sentence).toContain('belong to a lower rate');
  });

  it('does not take for saturation what chance does to the rate of random arrivals', () => {
    expect(clientVerdict(audit([{}, {}, { fidelity: 0.9 }]), 'c').verdict).toBe('within');
    const random = audit([{}, {}, { fidelity: 0.9 }]);
    const constant = { ...random, plan: { ...random.plan, arrivals: 'constant' } };
    expect(clientVerdict(constant, 'c').verdict).toBe('bounded');
  });

  it('gives the reason of a saturation that the rate of sends does not show', () => {
    const outcomes: Outcome[] = [{ kind: 'saturated', reason: 'completed 91.0 % of what was asked' }];
    expect(sentence(audit([{}, {}, { outcomes }]))).toContain(
      'saturated at 400/s (completed 91.0 % of what was asked)',
    );
  });

  it('tells failed rates and partly failed ones apart', () => {
    const failed: Outcome = { kind: 'clientFailed', reason: 'exit code 1.' };
    const text = sentence(
      audit([{}, { outcomes: [MEASURED, failed] }, { p50: null, p99: null, outcomes: [failed] }]),
    );
    expect(text).toBe(
      'c: within 1 ms (TTFT p50 and p99) up to 200/s; no result at 400/s (exit code 1). 1 trial at 200/s failed and is left out.',
    );
  });

  it('says when nothing was measured, and why', () => {
    const outcomes: Outcome[] = [{ kind: 'timedOut', reason: 'no end after 30 s' }];
    const cell: Cell = { p50: null, p99: null, outcomes };
    const verdict = clientVerdict(audit([cell, cell, cell]), 'c');
    expect(verdict).toMatchObject({ verdict: 'notMeasured', holds_rps: null });
    expect(verdict.sentence).toBe('c: not measured: all 3 trials failed (no end after 30 s).');
  });

  it('names the remedy for a missing client', () => {
    const document = sampleDocument();
    const verdict = clientVerdict(document, 'vllm-bench');
    expect(verdict.verdict).toBe('notMeasured');
    expect(verdict.sentence).toContain('Remedy: tare setup vllm-bench');
  });

  it('says which rates an interruption left out', () => {
    expect(sentence(audit([{}, undefined, undefined], { state: 'interrupted' }))).toBe(
      'c: within 1 ms (TTFT p50 and p99) up to 100/s; not run at 200/s and 400/s (the audit was interrupted).',
    );
  });

  it('judges a client without TTFT by E2E', () => {
    const document = audit([{}, {}, {}]);
    const findings = document.findings.map((f) => ({ ...f, metric: 'e2e' as const }));
    expect(sentence({ ...document, findings })).toContain('(E2E p50 and p99)');
  });

  it('keeps a difference of definition apart from the client’s own delay', () => {
    const verdict = clientVerdict(sampleDocument(), 'k6');
    expect(verdict.verdict).toBe('within');
    expect(verdict.sentence).toMatch(
      /By its own definition its TTFT p50 reads 49\.\d ms less than the standard one\./,
    );
  });

  it('keeps to one line whatever the client said', () => {
    const failed: Outcome = {
      kind: 'clientFailed',
      reason: `boom\n\u001b[31mred\u001b[0m \u202egnp${'x'.repeat(500)}`,
    };
    const text = sentence(audit([{ outcomes: [failed] }, {}, {}]));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
    expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(text.length).toBeLessThan(300);
  });
});
