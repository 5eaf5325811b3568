import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientReport, Parsed } from '../../adapters/contract.ts';
import { FILES, parseK6 } from '../../adapters/k6/parse.ts';
import { failures, readSummary } from '../../adapters/k6/summary.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const fixture = (name: string): Promise<string> =>
  readFile(join(packageRoot, 'test/fixtures/k6', name), 'utf8');

const workload: Workload = {
  rateRps: 20,
  requests: 40,
  durationS: 2,
  arrivals: { kind: 'constant' },
  promptTokens: 8,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 7,
};

interface Left {
  readonly summary?: string;
  readonly log?: string;
  readonly requests?: string;
  readonly stderr?: string;
  readonly exitCode?: number | null;
}

/** Parses a folder in which k6 left these files. */
async function parse(left: Left): Promise<Parsed> {
  const dir = await mkdtemp(join(tmpdir(), 'tare-k6-'));
  const write = async (name: string, text: string | undefined) => {
    if (text !== undefined) await writeFile(join(dir, name), text);
  };
  await write(FILES.summary, left.summary);
  await write(FILES.log, left.log);
  await write(FILES.records, left.requests);
  await write('stderr.txt', left.stderr);
  return parseK6({
    dir,
    stdoutFile: join(dir, 'stdout.txt'),
    stderrFile: join(dir, 'stderr.txt'),
    exitCode: left.exitCode === undefined ? 0 : left.exitCode,
    workload,
  });
}

async function report(left: Left): Promise<ClientReport> {
  const parsed = await parse(left);
  if (parsed.state !== 'parsed') throw new Error(parsed.reason);
  return parsed.report;
}

describe("k6's summary", () => {
  it('gives the same figures in the shape of handleSummary and of --summary-export', async () => {
    const nested = await report({ summary: await fixture('handle-summary.json') });
    const flat = await report({ summary: await fixture('summary-export.json') });
    expect(nested.metrics.ttft).toEqual({
      n: 21,
      mean_ms: 51.11041314285715,
      p50_ms: 51.003214,
      p90_ms: 51.628554,
      p99_ms: 51.738535,
    });
    expect(nested.metrics.e2e.p99_ms).toBe(208.6180984);
    expect(flat.metrics).toEqual(nested.metrics);
    expect(nested).toMatchObject({ completed: 21, failed: 0, dropped: 0, achievedRps: 9.513917121060409 });
    expect(nested.durationS).toBeCloseTo(2.20729272, 9);
    // The export does not say how long the run was.
    expect(flat.durationS).toBeNull();
  });

  it('reads the machine-readable shape, whose p99 is absent and no zero', async () => {
    const machine = await report({ summary: await fixture('machine-readable.json') });
    expect(machine).toMatchObject({ completed: 21, failed: 0, durationS: 2.205898086 });
    expect(machine.metrics.e2e).toMatchObject({
      mean_ms: 204.86140957142857,
      p90_ms: 206.790306,
      p99_ms: null,
    });
    expect(machine.metrics.e2e.absent).toContain('summaryTrendStats');
    expect(machine.metrics.ttft.mean_ms).toBeNull();
    expect(machine.achievedRps).toBeNull();
  });

  it('says of every event figure that k6 times no event', async () => {
    const { metrics } = await report({ summary: await fixture('handle-summary.json') });
    for (const metric of ['itl', 'tpot'] as const) {
      expect(metrics[metric]).toMatchObject({ n: null, mean_ms: null, p99_ms: null });
      expect(metrics[metric].absent).toContain('no event of a stream');
    }
  });

  it('counts the iterations that were dropped, and says why', async () => {
    const starved = await report({
      summary: await fixture('starved.json'),
      log: await fixture('starved.log'),
    });
    expect(starved).toMatchObject({ completed: 198, dropped: 603 });
    expect(starved.notes).toContainEqual(expect.stringContaining('dropped 603 iterations'));
    const grown = await report({ summary: await fixture('grown.json') });
    expect(grown.notes).toContainEqual(expect.stringContaining('26 planned, 42 in the end'));
  });

  it('takes the failures from `passes`, whose name says the opposite', () => {
    const values = { passes: 3, fails: 7, rate: 0.3 };
    const summary = readSummary({ metrics: { http_req_failed: { type: 'rate', values } } });
    if (typeof summary === 'string') throw new Error(summary);
    expect(failures(summary)).toEqual({ failed: 3, total: 10 });
  });

  it('does not take an inherited property for a metric', () => {
    const summary = readSummary({ metrics: {} });
    if (typeof summary === 'string') throw new Error(summary);
    expect(summary.values('constructor')).toBeNull();
  });
});

describe('failed requests', () => {
  it('leaves them out of the figures: k6 counts a reset as some milliseconds and a refusal as none', async () => {
    const mixed = await report({
      summary: await fixture('mixed.json'),
      log: await fixture('mixed.log'),
      requests: await fixture('mixed-requests.log'),
    });
    expect(mixed).toMatchObject({ completed: 10, failed: 30 });
    // Ten answers of 16 tokens, 10 ms apart; the plain http_req_duration has a mean of 53 ms.
    expect(mixed.metrics.e2e.n).toBe(10);
    expect(mixed.metrics.e2e.mean_ms).toBeGreaterThan(160);
    expect(mixed.notes).toContainEqual(expect.stringContaining('connection reset by peer'));
    const records = mixed.records!;
    expect(records).toHaveLength(40);
    expect(new Set(records.map((one) => one.requestId)).size).toBe(40);
    expect(records.filter((one) => one.ok)).toHaveLength(10);
    for (const one of records) expect(one.ttftMs === null).toBe(!one.ok);
    const mean = records.reduce((sum, one) => sum + (one.e2eMs ?? 0), 0) / 10;
    expect(mean).toBeCloseTo(mixed.metrics.e2e.mean_ms!, 6);
  });

  it('gives no latency where failures are mixed in and the sub-metric is not there', async () => {
    const json = JSON.parse(await fixture('mixed.json'));
    for (const name of Object.keys(json.metrics)) if (name.includes('{')) delete json.metrics[name];
    const { metrics } = await report({ summary: JSON.stringify(json) });
    expect(metrics.ttft).toMatchObject({ mean_ms: null, absent: expect.stringContaining('0 ms') });
  });

  it('fails the trial when all were refused, though k6 exits 0 and prints 0 ms', async () => {
    const parsed = await parse({
      summary: await fixture('refused.json'),
      log: await fixture('refused.log'),
      exitCode: 0,
    });
    expect(parsed).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('all 11 requests failed'),
    });
    expect(parsed).toMatchObject({ reason: expect.stringContaining('connection refused') });
  });

  it('names the status of an answer that k6 logs nothing of', async () => {
    const requests = 'time="t" level=info msg="k6-7-2-0 50.3 1.8 1.9 0.2 0 1401"\n';
    const parsed = await parse({ summary: await fixture('refused.json'), requests });
    expect(parsed).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('for example HTTP 401'),
    });
  });
});

describe("k6's end", () => {
  it.each([
    ['threshold.json', 99, 'threshold was crossed'],
    ['sigint.json', 105, 'of a part of the run'],
  ])('keeps the figures of %s (exit code %i) and says so', async (name, exitCode, words) => {
    const { notes, completed } = await report({ summary: await fixture(name), exitCode });
    expect(completed).toBeGreaterThan(0);
    expect(notes).toContainEqual(expect.stringContaining(words));
  });

  it('gives the reason of a script that cannot run, from stderr or the log', async () => {
    const stderr = await fixture('script-exception.stderr');
    for (const left of [{ stderr }, { log: stderr }]) {
      const parsed = await parse({ ...left, exitCode: 107 });
      expect(parsed).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining('exception in the script'),
      });
      expect(parsed).toMatchObject({ reason: expect.stringContaining('Unexpected end of input') });
    }
  });

  it('fails by exit code even if a summary is there', async () => {
    const parsed = await parse({ summary: await fixture('handle-summary.json'), exitCode: 108 });
    expect(parsed).toMatchObject({ state: 'failed', reason: expect.stringContaining('aborted the test') });
  });

  it('tells no result from a broken one, and both from a result', async () => {
    const whole = await fixture('handle-summary.json');
    const cases: [Left, RegExp][] = [
      [{ exitCode: 0 }, /exit code 0 .*not there/],
      [{ exitCode: null }, /ended by a signal .*not there/],
      [{ exitCode: 105 }, /stopped by a signal.*not there/],
      [{ summary: whole.slice(0, whole.length / 2) }, /cannot be read/],
      [{ summary: '' }, /empty/],
      [{ summary: '[]' }, /summary/],
      [{ summary: '{"metrics":{"http_reqs":3}}' }, /http_reqs/],
    ];
    for (const [left, reason] of cases) {
      const parsed = await parse(left);
      expect(parsed.state).toBe('unparsable');
      expect(parsed).toMatchObject({ reason: expect.stringMatching(reason) });
    }
  });

  it('turns what is not a finite number into an absent figure', async () => {
    const text = (await fixture('handle-summary.json')).replace('"p(99)":51.738535', '"p(99)":NaN');
    const { metrics } = await report({ summary: text });
    expect(metrics.ttft.p99_ms).toBeNull();
    expect(metrics.ttft.p50_ms).toBe(51.003214);
  });

  it('leaves out a record that was cut off', async () => {
    const requests = await fixture('mixed-requests.log');
    const cut = requests.trimEnd().slice(0, -12);
    const { records } = await report({ summary: await fixture('mixed.json'), requests: cut });
    expect(records).toHaveLength(39);
  });
});
