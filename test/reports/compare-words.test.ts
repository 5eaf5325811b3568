/** What a comparison says of what a reviewer found hidden, in each of its forms. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { compareChart } from '../../reports/compare/chart.ts';
import { compareCsv } from '../../reports/compare/csv.ts';
import { compareMarkdown } from '../../reports/compare/markdown.ts';
import { comparePage } from '../../reports/compare/page.ts';
import { bothProvenances } from '../../reports/compare/provenance.ts';
import { compareTable } from '../../reports/compare/table.ts';
import { clientState, told } from '../../reports/compare/words.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { again, compare, mapTrials, shifted } from '../audit/compare-audits/pair.ts';
import { sampleDocument } from './sample.ts';

const base = sampleDocument({ clients: ['asyncio'], rates: [100, 400] });

const saturated = again(
  mapTrials(base, (trial) =>
    trial.repetition > 0 && trial.workload.rateRps === 100
      ? { ...trial, outcome: { kind: 'saturated', reason: 'x' } as const }
      : trial,
  ),
);

describe('saturation on one side', () => {
  const document = told(compare(base, saturated));

  it('is in the sentence, the terminal, Markdown, CSV and the page', () => {
    expect(document.sentences.headline).toContain(
      'at 100/s 0 of 3 trials saturated in A, 2 of 3 in B: latencies of a saturated trial belong to another rate',
    );
    const flat = (text: string) => text.replace(/\s+/g, ' ');
    expect(flat(compareTable(document))).toContain(
      'asyncio at 100/s: saturated in B (0 of 3 trials in A, 2 of 3 in B)',
    );
    expect(compareMarkdown(document)).toMatch(
      /\| asyncio \| 100 \| 3 measured \| .* \| undetermined \| saturated in B/,
    );
    const rows = parse(compareCsv(document), { columns: true }) as Record<string, string>[];
    const [row] = rows.filter(({ rate_rps, figure }) => rate_rps === '100' && figure === 'ttft_p50');
    expect(row).toMatchObject({ saturated_trials_a: '0', saturated_trials_b: '2' });
    expect(row!.notes).toContain('saturated in B');
    expect(comparePage(document, [])).toContain(
      '<td class="s-undetermined">undetermined</td><td class="long">saturated in B',
    );
  });
});

describe('the headline', () => {
  const without = (document: AuditDocument, metrics: readonly string[]) =>
    mapTrials(document, (trial) => ({
      ...trial,
      bias: trial.bias.map((row) =>
        metrics.includes(row.metric) ? { ...row, queueing_bias_ms: null } : row,
      ),
    }));

  it('does not say "unchanged" of a client of which most was not compared', () => {
    const mute = without(base, ['ttft', 'e2e']);
    const comparison = compare(mute, again(mute));
    expect(clientState(comparison.clients[0]!)).toBe('partly');
    expect(comparePage(told(comparison), [])).toContain('compared in part');
    const two = sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100] });
    const none = without(two, ['ttft', 'e2e']);
    expect(told(compare(none, again(none))).sentences.headline).toMatch(
      /^Of 2 clients, unchanged in what could be compared, which is not all: tare-multi and asyncio\.$/,
    );
  });

  it('says when nothing can be told', () => {
    const two = sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100], repetitions: 1 });
    expect(told(compare(two, again(two))).sentences.headline).toBe(
      'Of 2 clients, nothing can be told of tare-multi and asyncio.',
    );
  });

  it('names a client and a rate that are gone, also beside one that is compared', () => {
    const two = sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100, 400] });
    const client = again({ ...two, clients: two.clients.filter(({ name }) => name !== 'asyncio') });
    expect(told(compare(two, client)).sentences.headline).toMatch(/ Gone from B: asyncio\.$/);
    expect(comparePage(told(compare(two, client)), [])).toContain('Gone from B: asyncio.');
    const rate = again({ ...two, trials: two.trials.filter(({ workload }) => workload.rateRps === 100) });
    expect(told(compare(two, rate)).sentences.headline).toMatch(
      / Not run in B: tare-multi at 400\/s; asyncio at 400\/s\.$/,
    );
  });

  it('says that A and B are one audit, and no interval is printed', () => {
    const document = told(compare(base, base));
    expect(document.sentences.headline).toMatch(/^A and B are the same audit: there is nothing to compare\./);
    expect(document.sentences.family).toBe('No interval: A and B are the same trials.');
    expect(compareTable(document, { all: true })).not.toMatch(/\d to \d/);
  });
});

describe('words', () => {
  it('say of more requests that they are more than was asked', () => {
    const more = again(
      mapTrials(base, (trial) => ({ ...trial, truth: { ...trial.truth!, rate_fidelity: 1.03 } })),
    );
    expect(told(compare(base, more)).sentences.headline).toMatch(
      /worse at 100\/s: share of the rate \+3\.00 points \([^)]*\), more than was asked;/,
    );
  });

  it('do not promise 95 % of any values, and advise five repetitions where something is open', () => {
    const wild = mapTrials(base, (trial) => ({
      ...trial,
      bias: trial.bias.map((row) => ({ ...row, queueing_bias_ms: trial.repetition * 3 })),
    }));
    const { family } = told(compare(wild, again(wild))).sentences;
    expect(family).toMatch(/^8 figures decide, .*For spreads alike and values not far from normal/);
    expect(family).toContain('24 other figures are a family besides');
    expect(family).toContain('With 3 repetitions on a side intervals are wide: 5 (--repetitions 5)');
  });

  it('name figures whose spreads are very unlike', () => {
    const spread = (document: AuditDocument, by: number, times: number) =>
      mapTrials(document, (trial) => ({
        ...trial,
        bias: trial.bias.map((row) => ({ ...row, queueing_bias_ms: by + times * trial.repetition })),
      }));
    const { caveats } = told(compare(spread(base, 0, 0.1), again(spread(base, 90, 1)))).sentences;
    expect(caveats.find((text) => text.startsWith('The spread'))).toContain('asyncio at 100/s, TTFT p50');
  });

  it('tell of other figures without deciding by them', () => {
    const e2e = again(
      shifted(base, { client: 'asyncio', rate: 100, metric: 'e2e', statistic: 'p99', by: 90 }),
    );
    const document = told(compare(base, e2e));
    expect(document.sentences.headline).toMatch(
      /besides, in figures that do not decide, worse at 100\/s: E2E p99 \+90/,
    );
    expect(clientState(document.clients[0]!)).not.toBe('worse');
  });
});

describe('the chart', () => {
  it('has a row a client though their names are cut alike', () => {
    const long = 'a-client-with-a-very-long-name-of-version';
    const named = (document: AuditDocument): AuditDocument => {
      const name = (of: string) => (of === 'asyncio' ? `${long}-1` : `${long}-2`);
      return {
        ...document,
        clients: document.clients.map((one) => ({ ...one, name: name(one.name) })),
        trials: document.trials.map((one) => ({ ...one, client: name(one.client) })),
        findings: document.findings.map((one) => ({ ...one, client: name(one.client) })),
      };
    };
    const two = named(sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100] }));
    const comparison = compare(two, again(two));
    const chart = compareChart(comparison, 'ttft_p50', bothProvenances(two, again(two), comparison))!;
    const view = chart.view as unknown as { data: { values: { key: string; row: string }[] } };
    expect(new Set(view.data.values.map(({ key }) => key)).size).toBe(2);
    expect(new Set(view.data.values.map(({ row }) => row)).size).toBe(1);
  });
});
