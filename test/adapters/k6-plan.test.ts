import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Found, LaunchRequest } from '../../adapters/contract.ts';
import { k6Adapter, planOf, refusal } from '../../adapters/k6/adapter.ts';
import { findK6, k6Version } from '../../adapters/k6/find.ts';
import { constantScenario, rampingScenario, virtualUsers } from '../../adapters/k6/plan.ts';
import { roughE2eMs } from '../../adapters/kit/rough-e2e.ts';
import type { Workload } from '../../src/measure/workload.ts';

const workload = (over: Partial<Workload> = {}): Workload => ({
  rateRps: 50,
  requests: 100,
  durationS: 2,
  arrivals: { kind: 'constant' },
  promptTokens: 8,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 7,
  ...over,
});

/** Iterations that k6 starts: one each n · period while that is within the duration (constant_arrival_rate.go Run). */
function iterations(scenario: ReturnType<typeof constantScenario>): number {
  const unitS = Number.parseFloat(scenario.timeUnit);
  const periodNs = Math.floor((unitS * 1e9) / scenario.rate);
  const durationNs = Number.parseFloat(scenario.duration) * 1000;
  return Math.floor(durationNs / periodNs) + 1;
}

describe('the scenario', () => {
  it('starts exactly the requests that the workload has, at whole and at fractional rates', () => {
    const rates = fc.oneof(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 99_999 }).map((x) => x / 100),
    );
    fc.assert(
      fc.property(rates, fc.integer({ min: 2, max: 20_000 }), (rateRps, requests) => {
        fc.pre(requests / rateRps >= 2 && requests / rateRps <= 600);
        expect(iterations(constantScenario(workload({ rateRps, requests })))).toBe(requests);
      }),
    );
  });

  it('asks k6 for a whole number a time unit', () => {
    expect(constantScenario(workload({ rateRps: 2.5, requests: 25 }))).toMatchObject({
      rate: 2500,
      timeUnit: '1000s',
      duration: '9800000us',
    });
  });

  it('plans users by Little’s law with half as many again, from the latency flag', () => {
    expect(roughE2eMs('ttft=50ms,itl=10ms', 8, 16)).toBe(200);
    expect(roughE2eMs('ttft=0.5s,itl=500us', 8, 1)).toBe(500);
    expect(roughE2eMs('ttft=50ms,prefill=100us,itl=0ms', 1000, 16)).toBe(150);
    expect(roughE2eMs('zero', 8, 16)).toBe(50);
    expect(roughE2eMs('ttft=bimodal:10ms:110ms:0.5,itl=lognormal:10ms:0.4', 8, 16)).toBe(210);
    expect(roughE2eMs('ttft=empirical:file.csv', 8, 16)).toBe(2000);
    expect(virtualUsers(800, 200)).toEqual({ preAllocatedVUs: 260, maxVUs: 780 });
  });

  it('ramps between rates, sized for the highest', () => {
    expect(rampingScenario(10, [{ targetRps: 110, seconds: 4 }], 200)).toMatchObject({
      executor: 'ramping-arrival-rate',
      startRate: 10,
      timeUnit: '1s',
      stages: [{ target: 110, duration: '4000000us' }],
      preAllocatedVUs: 53,
    });
    expect(rampingScenario(0.5, [{ targetRps: 2, seconds: 1 }], 200)).toMatchObject({
      startRate: 500,
      timeUnit: '1000s',
      stages: [{ target: 2000 }],
    });
  });

  it('refuses what k6 cannot do', () => {
    expect(refusal(workload())).toBeNull();
    expect(refusal(workload({ arrivals: { kind: 'poisson' } }))).toContain('no poisson arrivals');
    expect(refusal(workload({ arrivals: { kind: 'gamma', cv2: 4 } }))).toContain('gamma:4');
    expect(refusal(workload({ requests: 10 }))).toContain('at least 1 s');
  });
});

describe('the command', () => {
  const found: Found = {
    state: 'found',
    version: '2.2.0',
    path: '/usr/bin/k6',
    origin: "the user's own",
    notes: [],
    handle: { path: '/usr/bin/k6' },
  };
  const request = (dir: string, over: Partial<Workload> = {}): LaunchRequest => ({
    workload: workload(over),
    url: 'http://127.0.0.1:8150',
    model: 'mock',
    dir,
    found,
    workers: null,
    cpus: null,
  });
  afterEach(() => vi.unstubAllEnvs());

  it("never reports usage, and keeps the user's own settings out", async () => {
    vi.stubEnv('K6_SUMMARY_MODE', 'disabled');
    const dir = await mkdtemp(join(tmpdir(), 'tare-k6-'));
    const command = await k6Adapter.prepare(request(dir));
    expect(command.argv).toContain('--no-usage-report');
    expect(command.env).toMatchObject({ K6_SUMMARY_MODE: null });
    const config = command.argv[command.argv.indexOf('--config') + 1]!;
    expect(await readFile(config, 'utf8')).toBe('{}\n');
    const plan = JSON.parse(await readFile(join(dir, 'k6-plan.json'), 'utf8'));
    expect(plan.url).toBe('http://127.0.0.1:8150/v1/chat/completions');
    expect(JSON.parse(plan.bodies[0])).toMatchObject({ stream: true, max_tokens: 16, ignore_eos: true });
    expect(JSON.parse(plan.bodies[0]).messages[0].content.split(' ')).toHaveLength(8);
  });

  it('writes a line a request at low rates only', () => {
    expect(planOf(request('/d', { rateRps: 1000, requests: 4000 })).records).toBe(true);
    expect(planOf(request('/d', { rateRps: 1001, requests: 4000 })).records).toBe(false);
  });

  it('asks for p(99) and for the sub-metrics over successes', () => {
    expect(planOf(request('/d')).options).toMatchObject({
      summaryTrendStats: expect.arrayContaining(['avg', 'med', 'p(90)', 'p(99)', 'count']),
      thresholds: {
        'http_req_waiting{expected_response:true}': expect.anything(),
        'http_req_duration{expected_response:true}': expect.anything(),
      },
    });
  });
});

describe('finding k6', () => {
  /** A program that prints a text and ends with a code, in a folder of its own. */
  async function program(prints: string, code = 0): Promise<{ folder: string; file: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'tare-k6-bin-'));
    const file = join(folder, 'k6');
    await writeFile(file, `#!/bin/sh\necho '${prints}'\nexit ${code}\n`);
    await chmod(file, 0o755);
    return { folder, file };
  }

  it.each([
    ['k6 v2.2.0 (commit/devel, go1.26.8, linux/amd64)', '2.2.0'],
    ['k6.exe v1.0.0-rc1 (go1.24, windows/amd64)', '1.0.0-rc1'],
    ['k6 v0.57.0 (go1.23.6, linux/amd64)\nExtensions:\n  xk6-sse v0.1.0', '0.57.0'],
    ['kubernetes v1.2.3', null],
  ])('reads the version of %s', (printed, version) => {
    expect(k6Version(printed)).toBe(version);
  });

  it('takes it from PATH, or from K6_BIN before that', async () => {
    const onPath = await program('k6 v2.2.0 (go)');
    const named = await program('k6 v1.3.0 (go)');
    expect(await findK6({ PATH: onPath.folder })).toMatchObject({
      state: 'found',
      version: '2.2.0',
      path: onPath.file,
      notes: [],
    });
    expect(await findK6({ PATH: onPath.folder, K6_BIN: named.file })).toMatchObject({
      version: '1.3.0',
      path: named.file,
      notes: [expect.stringContaining('this is k6 1.3.0')],
    });
  });

  it('says what is wrong and leaves getting it to the user', async () => {
    const other = await program('hello');
    const broken = await program('', 1);
    const old = await program('k6 v0.31.0 (go)');
    const cases: [Record<string, string>, RegExp][] = [
      [{ PATH: '' }, /no k6 on PATH/],
      [{ PATH: '', K6_BIN: '/nowhere/k6' }, /K6_BIN \(\/nowhere\/k6\) does not answer/],
      [{ PATH: broken.folder }, /does not answer/],
      [{ PATH: other.folder }, /which is not k6/],
      [{ PATH: old.folder }, /0\.43 or newer/],
    ];
    for (const [env, reason] of cases) {
      const missing = await findK6(env);
      expect(missing).toMatchObject({ state: 'missing', reason: expect.stringMatching(reason) });
      expect(missing).toMatchObject({ remedy: expect.stringContaining('install k6 yourself') });
    }
    expect(k6Adapter.setup).toBeUndefined();
  });
});
