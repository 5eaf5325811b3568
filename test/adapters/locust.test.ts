import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Found, Parsed } from '../../adapters/contract.ts';
import { locustAdapter, locustFastAdapter, locustFastTwoAdapter } from '../../adapters/locust/adapter.ts';
import { parseRecord } from '../../adapters/locust/parse.ts';
import { type LocustPlan, pacing } from '../../adapters/locust/plan.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { workloadOf } from './workload.ts';

const fixtures = join(packageRoot, 'test/fixtures/locust');
const scratch = () => mkdtemp(join(tmpdir(), 'tare-locust-'));
const workload = (change: Partial<Workload> = {}) =>
  workloadOf({ requests: 60, durationS: 3, arrivals: { kind: 'constant' }, seed: 1, ...change });

async function parse(dir: string, exitCode: number | null = 0, stderr = ''): Promise<Parsed> {
  await writeFile(join(dir, 'stderr.txt'), stderr);
  return locustAdapter.parse({
    dir,
    stdoutFile: join(dir, 'stdout.txt'),
    stderrFile: join(dir, 'stderr.txt'),
    exitCode,
    workload: workload(),
  });
}

/** A folder with what the captured run left. */
async function captured(name: string, processes = 1): Promise<string> {
  const dir = await scratch();
  await cp(join(fixtures, `${name}.summary.json`), join(dir, 'summary.json'));
  for (let k = 0; k < processes; k++) {
    const suffix = processes === 1 ? 'records' : `records-${k}`;
    await cp(join(fixtures, `${name}.${suffix}.jsonl`), join(dir, `records-${k}.jsonl`));
  }
  return dir;
}

async function reportOf(dir: string, exitCode = 0) {
  const parsed = await parse(dir, exitCode);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('locust parse: captured runs', () => {
  it('reports the figures of locust’s own table: rounded percentiles, exact means', async () => {
    const report = await reportOf(await captured('six-at-20'));
    expect(report).toMatchObject({ completed: 6, failed: 0, outputTokens: 96, dropped: null, notes: [] });
    expect(report.achievedRps).toBeCloseTo(13.72, 2);
    expect(report.metrics.ttft).toMatchObject({ n: 6, p50_ms: 59, p99_ms: 81 });
    expect(report.metrics.e2e).toMatchObject({ n: 6, p50_ms: 210, p99_ms: 230 });
    expect(report.metrics.tpot).toMatchObject({ n: 6, p50_ms: 10 });
    expect(report.metrics.itl.absent).toMatch(/one TPOT a request/);
    const records = report.records!;
    const meanE2e = records.reduce((sum, record) => sum + record.e2eMs!, 0) / 6;
    expect(report.metrics.e2e.mean_ms).toBeCloseTo(meanE2e, 6);
    for (const record of records) {
      expect(record.itlMs).toHaveLength(15);
      expect(record.ttftMs! + record.itlMs!.reduce((a, b) => a + b, 0)).toBeCloseTo(record.e2eMs!, 6);
    }
  });

  it('joins the records of every process, each ordinal once', async () => {
    const report = await reportOf(await captured('eight-of-two-processes', 2));
    expect(report.completed).toBe(8);
    const ids = report.records!.map((record) => record.requestId).sort();
    expect(ids).toEqual(Array.from({ length: 8 }, (_, i) => `locust-1-${i}`));
    const starts = report.records!.map((record) => record.startNs! / 1e6).sort((a, b) => a - b);
    expect(starts[7]! - starts[0]!).toBeGreaterThan(300);
    expect(starts[7]! - starts[0]!).toBeLessThan(400);
  });

  it.each(['faults-http', 'faults-fast'])(
    '%s: a stream cut mid-body, an error in it and an empty one are failures',
    async (name) => {
      const report = await reportOf(await captured(name), 1);
      expect(report).toMatchObject({ completed: 4, failed: 8 });
      expect(report.metrics.ttft.n).toBe(4);
      expect(report.metrics.e2e.n).toBe(4);
      expect(report.records!.filter((record) => record.ok)).toHaveLength(4);
      expect(report.notes[0]).toMatch(/^8 requests failed; most often: POST .v1.chat.completions: /);
      // The fourth good answer came without usage: its tokens are its events.
      expect(report.outputTokens).toBe(16);
    },
  );

  it('a run in which everything was refused is failed, with the count and the cause', async () => {
    expect(await parse(await captured('refused'), 1)).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/every one of its 4 requests failed: .*Connection refused/),
    });
  });
});

describe('locust parse: what is broken', () => {
  it('a crash is told with its last words; half a summary, a foreign one and none are unparsable', async () => {
    expect(await parse(await scratch(), 1, 'Traceback:\nImportError: no gevent\n')).toEqual({
      state: 'failed',
      reason: 'exit code 1; its last words: ImportError: no gevent',
    });
    expect(await parse(await scratch(), 0)).toMatchObject({ state: 'unparsable' });
    for (const text of ['{"entries": [', '[1]', '{"entries": [{"name": 1}], "errors": []}']) {
      const dir = await scratch();
      await writeFile(join(dir, 'summary.json'), text);
      expect(await parse(dir, 0)).toMatchObject({ state: 'unparsable' });
    }
  });

  it('a line that is cut off is left out, and said', async () => {
    const dir = await captured('six-at-20');
    const text = await readFile(join(dir, 'records-0.jsonl'), 'utf8');
    await writeFile(join(dir, 'records-0.jsonl'), text.slice(0, -40));
    const report = await reportOf(dir);
    expect(report.records).toHaveLength(5);
    expect(report.notes).toEqual(['locust counts 6 requests, its locustfile kept 5']);
    expect(parseRecord('{}')).toBeNull();
  });
});

describe('locust plan', () => {
  it.each([
    // Users = rate × period; the period is a second, or twice what a request takes.
    [workload(), 1, 20, 1],
    [workload({ rateRps: 1500, requests: 6000 }), 2, 1500, 1],
    [workload({ rateRps: 7, requests: 70 }), 2, 8, 8 / 7],
    [workload({ rateRps: 0.5, requests: 4 }), 1, 1, 2],
    [workload({ latency: 'ttft=1s,itl=100ms' }), 1, 60, 3],
    // No more users than requests.
    [workload({ requests: 6 }), 1, 6, 0.3],
  ])('%#', (load, processes, users, pacingS) => {
    const got = pacing(load, processes);
    expect(got.users).toBe(users);
    expect(got.pacing_s).toBeCloseTo(pacingS, 9);
    expect(got.users / got.pacing_s).toBeCloseTo(load.rateRps, 9);
  });

  const prepared = async (adapter = locustAdapter, workers: number | null = null) => {
    const dir = await scratch();
    const found: Found = {
      ...{ state: 'found', version: 'x', path: '/l', origin: 'x', notes: [] },
      handle: { program: '/venv/bin/locust' },
    };
    const target = { url: 'http://127.0.0.1:1', model: 'm', dir, found, workers, cpus: null };
    const command = await adapter.prepare({ workload: workload(), ...target });
    const plan = JSON.parse(await readFile(join(dir, 'plan.json'), 'utf8')) as LocustPlan;
    return { line: command.argv.join(' '), command, plan, dir };
  };

  it('one process needs no port; several are a master on a free port of loopback, with as many users each', async () => {
    const one = await prepared(locustFastAdapter);
    expect(one.line).toMatch(/--users 20 --spawn-rate 20 FastHttpChat$/);
    expect(one.line).not.toContain('--processes');
    expect(one.plan).toMatchObject({ users: 20, processes: 1, requests: 60, folder: one.dir });
    const two = await prepared(locustFastTwoAdapter);
    expect(two.line).toMatch(
      /--processes 2 .*--master-bind-host 127.0.0.1 --master-bind-port (\d+) --master-port \1 /,
    );
    expect(two.plan.processes).toBe(2);
    const three = await prepared(locustAdapter, 3);
    expect(three.line).toMatch(/--processes 3 .* HttpChat$/);
    expect(three.plan).toMatchObject({ users: 21, pacing_s: 1.05 });
  });

  it('keeps the user’s own settings of locust out', async () => {
    process.env.LOCUST_RUN_TIME = '1s';
    try {
      const { command, dir } = await prepared();
      expect(command.env).toMatchObject({ LOCUST_RUN_TIME: null, HOME: dir, OPENAI_API_KEY: null });
    } finally {
      delete process.env.LOCUST_RUN_TIME;
    }
  });

  it('refuses all but equal gaps', () => {
    expect(locustAdapter.refuses?.(workload())).toBeNull();
    expect(locustAdapter.refuses?.(workload({ arrivals: { kind: 'poisson' } }))).toMatch(/has no poisson/);
  });
});

const python = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!python)('locustfile.py (needs python3)', () => {
  it('compiles', () => {
    const code = 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read())';
    execFileSync('python3', ['-c', code, join(packageRoot, 'adapters/locust/locustfile.py')]);
  });
});
