import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Found, Parsed } from '../../adapters/contract.ts';
import { sglangAdapter, sglangRustAdapter } from '../../adapters/sglang/adapter.ts';
import { locate } from '../../adapters/sglang/locate.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixture = (name: string) => readFile(join(packageRoot, 'test/fixtures/sglang', name), 'utf8');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-sglang-'));
const workload = (change: Partial<Workload> = {}) => workloadOf({ seed: 7, ...change });

async function parse(
  result: string | null,
  exitCode: number | null = 0,
  stderr = '',
  requests = 12,
): Promise<Parsed> {
  const dir = await scratch();
  if (result !== null) await writeFile(join(dir, 'result.jsonl'), result);
  await writeFile(join(dir, 'stderr.txt'), stderr);
  const files = { dir, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') };
  return sglangAdapter.parse({ ...files, exitCode, workload: workload({ requests }) });
}

async function report(result: string, requests = 12) {
  const parsed = await parse(result, 0, '', requests);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('SGLang parse: captured runs', () => {
  it.each([
    ['python-details.jsonl', 12],
    ['rust-details.jsonl', 12],
    ['python-audit.jsonl', 20],
  ])('%s: figures as printed, one record a request in the order of sending', async (name, n) => {
    const text = await fixture(name);
    const got = await report(text, n);
    const raw = JSON.parse(text);
    expect(got).toMatchObject({ completed: n, failed: 0, outputTokens: 16 * n, notes: [] });
    expect(got.achievedRps).toBe(raw.request_throughput);
    expect(got.metrics.ttft).toEqual({
      n,
      mean_ms: raw.mean_ttft_ms,
      p50_ms: raw.median_ttft_ms,
      p90_ms: raw.p90_ttft_ms,
      p99_ms: raw.p99_ttft_ms,
    });
    expect(got.metrics.itl.n).toBe(15 * n);
    expect(got.metrics.tpot.n).toBe(n);
    expect(got.metrics.e2e.p99_ms).toBe(raw.p99_e2e_latency_ms);
    expect(got.metrics.ntpot).toMatchObject({ mean_ms: null, absent: expect.stringContaining('NTPOT') });
    expect(got.records!.map((record) => record.ttftMs)).toEqual(raw.ttfts.map((ttft: number) => ttft * 1000));
    // It keeps no latency a request, and the gaps do not reach the end of the stream.
    expect(got.records!.every((record) => record.e2eMs === null && record.startNs === null)).toBe(true);
  });

  it('tells failed requests by their error, and counts what the result does not count', async () => {
    const got = await report(await fixture('python-three-500s.jsonl'));
    expect(got).toMatchObject({ completed: 9, failed: 3 });
    expect(got.notes).toEqual([
      expect.stringMatching(/^3 requests failed; the first: Internal Server Error: .*boom/),
    ]);
    const bad = got.records!.filter((record) => !record.ok);
    expect(bad).toHaveLength(3);
    for (const record of bad) expect(record).toMatchObject({ ttftMs: null, itlMs: null, outputTokens: null });
    expect(got.metrics.itl.n).toBe(135);
  });

  it('a result without the lists has figures, no records, and says so', async () => {
    const got = await report(await fixture('python-summary-only.jsonl'));
    expect(got).toMatchObject({ records: null, failed: null, completed: 12 });
    expect(got.metrics.ttft).toMatchObject({ n: 12, p50_ms: expect.closeTo(52.112, 2) });
    expect(got.notes.join()).toContain('no usable list of requests');
  });
});

describe('SGLang parse: bad output', () => {
  const changed = async (change: (raw: Record<string, never[] & string[]>) => void) => {
    const raw = JSON.parse(await fixture('python-details.jsonl'));
    change(raw);
    return JSON.stringify(raw);
  };

  it('a request that failed after its first token is no success, although its list holds a TTFT', async () => {
    const got = await report(
      await changed((raw) => {
        Object.assign(raw, { completed: 11 });
        Object.assign(raw.errors!, { 4: 'Traceback …\naiohttp.ClientPayloadError: not complete\n' });
        Object.assign(raw.output_lens!, { 4: 0 });
      }),
    );
    expect(got.records![4]).toMatchObject({ ok: false, ttftMs: null });
    expect(got).toMatchObject({ failed: 1, notes: [expect.stringContaining('ClientPayloadError')] });
  });

  it('says that answers without a token count as a TTFT of 0, and that a run was shorter than asked', async () => {
    const got = await report(
      await changed((raw) => {
        for (const name of ['errors', 'ttfts', 'itls', 'output_lens']) raw[name]!.pop();
        Object.assign(raw, { completed: 11 });
        Object.assign(raw.ttfts!, { 0: 0 });
        Object.assign(raw.itls!, { 0: [] });
      }),
    );
    expect(got.notes).toEqual([
      'it sent 11 of 12 requests',
      '1 answers held no token; it counts them as successes with a TTFT of 0',
    ]);
  });

  it('lists of unequal length give no records rather than wrong ones', async () => {
    expect((await report(await changed((raw) => raw.errors!.pop()))).records).toBeNull();
  });

  it('a run of nothing but failures, with the bare NaN that it then writes, is a failure with its count', async () => {
    const text = await changed((raw) => {
      Object.assign(raw, { completed: 0 });
      raw.errors = raw.errors!.map(() => 'Cannot connect') as never;
    });
    const parsed = await parse(text.replace(/"mean_e2e_latency_ms":[\d.]+/, '"mean_e2e_latency_ms": NaN'));
    expect(parsed).toEqual({
      state: 'failed',
      reason: 'every one of its 12 requests failed: Cannot connect',
    });
  });

  it('ITL and TPOT of one-token answers are absent, although it prints 0.0', async () => {
    const got = await report(
      await changed((raw) => {
        raw.output_lens = raw.output_lens!.map(() => 1) as never;
        raw.itls = raw.itls!.map(() => []) as never;
      }),
    );
    for (const name of ['tpot', 'itl'] as const)
      expect(got.metrics[name]).toMatchObject({ mean_ms: null, absent: expect.any(String) });
  });

  it('half a line, an empty file, foreign JSON, none', async () => {
    const text = await fixture('python-details.jsonl');
    for (const bad of [text.slice(0, text.length / 2), '', '{}', '[]', '{"completed": "many"}', null]) {
      expect(await parse(bad)).toMatchObject({
        state: 'unparsable',
        reason: expect.stringMatching(/result\.jsonl/),
      });
    }
  });

  it('a failed warm-up leaves no result: told with its last words', async () => {
    expect(await parse(null, 1, 'Traceback …\nValueError: Warmup failed - Error: refused\n')).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ValueError: Warmup failed - Error: refused',
    });
  });
});

describe('SGLang prepare', () => {
  const command = async (handle: Record<string, string>, requests = 2500) => {
    const dir = await scratch();
    const found: Found = { state: 'found', version: '0', path: '/p', origin: 'o', notes: [], handle };
    const target = { url: 'http://127.0.0.1:1', model: 'm' };
    const made = await sglangAdapter.prepare({
      ...target,
      workload: workload({ requests }),
      dir,
      found,
      workers: null,
      cpus: null,
    });
    return { ...made, dir };
  };

  it('runs the launcher on the wheel, or the module of the user’s own, with the same flags', async () => {
    const own = await command({ program: '/python', module: 'sglang.bench_serving' });
    expect(own.argv.slice(0, 3)).toEqual(['/python', '-m', 'sglang.bench_serving']);
    const client = await command({ program: '/v/python', launcher: '/l.py', wheel: '/w', kind: 'rust' });
    expect(client.argv.slice(0, 4)).toEqual(['/v/python', '/l.py', '/w', 'rust']);
    const flags = (made: typeof own, from: number) =>
      made.argv.slice(from).map((word) => word.replace(made.dir, 'DIR'));
    expect(flags(client, 4)).toEqual(flags(own, 3));
    expect(own.argv.join(' ')).toContain('--served-model-name m ');
    expect(own.env).toMatchObject({ HF_HUB_OFFLINE: '1', OPENAI_API_KEY: null, API_KEY: null });
  });

  it('writes as many conversations as requests, since a shorter data set shortens the run', async () => {
    const { dir } = await command({ program: 'x', module: 'y' });
    const data = JSON.parse(await readFile(join(dir, 'sharegpt.json'), 'utf8'));
    expect(data).toHaveLength(2500);
    expect(data[1000].conversations[0]).toEqual(data[0].conversations[0]);
    for (const { conversations } of data) expect(conversations[0].value.split(' ')).toHaveLength(32);
  });

  it('refuses every process but Poisson, and lengths that its data set drops', () => {
    const refuses = (change: Partial<Workload>) => sglangRustAdapter.refuses!(workload(change));
    expect(refuses({})).toBeNull();
    expect(refuses({ promptTokens: 2, outputTokens: 4 })).toBeNull();
    expect(refuses({ outputTokens: 3 })).toContain('asked were 32 and 3');
    expect(refuses({ promptTokens: 1 })).toContain('shorter than 2');
    expect(refuses({ arrivals: { kind: 'constant' } })).toContain('no constant arrivals; it has poisson');
    expect(refuses({ arrivals: { kind: 'gamma', cv2: 2 } })).toContain('no gamma:2 arrivals');
  });
});

describe('finding SGLang', () => {
  const before = process.env.TARE_CACHE;
  beforeEach(async () => {
    process.env.TARE_CACHE = await scratch();
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TARE_CACHE;
    else process.env.TARE_CACHE = before;
  });

  /** A folder with a `sglang` script and a "Python" that answers the version question. */
  async function install(version: string, rust: boolean): Promise<string> {
    const folder = await scratch();
    const extensions = join(folder, 'rust_extensions');
    await mkdir(extensions);
    if (rust) await writeFile(join(extensions, '_bench.cpython-311.so'), '');
    const python = join(folder, 'python');
    await writeFile(python, `#!/bin/sh\necho '["${version}", "${extensions}"]'\n`);
    await writeFile(join(folder, 'sglang'), `#!${python}\nimport sglang\n`);
    for (const file of ['python', 'sglang']) await chmod(join(folder, file), 0o755);
    return folder;
  }

  it('takes the user’s own first, runs it with its own Python, and says when it is another version', async () => {
    const folder = await install('0.6.1', true);
    expect(await locate('python', folder)).toMatchObject({
      state: 'found',
      version: '0.6.1',
      origin: "the user's own sglang",
      notes: [expect.stringContaining('this is 0.6.1')],
      handle: { program: join(folder, 'python'), module: 'sglang.bench_serving' },
    });
    expect(await locate('rust', folder)).toMatchObject({
      handle: { module: 'sglang.benchmark.rust_client' },
    });
  });

  it('says that the user’s own holds no Rust client, and what to do', async () => {
    expect(await locate('rust', await install('0.5.23', false))).toEqual({
      state: 'missing',
      reason: expect.stringMatching(/\(sglang 0\.5\.23\) holds no Rust client; it is not installed/),
      remedy: 'tare setup sglang',
    });
    expect(await locate('python', '/nonexistent')).toMatchObject({
      state: 'missing',
      reason: 'no sglang on PATH, and it is not installed',
    });
  });
});
