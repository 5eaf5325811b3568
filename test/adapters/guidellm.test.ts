import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../../adapters/contract.ts';
import { guidellmAdapter } from '../../adapters/guidellm/adapter.ts';
import { RESULT_FILE, withoutSettings } from '../../adapters/guidellm/prepare.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixture = (name: string) => readFile(join(packageRoot, 'test/fixtures/guidellm', name), 'utf8');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-guidellm-'));
const workload = (change: Partial<Workload> = {}) =>
  workloadOf({ rateRps: 2, requests: 4, durationS: 2, arrivals: { kind: 'constant' }, ...change });

interface Left {
  result?: string;
  exitCode?: number | null;
  stderr?: string;
  asked?: Partial<Workload>;
}

async function parse({ result, exitCode = 0, stderr = '', asked }: Left): Promise<Parsed> {
  const dir = await scratch();
  if (result !== undefined) await writeFile(join(dir, RESULT_FILE), result);
  await writeFile(join(dir, 'stderr.txt'), stderr);
  const files = { dir, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') };
  return guidellmAdapter.parse({ ...files, exitCode, workload: workload(asked) });
}

async function report(left: Left) {
  const parsed = await parse(left);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('guidellm parse: captured runs', () => {
  it('takes its "inter token latency" as TPOT and its "time per output token" as NTPOT', async () => {
    const result = await fixture('four-at-2.json');
    const { metrics, duration, requests } = JSON.parse(result).benchmarks[0];
    const got = await report({ result });
    expect(got).toMatchObject({ completed: 4, failed: 0, outputTokens: 64, durationS: duration });
    expect(got.achievedRps).toBe(metrics.requests_per_second.successful.mean);
    expect(got.achievedRps).toBeCloseTo(4 / duration, 6);
    expect(got.metrics.itl).toMatchObject({ mean_ms: null, absent: expect.stringContaining('no gaps') });
    expect(got.metrics.tpot).toMatchObject({ n: 4, mean_ms: metrics.inter_token_latency_ms.successful.mean });
    expect(got.metrics.ntpot.p90_ms).toBe(metrics.time_per_output_token_ms.successful.percentiles.p90);
    expect(got.metrics.ttft.p99_ms).toBe(metrics.time_to_first_token_ms.successful.percentiles.p99);
    expect(got.metrics.e2e.p50_ms).toBe(metrics.request_latency.successful.percentiles.p50 * 1000);
    // What the names stand for, from the stamps that it keeps.
    for (const { info, ...one } of requests.successful) {
      const { request_start: t0, first_token_iteration: first, last_token_iteration: last } = info.timings;
      expect(one.inter_token_latency_ms).toBeCloseTo((1000 * (last - first)) / 15, 3);
      expect(one.time_per_output_token_ms).toBeCloseTo((1000 * (last - t0)) / 16, 3);
    }
    expect(new Set(got.records!.map((record) => record.responseId)).size).toBe(4);
    for (const record of got.records!)
      expect(record).toMatchObject({ ok: true, requestId: null, itlMs: null, outputTokens: 16 });
  });

  it('leaves errored requests out, whose latency is 0 in its totals', async () => {
    const result = await fixture('three-503s.json');
    const got = await report({ result });
    expect(got).toMatchObject({ completed: 9, failed: 3, outputTokens: 27 });
    expect(got.notes[1]).toMatch(/^3 requests failed; the first: HTTPStatusError.*503 Service Unavailable/);
    expect(got.notes[1]).not.toContain('developer.mozilla');
    const { successful, total } = JSON.parse(result).benchmarks[0].metrics.time_to_first_token_ms;
    expect(got.metrics.ttft.mean_ms).toBe(successful.mean);
    expect(total).toBeDefined();
    // Three of the nine have one token, so no TPOT.
    expect([got.metrics.e2e.n, got.metrics.tpot.n]).toEqual([9, 6]);
    const bad = got.records!.filter((record) => !record.ok);
    expect(bad).toHaveLength(3);
    for (const record of bad) expect(record).toMatchObject({ ttftMs: null, e2eMs: null, outputTokens: null });
  });

  it('with every request failed it writes zeros and exits with 0: a failure all the same', async () => {
    expect(await parse({ result: await fixture('all-503.json') })).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^every one of its 12 requests failed: HTTPStatusError/),
    });
  });

  it('hands on its warnings, and says what its poisson is', async () => {
    const result = await fixture('six-with-warning.json');
    const { notes } = await report({ result, asked: { arrivals: { kind: 'poisson' } } });
    expect(notes[0]).toContain('one and the same seed');
    expect(notes[1]).toMatch(/^it says that its requests left after their schedule: mean \d/);
    expect(notes[2]).toMatch(/^it warns: mean generation delay was 2%/);
  });
});

describe('guidellm parse: bad output', () => {
  it('says when its figures are of fewer requests than succeeded', async () => {
    const raw = JSON.parse(await fixture('four-at-2.json'));
    raw.benchmarks[0].metrics.request_totals.successful = 3;
    const got = await report({ result: JSON.stringify(raw) });
    expect(got).toMatchObject({ completed: 3, outputTokens: 64 });
    expect(got.notes.at(-1)).toBe('its figures are of 3 of its 4 successful requests');
  });

  it('half a file, an empty one, foreign JSON, none', async () => {
    const text = await fixture('four-at-2.json');
    for (const result of [text.slice(0, text.length / 2), '', '{}', '{"benchmarks":[]}', undefined]) {
      expect(await parse(result === undefined ? {} : { result })).toMatchObject({
        state: 'unparsable',
        reason: expect.stringContaining(RESULT_FILE),
      });
    }
    expect(await parse({ exitCode: 1, stderr: 'RuntimeError: no server\n' })).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: RuntimeError: no server',
    });
  });

  it('a metric that is left out or not finite is absent', async () => {
    const raw = JSON.parse(await fixture('four-at-2.json'));
    const { metrics } = raw.benchmarks[0];
    metrics.time_to_first_token_ms.successful.percentiles = null;
    metrics.request_latency.successful.mean = 'INF';
    const bare = JSON.stringify(raw).replace('"INF"', 'Infinity');
    const got = await report({ result: bare });
    expect(got.metrics.ttft).toMatchObject({
      p99_ms: null,
      mean_ms: expect.any(Number),
      absent: expect.any(String),
    });
    expect(got.metrics.e2e).toMatchObject({ mean_ms: null, absent: expect.any(String) });
  });
});

describe('guidellm prepare', () => {
  const command = async (
    change: Partial<Workload> = {},
    workers: number | null = null,
    torch = 'stand-in',
  ) => {
    const dir = await scratch();
    const found = { state: 'found', version: '0', path: '/p', origin: 'o', notes: [] } as const;
    const made = await guidellmAdapter.prepare({
      workload: workload(change),
      url: 'http://127.0.0.1:1',
      model: 'm',
      dir,
      found: { ...found, handle: { program: '/a', torch } },
      workers,
      cpus: null,
    });
    return { ...made, dir, line: made.argv.join(' ') };
  };

  it('asks for arrivals, requests, seed and model, and for nothing else than JSON', async () => {
    const made = await command({ arrivals: { kind: 'poisson' } });
    expect(made.line).toContain('--backend kind=openai_http,target=http://127.0.0.1:1,model=m ');
    expect(made.line).toContain('--profile kind=poisson,rate=2 --constraint kind=max_requests,count=4 ');
    expect(made.line).toContain('--seed kind=static,value=3 ');
    expect(made.line).toContain(`--output kind=json,path=${made.dir}/${RESULT_FILE}`);
    expect(guidellmAdapter.refuses!(workload({ arrivals: { kind: 'gamma', cv2: 4 } }))).toContain('gamma:4');
  });

  it('writes a row a request, beyond the number of distinct prompts too', async () => {
    const made = await command({ requests: 2500, rateRps: 500, durationS: 5 });
    const rows = (await readFile(join(made.dir, 'prompts.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(rows).toHaveLength(2500);
    const last = JSON.parse(rows.at(-1)!);
    expect(last.output_tokens_count).toBe(16);
    expect(last.prompt.split(' ')).toHaveLength(32);
  });

  it('sets its workers only when asked, enough threads always, and keeps the user’s settings out', async () => {
    const plain = await command();
    expect(plain.env).not.toHaveProperty('GUIDELLM__MAX_WORKER_PROCESSES');
    expect(Number(plain.env!.PYTHON_CPU_COUNT)).toBeGreaterThanOrEqual(2);
    expect(plain.env).toMatchObject({ USE_TORCH: '0', OPENAI_API_KEY: null });
    expect((await command({}, 3)).env).toMatchObject({ GUIDELLM__MAX_WORKER_PROCESSES: '3' });
    expect((await command({}, null, '')).env).not.toHaveProperty('USE_TORCH');
    expect(withoutSettings({ GUIDELLM__MAX_CONCURRENCY: '1', PATH: '/' })).toEqual({
      GUIDELLM__MAX_CONCURRENCY: null,
    });
  });
});
