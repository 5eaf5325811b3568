import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Found, Parsed } from '../../adapters/contract.ts';
import { vllmAdapter, vllmRustAdapter } from '../../adapters/vllm/adapter.ts';
import { locate, ownVllm } from '../../adapters/vllm/locate.ts';
import { burstiness } from '../../adapters/vllm/prepare.ts';
import type { Arrivals, Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixture = (name: string) => readFile(join(packageRoot, 'test/fixtures/vllm', name), 'utf8');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-vllm-'));
const workload = (change: Partial<Workload> = {}) =>
  workloadOf({ requests: 6, durationS: 0.3, seed: 7, ...change });

async function parse(result: string | null, exitCode: number | null = 0, stderr = ''): Promise<Parsed> {
  const dir = await scratch();
  if (result !== null) await writeFile(join(dir, 'result.json'), result);
  await writeFile(join(dir, 'stderr.txt'), stderr);
  const files = { dir, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') };
  return vllmAdapter.parse({ ...files, exitCode, workload: workload() });
}

async function report(result: string) {
  const parsed = await parse(result);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('vLLM parse: captured runs', () => {
  it.each(['python-constant.json', 'rust-constant.json'])(
    '%s: figures as printed, one record a request',
    async (name) => {
      const text = await fixture(name);
      const got = await report(text);
      const raw = JSON.parse(text.replace('Infinity', 'null'));
      expect(got).toMatchObject({ completed: 6, failed: 0, outputTokens: 96, notes: [] });
      expect(got.achievedRps).toBe(raw.request_throughput);
      expect(got.metrics.ttft).toEqual({
        n: 6,
        mean_ms: raw.mean_ttft_ms,
        p50_ms: raw.p50_ttft_ms,
        p90_ms: raw.p90_ttft_ms,
        p99_ms: raw.p99_ttft_ms,
      });
      expect(got.metrics.itl.n).toBe(90);
      expect(got.metrics.e2e.p99_ms).toBe(raw.p99_e2el_ms);
      expect(got.metrics.ntpot).toMatchObject({ mean_ms: null, absent: expect.stringContaining('NTPOT') });
      expect(got.records!.map((record) => record.requestId)).toEqual(
        [0, 1, 2, 3, 4, 5].map((i) => `vllm-7-${i}`),
      );
      for (const record of got.records!) {
        expect(record.ttftMs! + record.itlMs!.reduce((a, b) => a + b, 0)).toBeCloseTo(record.e2eMs!, 3);
      }
    },
  );

  it.each(['python-three-500s.json', 'rust-three-500s.json'])(
    '%s: failed requests are told apart by their error, not taken for zeros',
    async (name) => {
      const got = await report(await fixture(name));
      expect(got).toMatchObject({ completed: 9, failed: 3 });
      expect(got.notes[0]).toMatch(/^3 requests failed; the first: .*Internal Server Error/);
      const bad = got.records!.filter((record) => !record.ok);
      expect(bad).toHaveLength(3);
      for (const record of bad)
        expect(record).toMatchObject({ ttftMs: null, e2eMs: null, outputTokens: null });
      expect(Math.min(...got.records!.flatMap((record) => record.ttftMs ?? []))).toBeGreaterThan(1);
      expect(got.metrics.ttft.n).toBe(9);
      expect(got.metrics.itl.n).toBe(135);
    },
  );

  it.each(['python-refused.json', 'rust-refused.json'])(
    '%s: exit code 0 and a file of zeros is a failure with its count',
    async (name) => {
      const parsed = await parse(await fixture(name));
      expect(parsed.state).toBe('failed');
      expect(JSON.stringify(parsed)).toMatch(
        /every one of its 5 requests failed: .*(Cannot connect|error sending request)/,
      );
    },
  );

  it('a result without the detailed lists has figures, no records, and says so', async () => {
    const got = await report(await fixture('python-summary-only.json'));
    expect(got.records).toBeNull();
    expect(got.metrics.ttft).toMatchObject({ n: 12, p50_ms: expect.closeTo(52.458, 2) });
    expect(got.notes.join()).toContain('no usable list of requests');
  });
});

describe('vLLM parse: bad output', () => {
  it('a failure whose error text is empty (a status without a reason phrase) is still a failure', async () => {
    const raw = JSON.parse(await fixture('rust-constant.json'));
    Object.assign(raw, { completed: 5, failed: 1 });
    raw.ttfts[2] = 0;
    raw.itls[2] = [];
    raw.latencies[2] = 0;
    const got = await report(JSON.stringify(raw));
    expect(got.records![2]).toMatchObject({ ok: false, ttftMs: null, e2eMs: null });
    expect(got.metrics.itl.n).toBe(75);
  });

  it('TPOT and ITL of one-token answers are absent, although it prints 0.0', async () => {
    const raw = JSON.parse(await fixture('rust-constant.json'));
    raw.output_lens = raw.output_lens.map(() => 1);
    raw.itls = raw.itls.map(() => []);
    for (const name of ['tpot', 'itl'])
      for (const s of ['mean', 'p50', 'p90', 'p99']) raw[`${s}_${name}_ms`] = 0;
    const got = await report(JSON.stringify(raw));
    for (const name of ['tpot', 'itl'] as const) {
      expect(got.metrics[name]).toMatchObject({ mean_ms: null, p99_ms: null, absent: expect.any(String) });
    }
    expect(got.metrics.ttft.mean_ms).toBeGreaterThan(0);
  });

  it('NaN and Infinity become absent figures', async () => {
    const text = (await fixture('python-constant.json'))
      .replace(/"mean_ttft_ms": [\d.]+/, '"mean_ttft_ms": NaN')
      .replace(/"p99_e2el_ms": [\d.]+/, '"p99_e2el_ms": Infinity');
    const got = await report(text);
    expect(got.metrics.ttft).toMatchObject({ mean_ms: null, absent: expect.any(String) });
    expect(got.metrics.e2e.p99_ms).toBeNull();
    expect(got.metrics.e2e.p50_ms).toBeGreaterThan(0);
  });

  it('lists of unequal length give no records rather than wrong ones', async () => {
    const raw = JSON.parse(await fixture('rust-constant.json'));
    raw.start_times.pop();
    expect((await report(JSON.stringify(raw))).records).toBeNull();
  });

  it('half a file, an empty one, foreign JSON, none', async () => {
    const text = await fixture('python-constant.json');
    for (const bad of [
      text.slice(0, text.length / 2),
      '',
      '{}',
      '[]',
      'null',
      '{"completed": "many"}',
      null,
    ]) {
      expect(await parse(bad)).toMatchObject({
        state: 'unparsable',
        reason: expect.stringMatching(/result\.json/),
      });
    }
  });

  it('a crash before the result is told with its last words', async () => {
    expect(await parse(null, 1, 'Traceback …\nValueError: bad flag\n')).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ValueError: bad flag',
    });
  });
});

describe('vLLM prepare', () => {
  const found = (handle: Record<string, string>): Found => ({
    state: 'found',
    version: '0',
    path: '/p',
    origin: 'o',
    notes: [],
    handle,
  });
  const command = async (handle: Record<string, string>, arrivals: Arrivals) => {
    const dir = await scratch();
    const made = await vllmAdapter.prepare({
      workload: workload({ arrivals, requests: 2500 }),
      url: 'http://127.0.0.1:1',
      model: 'm',
      dir,
      found: found(handle),
      workers: null,
      cpus: null,
    });
    return { ...made, dir };
  };

  it('runs the launcher on the wheel, or the user’s own command, with the same flags', async () => {
    const own = await command({ program: '/bin/vllm' }, { kind: 'constant' });
    expect(own.argv.slice(0, 3)).toEqual(['/bin/vllm', 'bench', 'serve']);
    const handle = { program: '/v/python', launcher: '/l.py', wheel: '/w' };
    const client = await command(handle, { kind: 'constant' });
    expect(client.argv.slice(0, 3)).toEqual(['/v/python', '/l.py', '/w']);
    const flags = (made: typeof own) => made.argv.slice(3).map((word) => word.replace(made.dir, 'DIR'));
    expect(flags(client)).toEqual(flags(own));
    expect(own.argv.join(' ')).toContain('--burstiness inf');
    expect(own.env).toMatchObject({ HF_HUB_OFFLINE: '1', OPENAI_API_KEY: null, VLLM_USE_RUST_BENCH: null });
  });

  it('writes a data set that its filters keep whole', async () => {
    const { dir, argv } = await command({ program: 'x' }, { kind: 'poisson' });
    expect(argv[argv.indexOf('--num-prompts') + 1]).toBe('2500');
    const data = JSON.parse(await readFile(join(dir, 'sharegpt.json'), 'utf8'));
    expect(data).toHaveLength(1000);
    for (const { conversations } of data) {
      expect(conversations).toHaveLength(2);
      expect(conversations[0].value.split(' ')).toHaveLength(32);
    }
  });

  it('burstiness is the inverse of CV²', () => {
    expect(burstiness({ kind: 'poisson' })).toBe('1');
    expect(burstiness({ kind: 'gamma', cv2: 4 })).toBe('0.25');
    expect(burstiness({ kind: 'constant' })).toBe('inf');
  });

  it('refuses what its data set would silently drop, and traces', () => {
    const refuses = (change: Partial<Workload>) => vllmRustAdapter.refuses!(workload(change));
    expect(refuses({})).toBeNull();
    expect(refuses({ promptTokens: 4 })).toBeNull();
    expect(refuses({ promptTokens: 3 })).toContain('shorter than 4');
    expect(refuses({ promptTokens: 1025 })).toContain('asked were 1025 and 16');
    expect(refuses({ promptTokens: 1024, outputTokens: 1025 })).toContain('2,048');
    expect(refuses({ arrivals: { kind: 'trace', file: 'x' } })).toContain('no trace:x arrivals');
  });
});

describe('finding vLLM', () => {
  const before = process.env.TARE_CACHE;
  beforeEach(async () => {
    process.env.TARE_CACHE = await scratch();
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TARE_CACHE;
    else process.env.TARE_CACHE = before;
  });

  /** A folder with a `vllm` script and a "Python" that answers the version question. */
  async function install(
    version: string,
    options: { rust?: boolean; shebang?: string } = {},
  ): Promise<string> {
    const folder = await scratch();
    const rust = join(folder, 'vllm-rs');
    if (options.rust) await writeFile(rust, '');
    const python = join(folder, 'python');
    await writeFile(python, `#!/bin/sh\necho '["${version}", "${rust}"]'\n`);
    await writeFile(join(folder, 'vllm'), `#!${options.shebang ?? python}\nimport vllm\n`);
    for (const file of ['python', 'vllm']) await chmod(join(folder, file), 0o755);
    return folder;
  }

  it('takes the user’s own first, and says when its version is not the one that was read', async () => {
    const folder = await install('0.35.1', { rust: true });
    expect(await locate('python', folder)).toMatchObject({
      state: 'found',
      version: '0.35.1',
      path: join(folder, 'vllm'),
      origin: "the user's own vllm",
      notes: [expect.stringContaining('this is 0.35.1')],
    });
    expect(await locate('rust', folder)).toMatchObject({ state: 'found', path: join(folder, 'vllm-rs') });
  });

  it('asks the Python beside a script whose shebang names none', async () => {
    const folder = await install('0.33.0', { shebang: '/bin/sh' });
    expect(await ownVllm(folder)).toEqual({ command: join(folder, 'vllm'), version: '0.33.0', rust: null });
    expect(await locate('python', folder)).toMatchObject({ state: 'found', notes: [] });
  });

  it('passes over one that is too old, without Rust client, or mute, and says so with the remedy', async () => {
    expect(await locate('python', await install('0.9.2'))).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('older than 0.11'),
      remedy: 'tare setup vllm',
    });
    expect(await locate('rust', await install('0.33.0'))).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('holds no vllm-rs'),
    });
    const mute = await scratch();
    await writeFile(join(mute, 'vllm'), 'binary');
    await chmod(join(mute, 'vllm'), 0o755);
    expect(await locate('python', mute)).toMatchObject({
      reason: expect.stringContaining('no Python of its own'),
    });
    expect(await locate('python', '/nonexistent')).toMatchObject({
      state: 'missing',
      reason: 'no vllm on PATH, and it is not installed',
    });
  });

  it('does not take an unfinished client-only set-up for a finished one', async () => {
    await mkdir(join(process.env.TARE_CACHE!, 'vllm', 'venv', 'bin'), { recursive: true });
    await writeFile(join(process.env.TARE_CACHE!, 'vllm', 'venv', 'bin', 'python'), '');
    expect(await locate('python', '/nonexistent')).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('an unfinished set-up'),
    });
  });
});
