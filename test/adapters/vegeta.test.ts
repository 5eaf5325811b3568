import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAdapter } from '../../adapters/registry.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const vegeta = findAdapter('vegeta');

const workload = {
  rateRps: 8,
  requests: 8,
  durationS: 1,
  arrivals: { kind: 'constant' as const },
  promptTokens: 3,
  outputTokens: 16,
  latency: 'zero',
  seed: 7,
};

function parse(fixture: string) {
  const dir = mkdtempSync(join(tmpdir(), 'tare-vegeta-'));
  cpSync(join(packageRoot, 'test/fixtures/vegeta', fixture), dir, { recursive: true });
  const file = join(dir, 'nothing');
  writeFileSync(file, '');
  return vegeta.parse({ dir, stdoutFile: file, stderrFile: file, exitCode: 0, workload });
}

describe('vegeta', () => {
  it('with failures: its own figures as they are, and which request was which', async () => {
    const parsed = await parse('mixed');
    if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
    const { report } = parsed;
    expect(report.metrics.e2e).toEqual({
      n: 8,
      mean_ms: expect.closeTo(32.36091, 9),
      p50_ms: expect.closeTo(41.053955, 9),
      p90_ms: expect.closeTo(47.517536, 9),
      p99_ms: expect.closeTo(49.79138, 9),
    });
    expect(report).toMatchObject({ completed: 5, failed: 3, achievedRps: expect.closeTo(9.148, 3) });
    expect(report.durationS).toBeCloseTo(0.874508643, 9);
    expect(report.notes).toEqual(['3 of 8 requests failed; the first: 503 Service Unavailable']);
    expect(report.records?.map(({ requestId, ok }) => `${requestId} ${ok}`)).toEqual(
      [true, true, false, false, true, false, true, true].map((ok, i) => `vegeta-7-${i} ${ok}`),
    );
    const starts = report.records!.map((record) => record.startNs!);
    expect((starts[1]! - starts[0]!) / 1e6).toBeCloseTo(125.079, 2);
  });

  it('refused by everyone, with exit code 0, is a failure in its own words', async () => {
    expect(await parse('refused')).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^all 8 requests failed; the first: .*connection refused$/),
    });
  });
});
