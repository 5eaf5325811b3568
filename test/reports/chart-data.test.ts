import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { chartsOf } from '../../reports/charts/all.ts';
import { arrivalsChart, askedCv2 } from '../../reports/charts/arrivals.ts';
import { fullSpec } from '../../reports/charts/chart.ts';
import { dataCsv } from '../../reports/charts/data.ts';
import { envelopeChart } from '../../reports/charts/envelope.ts';
import { threadsChart } from '../../reports/charts/threads.ts';
import { ttftChart } from '../../reports/charts/ttft.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { envelopeSample } from './envelope-sample.ts';
import { sampleDocument } from './sample.ts';

type Row = Readonly<Record<string, string>>;
const rowsOf = (chart: Parameters<typeof dataCsv>[0]): Row[] =>
  parse(dataCsv(chart), { columns: true }) as Row[];

const document = sampleDocument({ rates: [100, 1600], repetitions: 3 });
const charts = chartsOf(document);

describe('the data of every chart', () => {
  it.each(charts.map((chart) => [chart.name, chart] as const))(
    '%s: as many cells as columns, finite numbers, the client’s version and the audit',
    (_, { data }) => {
      expect(data.rows.length).toBeGreaterThan(0);
      expect(new Set(data.columns).size).toBe(data.columns.length);
      for (const row of data.rows) {
        expect(row).toHaveLength(data.columns.length);
        for (const cell of row) if (typeof cell === 'number') expect(Number.isFinite(cell)).toBe(true);
      }
      const [first] = rowsOf(data);
      expect(Object.keys(first!).slice(0, 2)).toEqual(['client', 'client_version']);
      expect(first).toMatchObject({
        audit_started_at: document.started_at,
        tare_version: document.tare_version,
        cpu_model: document.host.cpu_model,
      });
    },
  );

  it('is evaluated by no spreadsheet, and says nothing that is not a number', () => {
    const hostile = sampleDocument({ clients: ['asyncio'], rates: [100], repetitions: 1 });
    const name = '=HYPERLINK("http://x")';
    const renamed: AuditDocument = JSON.parse(
      JSON.stringify(hostile).replaceAll('"asyncio"', JSON.stringify(name)),
    );
    for (const chart of chartsOf(renamed)) {
      expect(rowsOf(chart.data)[0]!.client).toBe(`'${name}`);
      expect(JSON.stringify([fullSpec(chart), chart.data])).not.toMatch(/NaN|Infinity/);
    }
  });

  it('leaves an absent figure empty', () => {
    const absent = {
      ...document,
      findings: document.findings.map((f) =>
        f.client === 'asyncio' && f.rate_rps === 100
          ? { ...f, bias_ms: null, low_ms: null, high_ms: null }
          : f,
      ),
    };
    const bias = chartsOf(absent).find(({ name }) => name === 'bias-ttft-p99')!;
    expect(rowsOf(bias.data).find((row) => row.client === 'asyncio' && row.rate_rps === '100')).toMatchObject(
      {
        bias_ms: '',
        low_ms: '',
      },
    );
  });
});

describe('ttft', () => {
  it('tells injected, realized, expected and reported apart at every rate and quantile', () => {
    const rows = rowsOf(ttftChart(document)!.data).filter((row) => row.client === 'k6');
    expect(rows.map((row) => `${row.rate_rps} ${row.statistic}`)).toEqual(
      [100, 1600].flatMap((rate) => ['p50', 'p90', 'p99'].map((name) => `${rate} ${name}`)),
    );
    const finding = document.findings.find(
      (f) => f.client === 'k6' && f.rate_rps === 1600 && f.metric === 'ttft' && f.statistic === 'p90',
    )!;
    expect(Number(rows[4]!.ttft_reported_ms)).toBeCloseTo(finding.reported_ms!, 4);
    expect(Number(rows[4]!.ttft_realized_ms)).toBeCloseTo(finding.realized_ms!, 4);
    expect(Number(rows[4]!.ttft_expected_ms)).toBe(0.5);
    expect(Number(rows[4]!.ttft_injected_ms)).toBeCloseTo(50.075, 4);
  });
});

describe('arrivals-gaps', () => {
  it.each([
    [{ kind: 'constant' }, 0],
    [{ kind: 'poisson' }, 1],
    [{ kind: 'gamma', cv2: 4 }, 4],
    [{ kind: 'trace', file: 'x' }, null],
  ] as const)('%o has gaps of CV² %s', (arrivals, cv2) => {
    expect(askedCv2(arrivals)).toBe(cv2);
  });

  it('has every trial, and nothing where nobody saw the arrivals', () => {
    const cv2 = rowsOf(arrivalsChart(document)!.data).filter((row) => row.figure === 'gap_cv2');
    expect(cv2).toHaveLength(5 * 2 * 3);
    const unseen = {
      ...document,
      trials: document.trials.map((trial) => ({ ...trial, truth: null })),
    };
    expect(arrivalsChart(unseen)).toBeNull();
  });
});

describe('cpu-threads', () => {
  it('shows the middle repetition of the highest rate', () => {
    const shares = [0.2, 0.9, 0.4];
    const trials = document.trials.map((trial) =>
      trial.client === 'asyncio' && trial.workload.rateRps === 1600
        ? {
            ...trial,
            observed: {
              ...trial.observed!,
              busiest_thread_share: shares[trial.repetition]!,
              threads: [
                { pid: 1, tid: 1, name: 'loop', share: shares[trial.repetition]!, wait_share: 0.05 },
                { pid: 1, tid: 2, name: 'idle', share: 0.001, wait_share: null },
              ],
            },
          }
        : trial,
    );
    const chart = threadsChart({ ...document, trials })!;
    const rows = rowsOf(chart.data).filter((row) => row.client === 'asyncio');
    expect(rows.map(({ thread, cpu_share, rate_rps }) => [thread, cpu_share, rate_rps])).toEqual([
      ['loop', '0.4', '1600'],
      ['idle', '0.001', '1600'],
    ]);
    expect(chart.alternative).toContain('asyncio at 1,600/s: loop 40 %, waited 5 %.');
    expect(threadsChart({ ...document, trials: trials.map((t) => ({ ...t, observed: null })) })).toBeNull();
  });
});

describe('envelope-rates', () => {
  it('has a client’s rates with their states and its bracket', () => {
    const rows = rowsOf(envelopeChart(document)!.data);
    const of = (client: string) =>
      rows.filter((row) => row.client === client).map((row) => [row.rate_rps, row.ending]);
    expect(of('tare-multi')).toEqual([
      ['100', 'holds'],
      ['1600', 'holds'],
    ]);
    expect(of('genai-perf')).toEqual([
      ['100', 'holds'],
      ['1600', 'none'],
    ]);
    expect(rows.find((row) => row.client === 'genai-perf')).toMatchObject({
      holds_rps: '100',
      fails_rps: '1600',
    });
  });

  it('takes the brackets of a search, and every one of its trials', async () => {
    const search = await envelopeSample();
    const rows = rowsOf(envelopeChart(document, search)!.data);
    expect(rows).toHaveLength(search.trials.length);
    const client = search.clients.find(({ bracket }) => bracket?.state === 'bracket')!;
    const own = rows.filter((row) => row.client === client.name);
    expect(own[0]).toMatchObject({
      holds_rps: String(Number(client.bracket!.holds!.rate_rps.toPrecision(7))),
      fails_rps: String(Number(client.bracket!.fails!.rate_rps.toPrecision(7))),
    });
    expect(own.filter((row) => row.ending === 'fails')).toHaveLength(
      search.trials.filter((trial) => trial.client === client.name && trial.verdict === 'fails').length,
    );
  });

  it('is left out where no ledger says what holds', () => {
    const target = { ...document.plan.target, kind: 'external' as const, url: 'http://x' };
    expect(envelopeChart({ ...document, plan: { ...document.plan, target } })).toBeNull();
  });
});
