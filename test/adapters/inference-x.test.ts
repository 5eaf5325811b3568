import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Found, Parsed } from '../../adapters/contract.ts';
import { inferenceXAdapter } from '../../adapters/inference-x/adapter.ts';
import { findCheckout, VARIABLE } from '../../adapters/inference-x/checkout.ts';
import { find } from '../../adapters/inference-x/find.ts';
import { burstiness } from '../../adapters/inference-x/prepare.ts';
import { environment } from '../../adapters/inference-x/setup.ts';
import { fingerprint, writeMarker } from '../../adapters/kit/marker.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixture = (name: string) => readFile(join(packageRoot, 'test/fixtures/inference-x', name), 'utf8');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-inference-x-'));
const workload = (change: Partial<Workload> = {}) => workloadOf({ seed: 7, ...change });

async function parse(result: string | null, exitCode: number | null = 0, stderr = ''): Promise<Parsed> {
  const dir = await scratch();
  if (result !== null) await writeFile(join(dir, 'result.json'), result);
  await writeFile(join(dir, 'stderr.txt'), stderr);
  const files = { dir, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') };
  return inferenceXAdapter.parse({ ...files, exitCode, workload: workload() });
}

async function report(result: string, exitCode = 0) {
  const parsed = await parse(result, exitCode);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('Inference X parse: captured runs', () => {
  it('figures as printed, one record a request in the order of sending', async () => {
    const text = await fixture('poisson-20.json');
    const got = await report(text);
    const raw = JSON.parse(text);
    expect(got).toMatchObject({ completed: 12, failed: 0, outputTokens: 192, notes: [] });
    expect(got.achievedRps).toBe(raw.request_throughput);
    expect(got.metrics.ttft).toEqual({
      n: 12,
      mean_ms: raw.mean_ttft_ms,
      p50_ms: raw.median_ttft_ms,
      p90_ms: raw.p90_ttft_ms,
      p99_ms: raw.p99_ttft_ms,
    });
    expect(got.metrics.itl.n).toBe(180);
    expect(got.metrics.e2e.p99_ms).toBe(raw.p99_e2el_ms);
    expect(got.metrics.ntpot).toMatchObject({ mean_ms: null, absent: expect.stringContaining('NTPOT') });
    expect(got.records!.map((record) => record.ttftMs)).toEqual(raw.ttfts.map((ttft: number) => ttft * 1000));
    expect(got.records!.every((record) => record.ok && record.e2eMs === null)).toBe(true);
  });

  it('exit code 1 for more than 5 % of failures has a result, which is read', async () => {
    const got = await report(await fixture('one-500.json'), 1);
    expect(got).toMatchObject({ completed: 5, failed: 1 });
    expect(got.notes).toEqual(['1 requests failed; the first: Internal Server Error']);
    expect(got.records![2]).toMatchObject({ ok: false, ttftMs: null, itlMs: null, outputTokens: null });
    expect(got.metrics.ttft.n).toBe(5);
    expect(got.metrics.itl.n).toBe(15);
  });

  it('a result of zeros, where every request failed, is a failure with its count', async () => {
    expect(await parse(await fixture('all-500.json'), 1)).toEqual({
      state: 'failed',
      reason: 'every one of its 6 requests failed: Internal Server Error',
    });
  });

  it('without usage its TPOT of 0.0 is absent, and the zero tokens are told', async () => {
    const got = await report(await fixture('no-usage.json'), 1);
    expect(JSON.parse(await fixture('no-usage.json')).mean_tpot_ms).toBe(0);
    expect(got.metrics.tpot).toMatchObject({ mean_ms: null, absent: expect.stringContaining('usage') });
    expect(got.metrics.ttft.mean_ms).toBeGreaterThan(0);
    expect(got.notes).toContain('5 answers came without usage; it counts them as successes of 0 tokens');
  });
});

describe('Inference X parse: bad output', () => {
  const changed = async (change: (raw: Record<string, never[] & string[]>) => void) => {
    const raw = JSON.parse(await fixture('one-500.json'));
    change(raw);
    return JSON.stringify(raw);
  };

  it('a failure whose status had no reason phrase has an empty error, and is told by its TTFT of 0', async () => {
    const got = await report(await changed((raw) => Object.assign(raw.errors!, { 2: '' })));
    expect(got.records!.map((record) => record.ok)).toEqual([true, true, false, true, true, true]);
    expect(got.notes).toEqual(['1 requests failed; the first: no reason given']);
  });

  it('an answer without a chunk is its success, with a TTFT of 0, as it counts it', async () => {
    const got = await report(
      await changed((raw) => {
        Object.assign(raw, { completed: 6 });
        Object.assign(raw.errors!, { 2: '' });
      }),
    );
    expect(got.records![2]).toMatchObject({ ok: true, ttftMs: 0 });
    expect(got.notes).toContain('1 answers held no chunk; it counts them as successes with a TTFT of 0');
  });

  it('a request that failed after its first token is no success', async () => {
    const got = await report(
      await changed((raw) => {
        Object.assign(raw, { completed: 4 });
        Object.assign(raw.errors!, { 1: 'Traceback …\nClientPayloadError: not complete\n' });
      }),
    );
    expect(got.records![1]).toMatchObject({ ok: false, ttftMs: null });
    expect(got.notes).toEqual(['2 requests failed; the first: ClientPayloadError: not complete']);
  });

  it('lists of unequal length give no records rather than wrong ones', async () => {
    expect((await report(await changed((raw) => raw.itls!.pop()))).records).toBeNull();
    expect((await report(await changed((raw) => raw.errors!.pop()))).records).toBeNull();
  });

  it('half a file, an empty one, foreign JSON, none, and a crash before the result', async () => {
    const text = await fixture('one-500.json');
    for (const bad of [text.slice(0, text.length / 2), '', '{}', '[]', '{"completed": "many"}', null]) {
      expect(await parse(bad)).toMatchObject({
        state: 'unparsable',
        reason: expect.stringMatching(/result\.json/),
      });
    }
    expect(await parse(null, 1, 'Traceback …\nModuleNotFoundError: No module named x\n')).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ModuleNotFoundError: No module named x',
    });
  });
});

describe('Inference X prepare', () => {
  it('asks for prompts of one length, made in one process, and leaves nothing in the checkout', async () => {
    const dir = await scratch();
    const handle = { program: '/v/python', script: '/ix/utils/bench_serving/benchmark_serving.py' };
    const found: Found = { state: 'found', version: '0', path: '/p', origin: 'o', notes: [], handle };
    const target = { url: 'http://127.0.0.1:1', model: 'm' };
    const { argv, env } = await inferenceXAdapter.prepare({
      ...target,
      workload: workload(),
      dir,
      found,
      workers: null,
      cpus: null,
    });
    const line = argv.join(' ');
    expect(line).toContain('/v/python /ix/utils/bench_serving/benchmark_serving.py --backend openai-chat');
    expect(line).toContain('--random-input-len 32 --random-output-len 16 --random-num-workers 1');
    expect(line).toContain('--num-prompts 12 --request-rate 20 --burstiness 1 --seed 7');
    expect(env).toMatchObject({ PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: null, OPENAI_API_KEY: null });
  });

  it('asks for constant gaps by a burstiness that is finite, and refuses a trace', () => {
    expect(burstiness({ kind: 'poisson' })).toBe('1');
    expect(burstiness({ kind: 'gamma', cv2: 4 })).toBe('0.25');
    expect(Number(burstiness({ kind: 'constant' }))).toBeCloseTo(1e9);
    const trace = workload({ arrivals: { kind: 'trace', file: 'x' } });
    expect(inferenceXAdapter.refuses!(trace)).toContain('no trace:x arrivals');
    expect(inferenceXAdapter.refuses!(workload({ arrivals: { kind: 'constant' } }))).toBeNull();
  });
});

describe('finding Inference X', () => {
  const before = process.env.TARE_CACHE;
  beforeEach(async () => {
    process.env.TARE_CACHE = await scratch();
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TARE_CACHE;
    else process.env.TARE_CACHE = before;
  });

  async function checkout(): Promise<{ root: string; folder: string; script: string }> {
    const root = await scratch();
    const folder = join(root, 'utils', 'bench_serving');
    await mkdir(folder, { recursive: true });
    const script = join(folder, 'benchmark_serving.py');
    await writeFile(script, 'print("not the script that was read")\n');
    return { root, folder, script };
  }

  /** An environment as tare setup leaves it, without its packages. */
  async function installed(): Promise<void> {
    const folder = join(process.env.TARE_CACHE!, 'inference-x');
    await mkdir(join(folder, 'venv', 'bin'), { recursive: true });
    await writeFile(join(folder, 'venv', 'bin', 'python'), '');
    const requirements = await readFile(environment.requirementsFile, 'utf8');
    await writeMarker(folder, {
      client: 'inference-x',
      version: environment.version,
      python: '3.11.7',
      pins: fingerprint(`inference-x==${environment.version}\n${requirements}`),
      finished_at: 'now',
    });
  }

  it('takes the checkout, its folder or the script as the variable names it, or the current folder', async () => {
    const { root, folder, script } = await checkout();
    for (const named of [root, folder, script])
      expect(await findCheckout({ [VARIABLE]: named }, '/')).toMatchObject({ script });
    expect(await findCheckout({}, root)).toMatchObject({ script });
    expect(await findCheckout({ [VARIABLE]: '.' }, root)).toMatchObject({ script });
  });

  it('names the version by the commit, by the script where git knows none, and says which files are others', async () => {
    const { root } = await checkout();
    expect(await findCheckout({}, root)).toMatchObject({
      version: expect.stringMatching(/^benchmark_serving\.py [0-9a-f]{12}$/),
      differs: ['benchmark_serving.py', 'backend_request_func.py'],
    });
    const git = (...words: string[]) =>
      execa('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-q', '-m', 'x');
    expect(await findCheckout({}, root)).toMatchObject({
      version: expect.stringMatching(/^[0-9a-f]{7} \d{4}-\d\d-\d\d$/),
    });
  });

  it('says plainly what is missing: the checkout, the environment, or both', async () => {
    const { root } = await checkout();
    const empty = await scratch();
    expect(await find({}, empty)).toEqual({
      state: 'missing',
      reason: expect.stringMatching(/names no checkout of InferenceX.*environment: it is not installed/),
      remedy: expect.stringMatching(/TARE_INFERENCE_X.*tare setup inference-x/),
    });
    expect(await find({ [VARIABLE]: root }, empty)).toMatchObject({
      reason: expect.stringContaining('there is a checkout'),
      remedy: 'tare setup inference-x',
    });
    await installed();
    expect(await find({ [VARIABLE]: empty }, root)).toMatchObject({
      state: 'missing',
      reason: `$TARE_INFERENCE_X is ${empty}, and there is no utils/bench_serving/benchmark_serving.py in it`,
      remedy: expect.not.stringContaining('tare setup'),
    });
    expect(await find({ [VARIABLE]: root }, empty)).toMatchObject({
      state: 'found',
      origin: expect.stringContaining('own checkout'),
      notes: [expect.stringMatching(/^its definitions were read in 843c625 .*is another$/)],
    });
  });
});
