import { describe, expect, it } from 'vitest';
import { STANDARD } from '../../src/measure/definitions.ts';
import { expectedRun } from '../../src/measure/expected-run.ts';
import { ledgerOf } from './ledger-builder.ts';

/** Eleven requests 100 ms apart, the last answer's last token at 1,200 ms and its end at 1,250; one of them refused. */
const ledger = ledgerOf(
  Array.from({ length: 11 }, (_, i) => ({
    at: 100 * i,
    tokens: [100, 200],
    end: 250,
    asked: 3,
    ...(i === 5 ? { outcome: 'refused' as const } : {}),
  })),
);
const rate = (change: Partial<typeof STANDARD>) =>
  expectedRun(ledger, { ...STANDARD, ...change }).achieved_rps;

describe('what a client prints of a run as a whole', () => {
  it.each([
    ['sendGaps', 'all', 'lastToken', 10 / 1],
    ['sendWindow', 'all', 'lastToken', 11 / 1],
    ['firstSendToLastEnd', 'completed', 'lastToken', 10 / 1.2],
    ['firstSendToLastEnd', 'all', 'lastToken', 11 / 1.2],
    ['firstSendToLastEnd', 'completed', 'responseEnd', 10 / 1.25],
    ['firstGapToLastEnd', 'completed', 'lastToken', 10 / 1.3],
  ] as const)('%s of %s, to the %s: %d/s', (throughput, throughputOf, end, wanted) => {
    expect(rate({ throughput, throughputOf, end })).toBeCloseTo(wanted, 9);
  });
  it('counts, and takes the asked length for tokens where the client does', () => {
    expect(expectedRun(ledger, STANDARD)).toMatchObject({ completed: 10, failed: 1, output_tokens: 20 });
    expect(expectedRun(ledger, { ...STANDARD, tokenSource: 'requested' }).output_tokens).toBe(30);
    expect(expectedRun(ledger, STANDARD, 10)).toMatchObject({ completed: 1, failed: 0 });
  });
  it('has no rate where there is none to be had', () => {
    expect(rate({ throughput: 'none' })).toBeNull();
    expect(expectedRun(ledger, STANDARD, 10).achieved_rps).toBeNull();
    expect(expectedRun(ledgerOf([]), STANDARD).achieved_rps).toBeNull();
  });
});
