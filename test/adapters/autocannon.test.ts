import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAdapter } from '../../adapters/registry.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const autocannon = findAdapter('autocannon');

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
  const dir = mkdtempSync(join(tmpdir(), 'tare-autocannon-'));
  const stderrFile = join(dir, 'nothing');
  writeFileSync(stderrFile, '');
  const stdoutFile = join(packageRoot, 'test/fixtures/autocannon', `${fixture}.json`);
  return autocannon.parse({ dir, stdoutFile, stderrFile, exitCode: 0, workload });
}

describe('autocannon', () => {
  it('has its figures as it prints them, the known fault included: half of the 206 ms that every answer took', async () => {
    const parsed = await parse('ok');
    if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
    expect(parsed.report.metrics.e2e).toEqual({
      n: null,
      mean_ms: 106.88,
      p50_ms: 107,
      p90_ms: 192,
      p99_ms: 214,
    });
    expect(parsed.report).toMatchObject({ completed: 40, failed: 0, achievedRps: 20, durationS: 2.02 });
    expect(autocannon.facts.evidence.some((fact) => /known fault/.test(fact.what))).toBe(true);
  });

  it('tells answers of other statuses; what was cut off is in none of its counts', async () => {
    const parsed = await parse('mixed');
    if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
    expect(parsed.report).toMatchObject({ completed: 25, failed: 14 });
    expect(parsed.report.notes).toEqual(['14 of 39 requests failed; the first: HTTP 503']);
  });

  it('refused by everyone, with exit code 0, is a failure', async () => {
    expect(await parse('refused')).toMatchObject({
      state: 'failed',
      reason: 'all 30210 requests failed; the first: 30210 connection errors or time-outs',
    });
  });

  it('is asked for whole rates only', () => {
    expect(autocannon.refuses?.({ ...workload, rateRps: 2.5 })).toMatch(/takes whole rates only/);
    expect(autocannon.refuses?.(workload)).toBeNull();
  });
});
