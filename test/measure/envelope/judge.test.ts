import { describe, expect, it } from 'vitest';
import { fewestForHolding, judgeBias, judgeRate, worst } from '../../../src/measure/envelope/judge.ts';

const figure = (
  bias_ms: number | null,
  interval: readonly [number, number] | null,
  floor_ms: number | null = 0.5,
  hasRecords = true,
) => ({
  bias_ms,
  low_ms: interval?.[0] ?? null,
  high_ms: interval?.[1] ?? null,
  floor_ms,
  reason: 'too few requests',
  hasRecords,
  worst_tenth_ms: null as number | null,
});

describe('a figure held to 5 ms', () => {
  it.each([
    ['all of the interval is within', figure(1, [0.5, 4.9]), 'holds'],
    ['within below zero', figure(-1, [-4.9, 0]), 'holds'],
    ['all of it is beyond', figure(8, [5.1, 11]), 'fails'],
    ['beyond below zero: reported too small', figure(-8, [-11, -5.1]), 'fails'],
    ['it reaches over the tolerance', figure(4, [2, 6]), 'undetermined'],
    ['it reaches over both ends', figure(0, [-6, 6]), 'undetermined'],
    ['beyond, and within the floor of the machine', figure(8, [5.1, 11], 7), 'undetermined'],
    ['beyond tolerance and floor', figure(8, [7.1, 11], 7), 'fails'],
    ['within, though the floor is larger', figure(1, [0.5, 4.9], 7), 'holds'],
    ['no interval, though the client keeps records', figure(1, null), 'undetermined'],
    ['no floor', figure(1, [0.5, 2], null), 'undetermined'],
    ['no figure', figure(null, null), 'undetermined'],
    ['no records: within, give or take the floor', figure(4.4, null, 0.5, false), 'holds'],
    ['no records: nearer to the limit than the floor', figure(4.6, null, 0.5, false), 'undetermined'],
    ['no records: beyond by less than the floor', figure(5.4, null, 0.5, false), 'undetermined'],
    ['no records: beyond by more', figure(5.6, null, 0.5, false), 'fails'],
    ['no records, and no floor', figure(1, null, null, false), 'undetermined'],
  ])('%s', (_, given, verdict) => {
    const judged = judgeBias(given, 5);
    expect(judged.verdict).toBe(verdict);
    expect(judged.reason === '').toBe(verdict !== 'undetermined');
  });

  it('says by what', () => {
    expect(judgeBias(figure(1, [0, 2]), 5).by).toBe('interval');
    expect(judgeBias(figure(1, null, 0.5, false), 5)).toMatchObject({
      by: 'figure',
      low_ms: 0.5,
      high_ms: 1.5,
    });
  });
});

describe('a figure without an interval for want of requests', () => {
  const short = (bias: number, tenth: number | null) => ({ ...figure(bias, null), worst_tenth_ms: tenth });

  it('may hold, where not even its worst tenth is beyond', () => {
    expect(judgeBias(short(1, 4.9), 5)).toMatchObject({ verdict: 'holds', by: 'worst tenth' });
    expect(judgeBias(short(1, -4.9), 5).verdict).toBe('holds');
  });

  it('never fails, and is undetermined otherwise', () => {
    expect(judgeBias(short(1, 5.1), 5).verdict).toBe('undetermined');
    expect(judgeBias(short(1, -5.1), 5).verdict).toBe('undetermined');
    expect(judgeBias(short(20, 30), 5).verdict).toBe('undetermined');
    expect(judgeBias(short(1, null), 5).verdict).toBe('undetermined');
    expect(judgeBias({ ...short(1, 1), floor_ms: null }, 5).verdict).toBe('undetermined');
  });

  it('needs 299 requests for a p99', () => {
    expect([0.5, 0.9, 0.99].map(fewestForHolding)).toEqual([5, 29, 299]);
  });
});

describe('a rate held to 2 %', () => {
  it.each([
    [0.981, 0, true, 'holds'],
    [0.979, 0, true, 'fails'],
    [0.979, 0.01, true, 'holds'],
    [1.03, 0, true, 'fails'],
    [1.03, 0, false, 'holds'],
  ] as const)('%d, chance %d', (share, chance, twoSided, verdict) => {
    expect(judgeRate(share, 0.02, chance, twoSided)).toBe(verdict);
  });
});

describe('several', () => {
  it('fail where one fails, and are undetermined where one is', () => {
    expect(worst(['holds', 'undetermined', 'fails'])).toBe('fails');
    expect(worst(['holds', 'undetermined'])).toBe('undetermined');
    expect(worst(['holds', 'holds'])).toBe('holds');
  });
});
