/** The files of a load read back: HdrHistogram's log by its own reader, the exposition by a parser, CSV by a parser. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type Histogram, HistogramLogReader, listTags } from 'hdr-histogram-js';
import parsePrometheus from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import { collect } from '../../reports/load/collect.ts';
import { HLOG_TAGS, type HlogTag } from '../../reports/load/hlog.ts';
import { escapeLabel, promText } from '../../reports/load/prometheus.ts';
import type { REQUEST_COLUMNS } from '../../reports/load/requests-csv.ts';
import { secondsCsv, summaryCsv } from '../../reports/load/summary-csv.ts';
import type { LoadReport, OverSuccesses } from '../../src/load/report.ts';
import { type Sample, type SampleRequest, sampleRun, steady } from './load-sample.ts';

function filesOf({ report, records }: Sample) {
  let csv = '';
  let hlog = '';
  const collected = collect(report, records, {
    csv: (text) => {
      csv += text;
    },
    hlog: (text) => {
      hlog += text;
    },
  });
  return { csv, hlog, ...collected };
}

function readLog(text: string): { tag: string; h: Histogram; startMs: number; endMs: number }[] {
  const reader = new HistogramLogReader(text);
  const all: { tag: string; h: Histogram; startMs: number; endMs: number }[] = [];
  for (let h = reader.nextIntervalHistogram(); h !== null; h = reader.nextIntervalHistogram())
    all.push({ tag: h.tag, h, startMs: h.startTimeStampMsec, endMs: h.endTimeStampMsec });
  return all;
}

const FIGURES: Readonly<Record<HlogTag, (r: LoadReport) => OverSuccesses>> = {
  TTFT: (r) => r.from_scheduled.ttft.over_successes,
  TTFT_sent: (r) => r.from_sent.ttft.over_successes,
  E2E: (r) => r.from_scheduled.e2e.over_successes,
  E2E_sent: (r) => r.from_sent.e2e.over_successes,
  TPOT: (r) => r.tpot.over_successes,
  ITL: (r) => r.itl,
  lag: (r) => r.schedule_lag,
};

/** Adds the intervals of a tag up: counts by the value that stands for their bucket. */
function total(log: ReturnType<typeof readLog>, tag: string): { n: number; at: (percent: number) => number } {
  const own = log.filter((one) => one.tag === tag).map(({ h }) => h);
  const sum = own[0]!;
  for (const h of own.slice(1)) sum.add(h);
  return { n: sum.totalCount, at: (percent) => sum.getValueAtPercentile(percent) };
}

describe('load.hlog', () => {
  it('holds, over its intervals, the counts and percentiles of the report', () => {
    const sample = sampleRun(steady(730, true));
    const { hlog } = filesOf(sample);
    expect(listTags(hlog).sort()).toEqual(Object.keys(HLOG_TAGS).sort());
    const log = readLog(hlog);
    for (const tag of Object.keys(HLOG_TAGS) as HlogTag[]) {
      const of = FIGURES[tag](sample.report);
      const { n, at } = total(log, tag);
      expect([tag, n]).toEqual([tag, of.n]);
      for (const [percent, value] of [
        [50, of.p50_ms],
        [90, of.p90_ms],
        [99, of.p99_ms],
      ] as const)
        expect(Math.abs(at(percent) / 1e6 - value!), `${tag} p${percent}`).toBeLessThan(
          0.0011 * value! + 1e-6,
        );
    }
  });

  it('has an interval a second, in which requests ended, at absolute times', () => {
    const sample = sampleRun(steady(250));
    const log = readLog(filesOf(sample).hlog).filter(({ tag }) => tag === 'E2E');
    const start = Date.parse(sample.report.started_at);
    expect(log.map(({ startMs }) => Math.round(startMs - start))).toEqual([0, 1000, 2000]);
    expect(log.every(({ startMs, endMs }) => Math.round(endMs - startMs) === 1000)).toBe(true);
    const inFirst = sample.records.filter((r) => r.end_ns! - sample.report.start_ns < 1e9).length;
    expect(log[0]!.h.totalCount).toBe(inFirst);
  });

  it('names its format, its units and the ratio of the maximum, and has no empty line', () => {
    const { hlog } = filesOf(sampleRun(steady(20)));
    const lines = hlog.split('\n').slice(0, -1);
    expect(lines).toContain('#[Histogram log format version 1.3]');
    expect(lines[0]).toContain('values in nanoseconds');
    expect(lines[0]).toContain('maxValueUnitRatio 1000000');
    expect(lines.every((line) => line !== '')).toBe(true);
    // 20 to 26 ms after the scheduled instant: 26 is the greatest, in ms.
    const [, , , max] = lines.find((line) => line.startsWith('Tag=TTFT,'))!.split(',');
    expect(Number(max)).toBeCloseTo(26, 1);
  });

  it('holds whatever was measured: zeros, hours, values out of order', () => {
    const ms = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 7_200_000 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(ms, ms, ms), { minLength: 1, maxLength: 12 }), (list) => {
        const requests = list.map(
          ([scheduledMs, first, gap], index): SampleRequest => ({
            index,
            scheduledMs,
            sentMs: scheduledMs,
            tokenMs: [scheduledMs + first, scheduledMs + first + gap],
          }),
        );
        const log = readLog(filesOf(sampleRun(requests)).hlog);
        const ttfts = list.map(([, first]) => first * 1e6).sort((a, b) => a - b);
        const { n, at } = total(log, 'TTFT');
        expect(n).toBe(list.length);
        expect(at(100)).toBeGreaterThanOrEqual(ttfts.at(-1)!);
        expect(at(100)).toBeLessThanOrEqual(ttfts.at(-1)! * 1.001 + 1);
      }),
      { numRuns: 15 },
    );
  });
});

const HOSTILE = 'a"b\\c\nd{e="f"} 1\n# TYPE x counter';

describe('metrics.prom', () => {
  const sample = sampleRun(steady(500, true));
  const { buckets } = filesOf(sample);
  const text = promText(sample.report, buckets);
  const families = parsePrometheus(text);
  const family = (name: string) => families.find((one) => one.name === name)!;

  it('is read by a parser, each family once, with help and a type', () => {
    expect(families.length).toBeGreaterThan(20);
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
    for (const { help, type } of families) expect([help !== '', type !== 'UNTYPED']).toEqual([true, true]);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/NaN|null|undefined/);
  });

  it('counts requests by outcome, with model, endpoint and rate on each', () => {
    const { metrics } = family('tare_load_requests_total');
    expect(metrics.find(({ labels }) => labels!.outcome === 'complete')).toMatchObject({
      value: '450',
      labels: { model: 'tare', endpoint: 'chat', rate_rps: '100', arrivals: 'constant' },
    });
    expect(metrics.reduce((n, { value }) => n + Number(value), 0)).toBe(500);
  });

  it('has histograms whose buckets grow to their count, in seconds', () => {
    for (const [name, of] of [
      ['ttft', sample.report.from_scheduled.ttft.over_successes],
      ['e2e', sample.report.from_scheduled.e2e.over_successes],
      ['tpot', sample.report.tpot.over_successes],
      ['itl', sample.report.itl],
      ['schedule_lag', sample.report.schedule_lag],
    ] as const) {
      const own = text
        .split('\n')
        .filter((line) => line.startsWith(`tare_load_${name}_seconds_`) && !line.includes('t0="sent"'));
      const counts = own.filter((l) => l.includes('_bucket')).map((l) => Number(l.split(' ').at(-1)));
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      const value = (part: string) =>
        Number(
          own
            .find((l) => l.includes(part))!
            .split(' ')
            .at(-1),
        );
      expect(counts.at(-1)).toBe(of.n);
      expect(value('_count')).toBe(of.n);
      expect(value('_sum')).toBeCloseTo((of.mean_ms! * of.n) / 1000, 4);
    }
    // TTFT is 20 to 26 ms: none within 10 ms, all within 50; and of 7 in turn, 20 to 25 are within 25 ms.
    const at = (le: string) =>
      Number(
        text
          .split('\n')
          .find(
            (l) =>
              l.startsWith('tare_load_ttft_seconds_bucket') &&
              l.includes('t0="scheduled"') &&
              l.includes(`le="${le}"`),
          )!
          .split(' ')
          .at(-1),
      );
    expect(at('0.01')).toBe(0);
    expect(at('0.05')).toBe(450);
    expect(at('0.025')).toBe(
      sample.records.filter((r) => r.outcome === 'complete' && r.index % 7 <= 5).length,
    );
  });

  it('has the report’s percentiles as summaries, and leaves out what is absent', () => {
    const line = text
      .split('\n')
      .find(
        (l) =>
          l.startsWith('tare_load_ttft_quantiles_seconds{') &&
          l.includes('quantile="0.99"') &&
          l.includes('t0="scheduled"'),
      )!;
    expect(Number(line.split(' ').at(-1))).toBeCloseTo(
      sample.report.from_scheduled.ttft.over_successes.p99_ms! / 1000,
      9,
    );
    const none = sampleRun([{ index: 0, scheduledMs: 0, tokenMs: [], outcome: 'httpError', status: 500 }]);
    const empty = promText(none.report, filesOf(none).buckets);
    expect(empty).not.toContain('quantile=');
    expect(empty).not.toMatch(/NaN|null/);
    parsePrometheus(empty);
  });

  it('escapes labels: a hostile model name is one label, and makes no sample of its own', () => {
    const hostile = sampleRun(steady(5), { model: HOSTILE });
    const shown = promText(hostile.report, filesOf(hostile).buckets);
    const info = parsePrometheus(shown).find(({ name }) => name === 'tare_load_info');
    expect(info!.metrics[0]!.labels!.model).toBe(HOSTILE);
    expect(
      shown.split('\n').filter((line) => /^(?!tare_load_|# (HELP|TYPE) tare_load_|$)/.test(line)),
    ).toEqual([]);
    expect(escapeLabel('\\"\n')).toBe('\\\\\\"\\n');
  });
});

describe('requests.csv', () => {
  const sample = sampleRun([
    ...steady(30, true),
    {
      index: 30,
      scheduledMs: 300.000001,
      sentMs: null,
      tokenMs: [],
      outcome: 'connectError',
      status: 0,
      id: '',
    },
    { index: 31, scheduledMs: 310, tokenMs: [333, 334], id: '=HYPERLINK("x")' },
  ]);
  const rows = parse(filesOf(sample).csv, { columns: true }) as Record<
    (typeof REQUEST_COLUMNS)[number],
    string
  >[];

  it('has a row a request with the instants of its record to the nanosecond', () => {
    expect(rows).toHaveLength(32);
    for (const [i, record] of sample.records.entries()) {
      const row = rows[i]!;
      expect(Number(row.index)).toBe(record.index);
      for (const [column, ns] of [
        ['scheduled_ms', record.scheduled_ns],
        ['sent_ms', record.sent_ns],
        ['first_token_ms', record.first_token_ns],
        ['last_token_ms', record.last_token_ns],
        ['end_ms', record.end_ns],
      ] as const)
        expect(row[column] === '' ? null : Math.round(Number(row[column]) * 1e6)).toBe(
          ns === null ? null : ns - sample.report.start_ns,
        );
    }
  });

  it('leaves empty what did not happen, and lets no spreadsheet evaluate an id', () => {
    expect(rows[30]).toMatchObject({
      outcome: 'connectError',
      status: '',
      sent_ms: '',
      ttft_from_sent_ms: '',
      schedule_lag_ms: '',
      response_id: '',
    });
    expect(rows[31]!.response_id).toBe(`'=HYPERLINK("x")`);
    expect(rows[9]).toMatchObject({ outcome: 'httpError', status: '503', e2e_from_scheduled_ms: '' });
  });

  it('has figures whose mean is the report’s', () => {
    const values = rows.flatMap((row) =>
      row.ttft_from_scheduled_ms === '' ? [] : [Number(row.ttft_from_scheduled_ms)],
    );
    expect(values).toHaveLength(sample.report.counts.complete);
    expect(values.reduce((a, b) => a + b, 0) / values.length).toBeCloseTo(
      sample.report.from_scheduled.ttft.over_successes.mean_ms!,
      5,
    );
  });
});

describe('what is left out at the start', () => {
  it('is in the CSV, marked, and over time, but in no figure of the other files', () => {
    const { report, records } = sampleRun(steady(200));
    let csv = '';
    let hlog = '';
    const { buckets, series } = collect(
      report,
      records.map((r) => ({ ...r, excluded: r.index < 50 })),
      { csv: (text) => (csv += text), hlog: (text) => (hlog += text) },
    );
    expect(
      (parse(csv, { columns: true }) as { excluded: string }[]).filter((r) => r.excluded === '1'),
    ).toHaveLength(50);
    expect(total(readLog(hlog), 'E2E').n).toBe(150);
    expect(buckets.of('ttft_scheduled').count).toBe(150);
    expect(series.intervals.reduce((n, i) => n + i.completed, 0)).toBe(200);
  });
});

describe('summary.csv and seconds.csv', () => {
  const sample = sampleRun(steady(200, true));
  const { series } = filesOf(sample);
  type Row = Record<
    'figure' | 'task' | 'stage' | 't0' | 'over' | 'statistic' | 'value' | 'unit' | 'n' | 'absent',
    string
  >;
  const rows = parse(summaryCsv(sample.report), { columns: true }) as Row[];
  const find = (wanted: Partial<Row>) =>
    rows.filter((row) => Object.entries(wanted).every(([key, value]) => row[key as keyof Row] === value));

  it('has every figure once with its unit, and why it is absent', () => {
    expect(new Set(rows.map((r) => [r.figure, r.task, r.stage, r.t0, r.over, r.statistic].join())).size).toBe(
      rows.length,
    );
    expect(rows.every((row) => row.unit !== '' && (row.value !== '') !== (row.absent !== ''))).toBe(true);
    expect(find({ figure: 'ttft', t0: 'scheduled', over: 'successes', statistic: 'p99' })).toMatchObject([
      { value: String(sample.report.from_scheduled.ttft.over_successes.p99_ms), unit: 'ms', n: '180' },
    ]);
    // A tenth failed: p99 over all falls among them.
    expect(find({ figure: 'ttft', t0: 'scheduled', over: 'all', statistic: 'p99' })).toMatchObject([
      { value: '', absent: expect.stringContaining('20 of 200 requests') },
    ]);
    expect(find({ figure: 'requests', statistic: 'httpError' })).toMatchObject([{ value: '20' }]);
  });

  it('has a row an interval', () => {
    const seconds = parse(secondsCsv(series), { columns: true }) as Record<string, string>[];
    expect(seconds.map((row) => [row.from_s, row.scheduled])).toEqual([
      ['0', '100'],
      ['1', '100'],
      ...(seconds.length > 2 ? [['2', '0']] : []),
    ]);
    expect(seconds.reduce((n, row) => n + Number(row.completed) + Number(row.failed), 0)).toBe(200);
  });
});
