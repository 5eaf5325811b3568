import { describe, expect, it } from 'vitest';
import { compareExitCode } from '../../../src/audit/compare-audits/exit-code.ts';
import { compareOutcomes } from '../../../src/audit/compare-audits/outcomes.ts';
import type { AuditDocument, Outcome, Trial } from '../../../src/audit/document.ts';
import { sampleDocument } from '../../reports/sample.ts';
import { again, compare, figuresOf, inState, mapTrials } from './pair.ts';

const base = sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100, 400] });

const withWorkload = (change: Partial<Trial['workload']>, plan: Partial<AuditDocument['plan']>) => ({
  ...again(mapTrials(base, (trial) => ({ ...trial, workload: { ...trial.workload, ...change } }))),
  plan: { ...base.plan, ...plan },
});

describe('what cannot be compared', () => {
  it.each([
    [
      'latency',
      { latency: 'zero' },
      { latency: 'zero' },
      'other injected latencies: ttft=50ms,itl=10ms in A, zero in B',
    ],
    [
      'output length',
      { outputTokens: 128 },
      { output_tokens: 128 },
      'other output lengths: 16 tokens in A, 128 tokens in B',
    ],
    [
      'prompt length',
      { promptTokens: 512 },
      { prompt_tokens: 512 },
      'other prompt lengths: 32 tokens in A, 512 tokens in B',
    ],
    [
      'arrivals',
      { arrivals: { kind: 'constant' } as const },
      { arrivals: 'constant' },
      'other arrivals: poisson in A, constant in B',
    ],
  ] as const)('another %s refuses every figure, with the reason', (_, workload, plan, reason) => {
    const comparison = compare(base, withWorkload(workload, plan));
    expect(comparison.counts.refused).toBe(figuresOf(comparison).length);
    expect(new Set(figuresOf(comparison).map((figure) => figure.reason))).toEqual(new Set([reason]));
    expect(comparison.family.primary.intervals).toBe(0);
    expect(compareExitCode(comparison)).toBe(4);
  });

  it('a rate that one side was not run at is refused, the others are not', () => {
    const other = again({
      ...base,
      trials: base.trials.filter((t) => t.workload.rateRps !== 400),
      plan: { ...base.plan, rates_rps: [100] },
    });
    const comparison = compare(base, other);
    expect(inState(comparison, 'refused').every((at) => at.includes(' 400 '))).toBe(true);
    expect(figuresOf(comparison).find(({ at }) => at.includes(' 400 '))!.reason).toBe(
      'not run at this rate in B',
    );
    expect(inState(comparison, 'unchanged').length).toBeGreaterThan(0);
  });

  it('latencies of saturated trials that lasted otherwise are refused, the rate is not', () => {
    const saturated = mapTrials(base, (t) => ({
      ...t,
      outcome: { kind: 'saturated', reason: 'x' } as const,
    }));
    const longer = again(mapTrials(saturated, (t) => ({ ...t, workload: { ...t.workload, durationS: 30 } })));
    const comparison = compare(saturated, longer);
    const reasonOf = (name: string) => figuresOf(comparison).find(({ figure }) => figure === name)!;
    expect(reasonOf('ttft_p99').reason).toContain('trials lasted 8 s in A, 30 s in B');
    expect(reasonOf('rate').state).not.toBe('refused');
    expect(comparison.clients[0]!.rates[0]!.notes[0]).toContain('saturated on both sides');
    // Of trials that kept up it does not matter.
    const steady = again(mapTrials(base, (t) => ({ ...t, workload: { ...t.workload, durationS: 30 } })));
    expect(inState(compare(base, steady), 'refused')).toEqual([]);
  });

  it('a figure that a client does not print is refused with the client’s reason', () => {
    const k6 = sampleDocument({ clients: ['k6'], rates: [100] });
    const found = figuresOf(compare(k6, again(k6))).find(({ figure }) => figure === 'itl_p50')!;
    expect(found).toMatchObject({ state: 'refused' });
    expect(found.reason).toContain('the client does not print it');
  });

  it('a target without a ledger has no bias to compare; its rate only by the same account', () => {
    const bare = mapTrials(base, (t) => ({
      ...t,
      truth: null,
      bias: t.bias.map((row) => ({ ...row, queueing_bias_ms: null, total_bias_ms: null })),
      client_side: {
        source: 'records' as const,
        how: '',
        requests: 1,
        sent_rps: 1,
        completion_rps: 1,
        rate_fidelity: 0.99,
        gap_cv2: 1,
        peak_in_flight: 1,
        exported: null,
      },
    }));
    const own = compare(bare, again(bare));
    expect(figuresOf(own).find(({ figure }) => figure === 'ttft_p50')!.reason).toContain('keeps no ledger');
    expect(figuresOf(own).find(({ figure }) => figure === 'rate')!.state).toBe('unchanged');
    const mixed = figuresOf(compare(base, again(bare))).find(({ figure }) => figure === 'rate')!;
    expect(mixed.reason).toBe("by the target's ledger in A, by the client's own records in B");
  });
});

describe('clients of one side only', () => {
  it('are named, and the others compared', () => {
    const other = again({ ...base, clients: base.clients.filter(({ name }) => name !== 'asyncio') });
    const comparison = compare(base, other);
    expect(comparison.clients.map(({ a }) => a)).toEqual(['tare-multi']);
    expect(comparison.not_compared).toEqual([
      { client: 'asyncio', of: 'A', reason: 'B has no client of this name', gone: true },
    ]);
    expect(compare(other, base).not_compared).toEqual([
      { client: 'asyncio', of: 'B', reason: 'A has no client of this name', gone: false },
    ]);
  });

  it('are compared under another name by --map, also within one audit, and then alone', () => {
    const map = new Map([['asyncio', 'tare-multi']]);
    const within = compare(base, base, { map });
    expect(within.clients.map(({ a, b }) => [a, b])).toEqual([['asyncio', 'tare-multi']]);
    expect(within.not_compared).toEqual([]);
    expect(within.clients[0]!.attribution.to).toBe('clients of one audit');
    const across = compare(base, again(base), { map });
    expect(across.clients.map(({ a, b }) => [a, b])).toEqual([['asyncio', 'tare-multi']]);
    expect(across.not_compared).toEqual([
      { client: 'tare-multi', of: 'A', reason: 'its name in B was given to another by --map', gone: false },
      { client: 'asyncio', of: 'B', reason: 'A has no client of this name', gone: false },
    ]);
  });

  it('swaps two names', () => {
    const map = new Map([
      ['asyncio', 'tare-multi'],
      ['tare-multi', 'asyncio'],
    ]);
    const comparison = compare(base, again(base), { map });
    expect(comparison.clients.map(({ a, b }) => [a, b])).toEqual([
      ['tare-multi', 'asyncio'],
      ['asyncio', 'tare-multi'],
    ]);
    expect(comparison.not_compared).toEqual([]);
  });

  it('that are missing on a side are said to be', () => {
    const gone: AuditDocument = {
      ...again(base),
      clients: base.clients.map((entry) => ({
        ...entry,
        found: { state: 'missing' as const, reason: 'none', remedy: 'tare setup' },
      })),
    };
    expect(compare(base, gone).not_compared[0]).toEqual({
      client: 'tare-multi',
      of: 'both',
      reason: 'not installed for B',
      gone: true,
    });
    expect(compareExitCode(compare(base, gone))).toBe(4);
  });

  it('unknown names are refused with those that are known', () => {
    expect(() => compare(base, base, { clients: ['nobody'] })).toThrow(
      /neither audit has it. A has tare-multi/,
    );
    expect(() => compare(base, base, { map: new Map([['x', 'asyncio']]) })).toThrow(/A has no client x/);
    expect(() => compare(base, base, { map: new Map([['asyncio', 'x']]) })).toThrow(/B has no client x/);
  });
});

describe('compareOutcomes', () => {
  const ended = (...kinds: readonly Outcome['kind'][]): Trial[] =>
    kinds.map((kind) => ({ ...base.trials[0]!, outcome: { kind, reason: '' } as Outcome }));

  it.each([
    [
      'all fail that none failed of',
      ['measured', 'measured', 'saturated'],
      ['timedOut', 'clientFailed', 'unparsable'],
      'worse',
    ],
    [
      'none fails that all failed of',
      ['timedOut', 'timedOut', 'timedOut'],
      ['measured', 'measured', 'measured'],
      'better',
    ],
    ['two repetitions are too few', ['measured', 'measured'], ['timedOut', 'timedOut'], 'undetermined'],
    [
      'one of three may be chance',
      ['measured', 'measured', 'measured'],
      ['measured', 'timedOut', 'measured'],
      'undetermined',
    ],
    ['none fails on either side', ['measured', 'measured'], ['saturated'], 'same'],
    [
      'all fail on both',
      ['timedOut', 'timedOut', 'timedOut'],
      ['clientFailed', 'clientFailed', 'clientFailed'],
      'same',
    ],
    [
      'one cut short by the user counts on no side',
      ['measured', 'measured', 'measured', 'incomplete'],
      ['measured'],
      'same',
    ],
  ] as const)('%s', (_, a, b, state) => {
    expect(compareOutcomes(ended(...a), ended(...b)).state).toBe(state);
  });

  it('a client that fails wholly in B makes the comparison worse, though it has no figure there', () => {
    const failing = again(
      mapTrials(base, (t) =>
        t.client === 'asyncio' && t.workload.rateRps === 400
          ? {
              ...t,
              outcome: { kind: 'clientFailed', reason: 'exit code 1' } as const,
              bias: [],
              reported: null,
            }
          : t,
      ),
    );
    const comparison = compare(base, failing);
    const cell = comparison.clients
      .find(({ a }) => a === 'asyncio')!
      .rates.find(({ rate_rps }) => rate_rps === 400)!;
    expect(cell.outcomes).toMatchObject({ state: 'worse', failed_a: 0, failed_b: 3 });
    expect(cell.figures.every(({ reason }) => reason === 'no trial of B left figures')).toBe(true);
    expect(compareExitCode(comparison)).toBe(3);
  });
});
