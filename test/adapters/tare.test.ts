import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Found, LaunchRequest } from '../../adapters/contract.ts';
import { allAdapters } from '../../adapters/registry.ts';
import {
  createFaultyAdapter,
  createTareAdapter,
  tareAdapter,
  tareBlockingAdapter,
  tareBurnAdapter,
} from '../../adapters/tare/adapter.ts';
import { TARE } from '../../adapters/tare/facts.ts';
import { parseRecord } from '../../adapters/tare/parse.ts';
import type { Workload } from '../../src/measure/workload.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-adapter-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const workload: Workload = {
  rateRps: 100,
  requests: 2,
  durationS: 0.02,
  arrivals: { kind: 'gamma', cv2: 4 },
  promptTokens: 8,
  outputTokens: 3,
  latency: 'ttft=50ms,itl=10ms',
  seed: 7,
};
const found: Found = {
  state: 'found',
  version: '',
  path: '',
  origin: '',
  notes: [],
  handle: { node: '/usr/bin/node', main: '/tare/main.js' },
};
const request = (): LaunchRequest => ({
  workload,
  url: 'http://127.0.0.1:1',
  model: 'm',
  dir,
  found,
  workers: 3,
  cpus: null,
});

const record = (change: object = {}) => ({
  request_id: 'tare-0',
  response_id: 'chatcmpl-1',
  outcome: 'complete',
  scheduled_ns: 1_000_000_000,
  first_token_ns: 1_050_000_000,
  last_token_ns: 1_070_000_000,
  tokens_by_event: 3,
  tokens_by_usage: 3,
  itl_ns: [10e6, 10e6],
  ...change,
});
const report = (change: object = {}) => ({
  schema: 'tare-load/1',
  state: 'complete',
  reason: null,
  elapsed_s: 0.1,
  rate: { sent_rps: 100 },
  counts: { complete: 2, failed: 0, sent: 2, scheduled: 2 },
  tokens: { by_usage: 6, by_events: 6 },
  trusted: true,
  warnings: [],
  failures: [],
  ...change,
});
async function parse(reportText: string | null, records: readonly object[], exitCode = 0) {
  if (reportText !== null) await writeFile(join(dir, 'report.json'), reportText);
  await writeFile(join(dir, 'records.jsonl'), records.map((r) => `${JSON.stringify(r)}\n`).join(''));
  const stdoutFile = join(dir, 'out');
  const stderrFile = join(dir, 'err');
  await writeFile(stderrFile, 'tare: no such model\n');
  return tareAdapter.parse({ dir, stdoutFile, stderrFile, exitCode, workload });
}

describe('the command', () => {
  it('passes workload and workers on', async () => {
    const { argv } = await tareAdapter.prepare(request());
    const of = (flag: string) => argv[argv.indexOf(flag) + 1];
    expect([of('--rate'), of('--requests'), of('--arrivals'), of('--seed'), of('--workers')]).toEqual([
      '100',
      '2',
      'gamma:4',
      '7',
      '3',
    ]);
    expect(argv).not.toContain('--burn-per-token');
  });
  it('holds tare-burn to one loop with its stated cost, whatever workers are asked', async () => {
    const { argv } = await tareBurnAdapter.prepare(request());
    expect(argv[argv.indexOf('--workers') + 1]).toBe('1');
    expect(argv[argv.indexOf('--burn-per-token') + 1]).toBe('60us');
    expect(tareBurnAdapter.title).toMatch(/60 µs/);
  });
  it('blocks for the floor', async () => {
    const { argv } = await tareBlockingAdapter.prepare(request());
    expect(argv[argv.indexOf('--pacing') + 1]).toBe('block');
  });
  it('hands a known fault and a short rehearsal on, and states the facts of the healthy client', async () => {
    const faulty = createFaultyAdapter('lost-requests', { pacing: 'block', rehearsal: '300ms' });
    const { argv } = await faulty.prepare(request());
    expect(argv[argv.indexOf('--fault') + 1]).toBe('lost-requests:10%');
    expect(argv[argv.indexOf('--rehearsal') + 1]).toBe('300ms');
    expect(argv[argv.indexOf('--pacing') + 1]).toBe('block');
    expect(faulty.name).toBe('tare-with-lost-requests-10pct');
    expect(faulty.title).toMatch(/10% of the requests are never sent/);
    expect(faulty.facts).toEqual(tareAdapter.facts);
    expect(() => createFaultyAdapter('none')).toThrow(/no fault "none"/);
    expect(allAdapters.map((one) => one.name)).not.toContain(faulty.name);
    const quick = createTareAdapter({ ...TARE, rehearsal: '300ms' });
    expect((await quick.prepare(request())).argv).toContain('--rehearsal');
    expect((await tareAdapter.prepare(request())).argv).not.toContain('--rehearsal');
  });
});

describe('its files', () => {
  it('gives exact figures from the scheduled instant', async () => {
    const parsed = await parse(JSON.stringify(report()), [
      record(),
      record({ request_id: 'tare-1', first_token_ns: 1_060_000_000, last_token_ns: 1_080_000_000 }),
    ]);
    if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
    const { metrics, records } = parsed.report;
    expect(metrics.ttft).toMatchObject({ n: 2, mean_ms: 55, p50_ms: 55 });
    expect(metrics.e2e.p50_ms).toBe(75);
    expect(metrics.tpot.mean_ms).toBe(10);
    expect(metrics.itl).toMatchObject({ n: 4, p99_ms: 10 });
    expect(records?.map((r) => r.requestId)).toEqual(['tare-0', 'tare-1']);
  });
  it('keeps a failed request in the records and out of the figures', async () => {
    const failed = record({
      outcome: 'errorInStream',
      first_token_ns: null,
      last_token_ns: null,
      itl_ns: [],
    });
    const parsed = await parse(
      JSON.stringify(report({ counts: { complete: 1, failed: 1, sent: 2, scheduled: 2 } })),
      [record(), failed],
    );
    expect(parsed).toMatchObject({
      state: 'parsed',
      report: { completed: 1, failed: 1, metrics: { ttft: { n: 1 } } },
    });
  });
  it.each<[string, string | null, number, string, RegExp]>([
    ['no report and a failure', null, 2, 'failed', /no such model/],
    ['no report and exit 0', null, 0, 'unparsable', /report\.json/],
    ['half a report', '{"schema":"tare-lo', 0, 'unparsable', /report\.json/],
    ['another schema', JSON.stringify(report({ schema: 'tare-load/9' })), 0, 'unparsable', /schema/],
    [
      'an incomplete run',
      JSON.stringify(report({ state: 'incomplete', reason: 'worker 1 died' })),
      5,
      'failed',
      /worker 1 died/,
    ],
    [
      'nothing completed',
      JSON.stringify(
        report({
          counts: { complete: 0, failed: 2, sent: 2, scheduled: 2 },
          failures: [{ outcome: 'httpError', example: 'status 503' }],
        }),
      ),
      3,
      'failed',
      /status 503/,
    ],
    ['records that are missing', JSON.stringify(report()), 0, 'unparsable', /1 of 2 requests/],
  ])('%s', async (_, text, exitCode, state, words) => {
    const parsed = await parse(text, [record()], exitCode);
    expect(parsed.state).toBe(state);
    expect('reason' in parsed && parsed.reason).toMatch(words);
  });
  it('gives null for a torn or foreign line', () => {
    expect(parseRecord('{"request_id": "tare-')).toBeNull();
    expect(parseRecord('{"hello": 1}')).toBeNull();
  });
});
