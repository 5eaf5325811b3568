import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baselineOf, type Earlier, type Here, readEarlier } from '../../../src/audit/gate/baseline.ts';
import { buildGate } from '../../../src/audit/gate/build.ts';
import { runGate } from '../../../src/audit/gate/run.ts';
import { type Scripted, scattered, scriptedGate } from './trials.ts';

const WHEN = {
  version: '0.1.0',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:01:00.000Z',
};

const script =
  (around: number, from = 0) =>
  (_: string, nth: number) => ({
    bias: { ttft_p50: scattered(around, 0.05, nth + from), ttft_p99: scattered(1, 0.1, nth + from) },
  });

async function built(of: Scripted) {
  const input = scriptedGate(of);
  return buildGate(input, await runGate(input), WHEN);
}

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tare-baseline-'));
  const { document, audit } = await built({ script: script(0.3), floorMs: 0.2 });
  writeFileSync(join(dir, 'gate.json'), JSON.stringify(document));
  writeFileSync(join(dir, 'other.json'), JSON.stringify(audit));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const NO = { otherHost: false, otherVersion: false };

async function against(
  around: number,
  change: (earlier: Earlier) => Earlier = (e) => e,
  allowed = NO,
  more: Scripted = {},
) {
  const earlier = change(await readEarlier(dir));
  const of = {
    script: script(around, 4),
    floorMs: 0.2,
    tolerance: 'ttft_p50=3ms,ttft_p99=5ms',
    budgetS: 300,
    ...more,
  };
  const input = scriptedGate(of);
  const here: Here = { version: '0.1.0', host: input.host, plan: input.plan };
  return built({ ...of, change: { ...more.change, baseline: baselineOf(earlier, here, allowed) } });
}

const changes = ({ document }: Awaited<ReturnType<typeof built>>) =>
  document.checks.filter(({ kind }) => kind === 'change').map(({ name, state }) => `${name} ${state}`);

describe('an earlier result as a baseline', () => {
  it('the same client again did not get worse (A/A)', async () => {
    const same = await against(0.3);
    expect(same.document.verdict).toBe('pass');
    expect(changes(same)).toEqual(['rate pass', 'ttft_p50 pass', 'ttft_p99 pass']);
    expect(same.document.baseline).toMatchObject({ refused: null, clients: { 'tare-multi': '0.1.0' } });
  });

  it('half a millisecond more than the floor is a regression, though within tolerance (A/B)', async () => {
    const worse = await against(1);
    expect(worse.document).toMatchObject({ verdict: 'fail', exit_code: 3 });
    const failed = worse.document.checks.filter(({ state }) => state === 'fail');
    expect(failed.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['change ttft_p50']);
    expect(failed[0]!.low).toBeGreaterThan(0.2);
    expect(failed[0]).toMatchObject({ limit_high: 0.2, floor: 0.2 });
    expect(failed[0]!.before).toBeCloseTo(0.3, 1);
  });

  it('--allow lets it', async () => {
    const allow = {
      rate: 0.02,
      bias: [{ metric: 'ttft' as const, statistic: 'p50' as const, absolute_ms: 1, relative: 0 }],
    };
    expect((await against(1, undefined, NO, { change: { allow } })).document.verdict).toBe('pass');
  });

  it('less is no regression, nor is the other side of zero as near', async () => {
    expect((await against(-0.2, undefined, NO, { floorMs: 0.7 })).document.verdict).toBe('pass');
    expect((await against(0.05)).document.verdict).toBe('pass');
  });

  it('a bias that grew below zero is one', async () => {
    expect(changes(await against(-1.5))).toContain('ttft_p50 fail');
  });

  it('an audit will do as well', async () => {
    expect((await readEarlier(join(dir, 'other.json'))).trials).toHaveLength(3);
  });

  it.each([
    [
      'another workload',
      (e: Earlier) => ({ ...e, plan: { ...e.plan, output_tokens: 64 } }),
      'another workload (output tokens 64 then, 16 now)',
    ],
    [
      'another machine',
      (e: Earlier) => ({ ...e, host: { ...e.host, cpu_model: 'Z80' } }),
      'another machine (Z80',
    ],
    ['another Tare', (e: Earlier) => ({ ...e, tare_version: '0.0.9' }), 'measured by Tare 0.0.9'],
    ['other rates', (e: Earlier) => ({ ...e, trials: [] }), 'no repetition of tare-multi at 200/s'],
  ])('%s is not compared with: no pass, unless it is optional', async (_, change, words) => {
    const refused = await against(1, change);
    expect(refused.document).toMatchObject({ verdict: 'undetermined', exit_code: 4 });
    expect(refused.document.reason).toContain(words);
    expect(refused.document.baseline!.refused).toContain(words);
    expect(changes(refused)).toEqual(['baseline undetermined']);
    const optional = await against(1, change, NO, { change: { baselineOptional: true } });
    expect(optional.document.verdict).toBe('pass');
    expect(changes(optional)).toEqual(['baseline notJudged']);
  });

  it('repetitions of another length are compared with where arrivals are constant, and that is said', async () => {
    const longer = (e: Earlier) => ({ ...e, plan: { ...e.plan, duration_s: 10 } });
    const compared = await against(0.3, longer);
    expect(compared.document.verdict).toBe('pass');
    expect(compared.document.baseline).toMatchObject({
      refused: null,
      note: expect.stringContaining('repetitions of 10 s then, 4 s now'),
    });
    const input = scriptedGate();
    const plan = { ...input.plan, arrivals: 'poisson' };
    const earlier = { ...longer(await readEarlier(dir)), plan: { ...plan, duration_s: 10 } };
    const { refused } = baselineOf(earlier, { version: '0.1.0', host: input.host, plan }, NO);
    expect(refused).toContain('give --duration 10s');
  });

  it('whose runs all crashed leaves the gate open', async () => {
    const crashed = (e: Earlier) => ({
      ...e,
      trials: e.trials.map((trial) => ({
        ...trial,
        outcome: { kind: 'clientFailed' as const, reason: 'x' },
        truth: null,
        bias: [],
      })),
    });
    expect((await against(0.3, crashed)).document).toMatchObject({ verdict: 'undetermined', exit_code: 4 });
  });

  it('another machine is compared with where that is asked for', async () => {
    const other = (e: Earlier) => ({ ...e, host: { ...e.host, cpu_model: 'Z80' } });
    expect((await against(1, other, { otherHost: true, otherVersion: false })).document.verdict).toBe('fail');
  });

  it('what is none is refused with what to give', async () => {
    writeFileSync(join(dir, 'x.json'), '{"schema":"tare-load/1"}');
    writeFileSync(join(dir, 'y.json'), '{"schema":"tare-gate/1"}');
    writeFileSync(join(dir, 'z.json'), '{');
    await expect(readEarlier(join(dir, 'nowhere'))).rejects.toThrow('is not there');
    await expect(readEarlier(join(dir, 'x.json'))).rejects.toThrow('no tare-gate/1 and no tare-audit/1');
    await expect(readEarlier(join(dir, 'y.json'))).rejects.toThrow('damaged');
    await expect(readEarlier(join(dir, 'z.json'))).rejects.toThrow('cannot be read');
  });
});
