import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asyncioAdapter } from '../../adapters/asyncio/adapter.ts';
import type { Parsed } from '../../adapters/contract.ts';
import type { Arrivals, Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const fixtures = join(packageRoot, 'test/fixtures/asyncio');
const workload = (arrivals: Arrivals): Workload => ({
  rateRps: 20,
  requests: 6,
  durationS: 0.3,
  arrivals,
  promptTokens: 32,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 1,
});

/** Parses a folder that holds the given result.json (none if null). */
async function parse(result: string | null, exitCode: number | null = 0, stderr = ''): Promise<Parsed> {
  const dir = await mkdtemp(join(tmpdir(), 'tare-asyncio-'));
  if (result !== null) await writeFile(join(dir, 'result.json'), result);
  await writeFile(join(dir, 'stderr.txt'), stderr);
  return asyncioAdapter.parse({
    dir,
    stdoutFile: join(dir, 'stdout.txt'),
    stderrFile: join(dir, 'stderr.txt'),
    exitCode,
    workload: workload({ kind: 'poisson' }),
  });
}

describe('asyncio parse', () => {
  it('takes the figures of a captured run as printed', async () => {
    const text = await readFile(join(fixtures, 'six-at-20.json'), 'utf8');
    const raw = JSON.parse(text);
    const parsed = await parse(text);
    expect(parsed.state).toBe('parsed');
    if (parsed.state !== 'parsed') return;
    const { report } = parsed;
    expect(report.completed).toBe(6);
    expect(report.failed).toBe(0);
    expect(report.outputTokens).toBe(96);
    expect(report.achievedRps).toBe(raw.request_rate_rps);
    expect(report.metrics.ttft).toEqual({
      n: 6,
      mean_ms: raw.ttft.mean_ms,
      p50_ms: raw.ttft.p50_ms,
      p90_ms: raw.ttft.p90_ms,
      p99_ms: raw.ttft.p99_ms,
    });
    expect(report.metrics.itl.n).toBe(90);
    const record = report.records![0]!;
    expect(record.requestId).toBe('asyncio-1-0');
    expect(record.itlMs).toHaveLength(15);
    expect(record.ttftMs! + record.itlMs!.reduce((a, b) => a + b, 0)).toBeCloseTo(record.e2eMs!, 6);
  });

  it('a run in which everything was refused is failed, with the count and the cause, although it exits 0', async () => {
    const parsed = await parse(await readFile(join(fixtures, 'refused.json'), 'utf8'));
    expect(parsed).toMatchObject({ state: 'failed' });
    expect(JSON.stringify(parsed)).toMatch(/every one of its 5 requests failed: ClientConnectorError/);
  });

  it('half a file, an empty one, a foreign one and none at all are unparsable with the reason', async () => {
    const text = await readFile(join(fixtures, 'six-at-20.json'), 'utf8');
    expect(await parse(text.slice(0, text.length / 2))).toMatchObject({ state: 'unparsable' });
    expect(await parse('')).toMatchObject({ state: 'unparsable', reason: expect.stringContaining('empty') });
    expect(await parse('[1]')).toMatchObject({ state: 'unparsable' });
    expect(await parse(null)).toMatchObject({
      state: 'unparsable',
      reason: expect.stringContaining('not there'),
    });
  });

  it('a crash is told with its exit code and last words', async () => {
    expect(await parse(null, 1, 'Traceback:\nModuleNotFoundError: aiohttp\n\n')).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ModuleNotFoundError: aiohttp',
    });
    expect(await parse(null, null)).toMatchObject({ reason: expect.stringContaining('ended by a signal') });
  });

  it('NaN and Infinity in the figures become absent, not numbers', async () => {
    const text = (await readFile(join(fixtures, 'six-at-20.json'), 'utf8')).replace(
      /"ttft": \{[^}]*\}/,
      '"ttft": {"n": 6, "mean_ms": NaN, "p50_ms": Infinity, "p90_ms": 1, "p99_ms": -Infinity}',
    );
    const parsed = await parse(text);
    if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
    expect(parsed.report.metrics.ttft).toMatchObject({
      mean_ms: null,
      p50_ms: null,
      p90_ms: 1,
      p99_ms: null,
    });
    expect(parsed.report.metrics.ttft.absent).toBeTruthy();
  });
});

describe('asyncio prepare', () => {
  const found = {
    state: 'found',
    version: 'x',
    path: '/s',
    origin: 'x',
    notes: [],
    handle: { python: '/v/python', script: '/s/benchmark.py' },
  } as const;

  it.each([
    [{ kind: 'constant' }, '--arrivals constant'],
    [{ kind: 'poisson' }, '--arrivals poisson'],
    [{ kind: 'gamma', cv2: 4 }, '--arrivals gamma --cv2 4'],
  ] as [Arrivals, string][])('%j', async (arrivals, flags) => {
    const dir = await mkdtemp(join(tmpdir(), 'tare-asyncio-'));
    const command = await asyncioAdapter.prepare({
      workload: workload(arrivals),
      url: 'http://127.0.0.1:1',
      model: 'm',
      dir,
      found,
      workers: null,
      cpus: null,
    });
    expect(command.argv.join(' ')).toContain(flags);
    expect(command.cwd).toBe(dir);
    const words = JSON.parse(await readFile(join(dir, 'prompts.json'), 'utf8')) as string[];
    expect(words).toHaveLength(6);
    for (const text of words) expect(text.split(' ')).toHaveLength(32);
  });

  it('refuses a trace in words, and nothing else', () => {
    expect(asyncioAdapter.refuses?.(workload({ kind: 'trace', file: 'a.csv' }))).toMatch(
      /no trace:a.csv arrivals/,
    );
    expect(asyncioAdapter.refuses?.(workload({ kind: 'gamma', cv2: 2 }))).toBeNull();
  });
});

describe('benchmark.py', () => {
  /** Runs Python code with the script's functions at hand (aiohttp stood in for: it may not be installed). */
  const python = (code: string): unknown => {
    const lines = [
      'import sys, types, json, statistics',
      'sys.modules["aiohttp"] = types.ModuleType("aiohttp")',
      `sys.path.insert(0, ${JSON.stringify(join(packageRoot, 'adapters/asyncio'))})`,
      'sys.dont_write_bytecode = True',
      'from benchmark import arrival_times, percentile, summary',
      code,
    ];
    return JSON.parse(execFileSync('python3', ['-c', lines.join('\n')], { encoding: 'utf8' }));
  };

  it('draws arrivals of the right mean and variation, from the seed alone', () => {
    const code = `
def shape(kind, cv2):
    t = arrival_times(20001, 100, kind, cv2, 5)
    g = [b - a for a, b in zip(t, t[1:])]
    m = statistics.fmean(g)
    return [t[0], m, statistics.pvariance(g) / m**2]
same = arrival_times(50, 10, "poisson", 1, 3) == arrival_times(50, 10, "poisson", 1, 3)
other = arrival_times(50, 10, "poisson", 1, 3) == arrival_times(50, 10, "poisson", 1, 4)
print(json.dumps([shape("constant", 1), shape("poisson", 1), shape("gamma", 4), same, other]))`;
    const [constant, poisson, gamma, same, other] = python(code) as [
      number[],
      number[],
      number[],
      boolean,
      boolean,
    ];
    for (const shape of [constant, poisson, gamma]) {
      expect(shape[0]).toBe(0);
      expect(shape[1]).toBeGreaterThan(0.0095);
      expect(shape[1]).toBeLessThan(0.0105);
    }
    expect(constant[2]).toBeLessThan(1e-9);
    expect(poisson[2]).toBeGreaterThan(0.93);
    expect(poisson[2]).toBeLessThan(1.07);
    expect(gamma[2]).toBeGreaterThan(3.5);
    expect(gamma[2]).toBeLessThan(4.5);
    expect([same, other]).toEqual([true, false]);
  });

  it('interpolates percentiles linearly between ranks, and has none of nothing', () => {
    const code =
      'print(json.dumps([summary([0.001, 0.002, 0.003, 0.004, 0.01]), summary([0.007]), summary([])]))';
    expect(python(code)).toEqual([
      { n: 5, mean_ms: 4, p50_ms: 3, p90_ms: expect.closeTo(7.6, 9), p99_ms: expect.closeTo(9.76, 9) },
      { n: 1, mean_ms: 7, p50_ms: 7, p90_ms: 7, p99_ms: 7 },
      { n: 0, mean_ms: null, p50_ms: null, p90_ms: null, p99_ms: null },
    ]);
  });
});
