import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aiperfAdapter } from '../../adapters/aiperf/adapter.ts';
import { parseRecords } from '../../adapters/aiperf/parse.ts';
import type { Parsed } from '../../adapters/contract.ts';
import { findOwn } from '../../adapters/kit/own-python.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixture = (name: string) => readFile(join(packageRoot, 'test/fixtures/aiperf', name), 'utf8');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-aiperf-'));
const workload = (change: Partial<Workload> = {}) => workloadOf({ requests: 4, durationS: 0.2, ...change });

interface Left {
  json?: string;
  jsonl?: string;
  exitCode?: number | null;
  stdout?: string;
}

async function parse({ json, jsonl, exitCode = 0, stdout = '' }: Left): Promise<Parsed> {
  const dir = await scratch();
  await mkdir(join(dir, 'artifacts'));
  if (json !== undefined) await writeFile(join(dir, 'artifacts', 'profile_export_aiperf.json'), json);
  if (jsonl !== undefined) await writeFile(join(dir, 'artifacts', 'profile_export.jsonl'), jsonl);
  await writeFile(join(dir, 'stdout.txt'), stdout);
  const files = { dir, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') };
  return aiperfAdapter.parse({ ...files, exitCode, workload: workload() });
}

async function report(left: Left) {
  const parsed = await parse(left);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('AIPerf parse: captured runs', () => {
  it('takes its inter-chunk latency as ITL and its "inter token latency" as TPOT', async () => {
    const json = await fixture('four-at-20.json');
    const raw = JSON.parse(json);
    const got = await report({ json, jsonl: await fixture('four-at-20.jsonl') });
    expect(got).toMatchObject({ completed: 4, failed: 0, outputTokens: 64, notes: [] });
    expect(got.achievedRps).toBe(raw.request_throughput.avg);
    expect(got.durationS).toBe(raw.benchmark_duration.avg);
    expect(got.metrics.itl).toMatchObject({ n: 60, p99_ms: raw.inter_chunk_latency.p99 });
    expect(got.metrics.tpot).toMatchObject({ n: 4, p99_ms: raw.inter_token_latency.p99 });
    expect(got.metrics.ttft.mean_ms).toBe(raw.time_to_first_token.avg);
    expect(got.metrics.e2e.p90_ms).toBe(raw.request_latency.p90);
    expect(got.records).toHaveLength(4);
    for (const record of got.records!) {
      expect(record.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(record.itlMs).toHaveLength(15);
      expect(record.ttftMs! + record.itlMs!.reduce((a, b) => a + b, 0)).toBeCloseTo(record.e2eMs!, 3);
    }
  });

  it('counts failed requests and keeps their zeros out', async () => {
    const got = await report({
      json: await fixture('three-500s.json'),
      jsonl: await fixture('three-500s.jsonl'),
    });
    expect(got).toMatchObject({ completed: 9, failed: 3 });
    expect(got.notes[0]).toMatch(/^3 requests failed; the first: 500 Internal Server Error/);
    expect(got.metrics.ttft.n).toBe(9);
    const bad = got.records!.filter((record) => !record.ok);
    expect(bad).toHaveLength(3);
    for (const record of bad) expect(record).toMatchObject({ ttftMs: null, e2eMs: null, itlMs: null });
  });

  it('with every request failed there is no summary, only the list: a failure with its count', async () => {
    const parsed = await parse({ jsonl: await fixture('all-503.jsonl'), exitCode: 1 });
    expect(parsed).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^every one of its 4 requests failed: 503 Service Unavailable/),
    });
  });
});

describe('AIPerf parse: bad output', () => {
  it('a metric that is left out is absent with the reason', async () => {
    const raw = JSON.parse(await fixture('four-at-20.json'));
    delete raw.inter_chunk_latency;
    delete raw.inter_token_latency.p99;
    raw.request_latency.unit = 'fortnights';
    const { metrics } = await report({ json: JSON.stringify(raw) });
    expect(metrics.itl).toMatchObject({
      mean_ms: null,
      absent: expect.stringContaining('no inter_chunk_latency'),
    });
    expect(metrics.tpot).toMatchObject({ p99_ms: null, absent: expect.any(String) });
    expect(metrics.tpot.p90_ms).toBeGreaterThan(0);
    expect(metrics.e2e).toMatchObject({ mean_ms: null, absent: expect.stringContaining('fortnights') });
  });

  it('converts the unit that the file names', async () => {
    const raw = JSON.parse(await fixture('four-at-20.json'));
    raw.time_to_first_token = { unit: 'ns', avg: 5e7, p50: 5e7, p90: 6e7, p99: 7e7, count: 4 };
    const { metrics } = await report({ json: JSON.stringify(raw) });
    expect(metrics.ttft).toEqual({ n: 4, mean_ms: 50, p50_ms: 50, p90_ms: 60, p99_ms: 70 });
  });

  it('a missing or broken list of requests is noted, the figures stand', async () => {
    const json = await fixture('four-at-20.json');
    const lines = (await fixture('four-at-20.jsonl')).trimEnd();
    expect(await report({ json })).toMatchObject({
      records: null,
      notes: ['it left no profile_export.jsonl'],
    });
    const cut = await report({ json, jsonl: lines.slice(0, -40) });
    expect(cut.records).toHaveLength(3);
    expect(cut.notes[0]).toContain('1 lines');
  });

  it('leaves out the requests of other phases', async () => {
    const text = await fixture('four-at-20.jsonl');
    const warm = text.replace('"benchmark_phase": "profiling"', '"benchmark_phase": "warmup"');
    expect(warm).not.toBe(text);
    expect(parseRecords(warm).records).toHaveLength(3);
  });

  it('half a file, an empty one, foreign JSON, none', async () => {
    const text = await fixture('four-at-20.json');
    for (const json of [
      text.slice(0, text.length / 2),
      '',
      '{}',
      '[]',
      'null',
      '{"request_count": 4}',
      undefined,
    ]) {
      expect(await parse({ json })).toMatchObject({
        state: 'unparsable',
        reason: expect.stringContaining('profile_export_aiperf.json'),
      });
    }
  });

  it('NaN and Infinity are absent, not numbers', async () => {
    const text = (await fixture('four-at-20.json')).replace(
      /("time_to_first_token": \{\s*"unit": "ms",\s*"avg": )[\d.]+/,
      '$1NaN',
    );
    expect(text).toContain('NaN');
    const { metrics } = await report({ json: text });
    expect(metrics.ttft).toMatchObject({ mean_ms: null, absent: expect.any(String) });
  });

  it('a crash is told with what it said last, on stdout too', async () => {
    expect(await parse({ exitCode: 1, stdout: 'starting\nValueError: no\n' })).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ValueError: no',
    });
    expect(await parse({ exitCode: 1 })).toEqual({
      state: 'failed',
      reason: 'exit code 1, and it said nothing',
    });
  });
});

describe('AIPerf prepare and find', () => {
  const command = async (change: Partial<Workload>, workers: number | null = null) => {
    const dir = await scratch();
    const made = await aiperfAdapter.prepare({
      workload: workload(change),
      url: 'http://127.0.0.1:1',
      model: 'm',
      dir,
      found: { state: 'found', version: '0', path: '/p', origin: 'o', notes: [], handle: { program: '/a' } },
      workers,
      cpus: null,
    });
    return { ...made, dir, line: made.argv.join(' ') };
  };

  it('asks for the arrivals, with gamma’s smoothness as 1/CV²', async () => {
    expect((await command({})).line).toContain('--arrival-pattern poisson');
    const gamma = await command({ arrivals: { kind: 'gamma', cv2: 4 } });
    expect(gamma.line).toContain('--arrival-pattern gamma --arrival-smoothness 0.25');
    expect(aiperfAdapter.refuses!(workload({ arrivals: { kind: 'trace', file: 'f' } }))).toContain(
      'no trace:f',
    );
  });

  it('sends prompts of the asked length, names an absolute tokenizer, sets workers only when asked', async () => {
    const made = await command({});
    expect(made.line).toContain(`--tokenizer ${made.dir}/tokenizer`);
    expect(made.line).not.toContain('--workers-max');
    expect(made.env).toMatchObject({ HF_HUB_OFFLINE: null, OPENAI_API_KEY: null });
    const lines = (await readFile(join(made.dir, 'prompts.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(JSON.parse(line).text.split(' ')).toHaveLength(32);
    expect((await command({}, 3)).line).toContain('--workers-max 3');
  });

  it('reads the version of a program on PATH from the Python that owns it', async () => {
    const folder = await scratch();
    await writeFile(join(folder, 'python3'), '#!/bin/sh\necho \'["1.5", "/x"]\'\n');
    await writeFile(join(folder, 'aiperf'), `#!${join(folder, 'python3')}\n`);
    for (const name of ['python3', 'aiperf']) await chmod(join(folder, name), 0o755);
    expect(await findOwn('aiperf', folder)).toEqual({
      command: join(folder, 'aiperf'),
      version: '1.5',
      python: join(folder, 'python3'),
      file: null,
    });
    await writeFile(join(folder, 'python3'), '#!/bin/sh\necho nonsense\n');
    expect(await findOwn('aiperf', folder)).toContain('no Python of its own tells its version');
    expect(await findOwn('aiperf', '/nonexistent')).toBeNull();
  });
});
