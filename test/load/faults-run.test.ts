/** Known faults in the built client against a reference target: what no noise of timing can break, by records and ledger. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReferenceOptions } from '../../simulators/reference/options.ts';
import { serveReference } from '../../simulators/reference/server.ts';
import { runLoad } from '../../src/load/coordinator.ts';
import { parseFault } from '../../src/load/faults/catalogue.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../src/load/options.ts';
import type { LoadReport } from '../../src/load/report.ts';
import type { RequestRecord } from '../../src/load/spool.ts';
import type { Ledger } from '../../src/measure/ledger.ts';
import { DONE, oddServer, stream, token, usage } from './odd-server.ts';

const MS = 1e6;
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-faults-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

interface Ran {
  readonly report: LoadReport;
  /** By the requests' numbers. */
  readonly records: RequestRecord[];
}

async function load(url: string, fault: string, change: Partial<LoadOptions>): Promise<Ran> {
  const recordsFile = join(dir, 'records.jsonl');
  const options: LoadOptions = {
    ...LOAD_DEFAULTS,
    url,
    model: 'tare-reference',
    arrivals: { kind: 'constant' },
    rateRps: 100,
    requests: 20,
    workers: 1,
    pacing: 'block',
    timeoutS: 20,
    rehearsalS: 0.1,
    recordsFile,
    fault: parseFault(fault),
    ...change,
  };
  const report = await runLoad(options, planLoad(options, { allowed: [0], total: 1, taskset: false }));
  const text = readFileSync(recordsFile, 'utf8').trimEnd();
  const records = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as RequestRecord);
  expect(report).toMatchObject({ state: 'complete', trusted: false });
  return { report, records: records.sort((a, b) => a.index - b.index) };
}

/** A record with its row in the ledger. */
interface Pair {
  readonly r: RequestRecord;
  readonly row: number;
}

/** Runs the client with the fault against a target of its own. */
async function run(
  fault: string,
  target: Partial<ReferenceOptions> = {},
  change: Partial<LoadOptions> = {},
): Promise<Ran & { ledger: Ledger; pairs: Pair[] }> {
  const server = await serveReference({
    port: 0,
    warmUpMs: 0,
    pacing: 'block',
    latency: 'ttft=20ms,itl=1ms',
    capacity: { requests: 1000, tokens: 100_000 },
    ...target,
  });
  let ran: Ran | null = null;
  let ledger: Ledger;
  try {
    ran = await load(server.url, fault, change);
  } finally {
    ledger = await server.stop();
  }
  const rows = new Map(ledger.requestId.map((id, row) => [id, row]));
  const pairs = ran.records
    .filter((r) => r.outcome === 'complete' && rows.has(r.request_id))
    .map((r) => ({ r, row: rows.get(r.request_id)! }));
  return { ...ran, ledger, pairs };
}

const share = (r: RequestRecord): number => r.first_token_ns! - r.scheduled_ns!;

describe('faults of sending', () => {
  it('late-send: nothing arrives before its instant and the dose, which is in the latency', async () => {
    const { pairs, ledger, report } = await run('late-send:60ms');
    expect(pairs).toHaveLength(20);
    for (const { r, row } of pairs) {
      expect(ledger.arrivalNs[row]! - r.scheduled_ns!).toBeGreaterThanOrEqual(60 * MS);
      expect(r.sent_ns! - r.scheduled_ns!).toBeGreaterThanOrEqual(60 * MS);
    }
    expect(report.schedule_lag.min_ms).toBeGreaterThanOrEqual(60);
    expect(report.fault?.name).toBe('late-send:60ms');
  });

  it('tick: nothing leaves before the next tick', async () => {
    const { records, report } = await run('tick:80ms');
    for (const r of records) {
      const due = r.scheduled_ns! - report.start_ns;
      expect(due).toBeCloseTo(r.index * 10 * MS, -3);
      const tick = Math.ceil(r.index / 8) * 80 * MS;
      expect(r.sent_ns! - report.start_ns).toBeGreaterThanOrEqual(tick - 1000);
    }
  });

  it('sleep-drift: the run takes longer by the dose for each request, and no wait is seen', async () => {
    const { records, report } = await run('sleep-drift:10ms');
    expect(records.at(-1)!.sent_ns! - report.start_ns).toBeGreaterThanOrEqual(19 * 20 * MS);
    for (const r of records) expect(r.scheduled_ns).toBe(r.sent_ns);
    expect(report.schedule_lag.max_ms).toBe(0);
  });

  it('omission: sending stands still for the dose, and no wait is seen', async () => {
    const { records, report } = await run('omission:80ms', {}, { rateRps: 200, requests: 120 });
    const sent = records.map((r) => r.sent_ns!).sort((a, b) => a - b);
    const gaps = sent.slice(1).map((at, i) => at - sent[i]!);
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(75 * MS);
    for (const r of records) expect(r.scheduled_ns).toBe(r.sent_ns);
    expect(report.counts.complete).toBe(120);
  });
});

describe('faults of reading', () => {
  it('late-read: every stamp of an answer is late by the dose, on connections that are used again', async () => {
    const { pairs, ledger } = await run('late-read:40ms', {}, { requests: 30 });
    expect(pairs).toHaveLength(30);
    for (const { r, row } of pairs) {
      expect(r.headers_ns! - ledger.headersNs[row]!).toBeGreaterThanOrEqual(40 * MS);
      expect(r.first_token_ns! - ledger.firstNs[row]!).toBeGreaterThanOrEqual(40 * MS);
      expect(r.last_token_ns! - ledger.lastNs[row]!).toBeGreaterThanOrEqual(40 * MS);
      expect(r.itl_ns).toHaveLength(15);
    }
    expect(new Set(ledger.connection).size).toBeLessThan(30);
  });

  it('late-read: a refusal and a time limit end their requests, too', async () => {
    const refused = await run('late-read:5ms', { refuseShare: 1 }, { requests: 3 });
    expect(refused.report.counts.outcomes.httpError).toBe(3);
    const stuck = await run('late-read:5ms', { latency: 'ttft=60s' }, { requests: 3, timeoutS: 0.2 });
    expect(stuck.report.counts.outcomes.timedOut).toBe(3);
  });

  it('role-first: the role alone is the first token, and nothing else changes', async () => {
    const slow = { latency: 'ttft=500ms,itl=1ms', role: 'early', earlyHeaders: true } as const;
    const { pairs, ledger } = await run('role-first', slow);
    const early = pairs.filter(({ r, row }) => r.first_token_ns! < ledger.firstNs[row]!);
    expect(early).toHaveLength(20);
    for (const { r, row } of pairs) {
      expect(r.last_token_ns!).toBeGreaterThanOrEqual(ledger.lastNs[row]!);
      expect([r.itl_ns.length, r.tokens_by_event, r.tokens_by_usage]).toEqual([15, 16, 16]);
    }
  });
});

describe('faults of stamps and counts', () => {
  it.each([
    ['chunk-itl:3', (r: RequestRecord) => expect(r.itl_ns).toHaveLength(5)],
    [
      'ttft-in-itl',
      (r: RequestRecord) => {
        expect(r.itl_ns).toHaveLength(16);
        // A scheduled instant is no whole number of ns: the gap and its two ends are rounded each on its own.
        expect(Math.abs(r.itl_ns[0]! - share(r))).toBeLessThanOrEqual(1);
      },
    ],
    ['end-at-done', (r: RequestRecord) => expect(r.last_token_ns).toBe(r.end_ns)],
    [
      'coarse-clock:10ms',
      (r: RequestRecord) => {
        const all = [r.scheduled_ns, r.sent_ns, r.headers_ns, r.first_token_ns, r.last_token_ns, r.end_ns];
        for (const ns of [...all, ...r.itl_ns]) expect(ns! % (10 * MS)).toBe(0);
      },
    ],
    ['clock-scale:100%', (r: RequestRecord) => expect(share(r)).toBeGreaterThanOrEqual(40 * MS)],
    [
      'count-plus:2',
      (r: RequestRecord) =>
        expect([r.tokens_by_usage, r.tokens_by_event, r.itl_ns.length]).toEqual([18, 18, 15]),
    ],
  ])('%s shows in each record', async (fault, check) => {
    const { records, report } = await run(fault, {}, { requests: 10 });
    expect(records).toHaveLength(10);
    for (const r of records) check(r);
    expect(report.tokens.by_usage).toBe(fault === 'count-plus:2' ? 180 : 160);
  });

  it('drop-failures: failures are in no record and no count, though the target had them', async () => {
    const { records, report, ledger, pairs } = await run(
      'drop-failures',
      { refuseShare: 0.3, breakShare: 0.3 },
      { requests: 60, rateRps: 300 },
    );
    expect(ledger.rows).toBe(60);
    const whole = [...ledger.outcome].filter((outcome) => outcome === 0).length;
    expect(whole).toBeLessThan(60);
    expect([records.length, pairs.length]).toEqual([whole, whole]);
    expect(report.counts).toMatchObject({ scheduled: whole, sent: whole, complete: whole, failed: 0 });
    expect(report.failures).toEqual([]);
  });

  it('error-as-success: what broke off in its stream is complete, with the tokens that came', async () => {
    const { records, report, ledger } = await run('error-as-success', { breakShare: 1 }, { requests: 5 });
    expect([...ledger.outcome]).toEqual([3, 3, 3, 3, 3]);
    expect(report.counts).toMatchObject({ complete: 5, failed: 0 });
    for (const r of records)
      expect(r).toMatchObject({ outcome: 'complete', tokens_by_event: 8, tokens_by_usage: null });
  });
});

describe('faults of the schedule', () => {
  it('random-gaps and on-the-second: the schedule is another one than was asked', async () => {
    const random = (await run('random-gaps')).records;
    const gaps = random.slice(1).map((r, i) => r.scheduled_ns! - random[i]!.scheduled_ns!);
    expect(new Set(gaps).size).toBe(19);
    const { records, report } = await run('on-the-second', {}, { rateRps: 30, requests: 70 });
    const whole = records.filter(
      (r) => Math.abs(((r.scheduled_ns! - report.start_ns + 5e8) % 1e9) - 5e8) < 1000,
    );
    expect(whole.length).toBeGreaterThanOrEqual(1);
    expect(whole.length).toBeLessThanOrEqual(3);
  });

  it('same-seed: two and two are due together, with the same prompt and ids of their own', async () => {
    const server = await oddServer(() => stream(token('a'), token('b', 'stop'), usage(2), DONE));
    try {
      const { records } = await load(server.url, 'same-seed:2', {
        workers: 2,
        arrivals: { kind: 'poisson' },
      });
      for (let i = 0; i < 20; i += 2) expect(records[i]!.scheduled_ns).toBe(records[i + 1]!.scheduled_ns);
      expect(new Set(records.map((r) => r.scheduled_ns!)).size).toBe(10);
      expect(new Set(server.seen.map((s) => s.id)).size).toBe(20);
      expect(new Set(server.seen.map((s) => s.body)).size).toBe(10);
    } finally {
      await server.close();
    }
  });
});

describe('faults of how often', () => {
  it('lost-requests: the target never saw them, the report has them as complete', async () => {
    const { records, report, ledger } = await run('lost-requests:30%', {}, { requests: 60, rateRps: 300 });
    expect(ledger.rows).toBeLessThan(60);
    expect(ledger.rows).toBeGreaterThan(20);
    expect(report.counts).toMatchObject({ scheduled: 60, sent: 60, complete: 60, failed: 0 });
    expect(records.map((r) => r.index)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    const known = new Set(ledger.requestId);
    const real = new Set(
      records.filter((r) => known.has(r.request_id)).map((r) => Math.round(share(r) / 1000)),
    );
    for (const r of records)
      if (!known.has(r.request_id)) {
        expect(r.response_id).toBeNull();
        expect([...real].some((us) => Math.abs(us - share(r) / 1000) <= 1)).toBe(true);
      }
  });

  it('lost-requests: a run of which nothing is sent comes to its end', async () => {
    const { report, ledger } = await run('lost-requests:100%', {}, { requests: 5 });
    expect(ledger.rows).toBe(0);
    expect(report.counts).toMatchObject({ scheduled: 5, sent: 0, complete: 0 });
  });

  it('duplicate: the target saw them twice, the client knows of one', async () => {
    const { records, report, ledger } = await run('duplicate:30%', {}, { requests: 60, rateRps: 300 });
    expect(records).toHaveLength(60);
    expect(report.counts).toMatchObject({ scheduled: 60, sent: 60, complete: 60 });
    expect(ledger.rows).toBeGreaterThan(62);
    expect(new Set(ledger.requestId).size).toBe(ledger.rows);
    const again = ledger.requestId.filter((id) => /^tare-1\d{9}$/.test(id!));
    expect(again).toHaveLength(ledger.rows - 60);
    for (const id of again) expect(ledger.requestId).toContain(`tare-${Number(id!.slice(5)) - 1e9}`);
  });
});

describe('faults of connections and limits', () => {
  it('fresh-connections: one for each request, opened after it was due', async () => {
    const { records, report, ledger } = await run('fresh-connections', { refuseShare: 0.2 });
    expect(records).toHaveLength(20);
    expect([...ledger.connection].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(ledger.meta.connections).toBe(20);
    expect(report.counts.failed).toBe([...ledger.outcome].filter((outcome) => outcome === 1).length);
  });

  it('pool-cap: never more are under way, over all workers; the wait counts, unless it is omitted', async () => {
    const tight = { latency: 'ttft=50ms' };
    const two = { workers: 2, rateRps: 400, requests: 40 };
    const honest = await run('pool-cap:4', tight, two);
    expect(honest.ledger.meta.peakInFlight).toBeLessThanOrEqual(4);
    // Ten rounds of four at 50 ms, all due within 0.1 s.
    expect(Math.max(...honest.records.map(share))).toBeGreaterThanOrEqual(400 * MS);
    const omitted = await run('cap-wait-omitted:4', tight, two);
    expect(omitted.ledger.meta.peakInFlight).toBeLessThanOrEqual(4);
    for (const r of omitted.records) expect(r.scheduled_ns).toBe(r.sent_ns);
  });

  it('burn: one worker, and the dose between the tokens of one segment', async () => {
    const { records, report } = await run(
      'burn:1ms',
      { latency: 'zero' },
      { workers: 2, requests: 5, outputTokens: 3 },
    );
    expect(report.client.workers).toBe(1);
    for (const r of records) for (const gap of r.itl_ns) expect(gap).toBeGreaterThanOrEqual(MS);
  });
});
