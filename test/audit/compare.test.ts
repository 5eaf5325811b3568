import { describe, expect, it } from 'vitest';
import type { ClientRecord, ClientReport } from '../../adapters/contract.ts';
import { trialBias, truthOf } from '../../src/audit/compare.ts';
import { pair } from '../../src/audit/pairing.ts';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import { absent } from '../../src/measure/metrics.ts';
import { summarize } from '../../src/measure/quantile.ts';
import { normal, uniform } from '../../src/measure/random.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { ledgerOf } from '../measure/ledger-builder.ts';

const workload: Workload = {
  rateRps: 100,
  requests: 400,
  durationS: 4,
  arrivals: { kind: 'constant' },
  promptTokens: 8,
  outputTokens: 3,
  latency: 'ttft=50ms,itl=10ms',
  seed: 1,
};
const ledger = ledgerOf(
  Array.from({ length: 400 }, (_, i) => ({
    requestId: String(i),
    at: i * 10,
    headers: 2,
    tokens: [50, 60, 70],
  })),
);

/** A client that sees every byte `delay(i)` ms late. */
function clientWith(delay: (i: number) => number, change: Partial<ClientReport> = {}): ClientReport {
  const records: ClientRecord[] = Array.from({ length: 400 }, (_, i) => ({
    requestId: String(i),
    responseId: null,
    startNs: i * 1e7,
    ok: true,
    ttftMs: 50 + delay(i),
    e2eMs: 70 + delay(i),
    itlMs: [10, 10],
    outputTokens: 3,
  }));
  const of = (f: (record: ClientRecord) => number) => summarize(records.map(f), 'none');
  return {
    metrics: {
      ttft: of((r) => r.ttftMs!),
      e2e: of((r) => r.e2eMs!),
      itl: summarize([10, 10], 'none'),
      tpot: of(() => 10),
      ntpot: of((r) => r.e2eMs! / 3),
    },
    achievedRps: 100,
    durationS: 4,
    completed: 400,
    failed: 0,
    outputTokens: 1200,
    dropped: null,
    records,
    notes: [],
    ...change,
  };
}

const biasOf = (report: ClientReport, definitions: Definitions = STANDARD) =>
  trialBias(
    ledger,
    definitions,
    truthOf(ledger, definitions, workload),
    report,
    pair(ledger, { joins: 'requestId', definitions }, 0, report),
  );

describe('trialBias', () => {
  it('finds a known delay, with an interval that holds it', () => {
    const u = uniform(5);
    const rows = biasOf(clientWith(() => 7 + normal(u)));
    const p50 = rows.find((row) => row.metric === 'ttft' && row.statistic === 'p50')!;
    expect(p50.queueing_bias_ms).toBeCloseTo(7, 0);
    expect(p50.within_low_ms!).toBeLessThan(7);
    expect(p50.within_high_ms!).toBeGreaterThan(7);
    expect(p50.within_high_ms! - p50.within_low_ms!).toBeLessThan(1);
  });
  it('calls it definition bias where only the definition differs', () => {
    const headers = clientWith(() => 0, { records: null });
    const report = { ...headers, metrics: { ...headers.metrics, ttft: summarize([2], 'none') } };
    const row = biasOf(report, { ...STANDARD, ttft: 'headers' }).find((r) => r.metric === 'ttft')!;
    expect(row.definition_bias_ms).toBeCloseTo(-48, 9);
    expect(row.queueing_bias_ms).toBeCloseTo(0, 9);
    expect(row.total_bias_ms).toBeCloseTo(-48, 9);
  });
  it('has no interval without records, and none from too few', () => {
    for (const report of [clientWith(() => 1, { records: null }), clientWith(() => 1, { records: [] })])
      expect(biasOf(report).every((row) => row.within_low_ms === null)).toBe(true);
  });
  it('has null, not zero, where the client gives nothing', () => {
    const report = clientWith(() => 0);
    const rows = biasOf({ ...report, metrics: { ...report.metrics, itl: absent('it reads whole bodies') } });
    for (const row of rows.filter((r) => r.metric === 'itl'))
      expect([row.reported_ms, row.queueing_bias_ms, row.within_low_ms]).toEqual([null, null, null]);
  });
});

describe('pair', () => {
  const facts = { joins: 'requestId', definitions: STANDARD } as const;
  it('gives the delay of each request, and the share that joined', () => {
    const report = clientWith((i) => (i % 4 < 2 ? 4 : 6) + (i < 200 ? 0.1 : -0.1));
    const { joined, figures } = pair(ledger, facts, 0, report)!;
    expect(joined).toEqual({ by: 'requestId', records: 400, joined: 400, share: 1, reason: null });
    const [mean, p50] = figures.get('ttft')!;
    expect(mean!.paired_ms).toBeCloseTo(5, 9);
    expect([mean!.paired_low_ms! < 5, mean!.paired_high_ms! > 5]).toEqual([true, true]);
    expect(p50!.paired_ms).toBeCloseTo(5, 9);
    expect(figures.get('itl')![0]!.paired_ms).toBeCloseTo(0, 9);
  });
  it('counts requests that the client kept no record of against the share', () => {
    const report = clientWith(() => 1);
    const half = { ...report, records: report.records!.slice(0, 200) };
    expect(pair(ledger, facts, 0, half)!.joined.share).toBe(0.5);
  });
  it('joins by order only where the order is possible', () => {
    const varied = ledgerOf(
      Array.from({ length: 400 }, (_, i) => ({ at: i, tokens: i % 2 === 0 ? [5, 10, 15] : [50, 60, 70] })),
    );
    const order = { ...facts, joins: 'connectionOrder' } as const;
    const records = (shift: number) =>
      clientWith(() => 0).records!.map((record, i) => ({
        ...record,
        startNs: i * 1e6,
        e2eMs: ((i + shift) % 2 === 0 ? 15 : 70) + 0.3,
      }));
    const right = pair(
      varied,
      order,
      0,
      clientWith(() => 0, { records: records(0) }),
    )!;
    expect(right.joined).toMatchObject({ by: 'connectionOrder', share: 1 });
    expect(right.figures.get('e2e')![1]!.paired_ms).toBeCloseTo(0.3, 9);
    const wrong = pair(
      varied,
      order,
      0,
      clientWith(() => 0, { records: records(1) }),
    )!;
    expect(wrong.joined).toMatchObject({ by: null, joined: 0, share: 0 });
    expect(wrong.joined.reason).toMatch(/before they were written \(e2e\): the order does not hold/);
    expect(wrong.figures.size).toBe(0);
  });
  it('is null for a client without records', () => {
    expect(
      pair(
        ledger,
        facts,
        0,
        clientWith(() => 0, { records: null }),
      ),
    ).toBeNull();
  });
});

describe('truthOf', () => {
  it('leaves the warm-up out of rate and figures', () => {
    const warm = ledgerOf([
      { at: -5000, tokens: [900] },
      ...Array.from({ length: 101 }, (_, i) => ({ at: i * 10, tokens: [50] })),
    ]);
    const truth = truthOf(warm, { ...STANDARD, warmupRequests: 1 }, { ...workload, requests: 101 });
    expect(truth).toMatchObject({ requests: 101, warmup_requests: 1 });
    expect(truth.arrival_rps).toBeCloseTo(100, 9);
    expect(truth.realized.ttft.mean_ms).toBeCloseTo(50, 9);
    expect(truth.peak_in_flight).toBe(5);
  });
});
