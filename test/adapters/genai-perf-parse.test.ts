import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientReport, Parsed } from '../../adapters/contract.ts';
import { causeOf, warningsIn } from '../../adapters/genai-perf/failure.ts';
import { parseGenaiPerf } from '../../adapters/genai-perf/parse.ts';
import { readRequests } from '../../adapters/genai-perf/requests.ts';
import { closeWork, openWork } from '../../adapters/genai-perf/work.ts';
import { quantileSorted } from '../../src/measure/quantile.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const fixture = (name: string): Promise<string> =>
  readFile(join(packageRoot, 'test/fixtures/genai-perf', name), 'utf8');
const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tare-gp-'));

const workload: Workload = {
  rateRps: 5,
  requests: 6,
  durationS: 1.2,
  arrivals: { kind: 'constant' },
  promptTokens: 8,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 7,
};

interface Left {
  readonly export?: string;
  readonly requests?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number | null;
}

/** Parses a folder in which GenAI-Perf left these files. */
async function parse(left: Left): Promise<Parsed> {
  const dir = await folder();
  const made = join(dir, 'artifacts', 'mock-openai-chat-request_rate5.0');
  if (left.export !== undefined || left.requests !== undefined) await mkdir(made, { recursive: true });
  if (left.export !== undefined) await writeFile(join(made, 'profile_export_genai_perf.json'), left.export);
  if (left.requests !== undefined) await writeFile(join(made, 'profile_export.json'), left.requests);
  await writeFile(join(dir, 'out'), left.stdout ?? '');
  await writeFile(join(dir, 'err'), left.stderr ?? '');
  return parseGenaiPerf({
    dir,
    stdoutFile: join(dir, 'out'),
    stderrFile: join(dir, 'err'),
    exitCode: left.exitCode === undefined ? 0 : left.exitCode,
    workload,
  });
}

async function report(left: Left): Promise<ClientReport> {
  const parsed = await parse(left);
  if (parsed.state !== 'parsed') throw new Error(parsed.reason);
  return parsed.report;
}

const whole = async (): Promise<Left> => ({
  export: await fixture('export.json'),
  requests: await fixture('requests.json'),
  stdout: await fixture('ok.stdout'),
  stderr: await fixture('ok.stderr'),
});

describe("GenAI-Perf's export", () => {
  it('gives its figures as printed, and names what it lacks', async () => {
    const left = await whole();
    const raw = JSON.parse(left.export!);
    const { metrics, ...rest } = await report(left);
    const taken = (values: Record<string, number>, n: number | null) => ({
      n,
      mean_ms: values.avg,
      p50_ms: values.p50,
      p90_ms: values.p90,
      p99_ms: values.p99,
    });
    expect(metrics.ttft).toEqual(taken(raw.time_to_first_token, 6));
    expect(metrics.e2e).toEqual(taken(raw.request_latency, 6));
    expect(metrics.itl).toEqual(taken(raw.inter_token_latency, null));
    expect(metrics.tpot.absent).toContain('inter token latency');
    expect(rest).toMatchObject({ completed: 6, failed: 0, outputTokens: 96, dropped: null, notes: [] });
    expect(rest.achievedRps).toBe(raw.request_throughput.avg);
  });

  it('has records that add up to the figures of the same run', async () => {
    const { metrics, records } = await report(await whole());
    const sorted = (values: (number | null)[]) =>
      values.map((value) => value ?? Number.NaN).sort((a, b) => a - b);
    const ttft = sorted(records!.map((one) => one.ttftMs));
    const e2e = sorted(records!.map((one) => one.e2eMs));
    // A float64 holds wall-clock nanoseconds to 256.
    expect(Math.abs(quantileSorted(ttft, 0.5) - metrics.ttft.p50_ms!)).toBeLessThan(0.001);
    expect(Math.abs(quantileSorted(e2e, 0.9) - metrics.e2e.p90_ms!)).toBeLessThan(0.001);
    // 16 tokens have 15 gaps: [DONE] is no token.
    expect(records!.map((one) => one.itlMs!.length)).toEqual([15, 15, 15, 15, 15, 15]);
    expect(records![0]!.responseId).toMatch(/^chatcmpl-/);
  });

  it('converts by the unit that the export names', async () => {
    const left = await whole();
    const raw = JSON.parse(left.export!);
    const inMs = raw.time_to_first_token.p50;
    raw.time_to_first_token = { unit: 'ns', avg: 1e6, p50: inMs * 1e6, p90: 2e6, p99: 3e6 };
    const { metrics } = await report({ ...left, export: JSON.stringify(raw) });
    expect(metrics.ttft.p50_ms).toBeCloseTo(inMs, 9);
  });

  it('has no inter token latency where every answer came in one read', async () => {
    const left = await whole();
    const raw = JSON.parse(left.export!);
    delete raw.inter_token_latency;
    const { metrics } = await report({ ...left, export: JSON.stringify(raw) });
    expect(metrics.itl).toMatchObject({ mean_ms: null, absent: expect.stringContaining('two responses') });
  });

  it('keeps the figures when the records cannot be read, and says so', async () => {
    const left = await whole();
    const broken = await report({ ...left, requests: left.requests!.slice(0, 5000) });
    expect(broken.records).toBeNull();
    expect(broken.completed).toBe(6);
    expect(broken.notes).toContainEqual(expect.stringContaining('no records a request'));
  });

  it('tells no export from a broken one', async () => {
    const { export: text } = await whole();
    const cases: [Left, RegExp][] = [
      [{}, /exit code 0 .*not there/],
      [{ exitCode: null }, /ended by a signal/],
      [{ export: text!.slice(0, 700) }, /cannot be read/],
      [{ export: '{"request_latency": {"unit": "furlongs", "avg": 1}}' }, /request_latency.unit/],
    ];
    for (const [left, reason] of cases) {
      const parsed = await parse(left);
      expect(parsed).toMatchObject({ state: 'unparsable', reason: expect.stringMatching(reason) });
    }
  });
});

describe('records', () => {
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`;
  const read = (responses: string[]) => {
    const request = {
      timestamp: 1_000_000_000,
      request_inputs: {},
      response_timestamps: responses.map((_, i) => 1_050_000_000 + i * 10_000_000),
      response_outputs: responses.map((response) => ({ response })),
    };
    const records = readRequests({ experiments: [{ requests: [request] }] });
    if (typeof records === 'string') throw new Error(records);
    return records[0]!;
  };

  it('starts at the first text, as GenAI-Perf does: a role, an empty delta and [DONE] are no token', () => {
    const text = chunk({ content: ' tok' });
    const one = read([chunk({ role: 'assistant', content: '' }), chunk({}), text, text, 'data: [DONE]\n\n']);
    expect(one).toMatchObject({ ok: true, responseId: 'chatcmpl-1', ttftMs: 70, e2eMs: 80, itlMs: [10] });
  });

  it('takes events that came in one read for one response, and reasoning alone for none', () => {
    const text = chunk({ content: ' tok' });
    const one = read([chunk({ reasoning_content: 'hm' }), `${text}${text}`, `${text}data: [DONE]\n\n`]);
    expect(one).toMatchObject({ ttftMs: 60, e2eMs: 70, itlMs: [10] });
  });

  it('has no latency for an answer without text', () => {
    expect(read(['data: [DONE]\n\n'])).toMatchObject({ ok: false, ttftMs: null, e2eMs: null, itlMs: null });
  });

  it('says what is wrong with a file of another shape', () => {
    expect(readRequests({ experiments: [{ requests: [{ timestamp: 'soon' }] }] })).toContain('timestamp');
    expect(readRequests([])).toContain('expected object');
  });
});

describe('why a run failed', () => {
  it.each([
    ['500', 'HTTP 500: {"error":{"message":"injected"'],
    ['cut', 'refused, reset or cut'],
    ['one-chunk', 'whole answer comes in one HTTP chunk'],
    ['usage-event', 'event without choices'],
  ])('is found in the output of the captured run "%s"', async (name, words) => {
    const parsed = await parse({
      stdout: await fixture(`${name}.stdout`),
      stderr: await fixture(`${name}.stderr`),
      exitCode: 1,
    });
    expect(parsed).toMatchObject({ state: 'failed', reason: expect.stringContaining(words) });
  });

  it('explains the division by a latency that was rounded to 0 ns', () => {
    const trace = [
      '  File "/home/user/venv/genai_perf/profile_data_parser/llm_profile_data_parser.py", line 196, in _parse_requests',
      '    tps_user_append(1 / inter_token_latency_s)',
      'ZeroDivisionError: float division by zero',
    ].join('\n');
    expect(causeOf('', trace)).toContain('rounded to 0 ns');
  });

  it('repeats what it does not know, and says when nothing was said', async () => {
    expect(causeOf('', 'Error: --request-count can not be less than request rate\n')).toContain(
      '--request-count can not be less',
    );
    expect(causeOf('', 'Traceback …\ngenai_perf.exceptions.GenAIPerfException: no such tokenizer\n')).toBe(
      'genai_perf.exceptions.GenAIPerfException: no such tokenizer',
    );
    const silent = await parse({ exitCode: 1 });
    expect(silent).toMatchObject({ state: 'failed', reason: expect.stringContaining('said nothing') });
  });

  it('repeats the warning that the rate was not kept', () => {
    const line =
      '[WARNING] Perf Analyzer was not able to keep up with the desired request rate. 3.1% of the requests were delayed. ';
    expect(warningsIn(`x\n${line}\ny`)).toEqual([
      'perf_analyzer: Perf Analyzer was not able to keep up with the desired request rate. 3.1% of the requests were delayed.',
    ]);
  });
});

describe('the work folder', () => {
  it('is the trial’s own where the other side sees it', async () => {
    const root = await folder();
    const dir = join(root, 'results', 't1');
    expect(await openWork({ root: null }, dir)).toEqual({ here: dir, there: dir });
    expect(await openWork({ root }, dir)).toEqual({ here: dir, there: '/results/t1' });
  });

  it('is a scratch folder in the other tree else, whose contents come home and of which nothing is left', async () => {
    const root = await folder();
    const dir = await folder();
    const work = await openWork({ root }, dir);
    expect(work.here).toBe(join(root, work.there));
    await mkdir(join(work.here, 'artifacts'));
    await writeFile(join(work.here, 'artifacts', 'a.json'), '{}');
    await closeWork(dir);
    expect(await readFile(join(dir, 'artifacts', 'a.json'), 'utf8')).toBe('{}');
    expect(await readdir(dir)).toEqual(['artifacts']);
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
    // A second time, and in a trial that never had one, there is nothing to do.
    await closeWork(dir);
  });

  it('clears away what a harness that is gone has left, and nothing else', async () => {
    const root = await folder();
    const tmp = join(root, 'tmp');
    // No process has number 2^22 + 1: that is above the kernel's limit.
    await mkdir(join(tmp, 'tare-genai-perf-4194305-abcdef'), { recursive: true });
    await mkdir(join(tmp, `tare-genai-perf-${process.pid}-abcdef`));
    await mkdir(join(tmp, 'other'));
    const work = await openWork({ root }, await folder());
    const kept = ['other', `tare-genai-perf-${process.pid}-abcdef`, work.there.split('/').at(-1)];
    expect((await readdir(tmp)).sort()).toEqual(kept.sort());
  });
});
