import { describe, expect, it } from 'vitest';
import type { ClientRecord, ClientReport } from '../../adapters/contract.ts';
import { clientSideOf, reportedRows } from '../../src/audit/client-side.ts';
import { clientWindow } from '../../src/audit/client-window.ts';
import { judgeOutcome } from '../../src/audit/outcome.ts';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import { absent } from '../../src/measure/metrics.ts';
import { summarize } from '../../src/measure/quantile.ts';
import type { Workload } from '../../src/measure/workload.ts';
import type { LaunchResult } from '../../src/system/launcher.ts';

const workload: Workload = {
  rateRps: 100,
  requests: 100,
  durationS: 1,
  arrivals: { kind: 'constant' },
  promptTokens: 8,
  outputTokens: 16,
  latency: 'not injected',
  seed: 1,
};
const none = absent('not looked at here');
const SENT: Definitions = { ...STANDARD, t0: 'sent', t0Detail: 'just before the request' };
const record = (startNs: number | null, change: Partial<ClientRecord> = {}): ClientRecord => ({
  requestId: null,
  responseId: null,
  startNs,
  ok: true,
  ttftMs: 5,
  e2eMs: 25,
  itlMs: null,
  outputTokens: 16,
  ...change,
});
/** n requests `gapMs` apart. */
const records = (n: number, gapMs: number) =>
  Array.from({ length: n }, (_, i) => record(1e9 + i * gapMs * 1e6));
const report = (change: Partial<ClientReport> = {}): ClientReport => ({
  metrics: { ttft: summarize([5, 6, 7], ''), itl: none, tpot: none, ntpot: none, e2e: none },
  achievedRps: 96,
  durationS: 1,
  completed: 100,
  failed: 0,
  outputTokens: 1600,
  dropped: 0,
  records: null,
  notes: [],
  ...change,
});
const side = (r: ClientReport, definitions = SENT) => clientSideOf(r, definitions, workload, null);
const exited = { end: 'exited', exitCode: 0, signal: null } as LaunchResult;
const outcome = (r: ClientReport, definitions = SENT) =>
  judgeOutcome({
    client: exited,
    parsed: { state: 'parsed', report: r },
    targetFailure: null,
    truth: null,
    clientSide: { account: side(r, definitions), definitions },
    workload,
  });

describe('the account of a client with records', () => {
  it('is of the instants at which it sent', () => {
    expect(side(report({ records: records(100, 10) }))).toMatchObject({
      source: 'records',
      requests: 100,
      sent_rps: 100,
      rate_fidelity: 1,
      gap_cv2: 0,
      // 25 ms each, 10 ms apart.
      peak_in_flight: 3,
    });
    expect(outcome(report({ records: records(100, 10) }))).toEqual({ kind: 'measured' });
  });

  it('does not take the schedule for the sending', () => {
    const scheduled = report({ records: records(100, 10) });
    expect(side(scheduled, STANDARD).source).toBe('printed');
    const late = records(100, 10).map((r, i) => ({ ...r, sentNs: 1e9 + i * 20e6 }));
    expect(side(report({ records: late }), STANDARD)).toMatchObject({ source: 'records', sent_rps: 50 });
  });

  it('counts a failed request as sent, and as in flight only if its end is known', () => {
    const failed = records(100, 10).map((r, i) => (i < 50 ? { ...r, ok: false, e2eMs: null } : r));
    expect(side(report({ records: failed }))).toMatchObject({ requests: 100, peak_in_flight: 3 });
  });

  it('is saturated where it sends too slowly, too little, or the server answers too slowly; each in its own words', () => {
    const reason = (r: ClientReport) => {
      const found = outcome(r);
      return 'reason' in found ? `${found.kind}: ${found.reason}` : found.kind;
    };
    expect(reason(report({ records: records(100, 12.5) }))).toBe(
      'saturated: it sent 80.0 of 100 requests/s, by its own records',
    );
    expect(reason(report({ records: records(90, 10) }))).toBe(
      'saturated: 90 of 100 requests were sent, by its own records',
    );
    const slow = records(100, 10).map((r, i) => ({ ...r, e2eMs: 25 + i * 5 }));
    expect(reason(report({ records: slow }))).toMatch(
      /completed, by its own records: the server's limit or the client's$/,
    );
  });
});

describe('the account of a client without records', () => {
  it('is what it prints, and a rate with the drain in it is not held against it', () => {
    const drain = { ...SENT, throughput: 'firstSendToLastEnd', throughputOf: 'completed' } as const;
    expect(side(report(), drain)).toMatchObject({
      source: 'printed',
      sent_rps: 96,
      rate_fidelity: 0.96,
      gap_cv2: null,
      peak_in_flight: null,
    });
    expect(side(report(), drain).how).toMatch(/the drain is in it/);
    expect(outcome(report(), drain)).toEqual({ kind: 'measured' });
    expect(outcome(report(), { ...SENT, throughput: 'sendGaps' }).kind).toBe('saturated');
  });

  it('is none where it prints no rate', () => {
    expect(side(report({ achievedRps: null }))).toMatchObject({
      source: 'none',
      sent_rps: null,
      requests: 100,
    });
    expect(outcome(report({ achievedRps: null }))).toEqual({ kind: 'measured' });
    expect(outcome(report({ completed: 0 })).kind).toBe('clientFailed');
  });
});

describe('figures without a ledger', () => {
  it('are as reported, and no bias is made of them', () => {
    const row = reportedRows(report(), workload).find((r) => r.metric === 'ttft' && r.statistic === 'p50')!;
    expect(row).toMatchObject({
      reported_ms: 6,
      injected_ms: null,
      realized_ms: null,
      expected_ms: null,
      definition_bias_ms: null,
      queueing_bias_ms: null,
      total_bias_ms: null,
    });
  });
});

describe('what a target without a ledger was told', () => {
  const told = { ...workload, latency: 'ttft=50ms,itl=10ms' };
  const injected = (r: ClientReport, metric: string) =>
    reportedRows(r, told).find((row) => row.metric === metric && row.statistic === 'p99')!.injected_ms;
  it('stands beside the figures, and for whole requests only if their length is known', () => {
    expect(injected(report(), 'ttft')).toBe(50);
    expect(injected(report(), 'tpot')).toBe(10);
    expect(injected(report(), 'e2e')).toBe(200);
    expect(injected(report({ outputTokens: 1599 }), 'e2e')).toBeNull();
    expect(injected(report({ outputTokens: null }), 'ntpot')).toBeNull();
  });
  it('is no bias', () => {
    const row = reportedRows(report(), told)[1]!;
    expect(row).toMatchObject({
      realized_ms: null,
      expected_ms: null,
      queueing_bias_ms: null,
      total_bias_ms: null,
    });
  });
});

describe('clientWindow', () => {
  const life = { startedNs: 0.5e9, endedNs: 10e9 };
  const wall = 1.7e18;
  const window = (starts: number[]) =>
    clientWindow(report({ records: starts.map((s) => record(s)) }), SENT, life, wall);
  it('knows the monotonic and the wall clock by the life of the process', () => {
    expect(window([1e9, 2e9])).toEqual({ fromNs: 1e9, toNs: 2.025e9 });
    expect(window([wall + 1e9, wall + 2e9])).toEqual({ fromNs: 1e9, toNs: expect.closeTo(2.025e9, -3) });
  });
  it('knows no other', () => {
    expect(window([0, 1e9])).toBeNull();
    expect(window([])).toBeNull();
  });
});
