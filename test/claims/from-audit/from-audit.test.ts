import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AuditDocument } from '../../../src/audit/document.ts';
import { claimFromAudit, type FromAudit } from '../../../src/claims/from-audit/from-audit.ts';
import { sampleDocument } from '../../reports/sample.ts';

const document = sampleDocument({
  clients: ['asyncio', 'tare-multi', 'drifter', 'genai-perf', 'vllm-bench'],
});
const yamlOf = (from: Partial<FromAudit>): string =>
  claimFromAudit({ document, client: 'asyncio', rates: [100], percentiles: false, ...from });
const read = (from: Partial<FromAudit>) => parse(yamlOf(from), { schema: 'failsafe' });
const withFindings = (low: number, high: number): AuditDocument => ({
  ...document,
  findings: document.findings.map((one) => ({
    ...one,
    definition_bias_ms: 0,
    low_ms: low,
    high_ms: high,
    verdict: 'found' as const,
  })),
});

describe('a claim from an audit', () => {
  it('has a row for each run, as the client printed it', () => {
    const trials = document.trials.filter(
      ({ client, workload }) => client === 'asyncio' && workload.rateRps === 100,
    );
    const { rows } = read({});
    expect(rows.length).toBe(3);
    for (const [i, trial] of trials.entries()) {
      const { metrics, completed } = trial.reported!;
      expect(rows[i]).toMatchObject({
        rate: '100 req/s',
        requests: '800',
        duration: '8 s',
        'input-tokens': '32',
        'output-tokens': '16',
        'output-length': 'fixed',
        figures: {
          ttft_mean: `${metrics.ttft.mean_ms!.toFixed(2)} ms`,
          e2e_mean: `${metrics.e2e.mean_ms!.toFixed(2)} ms`,
          completed: String(completed),
          failed: '0',
        },
      });
    }
  });

  it('has the printed rate only where requests over the time of sending give it again', () => {
    const as = (achieved: number): AuditDocument => ({
      ...document,
      trials: document.trials.map((one) => ({
        ...one,
        reported: one.reported === null ? null : { ...one.reported, achievedRps: achieved },
      })),
    });
    const { rows } = read({ document: as(100.004) });
    expect(rows[0].figures.request_throughput).toBe('100.00 req/s');
    const other = read({ document: as(98.5) });
    expect(Object.keys(other.rows[0].figures)).not.toContain('request_throughput');
    expect(other.notes.join()).toContain('Left out: request_throughput');
  });

  it('says all of how it was measured', () => {
    expect(read({}).measurement).toMatchObject({
      client: { name: 'asyncio', version: '1.0 (aiohttp 3.13.2, Python 3.11.2)' },
      processes: '1',
      loop: 'single',
      t0: 'sent',
      'token-source': 'usage',
      arrivals: 'poisson',
      'success-rate': '100 %',
      repetitions: '3',
      'client-host': expect.stringContaining('AMD EPYC 7B13, 2 cores'),
      'second-client': {
        within: expect.stringMatching(/^\d+\.\d %$/),
        how: expect.stringContaining('tare-multi'),
      },
    });
    expect(yamlOf({})).not.toContain('not stated');
  });

  it('bounds what the client adds by the far end of its intervals, rounded up', () => {
    const { measurement } = read({ document: withFindings(-0.2, 1.2341) });
    expect(measurement['client-bias']['at-most']).toBe('1.24 ms');
    const below = read({ document: withFindings(-1.231, 0.2) });
    expect(below.measurement['client-bias']['at-most']).toBe('1.24 ms');
  });

  it('leaves out a figure whose bound is not small, and says so', () => {
    // 5 % of a TTFT of about 51 ms is less than 3, of an E2E of about 201 ms more.
    const { rows, notes } = read({ document: withFindings(2, 3) });
    expect(Object.keys(rows[0].figures)).not.toContain('ttft_mean');
    expect(Object.keys(rows[0].figures)).toContain('e2e_mean');
    expect(notes.join('\n')).toContain('Left out: ttft_mean: the client may add up to 3.00 ms');
  });

  it('has percentiles where they are asked for, each within the same bound', () => {
    const figures = Object.keys(read({ document: withFindings(1, 2), percentiles: true }).rows[0].figures);
    expect(figures).toEqual(expect.arrayContaining(['ttft_mean', 'ttft_p50', 'ttft_p90', 'e2e_p99']));
    expect(Object.keys(read({ document: withFindings(1, 2) }).rows[0].figures)).not.toContain('ttft_p50');
    expect(read({ percentiles: true }).notes.join()).toMatch(/percentiles stay undetermined.*raw results/);
  });

  it('is a table over several rates, with the digits that were printed', () => {
    const text = yamlOf({ rates: [200, 100] });
    const { tables } = parse(text, { schema: 'failsafe' });
    expect(tables[0].rows.length).toBe(6);
    expect(tables[0].rows.map((row: string[]) => row[0])).toEqual(['100', '100', '100', '200', '200', '200']);
    const column = tables[0].columns.indexOf('e2e_mean ms');
    for (const row of tables[0].rows) {
      expect(row.length).toBe(tables[0].columns.length);
      expect(row[column]).toMatch(/^\d+\.\d\d$/);
    }
  });

  it.each([
    ['a client that the audit has not', { client: 'k7' }, 'no figures of "k7"'],
    ['one that is not installed', { client: 'vllm-bench' }, 'no figures of "vllm-bench"'],
    ['a rate that it has not', { rates: [123] }, 'not asyncio at 123/s'],
    ['a rate that was not held', { client: 'drifter', rates: [1600] }, 'saturated'],
    ['a rate that failed', { client: 'genai-perf', rates: [1600] }, 'clientFailed'],
    ['nothing that is bounded', { document: withFindings(50, 60) }, 'bounds no figure'],
  ])('is refused of %s', (_, from, words) => {
    expect(() => yamlOf(from as Partial<FromAudit>)).toThrow(words);
  });

  it('bounds nothing without a ledger, and leaves open what is not known of the server', () => {
    const external: AuditDocument = {
      ...document,
      plan: { ...document.plan, target: { ...document.plan.target, kind: 'external', model: 'm' } },
    };
    const { measurement, systems } = read({ document: external });
    expect(measurement['client-bias']).toBe('not stated');
    expect(systems[0]).toMatchObject({ engine: 'not stated', 'prefix-cache': 'not stated', model: 'm' });
  });
});
