import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../../adapters/contract.ts';
import { inferencePerfAdapter } from '../../adapters/inference-perf/adapter.ts';
import { RECORDS_FILE, STAGE_FILE } from '../../adapters/inference-perf/parse.ts';
import { stageOf, workerConcurrency } from '../../adapters/inference-perf/prepare.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixture = (name: string) => readFile(join(packageRoot, 'test/fixtures/inference-perf', name), 'utf8');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-inference-perf-'));
const workload = (change: Partial<Workload> = {}) =>
  workloadOf({ rateRps: 2, requests: 4, durationS: 2, ...change });

interface Left {
  stage?: string;
  records?: string;
  exitCode?: number | null;
  stderr?: string;
  asked?: Partial<Workload>;
}

async function parse({ stage, records, exitCode = 0, stderr = '', asked }: Left): Promise<Parsed> {
  const dir = await scratch();
  await mkdir(join(dir, 'reports'));
  if (stage !== undefined) await writeFile(join(dir, 'reports', STAGE_FILE), stage);
  if (records !== undefined) await writeFile(join(dir, 'reports', RECORDS_FILE), records);
  await writeFile(join(dir, 'stderr.txt'), stderr);
  const files = { dir, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') };
  return inferencePerfAdapter.parse({ ...files, exitCode, workload: workload(asked) });
}

async function report(left: Left) {
  const parsed = await parse(left);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('Inference Perf parse: captured runs', () => {
  it('seconds become milliseconds, the rate is that of the sends, and chunks tell the response’s id', async () => {
    const stage = await fixture('four-at-2.stage.json');
    const raw = JSON.parse(stage);
    const { latency } = raw.successes;
    const got = await report({ stage, records: await fixture('four-at-2.requests.json') });
    expect(got).toMatchObject({ completed: 4, failed: 0, outputTokens: 64 });
    expect(got.achievedRps).toBe(raw.load_summary.achieved_rate);
    expect(got.metrics.ttft).toMatchObject({ n: 4, mean_ms: latency.time_to_first_token.mean * 1000 });
    expect(got.metrics.itl).toMatchObject({ n: 60, p50_ms: latency.inter_token_latency.median * 1000 });
    expect(got.metrics.tpot.p90_ms).toBe(latency.time_per_output_token.p90 * 1000);
    expect(got.metrics.ntpot.p99_ms).toBe(latency.normalized_time_per_output_token.p99 * 1000);
    expect(got.metrics.e2e).toMatchObject({ n: 4, p99_ms: latency.request_latency.p99 * 1000 });
    expect(got.notes).toEqual([
      expect.stringMatching(/^it says that its requests left after their schedule: /),
    ]);
    expect(new Set(got.records!.map((record) => record.responseId)).size).toBe(4);
    for (const record of got.records!) {
      expect(record).toMatchObject({ ok: true, requestId: null, outputTokens: 16 });
      expect(record.responseId).toMatch(/^cmpl-/);
      expect(record.itlMs).toHaveLength(15);
      // Its E2E ends after the last token, its ITL at it.
      expect(record.ttftMs! + record.itlMs!.reduce((a, b) => a + b, 0)).toBeLessThan(record.e2eMs!);
    }
  });

  it('failed requests are counted, and have no figures of their own', async () => {
    const got = await report({
      stage: await fixture('six-503s.stage.json'),
      records: await fixture('six-503s.requests.json'),
    });
    expect(got).toMatchObject({ completed: 24, failed: 6 });
    expect(got.notes).toContainEqual('6 requests failed; the first: 503 - Service Unavailable: overloaded');
    const bad = got.records!.filter((record) => !record.ok);
    expect(bad).toHaveLength(6);
    for (const record of bad) expect(record).toMatchObject({ ttftMs: null, e2eMs: null, itlMs: null });
    // Three of its replies had one token: they are in E2E and NTPOT, and in nothing else.
    expect([got.metrics.e2e.n, got.metrics.ntpot.n, got.metrics.ttft.n, got.metrics.tpot.n]).toEqual([
      24, 24, 21, 21,
    ]);
  });

  it('with every request failed it exits with 0 and writes a report: a failure all the same', async () => {
    expect(await parse({ stage: await fixture('all-refused.stage.json'), records: '[]' })).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^every one of its 4 requests failed: Connection Error: /),
    });
  });
});

describe('Inference Perf parse: bad output', () => {
  it('says what "constant" was, and which requests are in neither count', async () => {
    const stage = await fixture('four-at-2.stage.json');
    const { notes } = await report({ stage, asked: { arrivals: { kind: 'constant' }, requests: 5 } });
    expect(notes[0]).toContain('exponential gaps');
    expect(notes).toContainEqual('it counts 4 of 5 requests, neither good nor failed the others');
    expect(notes.at(-1)).toBe(`its ${RECORDS_FILE} cannot be used: it is not there`);
  });

  it('without records the figures stand, with unknown numbers of values', async () => {
    const stage = await fixture('four-at-2.stage.json');
    for (const records of [undefined, '', '{}', '[{"start_time": "x"}]']) {
      const got = await report({ stage, ...(records === undefined ? {} : { records }) });
      expect(got.records).toBeNull();
      expect(got.metrics.ttft).toMatchObject({ n: null, mean_ms: expect.any(Number) });
    }
  });

  it('replies of one token have no TTFT, which is absent and not zero', async () => {
    const raw = JSON.parse(await fixture('four-at-2.stage.json'));
    raw.successes.latency.time_to_first_token = null;
    const { metrics } = await report({ stage: JSON.stringify(raw) });
    expect(metrics.ttft).toMatchObject({ mean_ms: null, absent: expect.stringContaining('two tokens') });
    expect(metrics.e2e.mean_ms).toBeGreaterThan(0);
  });

  it('half a file, an empty one, foreign JSON, none', async () => {
    const text = await fixture('four-at-2.stage.json');
    for (const stage of [text.slice(0, text.length / 2), '', '{}', '[]', undefined]) {
      expect(await parse(stage === undefined ? {} : { stage })).toMatchObject({
        state: 'unparsable',
        reason: expect.stringContaining(STAGE_FILE),
      });
    }
    expect(await parse({ exitCode: 1, stderr: 'ValueError: no\n' })).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ValueError: no',
    });
  });
});

describe('Inference Perf prepare', () => {
  const config = async (change: Partial<Workload> = {}, workers: number | null = null) => {
    const dir = await scratch();
    const found = { state: 'found', version: '0', path: '/p', origin: 'o', notes: [] } as const;
    const made = await inferencePerfAdapter.prepare({
      workload: workload(change),
      url: 'http://127.0.0.1:1',
      model: 'm',
      dir,
      found: { ...found, handle: { program: '/a' } },
      workers,
      cpus: null,
    });
    return { made, dir, config: JSON.parse(await readFile(join(dir, 'config.json'), 'utf8')) };
  };

  it('a stage has exactly the asked requests in whole seconds', () => {
    for (const [rateRps, durationS] of [
      [5, 4],
      [33.3, 3],
      [0.1, 30],
      [640, 7],
      [1 / 3, 3],
      [173.7, 9],
    ] as const) {
      const requests = Math.round(rateRps * durationS);
      const stage = stageOf(workload({ rateRps, durationS, requests }));
      expect(stage.duration).toBe(durationS);
      expect(Math.floor(stage.rate * stage.duration)).toBe(requests);
    }
    // A fraction of a second is rounded up at the same rate.
    expect(stageOf(workload({ rateRps: 10, durationS: 2.5, requests: 25 }))).toEqual({
      rate: 10,
      duration: 3,
    });
    expect(stageOf(workload({ rateRps: 0.2, durationS: 0.5, requests: 1 }))).toEqual({
      rate: 1,
      duration: 1,
    });
  });

  it('its workers may hold what is in flight and a second of schedule, twice', () => {
    const slow = workload({ rateRps: 400, latency: 'ttft=1850ms,itl=10ms' });
    expect(workerConcurrency(slow, 2)).toBe(1200);
    expect(workerConcurrency(workload(), 2)).toBe(100);
  });

  it('writes its configuration: one stage, streamed completions, records with ids, the asked workers', async () => {
    const { made, dir, config: got } = await config({ arrivals: { kind: 'constant' } }, 3);
    expect(made.argv).toEqual(['/a', '--config_file', join(dir, 'config.json')]);
    expect(made.env).toMatchObject({ HF_HUB_OFFLINE: '1', OPENAI_API_KEY: null });
    expect(got).toMatchObject({
      api: { type: 'completion', streaming: true },
      data: { type: 'random', input_distribution: { mean: 32 }, output_distribution: { max: 16 } },
      load: { type: 'constant', stages: [{ rate: 2, duration: 2 }], num_workers: 3, base_seed: 3 },
      server: { base_url: 'http://127.0.0.1:1', model_name: 'm' },
      tokenizer: { pretrained_model_name_or_path: join(dir, 'tokenizer') },
    });
    expect((await config()).config.load.type).toBe('constant');
    expect(inferencePerfAdapter.refuses!(workload({ arrivals: { kind: 'gamma', cv2: 4 } }))).toContain(
      'gamma:4',
    );
  });
});
