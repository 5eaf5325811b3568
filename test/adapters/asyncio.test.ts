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
  const python = (code: string, argument = ''): unknown => {
    const lines = [
      'import sys, types, json, statistics',
      'sys.modules["aiohttp"] = types.ModuleType("aiohttp")',
      `sys.path.insert(0, ${JSON.stringify(join(packageRoot, 'adapters/asyncio'))})`,
      'sys.dont_write_bytecode = True',
      'from benchmark import arrival_times, percentile, send, summary',
      code,
    ];
    return JSON.parse(execFileSync('python3', ['-c', lines.join('\n'), argument], { encoding: 'utf8' }));
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

  it('counts a broken answer as a failure, and survives an odd one', () => {
    const chunk = (choice: object | null, more: object = {}): string =>
      `data: ${JSON.stringify({ id: 'c', choices: choice === null ? [] : [choice], ...more })}`;
    const token = chunk({ delta: { content: 'a' }, finish_reason: null });
    const finish = (reason: string): string => chunk({ delta: {}, finish_reason: reason });
    const usage = (n: unknown): string => chunk(null, { usage: { completion_tokens: n } });
    const done = 'data: [DONE]';
    const cases: [string, number, string[], [boolean, number | null]][] = [
      ['plain', 200, [token, token, finish('stop'), usage(2), done], [true, 2]],
      ['201', 201, [token, done], [true, 1]],
      ['an end without [DONE]', 200, [token, finish('length')], [true, 1]],
      ['null delta, empty data', 200, ['data:', chunk({ delta: null }), token, done], [true, 1]],
      ['usage as text', 200, [token, usage('2'), done], [true, 1]],
      ['usage of 0', 200, [token, usage(0), done], [true, 1]],
      ['no usage', 200, [token, token, chunk(null, { usage: null }), done], [true, 2]],
      ['another status', 503, [token, done], [false, null]],
      ['cut', 200, [token, token], [false, null]],
      ['no content', 200, [chunk({ delta: { content: '' } }), done], [false, null]],
      ['not JSON', 200, [token, 'data: {', done], [false, null]],
      ['not an object', 200, [token, 'data: [1]', done], [false, null]],
      ['error', 200, [token, 'data: {"error":{"message":"x"}}', done], [false, null]],
      ['flat error', 200, [token, 'data: {"object":"error","message":"x"}', done], [false, null]],
      ['finish_reason error', 200, [token, finish('error'), usage(1), done], [false, null]],
      ['finish_reason abort', 200, [token, finish('abort'), usage(1), done], [false, null]],
    ];
    const code = `
import asyncio
class Answer:
    def __init__(self, status, lines):
        self.status, self.lines = status, lines
    async def __aenter__(self): return self
    async def __aexit__(self, *_): return False
    async def text(self): return "refused"
    @property
    def content(self): return self.each()
    async def each(self):
        for line in self.lines: yield line.encode() + b"\\n"
class Session:
    def __init__(self, answer): self.answer = answer
    def post(self, url, **_): return self.answer
def ask(status, lines):
    r = asyncio.run(send(Session(Answer(status, lines)), "u", {}, "i"))
    return [r["ok"], r["output_tokens"] if r["ok"] else None, r["error"] is None]
print(json.dumps([ask(s, l) for s, l in json.loads(sys.argv[1])]))`;
    const got = python(code, JSON.stringify(cases.map(([, status, lines]) => [status, lines])));
    const named = (rows: readonly unknown[]) => rows.map((row, i) => [cases[i]![0], row]);
    expect(named(got as unknown[])).toEqual(named(cases.map(([, , , [ok, tokens]]) => [ok, tokens, ok])));
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
