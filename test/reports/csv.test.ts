import { read } from 'vega';
import { describe, expect, it } from 'vitest';
import { biasCsv, textCell, trialsCsv } from '../../reports/csv.ts';
import { sampleDocument } from './sample.ts';

const rows = (csv: string): Record<string, string>[] =>
  (read as unknown as (data: string, schema: object) => Record<string, string>[])(csv, {
    type: 'csv',
    parse: {},
  });

describe('textCell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", ' =1', '＝1', '=HYPERLINK("http://x")'])(
    'keeps a spreadsheet from evaluating %j',
    (text) => {
      expect(textCell(text)).toMatch(/^'/);
    },
  );

  it('leaves plain text alone', () => {
    expect(textCell('tare load, 2 processes')).toBe('tare load, 2 processes');
  });
});

describe('bias.csv', () => {
  const document = sampleDocument();

  it('has a row a finding with the figures as they are', () => {
    const parsed = rows(biasCsv(document));
    expect(parsed).toHaveLength(document.findings.length);
    const index = document.findings.findIndex(
      (f) => f.client === 'k6' && f.metric === 'ttft' && f.statistic === 'p50',
    );
    const finding = document.findings[index]!;
    expect(parsed[index]).toMatchObject({
      client: 'k6',
      version: '2.2.0',
      metric: 'ttft',
      verdict: finding.verdict,
    });
    expect(Number(parsed[index]!.queueing_bias_ms)).toBe(finding.queueing_bias_ms);
  });

  it('keeps negative numbers numbers and absent ones empty', () => {
    const parsed = rows(biasCsv(document));
    const k6 = parsed.filter((row) => row.client === 'k6');
    expect(k6.some((row) => Number(row.definition_bias_ms) < -40)).toBe(true);
    expect(k6.find((row) => row.metric === 'tpot')).toMatchObject({
      reported_ms: '',
      queueing_bias_ms: '',
      low_ms: '',
    });
  });

  it('survives quotes, commas, line ends and formulas in a name', () => {
    const hostile = '=cmd|"/c calc",\n"x"';
    const document = sampleDocument({ clients: ['asyncio'], rates: [100], hostile });
    const parsed = rows(
      biasCsv({
        ...document,
        findings: document.findings.map((f) => ({ ...f, client: hostile, reason: hostile })),
      }),
    );
    expect(parsed).toHaveLength(document.findings.length);
    expect(parsed[0]!.client).toBe(`'=cmd|"/c calc", "x"`);
    expect(parsed[0]!.reason).toBe(parsed[0]!.client);
  });
});

describe('trials.csv', () => {
  it('has a row a trial, in the order in which they ran, failed ones too', () => {
    const document = sampleDocument();
    const parsed = rows(trialsCsv({ ...document, trials: [...document.trials].reverse() }));
    expect(parsed.map((row) => Number(row.order))).toEqual(document.trials.map((_, i) => i));
    const failed = parsed.filter((row) => row.outcome === 'clientFailed');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]).toMatchObject({ client: 'genai-perf', exit_code: '1', reported_ttft_p50_ms: '' });
    expect(failed[0]!.outcome_reason).toContain('Connection reset');
  });
});
