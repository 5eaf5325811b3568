import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAdapter } from '../../adapters/registry.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const oha = findAdapter('oha');

const workload = {
  rateRps: 20,
  requests: 40,
  durationS: 2,
  arrivals: { kind: 'constant' as const },
  promptTokens: 3,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 7,
};

function parse(fixture: string) {
  const dir = mkdtempSync(join(tmpdir(), 'tare-oha-'));
  copyFileSync(join(packageRoot, 'test/fixtures/oha', `${fixture}.json`), join(dir, 'oha.json'));
  const file = join(dir, 'nothing');
  writeFileSync(file, '');
  return oha.parse({ dir, stdoutFile: file, stderrFile: file, exitCode: 0, workload });
}

async function report(fixture: string) {
  const parsed = await parse(fixture);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('oha', () => {
  it('has its first body byte as TTFT and its percentiles in seconds', async () => {
    const got = await report('ok');
    expect(got.metrics.ttft).toEqual({
      n: 40,
      mean_ms: expect.closeTo(51.2886, 3),
      p50_ms: expect.closeTo(51.290261, 6),
      p90_ms: expect.closeTo(52.288976, 6),
      p99_ms: expect.closeTo(52.669592, 6),
    });
    expect(got.metrics.e2e).toEqual({
      n: 40,
      mean_ms: expect.closeTo(206.1894, 3),
      p50_ms: expect.closeTo(206.221085, 6),
      p90_ms: expect.closeTo(208.334503, 6),
      p99_ms: expect.closeTo(208.952512, 6),
    });
    expect(got).toMatchObject({
      completed: 40,
      failed: 0,
      achievedRps: expect.closeTo(18.5478, 3),
      durationS: expect.closeTo(2.1566, 3),
    });
    expect(got.metrics.itl.absent).toBe('this client has no such figure');
    expect(got.notes).toEqual([]);
  });

  it('counts as failed what oha counts as a success, and what it broke off', async () => {
    const mixed = await report('mixed');
    expect(mixed).toMatchObject({ completed: 11, failed: 9 });
    expect(mixed.metrics.e2e.n).toBe(17);
    expect(mixed.notes).toEqual(['9 of 20 requests failed; the first: error reading a body from connection']);
    expect((await report('no-w')).notes).toEqual([
      '4 of 41 requests failed; the first: aborted due to deadline',
    ]);
  });

  it.each([
    ['refused', 'all 20 requests failed; the first: Connection refused (os error 111)'],
    ['all-503', 'all 20 requests failed; the first: HTTP 503'],
  ])('%s, with exit code 0, is a failure', async (fixture, reason) => {
    expect(await parse(fixture)).toMatchObject({ state: 'failed', reason });
  });
});
