import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '../../adapters/contract.ts';
import { decompositionOf } from '../../src/audit/decompose.ts';
import { pair } from '../../src/audit/pairing.ts';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import { absent, METRICS, type MetricTable } from '../../src/measure/metrics.ts';
import { ledgerOf } from '../measure/ledger-builder.ts';

/** Two requests, due at 50 and 60 ms; the target wrote the first token of each 0.2 ms late; its role stands in an event of its own. */
const ledger = ledgerOf(
  [
    {
      at: 10,
      headers: 0.5,
      tokens: [50.2, 60],
      due: [50, 60],
      end: 61,
      requestId: 'a',
      responseId: 'chatcmpl-a',
    },
    {
      at: 20,
      headers: 0.5,
      tokens: [50.2, 60],
      due: [50, 60],
      end: 61,
      requestId: 'b',
      responseId: 'chatcmpl-b',
    },
  ],
  { role: 'early' },
);
const WALL = 1_764_000_000_000;

/** As our client would keep it: due 3 ms and sent 1 ms before the arrival; read 0.4 ms after the write. `ahead`: of its clock, ms. */
const record = (
  id: string,
  arrivalMs: number,
  ahead = 0,
  change: Partial<ClientRecord> = {},
): ClientRecord => ({
  requestId: id,
  responseId: null,
  startNs: (arrivalMs - 3 + ahead) * 1e6,
  sentNs: (arrivalMs - 1 + ahead) * 1e6,
  ok: true,
  ttftMs: 3 + 50.2 + 0.4,
  e2eMs: 3 + 60 + 0.4,
  itlMs: [9.8],
  outputTokens: 2,
  ...change,
});
const both = (ahead = 0, change: Partial<ClientRecord> = {}) => [
  record('a', 10, ahead, change),
  record('b', 20, ahead, change),
];

const metrics = Object.fromEntries(
  METRICS.map((metric) => [metric, absent('not needed')]),
) as unknown as MetricTable;
const reportOf = (records: readonly ClientRecord[] | null) => ({
  metrics,
  achievedRps: null,
  durationS: null,
  completed: 2,
  failed: 0,
  outputTokens: 4,
  dropped: null,
  records,
  notes: [],
});

function of(
  records: readonly ClientRecord[],
  definitions: Definitions = STANDARD,
  wire: Parameters<typeof decompositionOf>[5] = null,
) {
  const facts = { definitions, joins: 'requestId' } as const;
  const wall = { beforeNs: WALL * 1e6, afterNs: WALL * 1e6 };
  return decompositionOf(ledger, facts, 0, pair(ledger, facts, 0, reportOf(records))!, wall, wire);
}
const means = (found: ReturnType<typeof of>, metric: 'ttft' | 'e2e' = 'ttft') =>
  Object.fromEntries(
    Object.entries(found![metric]!.stages).map(([stage, { mean_ms }]) => [
      stage,
      mean_ms === null ? null : Number(mean_ms.toFixed(6)),
    ]),
  );

const OURS = {
  schedule_lag: 2,
  before_send: null,
  to_target: 1,
  target_error: 0.2,
  back: null,
  read: 0.4,
  definition: 0,
  unknown: 0,
};

describe('decompositionOf', () => {
  it('tells every stage of our client, on one clock', () => {
    const found = of(both());
    expect(found).toMatchObject({ clock: 'monotonic', clock_offset_ns: 0, wire: false });
    expect(means(found)).toEqual(OURS);
    expect(means(found, 'e2e')).toEqual({ ...OURS, target_error: 0 });
    expect(found!.ttft).toMatchObject({ requests: 2, impossible: 0 });
    expect(found!.ttft!.stages.before_send).toMatchObject({ held_by: 'to_target' });
  });
  it('tells the same of a client that stamps with the wall clock', () => {
    const found = of(both(WALL));
    expect(found).toMatchObject({ clock: 'wall', clock_offset_ns: WALL * 1e6 });
    // A wall-clock stamp in ns is exact to 256 ns.
    for (const [stage, value] of Object.entries(means(found)))
      if (value !== null) expect(value).toBeCloseTo(OURS[stage as keyof typeof OURS] as number, 2);
  });
  it('leaves the client’s ways to `unknown` where its clock is its own', () => {
    const found = of(both(-4000));
    expect(found!.clock).toBe('unknown');
    expect(means(found)).toEqual({ ...OURS, schedule_lag: null, to_target: null, read: null, unknown: 3.4 });
    expect(found!.ttft!.stages.read).toMatchObject({
      held_by: 'unknown',
      reason: expect.stringContaining('neither'),
    });
  });
  it('has no schedule lag in figures that count from sending', () => {
    const sent: Definitions = { ...STANDARD, t0: 'sent' };
    const found = of(
      [record('a', 12), record('b', 22)].map((one) => ({ ...one, sentNs: null })),
      sent,
    );
    expect(means(found)).toMatchObject({ schedule_lag: null, to_target: 1, unknown: 0 });
    expect(found!.ttft!.stages.schedule_lag).toMatchObject({ held_by: null });
  });
  it('cannot part lag and way there of a client that keeps the scheduled instant alone', () => {
    const found = of(both(0, { sentNs: null }));
    expect(means(found)).toMatchObject({ schedule_lag: null, to_target: null, read: 0.4, unknown: 3 });
  });
  it('tells the definition from the delay: a role as the first token, the end of the response', () => {
    const other: Definitions = { ...STANDARD, ttft: 'firstChunk', end: 'responseEnd' };
    const found = of(both(0, { ttftMs: 3 + 0.5 + 0.4, e2eMs: 3 + 61 + 0.4 }), other);
    expect(means(found)).toEqual({ ...OURS, definition: -49.7 });
    expect(means(found, 'e2e')).toEqual({ ...OURS, target_error: 0, definition: 1 });
  });
  it('does not mix two meanings of a stage where the capture has half of the requests', () => {
    // 5 ms before it leaves the client, 0.1 ms to the target: with half of the stamps this would be 2.5 and 2.6.
    const way = (id: string, arrivalMs: number) =>
      record(id, arrivalMs, 0, { sentNs: (arrivalMs - 5.1) * 1e6, startNs: (arrivalMs - 5.1) * 1e6 });
    const column = (...ms: number[]) => Float64Array.from(ms, (one) => one * 1e6);
    const none = column(Number.NaN, Number.NaN);
    const wire = { headNs: none, firstNs: none, lastNs: none, endNs: none, joined: 1 };
    const half = of([way('a', 10), way('b', 20)], STANDARD, { ...wire, requestNs: column(9.9, Number.NaN) });
    expect(half).toMatchObject({ wire: false, ttft: { requests: 2, left_out: 0 } });
    expect(means(half)).toMatchObject({ before_send: null, to_target: 5.1 });
    expect(half!.ttft!.stages.before_send).toMatchObject({
      held_by: 'to_target',
      reason: 'the capture has only 50.0 % of the requests, and is not used',
    });
    const all = of([way('a', 10), way('b', 20)], STANDARD, { ...wire, requestNs: column(9.9, 19.9) });
    expect(all!.wire).toBe(true);
    expect(means(all)).toMatchObject({ before_send: 5, to_target: 0.1 });
  });
  it('leaves the few requests out that the capture lacks, and says how many', () => {
    const ids = Array.from({ length: 40 }, (_, i) => `r${i}`);
    const many = ledgerOf(
      ids.map((requestId, i) => ({ at: 10 + i, tokens: [50, 60], due: [50, 60], requestId })),
    );
    const requestNs = Float64Array.from(ids, (_, i) => (i === 7 ? Number.NaN : (9.9 + i) * 1e6));
    const nan = new Float64Array(40).fill(Number.NaN);
    const wire = { requestNs, headNs: nan, firstNs: nan, lastNs: nan, endNs: nan, joined: 39 };
    const facts = { definitions: STANDARD, joins: 'requestId' } as const;
    const records = ids.map((id, i) => record(id, 10 + i));
    const wall = { beforeNs: WALL * 1e6, afterNs: WALL * 1e6 };
    const found = decompositionOf(many, facts, 0, pair(many, facts, 0, reportOf(records))!, wall, wire);
    expect(found).toMatchObject({ wire: true, ttft: { requests: 39, left_out: 1 }, e2e: { left_out: 1 } });
    expect(means(found)).toMatchObject({ before_send: 0.9, to_target: 0.1 });
    expect(found!.ttft!.stages.before_send).toMatchObject({ told: 39, p50_ms: 0.9, p99_ms: 0.9 });
  });
  it('splits both ways by the kernel’s stamps, and where the capture lacks one, not', () => {
    const stamps = (...ms: number[]) => Float64Array.from(ms, (one) => one * 1e6);
    const wire = {
      requestNs: stamps(9.3, 19.3),
      headNs: stamps(10.6, 20.6),
      firstNs: stamps(60.3, Number.NaN),
      lastNs: stamps(70.1, 80.1),
      endNs: stamps(71.05, 81.05),
      joined: 2,
    };
    const found = of(both(), STANDARD, wire);
    expect(means(found)).toMatchObject({
      before_send: 0.3,
      to_target: 0.7,
      back: null,
      read: 0.4,
      unknown: 0,
    });
    expect(means(found, 'e2e')).toMatchObject({ back: 0.1, read: 0.3 });
    const head: Definitions = { ...STANDARD, ttft: 'headers', end: 'responseEnd' };
    const atHead = of(both(0, { ttftMs: 3 + 0.5 + 0.4, e2eMs: 3 + 61 + 0.4 }), head, wire);
    expect(means(atHead)).toMatchObject({ back: 0.1, read: 0.3 });
    const role = of(both(0, { ttftMs: 3 + 0.5 + 0.4 }), { ...STANDARD, ttft: 'firstChunk' }, wire);
    expect(means(role)).toMatchObject({ back: null, read: 0.4, unknown: 0 });
    expect(means(atHead, 'e2e')).toMatchObject({ back: 0.05, read: 0.35 });
  });
  it('has none of what failed, did not join, or is not measured', () => {
    expect(of([record('x', 10), record('y', 20)])).toBeNull();
    expect(of([record('a', 10), record('b', 20, 0, { ok: false })])!.ttft!.requests).toBe(1);
    expect(of(both(0, { ttftMs: null }))!.ttft).toBeNull();
    expect(of(both(), { ...STANDARD, ttft: 'none' })!.ttft).toBeNull();
  });
});
