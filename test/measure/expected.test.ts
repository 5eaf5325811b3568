import { describe, expect, it } from 'vitest';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import { expected, injected, lateness, realized } from '../../src/measure/expected.ts';
import { roundedMs } from '../../src/measure/rounded.ts';
import { ledgerOf } from './ledger-builder.ts';

/** The base profile of the probes: TTFT 200 ms, ITL 20 ms, 50 tokens, headers at 5 ms. */
const M = Array.from({ length: 50 }, (_, k) => 200 + 20 * k);
const profile = ledgerOf([
  { at: 0, headers: 5, tokens: M, end: 1480 },
  { at: 100, headers: 5, tokens: M, end: 1480 },
]);
const defined = (change: Partial<Definitions>): Definitions => ({ ...STANDARD, ...change });

describe('standard definitions on the base profile', () => {
  const table = realized(profile);
  it.each([
    ['ttft', 200],
    ['e2e', 1180],
    ['tpot', 20],
    ['itl', 20],
    ['ntpot', 23.6],
  ] as const)('%s is %d ms at every statistic', (metric, ms) => {
    const { mean_ms, p50_ms, p99_ms } = table[metric];
    expect(mean_ms).toBeCloseTo(ms, 9);
    expect(p50_ms).toBeCloseTo(ms, 9);
    expect(p99_ms).toBeCloseTo(ms, 9);
  });
  it('counts gaps, not tokens', () => expect(table.itl.n).toBe(98));
});

describe('other definitions, by their arithmetic', () => {
  it('a client that times headers prints 5 ms, and its TPOT takes the difference in', () => {
    const table = expected(profile, defined({ ttft: 'headers' }));
    expect(table.ttft.p50_ms).toBeCloseTo(5, 9);
    expect(table.tpot.mean_ms).toBeCloseTo((1180 - 5) / 49, 9);
  });
  it('a client that takes a role for a token prints 5 ms where the role comes with the head, in chats alone', () => {
    const rows = [{ at: 0, headers: 5, tokens: M, responseId: 'chatcmpl-1' }];
    const text = [{ ...rows[0]!, responseId: 'cmpl-1' }];
    const first = defined({ ttft: 'firstChunk' });
    expect(expected(ledgerOf(rows, { role: 'early' }), first).ttft.p50_ms).toBeCloseTo(5, 9);
    expect(expected(ledgerOf(rows, { role: 'separate' }), first).ttft.p50_ms).toBeCloseTo(200, 9);
    expect(expected(ledgerOf(text, { role: 'early' }), first).ttft.p50_ms).toBeCloseTo(200, 9);
    expect(expected(ledgerOf(rows, { role: 'early' }), STANDARD).ttft.p50_ms).toBeCloseTo(200, 9);
  });
  it('whoever counts chunks has a gap from a role of its own to the first token', () => {
    const rows = [{ at: 0, headers: 5, tokens: [50, 60, 70], responseId: 'chatcmpl-1' }];
    const itl = (role: 'merged' | 'separate' | 'early', ttft: 'firstChunk' | 'firstContent') =>
      expected(ledgerOf(rows, { role }), defined({ ttft })).itl;
    expect(itl('early', 'firstChunk')).toMatchObject({
      n: 3,
      mean_ms: expect.closeTo((45 + 10 + 10) / 3, 9),
    });
    expect(itl('separate', 'firstChunk')).toMatchObject({ n: 3, mean_ms: expect.closeTo(20 / 3, 9) });
    expect(itl('merged', 'firstChunk')).toMatchObject({ n: 2, mean_ms: expect.closeTo(10, 9) });
    expect(itl('early', 'firstContent')).toMatchObject({ n: 2, mean_ms: expect.closeTo(10, 9) });
  });
  it('TPOT between tokens does not see where TTFT and E2E begin and end', () => {
    const odd = defined({ ttft: 'headers', end: 'responseEnd', tpot: 'betweenTokens' });
    expect(expected(profile, odd).tpot.mean_ms).toBeCloseTo(20, 9);
    expect(expected(profile, odd).e2e.mean_ms).toBeCloseTo(1480, 9);
  });
  it('a clock that runs to the end of the response takes late usage in: E2E 1,480, TPOT 26.1', () => {
    const table = expected(profile, defined({ end: 'responseEnd' }));
    expect(table.e2e.mean_ms).toBeCloseTo(1480, 9);
    expect(table.tpot.mean_ms).toBeCloseTo(1280 / 49, 9);
  });
  it('NTPOT to the last token leaves late usage out of a client whose E2E has it', () => {
    const late = { end: 'responseEnd' } as const;
    expect(expected(profile, defined(late)).ntpot.mean_ms).toBeCloseTo(29.6, 9);
    expect(expected(profile, defined({ ...late, ntpot: 'toLastToken' })).ntpot.mean_ms).toBeCloseTo(23.6, 9);
  });
  it('a client that divides by the requested length is off where the server stops early', () => {
    const early = ledgerOf([{ at: 0, tokens: M.slice(0, 20), asked: 50 }]);
    expect(expected(early, STANDARD).tpot.mean_ms).toBeCloseTo(20, 9);
    expect(expected(early, defined({ tokenSource: 'requested' })).tpot.mean_ms).toBeCloseTo(380 / 49, 9);
  });
  it('calls a request’s TPOT "ITL" where the client does', () => {
    const uneven = ledgerOf([{ at: 0, tokens: [100, 100, 130] }]);
    expect(expected(uneven, STANDARD).itl.p50_ms).toBeCloseTo(15, 9);
    expect(expected(uneven, STANDARD).itl.p90_ms).toBeCloseTo(27, 9);
    expect(expected(uneven, defined({ itl: 'tpot' })).itl.p90_ms).toBeCloseTo(15, 9);
  });
  it('gives a reason where a client has no figure', () => {
    const table = expected(profile, defined({ itl: 'none', tpot: 'none' }));
    expect(table.itl.mean_ms).toBeNull();
    expect(table.tpot.absent).toMatch(/no such figure/);
  });
});

describe('failures', () => {
  const rows = [
    { at: 0, tokens: [50, 60] },
    { at: 10, headers: 1, tokens: [], end: 3, outcome: 'refused' as const },
    { at: 20, tokens: [], outcome: 'unfinished' as const, end: Number.NaN },
    { at: 30, tokens: [], outcome: 'clientClosed' as const, end: 1 },
  ];
  it('are in the figures of a client that counts them, as far as they were answered, and make its latency look better', () => {
    const table = expected(ledgerOf(rows), defined({ failures: 'counted', end: 'responseEnd' }));
    expect([table.e2e.n, table.ttft.n, table.tpot.n, table.itl.n]).toEqual([2, 1, 1, 1]);
    expect(table.e2e.p50_ms).toBeCloseTo((60 + 3) / 2, 9);
    expect(expected(ledgerOf(rows), defined({ failures: 'counted', ttft: 'headers' })).ttft.n).toBe(2);
  });
  it('are not in those of others', () => expect(expected(ledgerOf(rows), STANDARD).e2e.n).toBe(1));
});

describe('the hard cases', () => {
  it('an answer in one write has zero gaps, as many as tokens less one', () => {
    const table = realized(ledgerOf([{ at: 0, tokens: [0.1], coalesced: 16 }]));
    expect(table.itl).toMatchObject({ n: 15, mean_ms: 0, p99_ms: 0 });
    expect(table.tpot.mean_ms).toBe(0);
    expect(table.ntpot.mean_ms).toBeCloseTo(0.1 / 16, 9);
  });
  it('TPOT of one token is not defined, and does not become 0 or NaN', () => {
    const table = realized(ledgerOf([{ at: 0, tokens: [50] }]));
    expect(table.tpot).toMatchObject({ n: null, mean_ms: null, absent: 'no request had two tokens' });
    expect(table.e2e.mean_ms).toBeCloseTo(50, 9);
  });
  it('leaves warm-up and failed requests out', () => {
    const table = realized(
      ledgerOf([
        { at: 0, tokens: [900] },
        { at: 10, tokens: [50] },
        { at: 20, tokens: [70], outcome: 'clientClosed' },
      ]),
      1,
    );
    expect(table.ttft).toMatchObject({ n: 1 });
    expect(table.ttft.mean_ms).toBeCloseTo(50, 9);
  });
  it('says why there is nothing where nothing was completed', () => {
    expect(realized(ledgerOf([])).ttft.absent).toBe('no request was completed');
  });
  it('separates what was wanted from what was given', () => {
    const late = ledgerOf([{ at: 0, tokens: [51, 62], due: [50, 60] }]);
    expect(injected(late).ttft.mean_ms).toBeCloseTo(50, 9);
    expect(injected(late).itl.mean_ms).toBeCloseTo(10, 9);
    expect(realized(late).itl.mean_ms).toBeCloseTo(11, 9);
    const values = lateness(late);
    expect(values[0]).toBeCloseTo(1, 9);
    expect(values[1]).toBeCloseTo(2, 9);
  });
});

describe('percentiles of rounded values (locust)', () => {
  it.each([
    [0.4, 0],
    [50.5, 50],
    [51.5, 52],
    [99.6, 100],
    [147, 150],
    [145, 140],
    [3432, 3400],
    [58_760, 59_000],
  ])('%d ms is kept as %d', (ms, kept) => expect(roundedMs(ms)).toBe(kept));
  it('is one of the values, the ⌊n·p⌋-th; the mean is exact', () => {
    const table = expected(
      ledgerOf(Array.from({ length: 20 }, (_, i) => ({ at: 100 * i, tokens: [i + 0.4, 201 + i] }))),
      defined({ percentiles: 'rounded' }),
    );
    expect(table.ttft).toMatchObject({ n: 20, p50_ms: 10, p90_ms: 18, p99_ms: 19 });
    expect(table.ttft.mean_ms).toBeCloseTo(9.9, 9);
    expect(table.e2e).toMatchObject({ p50_ms: 210, p90_ms: 220, p99_ms: 220 });
  });
});
