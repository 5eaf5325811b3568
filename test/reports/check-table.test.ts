import { describe, expect, it } from 'vitest';
import { agrees, checkRows, checkSummary } from '../../reports/check-table.ts';
import { CHECK_SCHEMA, type CheckDocument } from '../../src/audit/check-document.ts';
import type { DefinitionCheck } from '../../src/audit/definition-check.ts';
import type { ClientCheck } from '../../src/audit/run-definition-check.ts';
import { checkExitCode } from '../../src/cli/check-run.ts';

const check = (change: Partial<DefinitionCheck>): DefinitionCheck => ({
  metric: 'e2e',
  reported_p50_ms: [157, 199],
  expected_p50_ms: [156, 198],
  difference_ms: 1,
  verdict: 'agrees',
  fits: [],
  ...change,
});

const client = (name: string, version: string, ...checks: DefinitionCheck[]): ClientCheck => ({
  client: name,
  version,
  checks,
  reason: null,
});

const silent = client(
  'silent',
  'unknown',
  check({ metric: 'ttft', verdict: 'not given', reported_p50_ms: [null, null], difference_ms: null }),
  check({
    verdict: 'stated but not given',
    reported_p50_ms: [null, null],
    difference_ms: null,
    absent: 'records.e2e.value ("e2ee") gave nothing in any of 20 records',
  }),
);
const scaled = client(
  'scaled',
  '1.2',
  check({ reported_p50_ms: [157_000, 199_000], difference_ms: 198_802, verdict: 'none fits', factor: 1000 }),
);
const document: CheckDocument = {
  schema: CHECK_SCHEMA,
  tare_version: 'test',
  started_at: '2026-01-01T00:00:00.000Z',
  workload: { rate_rps: 5, requests: 20, latency: 'zero' },
  passes: [],
  floor: null,
  clients: [client('good', 'unknown', check({})), silent, scaled],
};

describe('the table of a check', () => {
  it('has no word for an unknown version, and a row for a figure that is stated but not given', () => {
    expect(checkRows(document).map((row) => [row[0], row[1], row.at(-1)])).toEqual([
      ['good', 'E2E', 'agrees'],
      ['silent', 'E2E', 'stated but not given: records.e2e.value ("e2ee") gave nothing in any of 20 records'],
      ['scaled 1.2', 'E2E', 'none fits: off by a factor of 1,000: its unit?'],
    ]);
  });

  it('names what is not given in its summary, and does not count it as agreeing', () => {
    expect(checkSummary(document)).toBe(
      'The stated definitions explain what 1 of 3 clients print. They do not for silent and scaled: the facts are wrong, or the client is. Stated but not given: E2E of silent.',
    );
    expect(document.clients.map(agrees)).toEqual([true, false, false]);
    expect(checkExitCode([silent], 1)).toBe(3);
    expect(checkExitCode([document.clients[0]!], 1)).toBe(0);
  });
});
