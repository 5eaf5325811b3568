/** Requests that count more than once in TPOT and NTPOT: the means of those who weigh by tokens, by hand. */
import { expect, it } from 'vitest';
import { figuresOf } from '../../../src/measure/probe/figures.ts';

const short = { ok: true, ttftMs: 200, e2eMs: 560, tokens: 10, itlMs: [] } as const;
const long = { ok: true, ttftMs: 200, e2eMs: 1090, tokens: 90, itlMs: [] } as const;

it('counts each request once unless it says otherwise', () => {
  const figures = figuresOf([short, long]);
  expect(figures['tpot mean']).toBeCloseTo((360 / 9 + 890 / 89) / 2, 9);
  expect(figures['ntpot mean']).toBeCloseTo((56 + 1090 / 90) / 2, 9);
});

it('weighs TPOT by n − 1 and NTPOT by n: sums over sums', () => {
  const figures = figuresOf([
    { ...short, tpotTimes: 9, ntpotTimes: 10 },
    { ...long, tpotTimes: 89, ntpotTimes: 90 },
  ]);
  expect(figures['tpot mean']).toBeCloseTo((360 + 890) / 98, 9);
  expect(figures['tpot p50']).toBeCloseTo(10, 9);
  expect(figures['ntpot mean']).toBeCloseTo((560 + 1090) / 100, 9);
  expect(figures.tokens).toBe(50);
});
