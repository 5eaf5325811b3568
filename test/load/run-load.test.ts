/** The built client against a server with every peculiarity: real workers, real connections. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runLoad } from '../../src/load/coordinator.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../src/load/options.ts';
import { UNLIMITED } from '../../src/load/plan-closed.ts';
import type { LoadReport } from '../../src/load/report.ts';
import type { RequestRecord } from '../../src/load/spool.ts';
import { startWorkerProcess } from '../../src/load/worker-process.ts';
import { parseStages } from '../../src/measure/load/stage-text.ts';
import { once } from '../../src/measure/load/stages.ts';
import { type Behaviour, DONE, type OddServer, oddServer, stream, token, usage } from './odd-server.ts';

let dir: string;
let server: OddServer | null = null;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-run-load-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  rmSync(dir, { recursive: true, force: true });
});

const good: Behaviour = stream(token('a'), token('b') + token('c', 'stop'), usage(3), DONE);

interface Outcome {
  readonly report: LoadReport;
  readonly records: RequestRecord[];
}

async function load(
  change: Partial<LoadOptions>,
  hooks: Parameters<typeof runLoad>[2] = {},
): Promise<Outcome> {
  const recordsFile = join(dir, 'records.jsonl');
  const options: LoadOptions = {
    ...LOAD_DEFAULTS,
    url: server?.url ?? 'http://127.0.0.1:1',
    arrivals: { kind: 'constant' },
    rateRps: 500,
    requests: 20,
    outputTokens: 3,
    workers: 1,
    pacing: 'block',
    timeoutS: 10,
    rehearsalS: 0.1,
    recordsFile,
    ...change,
  };
  const plan = planLoad(options, { allowed: [0], total: 1, taskset: false });
  const report = await runLoad(options, plan, hooks);
  const text = readFileSync(recordsFile, 'utf8').trimEnd();
  const records = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as RequestRecord);
  return { report, records: records.sort((a, b) => a.index - b.index) };
}

describe('a load run', () => {
  it('reads a plain stream: instants in order, counts by usage and by event, ids of both sides', async () => {
    server = await oddServer(() => good);
    const { report, records } = await load({});
    expect(report).toMatchObject({ state: 'complete', counts: { complete: 20, sent: 20, failed: 0 } });
    expect(report.tokens).toMatchObject({ source: 'usage', by_usage: 60, by_events: 60 });
    expect(records.map((r) => r.request_id)).toEqual(server.seen.map((s) => s.id).sort(byNumber));
    for (const r of records) {
      const instants = [r.scheduled_ns, r.sent_ns, r.headers_ns, r.first_token_ns, r.last_token_ns, r.end_ns];
      expect(instants).toEqual([...instants].sort((a, b) => a! - b!));
      expect(r).toMatchObject({ outcome: 'complete', status: 200, response_id: 'chatcmpl-7', done: true });
      expect(r.itl_ns).toHaveLength(2);
    }
  });

  it('names how each request ended', async () => {
    const behaviours: [string, Behaviour][] = [
      ['complete', good],
      ['httpError', (r) => r.writeHead(503).end('{"error":{"message":"overloaded"}}')],
      ['errorInStream', stream(token('a'), 'data: {"error":{"message":"out of memory"}}\n\n', DONE)],
      ['errorInStream', stream('event: error\ndata: broken\n\n')],
      ['errorInStream', stream(token('a'), token('', 'error'), usage(1), DONE)],
      ['errorInStream', stream(token('a'), token('', 'abort'), usage(1), DONE)],
      ['truncated', stream(token('a'), token('b'))],
      ['malformed', stream(token('a'), 'data: {"choices":[{\n\n', DONE)],
      ['noTokens', stream(token(''), token('', 'stop'), DONE)],
      ['connectionLost', (r, _q, socket) => r.write(token('a'), () => socket.destroy())],
      ['connectionLost', (_r, _q, socket) => socket.destroy()],
      ['timedOut', (r) => r.write(token('a'))],
      ['timedOut', () => {}],
      // Clean, with a finish_reason but no [DONE]; and cut after its last field, which is then never dispatched.
      ['complete', stream(token('a'), token('b', 'stop'))],
      ['complete', stream(token('a'), token('b', 'length'), 'data: [DONE]\n')],
      [
        'complete',
        stream('\uFEFF: ping\r\n\r\n', token('é').replaceAll('\n', '\r'), token('z', 'stop'), DONE),
      ],
    ];
    server = await oddServer((i) => behaviours[i]![1]);
    const requests = behaviours.length;
    const { report, records } = await load({ requests, timeoutS: 0.5 });
    expect(records.map((r) => r.outcome)).toEqual(behaviours.map(([name]) => name));
    expect(report.state).toBe('complete');
    expect(report.counts.outcomes).toMatchObject({
      complete: 4,
      timedOut: 2,
      errorInStream: 4,
      connectionLost: 2,
    });
    expect(report.counts.without_done).toBe(2);
    expect(report.from_scheduled.ttft.over_all.p99_ms).toBeNull();
    expect(report.failures.find((f) => f.outcome === 'httpError')!.example).toMatch(/503.*overloaded/);
  });

  it('passes over interim answers that nobody asked for', async () => {
    server = await oddServer((i) => (response, request, socket) => {
      const answer = () => good(response, request, socket);
      if (i % 4 === 0) response.writeContinue(answer);
      else if (i % 4 === 1) response.writeProcessing(answer);
      else if (i % 4 === 2)
        socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early', () => {
          socket.write(' Hints\r\n\r\n');
          answer();
        });
      else answer();
    });
    const { report, records } = await load({ requests: 16 });
    expect(report.failures).toEqual([]);
    expect(records.map((r) => [r.status, r.tokens_by_event])).toEqual(records.map(() => [200, 3]));
  });

  it('fails every request of a server that is not there, and says why', async () => {
    const { report } = await load({ url: 'http://127.0.0.1:1', requests: 5 });
    expect(report.state).toBe('complete');
    expect(report.counts).toMatchObject({ complete: 0, sent: 0, success_rate: 0 });
    expect(report.counts.outcomes.connectError).toBe(5);
    expect(report.failures[0]!.example).toMatch(/ECONNREFUSED/);
    expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
  });

  it('sends the same requests at the same instants whatever the number of workers', async () => {
    const runs = [];
    for (const workers of [1, 3]) {
      server = await oddServer(() => good);
      const { report, records } = await load({ workers, arrivals: { kind: 'gamma', cv2: 3 }, seed: 9 });
      runs.push({
        offsets: records.map((r) => [r.index, Math.round((r.scheduled_ns! - report.start_ns) / 1000)]),
        sent: server.seen.map((s) => `${s.id} ${s.body}`).sort(byNumber),
      });
      await server.close();
    }
    expect(runs[0]!.sent).toHaveLength(20);
    expect(new Set(runs[0]!.sent.map((s) => s.replace(/^\S+/, ''))).size).toBe(20);
    expect(runs[1]).toEqual(runs[0]);
  });

  it('counts the wait for --max-in-flight from the scheduled instant, and sends everything', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    server = await oddServer(() => (response, request, socket) => {
      waiting.push(() => good(response, request, socket));
      most = Math.max(most, waiting.length);
      // Answers the two that are held only when both are there: a third can never be.
      if (waiting.length === 2) for (const go of waiting.splice(0)) go();
    });
    const { report } = await load({ maxInFlight: 2, requests: 20, rateRps: 5000 });
    expect(report.counts).toMatchObject({ complete: 20, peak_in_flight: 2 });
    expect(most).toBe(2);
    expect(report.counts.delayed).toBeGreaterThan(0);
    const { from_scheduled: scheduled, from_sent: sent } = report;
    expect(scheduled.e2e.over_successes.max_ms).toBeGreaterThan(sent.e2e.over_successes.max_ms!);
  });

  it('keeps a closed loop’s requests under way, over all workers, and measures from no schedule', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    server = await oddServer(() => (response, request, socket) => {
      waiting.push(() => good(response, request, socket));
      most = Math.max(most, waiting.length);
      // Answers come only when all five users wait: with one less under way nothing would go on.
      if (waiting.length === 5) for (const go of waiting.splice(0)) go();
    });
    const closed = { rateRps: null, concurrency: 5, workers: 2, requests: 50 };
    const { report, records } = await load(closed);
    expect(most).toBe(5);
    expect(report).toMatchObject({
      state: 'complete',
      counts: { scheduled: 50, complete: 50, peak_in_flight: 5 },
    });
    expect(server.seen.map((s) => s.id).sort(byNumber)).toEqual(records.map((r) => r.request_id));
    expect(new Set(records.map((r) => r.index)).size).toBe(50);
    for (const r of records) expect(r.scheduled_ns).toBeNull();
    const { from_scheduled: none, from_sent: sent, schedule_lag: lag } = report;
    for (const figures of [none.ttft.over_successes, none.e2e.over_all, none.ntpot.over_successes, lag])
      expect(figures).toMatchObject({
        p50_ms: null,
        absent: 'closed loop: no request has a scheduled instant',
      });
    expect(sent.e2e.over_successes.n).toBe(50);
    expect(report.rate).toMatchObject({ requested_rps: null, scheduled_rps: null, sends_ratio: null });
    expect(report.notes.map((w) => w.code)).toContain('closed-loop');
    expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
  });

  it('follows stages, and says of each what was due, sent and done', async () => {
    server = await oddServer(() => good);
    const stages = once(parseStages('0.2s@50,0.3s@0,0.2s@50..150'));
    const { report, records } = await load({ stages, workers: 2, requests: UNLIMITED });
    expect(report.stages!.list.map((s) => [s.scheduled, s.complete, s.success_rate])).toEqual([
      [10, 10, 1],
      [0, 0, null],
      [20, 20, 1],
    ]);
    expect(report.stages!.list.map((s) => s.e2e.n)).toEqual([10, 0, 20]);
    const due = records.map((r) => (r.scheduled_ns! - report.start_ns) / 1e9);
    expect(due.slice(0, 10).map((s) => Math.round(s * 1000))).toEqual([
      0, 20, 40, 60, 80, 100, 120, 140, 160, 180,
    ]);
    // From 0.5 s on, k = 50 t + 250 t².
    due.slice(10).forEach((s, k) => {
      const t = s - 0.5;
      expect(50 * t + 250 * t * t).toBeCloseTo(k, 4);
    });
  });

  it('sees a worker die at once and reports what it had', async () => {
    const pids: (number | null)[] = [];
    server = await oddServer((i) => {
      if (i === 320) process.kill(pids[0]!, 'SIGKILL');
      return good;
    });
    const { report, records } = await load(
      { workers: 2, requests: 4000, rateRps: 200 },
      {
        startWorker: (k, cpus) => {
          const started = startWorkerProcess(k, cpus);
          pids[k] = started.pid;
          return started;
        },
      },
    );
    expect(report.state).toBe('incomplete');
    expect(report.reason).toMatch(/worker 0 died: ended by SIGKILL/);
    expect(report.workers[0]).toMatchObject({ state: 'died', signal: 'SIGKILL' });
    expect(report.workers[1]!.state).toBe('stopped');
    // It reports every second, and had run for 1.6 s.
    expect(report.workers[0]!.ended).toBeGreaterThan(20);
    expect(records.length).toBeGreaterThan(report.workers[1]!.ended);
    const { outcomes } = report.counts;
    expect(Object.values(outcomes).reduce((a, b) => a + b, 0)).toBe(4000);
    expect(report.elapsed_s).toBeLessThan(15);
  });

  it('stops when it is told to, with what was done', async () => {
    const abort = new AbortController();
    server = await oddServer((i) => {
      if (i === 100) abort.abort();
      return good;
    });
    const { report } = await load({ requests: 4000, rateRps: 400 }, { signal: abort.signal });
    expect(report.state).toBe('interrupted');
    expect(report.counts.complete).toBeGreaterThanOrEqual(90);
    expect(report.workers[0]).toMatchObject({ state: 'stopped', exit_code: 0 });
  });

  it('burns the stated time on each token, one after the other', async () => {
    server = await oddServer(() => stream(token('a') + token('b') + token('c', 'stop') + usage(3) + DONE));
    const { report } = await load({ burnPerTokenUs: 300, requests: 10 });
    expect(report.itl.min_ms).toBeGreaterThanOrEqual(0.3);
    expect(report.options.burn_per_token_us).toBe(300);
  });

  it('asks for completions, and for answers in one piece', async () => {
    server = await oddServer(() => (r) => {
      r.writeHead(200, { 'content-type': 'application/json' });
      r.end(
        '{"id":"cmpl-1","choices":[{"text":"a b c","finish_reason":"length"}],"usage":{"completion_tokens":3}}',
      );
    });
    const { report, records } = await load({ endpoint: 'completions', stream: false, apiKey: 'sk-secret' });
    expect(report.counts.complete).toBe(20);
    expect(report.from_sent.ttft.over_successes.absent).toMatch(/not streamed/);
    expect(records[0]).toMatchObject({ response_id: 'cmpl-1', tokens_by_usage: 3, first_token_ns: null });
    const { path, body, authorization } = server.seen[0]!;
    expect(path).toBe('/v1/completions');
    expect(JSON.parse(body)).toMatchObject({ stream: false, max_tokens: 3 });
    expect(authorization).toBe('Bearer sk-secret');
  });

  it('sends nothing to the target before the start, unless a warm-up was asked', async () => {
    server = await oddServer(() => good);
    await load({ requests: 3 });
    expect(server.seen.map((s) => s.id).sort()).toEqual(['tare-0', 'tare-1', 'tare-2']);
    server.seen.length = 0;
    const { report } = await load({ requests: 3, warmup: 4 });
    expect(server.seen).toHaveLength(7);
    expect(server.seen.slice(0, 4).every((s) => s.id.startsWith('warmup'))).toBe(true);
    expect(report.counts.complete).toBe(3);
  });
});

function byNumber(a: string, b: string): number {
  return Number(/\d+/.exec(a)![0]) - Number(/\d+/.exec(b)![0]);
}
