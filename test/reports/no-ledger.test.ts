/** What is said where the target kept no ledger: figures as reported, no bias anywhere, and why. */
import { describe, expect, it } from 'vitest';
import { chartsOf } from '../../reports/charts/all.ts';
import { biasCsv, trialsCsv } from '../../reports/csv.ts';
import { auditCommand } from '../../reports/page/audit-command.ts';
import { reportPage } from '../../reports/page/page.ts';
import { provenanceLines, provenanceOf } from '../../reports/provenance.ts';
import { comparisons } from '../../reports/side-by-side.ts';
import { summaryTable } from '../../reports/table.ts';
import { clientVerdicts } from '../../reports/verdict.ts';
import type { AuditDocument, Trial } from '../../src/audit/document.ts';
import { parseAuditDocument } from '../../src/audit/document-schema.ts';
import { findings, rateFindings } from '../../src/audit/findings.ts';
import { warningsOf } from '../../src/audit/warnings.ts';
import { sampleDocument } from './sample.ts';

const without = (trial: Trial): Trial => ({
  ...trial,
  truth: null,
  decomposition: null,
  client_side:
    trial.truth === null
      ? null
      : {
          source: trial.client === 'k6' ? 'printed' : 'records',
          how: trial.client === 'k6' ? 'the rate that it prints' : 'its own records',
          requests: trial.truth.requests,
          sent_rps: trial.truth.arrival_rps,
          completion_rps: null,
          rate_fidelity: trial.truth.rate_fidelity,
          gap_cv2: trial.truth.gap_cv2,
          peak_in_flight: 12,
          exported: { requests: 399, ttft_mean_ms: 1.5, e2e_mean_ms: null, where: '/metrics' },
        },
  bias: trial.bias.map((row) => ({
    ...row,
    injected_ms: null,
    realized_ms: null,
    expected_ms: null,
    definition_bias_ms: null,
    queueing_bias_ms: null,
    total_bias_ms: null,
    within_low_ms: null,
    within_high_ms: null,
    paired_ms: null,
    paired_low_ms: null,
    paired_high_ms: null,
  })),
});

/** The sample audit as it would be against a server that runs already. */
function external(): AuditDocument {
  const sample = sampleDocument({ rates: [50, 800], clients: ['tare-multi', 'asyncio', 'drifter', 'k6'] });
  const plan: AuditDocument['plan'] = {
    ...sample.plan,
    latency: 'not injected',
    target: {
      kind: 'external',
      url: 'http://gpu.example:8000',
      remote: true,
      version: null,
      path: null,
      model: 'llama',
    },
  };
  const trials = sample.trials.map(without);
  return {
    ...sample,
    plan,
    floor: null,
    trials,
    findings: findings(trials, null),
    rates: rateFindings(trials),
    warnings: warningsOf(sample.host, plan, trials, null),
  };
}

const document = external();
const page = reportPage(document, []);

describe('an audit without a ledger', () => {
  it('holds no bias, and the reason', () => {
    const all = document.findings;
    expect(all.every((f) => f.queueing_bias_ms === null && f.total_bias_ms === null)).toBe(true);
    expect(all.every((f) => f.verdict === 'undetermined')).toBe(true);
    const ttft = all.find((f) => f.client === 'asyncio' && f.metric === 'ttft' && f.statistic === 'p50')!;
    expect(ttft.reported_ms).toBeGreaterThan(0);
    expect(ttft.reason).toMatch(/keeps no ledger, so what it really gave is not known/);
    expect(parseAuditDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
  });

  it('says who counted the rate, and warns once', () => {
    expect(document.rates.find((r) => r.client === 'asyncio')).toMatchObject({
      source: 'records',
      peak_in_flight: 12,
    });
    expect(document.rates.find((r) => r.client === 'k6')).toMatchObject({ source: 'printed' });
    const codes = document.warnings.map((warning) => warning.code);
    expect(codes).toContain('no-ledger');
    expect(codes).not.toContain('no-floor');
  });

  it('calls no client true, and none false but for its rate', () => {
    const verdicts = clientVerdicts(document);
    expect(new Set(verdicts.map((v) => v.verdict))).toEqual(new Set(['undetermined']));
    expect(verdicts.every((v) => v.holds_rps === null)).toBe(true);
    const of = (client: string) => verdicts.find((v) => v.client === client)!.sentence;
    expect(of('asyncio')).toMatch(
      /no bias can be stated, since the target keeps no ledger; at 50\S*\/s it sent \S+ % of what was asked by its own records/,
    );
    expect(of('drifter')).toMatch(/asked for 50\/s it sends \S+ by its own records .*No bias can be stated/);
    expect(of('k6')).toMatch(/by the rate that it prints/);
  });

  it('shows it in the table and on the page, without a bias column', () => {
    const table = summaryTable(document, { plain: true });
    expect(table).toMatch(/TTFT p50\s+TTFT p99/);
    expect(table).toMatch(/No bias is stated|No bias\s+is stated/);
    expect(table).not.toMatch(/printed\/true|within 1 ms/);
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(page).toMatch(/What the benchmark clients report/);
    expect(page).toMatch(/http:\/\/gpu\.example:8000, which keeps no ledger/);
    expect(page).not.toMatch(/queueing bias|tells the truth|true ms/);
    expect(page).toMatch(/the target itself counted 399 requests/);
  });

  it('draws no bias, and says whose account the rate is', () => {
    const charts = chartsOf(document);
    expect(charts.map((chart) => chart.name)).toEqual([
      'kept',
      'rate',
      'ttft',
      'arrivals-gaps',
      'cpu',
      'cpu-threads',
    ]);
    expect(charts[0]!.explanation).toMatch(/own account/);
    expect(charts[1]!.explanation).toMatch(/own records/);
    expect(charts[2]!.explanation).toMatch(/as the clients report them: this target keeps no ledger/);
    expect(charts[2]!.alternative).not.toMatch(/really/);
    const { columns, rows } = charts[2]!.data;
    const realized = columns.indexOf('ttft_realized_ms');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row[realized] === null)).toBe(true);
  });

  it('names the target in the provenance and in the command that repeats it', () => {
    const lines = provenanceLines(provenanceOf(document)).map(({ label, text }) => `${label}: ${text}`);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Target: http:\/\/gpu\.example:8000, .* beyond this machine, model llama/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^Floor: not measured/));
    expect(auditCommand(document)).toMatch(
      /--target http:\/\/gpu\.example:8000 --model llama .*--allow-remote$/,
    );
    expect(auditCommand(document)).not.toMatch(/--latency/);
  });

  it('leaves what is not known empty in the tables for machines', () => {
    const [head, first] = trialsCsv(document)
      .split('\n')
      .map((line) => line.split(','));
    expect(first![head!.indexOf('rate_source')]).toMatch(/records|printed/);
    expect(first![head!.indexOf('target_counted_requests')]).toBe('399');
    const bias = biasCsv(document)
      .split('\n')
      .map((line) => line.split(','));
    expect(bias[1]![bias[0]!.indexOf('queueing_bias_ms')]).toBe('');
  });
});

describe('clients compared with each other', () => {
  it('stand with those that mean the same, lowest first', () => {
    const rows = comparisons(document).filter((r) => r.metric === 'ttft' && r.rate_rps === 50);
    // k6 times headers: it is compared with nobody. The drifter sends too little: its figures belong to a lower rate.
    expect(rows.map((row) => row.definition)).toEqual(['to the first content', 'to the first content']);
    const { clients } = rows[0]!;
    expect(clients.map((one) => one.client).sort()).toEqual(['asyncio', 'tare-multi']);
    expect(clients[0]!.more_ms).toBe(0);
    expect(clients.every((one, i) => i === 0 || one.more_ms >= clients[i - 1]!.more_ms)).toBe(true);
  });
});
