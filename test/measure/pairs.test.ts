import { describe, expect, it } from 'vitest';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import { metricValues } from '../../src/measure/expected.ts';
import { pairedDifferences, type RecordValues, valuesOf } from '../../src/measure/pairs.ts';
import { ledgerOf } from './ledger-builder.ts';

/** Injected TTFTs of 50 and 500 ms; the client adds 20 ms to the first and 1 ms to the second. */
const ledger = ledgerOf([
  { at: 0, tokens: [50, 60, 70] },
  { at: 10, tokens: [500, 510, 520], end: 540 },
]);
const record = (change: Partial<RecordValues> = {}) => ({
  ok: true,
  ttftMs: 70,
  e2eMs: 90,
  itlMs: [10, 10],
  outputTokens: 3,
  ...change,
});
const both = [record(), record({ ttftMs: 501, e2eMs: 521, itlMs: [9, 11] })];
const rows = Int32Array.of(0, 1);
const of = (metric: Parameters<typeof valuesOf>[1], records = both, definitions: Definitions = STANDARD) => [
  ...pairedDifferences(records, rows, metricValues(ledger, definitions, 0), metric, definitions).values,
];

describe('pairedDifferences', () => {
  it('shows what each request was delayed by, where the difference of two p99s would show 1 ms', () => {
    expect(of('ttft')).toEqual([20, 1]);
    expect(of('e2e')).toEqual([20, 1]);
    expect(of('ntpot').map((x) => x.toFixed(4))).toEqual(['6.6667', '0.3333']);
  });
  it('pairs gap with gap, and leaves a request out whose gaps were counted otherwise', () => {
    expect(of('itl')).toEqual([0, 0, -1, 1]);
    expect(of('itl', [record({ itlMs: [20] }), both[1]!])).toEqual([-1, 1]);
  });
  it('compares like with like: the client’s own definitions on both sides', () => {
    expect(of('e2e', both, { ...STANDARD, end: 'responseEnd' })).toEqual([20, -19]);
    expect(of('itl', both, { ...STANDARD, itl: 'tpot' })).toEqual([0, 0]);
    const late = [record({ e2eMs: 900 }), both[1]!];
    expect(of('ntpot', late, { ...STANDARD, ntpot: 'toLastToken' }).map((x) => x.toFixed(4))).toEqual([
      '6.6667',
      '0.3333',
    ]);
    const odd = [record({ ttftMs: 5, e2eMs: 900 }), record({ itlMs: [9, 13] })];
    expect(of('tpot', odd, { ...STANDARD, tpot: 'betweenTokens' })).toEqual([0, 1]);
  });
  it('leaves out failures, requests that did not join, and what is absent', () => {
    expect(of('ttft', [{ ...record(), ok: false }, both[1]!])).toEqual([1]);
    expect(of('ttft', [record({ ttftMs: null }), both[1]!])).toEqual([1]);
    const values = metricValues(ledger, STANDARD, 0);
    const found = pairedDifferences(both, Int32Array.of(-1, 0), values, 'ttft', STANDARD);
    expect([[...found.values], [...found.record]]).toEqual([[451], [1]]);
  });
  it('has none where the client has no such figure', () => {
    expect(of('tpot', both, { ...STANDARD, tpot: 'none' })).toEqual([]);
    expect(valuesOf(record({ outputTokens: 1 }), 'tpot', STANDARD)).toEqual([]);
  });
});
