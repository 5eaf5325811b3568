import { describe, expect, it } from 'vitest';
import type { ClaimRow } from '../../../src/claims/claim.ts';
import { rowLoad } from '../../../src/claims/evidence/row-load.ts';
import { figure, quantity, sampleClaim } from './sample-claim.ts';

const loadOf = (row: Partial<ClaimRow>) => {
  const read = rowLoad(sampleClaim({ row }).rows[0]!);
  return 'load' in read ? read.load : read.reason;
};
const throughput = (metric: 'request_throughput' | 'output_throughput', value: number, half = 0) => ({
  ...figure(metric, 'total', value),
  quantity: quantity(value, metric === 'request_throughput' ? 'req/s' : 'tok/s', half),
});

describe('the load of a row', () => {
  it('is the rate that was asked', () => {
    expect(loadOf({})).toMatchObject({ rps: [100, 100], by: 'rate', working: ['asked: 100 req/s'] });
  });

  it('reaches down to what was completed, where that is less', () => {
    expect(loadOf({ figures: [throughput('request_throughput', 60)] })).toMatchObject({
      rps: [60, 100],
      by: 'rate',
    });
    expect(loadOf({ figures: [throughput('request_throughput', 98)] })).toMatchObject({ rps: [100, 100] });
  });

  it('follows from throughput in a closed loop, printed digits and all', () => {
    const load = loadOf({ rateRps: null, figures: [throughput('output_throughput', 777.02, 0.005)] });
    expect(load).toMatchObject({
      by: 'throughput',
      working: ['777.02 tok/s / 16 tokens a request = 48.56 requests/s'],
    });
    if (typeof load === 'string') throw new Error(load);
    expect(load.rps[0]).toBeCloseTo(777.015 / 16, 9);
    expect(load.rps[1]).toBeCloseTo(777.025 / 16, 9);
  });

  it('prefers requests to tokens, and either to requests over time', () => {
    const both = [throughput('output_throughput', 1600), throughput('request_throughput', 90, 0.5)];
    expect(loadOf({ rateRps: null, figures: both })).toMatchObject({ rps: [89.5, 90.5] });
    expect(loadOf({ rateRps: null })).toMatchObject({
      rps: [100, 100],
      by: 'throughput',
      working: ['800 requests / 8 s = 100 requests/s'],
    });
  });

  it.each([
    ['tokens', { outputTokens: null }, 'how many tokens'],
    ['a limit of tokens only', { outputLength: 'max' as const }, 'only the most tokens'],
    ['all at once', { rateRps: quantity(Number.POSITIVE_INFINITY) }, 'at once'],
    ['any rate', { rateRps: null, requests: null }, 'neither a rate'],
  ])('is refused without %s', (_, row, words) => {
    expect(loadOf(row)).toContain(words);
  });
});
