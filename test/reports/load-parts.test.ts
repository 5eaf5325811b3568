/** Goodput, NTPOT's forms, tasks and stages in summary.csv, metrics.prom, requests.csv and on the page. */
import { parse } from 'csv-parse/sync';
import parsePrometheus from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import { collect } from '../../reports/load/collect.ts';
import type { LoadDocument } from '../../reports/load/document.ts';
import { promText } from '../../reports/load/prometheus.ts';
import { goodputSection, ntpotLine, taskSection } from '../../reports/load/request-sections.ts';
import { summaryCsv } from '../../reports/load/summary-csv.ts';
import type { LoadOptions } from '../../src/load/options.ts';
import { LOAD_DEFAULTS } from '../../src/load/options.ts';
import { askedFields, withAsked } from '../../src/load/requests/asked-fields.ts';
import { parseSlos } from '../../src/measure/load/slo.ts';
import { parseTaskMix } from '../../src/measure/load/task-mix.ts';
import { sampleRun, steady } from './load-sample.ts';

const change: Partial<LoadOptions> = {
  tasks: parseTaskMix('qa=60%,agent=40%'),
  prefix: { tokens: 16, groups: 3 },
  // TTFT is 20 to 26 ms: a goal that some miss; agents have one of their own.
  slos: [...parseSlos('ttft=24ms'), ...parseSlos('agent:ttft=22ms')],
};
const sample = sampleRun(steady(400, true), change);
const { report } = sample;
const options = { ...LOAD_DEFAULTS, url: 'http://h', rateRps: 100, requests: 400, ...change };
const withFields = () => [...withAsked(sample.records, askedFields(options), () => false)];

/** Stages as a report has them. */
const figures = report.from_scheduled.ttft.over_successes;
const stage = {
  ...{ stage: '2s@50', time_s: 2, scheduled: 100, ended: 100, complete: 75, success_rate: 0.75 },
  ...{ scheduled_rps: 50, sent_rps: 49.5, completed_rps: 37.5, ttft: figures, e2e: figures },
};
const staged = {
  ...report,
  stages: { list: [stage, stage], length_s: 4, sent_after: 0, completed_after: 0 },
};
const documentOf = (r = report): LoadDocument => ({ report: r }) as LoadDocument;
const goodOf = (name: string) => report.goodput!.by_task!.find((task) => task.name === name)!;

it('the sample has good and bad requests of both tasks', () => {
  expect(report.tasks!.map(({ name }) => name)).toEqual(['qa', 'agent']);
  for (const task of report.goodput!.by_task!) {
    expect(task.good).toBeGreaterThan(0);
    expect(task.slos[0]!.missed).toBeGreaterThan(0);
  }
});

describe('summary.csv', () => {
  const rows = parse(summaryCsv(staged), { columns: true }) as Record<string, string>[];
  const value = (wanted: Record<string, string>): string[] =>
    rows.filter((row) => Object.entries(wanted).every(([key, v]) => row[key] === v)).map((row) => row.value!);

  it('has goodput, of the run and by task, with the goals that were missed', () => {
    const all = { figure: 'goodput', task: '' };
    expect(value({ ...all, statistic: 'good' })).toEqual([String(report.goodput!.good)]);
    expect(value({ ...all, statistic: 'ttft_limit' })).toEqual(['']);
    const agent = goodOf('agent');
    const of = { figure: 'goodput', task: 'agent' };
    expect(value({ ...of, statistic: 'ttft_limit' })).toEqual(['22']);
    expect(value({ ...of, statistic: 'ttft_missed' })).toEqual([String(agent.slos[0]!.missed)]);
    expect(value({ ...of, statistic: 'requests_per_second' })).toEqual([String(agent.requests_per_second)]);
  });

  it('has NTPOT in both forms, and latencies by task and by stage, each once', () => {
    const scheduled = { figure: 'ntpot_aggregate', t0: 'scheduled', task: '', statistic: 'usage' };
    expect(value(scheduled)).toEqual([String(report.ntpot.from_scheduled.aggregate[0]!.ntpot_ms)]);
    const qa = report.tasks!.find(({ name }) => name === 'qa')!;
    const p99 = { t0: 'scheduled', over: 'successes', statistic: 'p99' };
    expect(value({ figure: 'ttft', task: 'qa', ...p99 })).toEqual([
      String(qa.from_scheduled.ttft.over_successes.p99_ms),
    ]);
    expect(value({ figure: 'tpot', task: 'qa', over: 'successes', statistic: 'mean' })).toEqual([
      String(qa.tpot.over_successes.mean_ms),
    ]);
    expect(value({ figure: 'rate', stage: '2: 2s@50', statistic: 'sent' })).toEqual(['49.5']);
    expect(value({ figure: 'ttft', stage: '1: 2s@50', ...p99 })).toEqual([String(figures.p99_ms)]);
    const keys = rows.map((r) => [r.figure, r.task, r.stage, r.t0, r.over, r.statistic].join());
    expect(new Set(keys).size).toBe(keys.length);
    expect(rows.every((r) => (r.value !== '') !== (r.absent !== ''))).toBe(true);
  });
});

describe('metrics.prom', () => {
  const text = promText(staged, collect(report, withFields(), {}).buckets);
  const families = parsePrometheus(text);
  const samples = (name: string) => families.find((one) => one.name === name)?.metrics ?? [];

  it('has good requests and missed goals by task, which add up to the run', () => {
    const good = samples('tare_load_good_requests_total');
    expect(good.map(({ labels }) => labels!.task)).toEqual(['qa', 'agent']);
    expect(good.reduce((n, { value }) => n + Number(value), 0)).toBe(report.goodput!.good);
    expect(
      samples('tare_load_goal_missed_total').find(({ labels }) => labels!.task === 'agent'),
    ).toMatchObject({ labels: { goal: 'ttft' }, value: String(goodOf('agent').slos[0]!.missed) });
    const one = sampleRun(steady(50), { slos: parseSlos('ttft=24ms') });
    const plain = parsePrometheus(promText(one.report, collect(one.report, one.records, {}).buckets));
    const [only, ...more] = plain.find(({ name }) => name === 'tare_load_good_requests_total')!.metrics;
    expect([only!.labels!.task, more]).toEqual([undefined, []]);
    expect(Number(only!.value)).toBe(one.report.goodput!.good);
  });

  it('has NTPOT as a histogram with the sum of the report’s mean, and in the aggregate form', () => {
    const { n, mean_ms } = report.from_scheduled.ntpot.over_successes;
    const line = (part: string): number =>
      Number(
        text
          .split('\n')
          .find((l) => l.startsWith(`tare_load_ntpot_seconds_${part}`) && l.includes('t0="scheduled"'))!
          .split(' ')
          .at(-1),
      );
    expect(line('count')).toBe(n);
    expect(line('sum')).toBeCloseTo((mean_ms! * n) / 1000, 6);
    const aggregate = samples('tare_load_ntpot_aggregate_seconds').find(
      ({ labels }) => labels!.t0 === 'scheduled' && labels!.source === 'usage',
    );
    expect(Number(aggregate!.value)).toBeCloseTo(
      report.ntpot.from_scheduled.aggregate[0]!.ntpot_ms / 1000,
      12,
    );
  });

  it('has tasks and stages, each stage by its place', () => {
    expect(samples('tare_load_task_requests_total')).toHaveLength(4);
    expect(samples('tare_load_stage_requests_total').map(({ labels }) => labels!.stage)).toEqual([
      '1',
      '1',
      '1',
      '2',
      '2',
      '2',
    ]);
    expect(text).toMatch(/tare_load_task_ttft_seconds\{.*task="agent",t0="sent",quantile="0.99"\} 0\.02/);
    expect(text).not.toMatch(/NaN|null|undefined/);
  });
});

describe('requests.csv', () => {
  const rowsOf = (run: Parameters<typeof collect>[0], records: Parameters<typeof collect>[1]) => {
    let csv = '';
    collect(run, records, { csv: (text) => (csv += text) });
    return parse(csv, { columns: true }) as Record<string, string>[];
  };

  it('has the task, what was asked, and the group of the shared beginning', () => {
    const rows = rowsOf(report, withFields());
    expect(new Set(rows.map((row) => row.prefix_group))).toEqual(new Set(['0', '1', '2']));
    expect(new Set(rows.map((row) => row.task))).toEqual(new Set(['qa', 'agent']));
  });

  it('has what was asked where all are alike, too; not of a prompt of the user’s own', () => {
    const alike = sampleRun(steady(3), { promptTokens: 9 });
    expect(rowsOf(alike.report, alike.records)[0]).toMatchObject({
      ...{ asked_prompt_tokens: '9', asked_output_tokens: '3', prefix_group: '' },
    });
    const own = sampleRun(steady(3), { extraBody: { messages: [] } });
    expect(rowsOf(own.report, own.records)[0]).toMatchObject({
      asked_prompt_tokens: '',
      asked_output_tokens: '3',
    });
  });
});

describe('the page', () => {
  const text = (html: { text: string }): string => html.text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  it('has a row a task with its figures, and says which goal fails and how often', () => {
    const tasks = text(taskSection(documentOf()));
    const agent = report.tasks!.find(({ name }) => name === 'agent')!;
    expect(tasks).toContain(` agent ${agent.counts.scheduled} `);
    expect(tasks).toContain('NTPOT aggr.');
    const good = text(goodputSection(documentOf()));
    const { slos, good: n, not_complete } = goodOf('agent');
    expect(good).toContain(` agent ${agent.counts.scheduled} ${n} `);
    expect(good).toContain(
      `TTFT (22.0 ms) by ${slos[0]!.missed}, alone by ${slos[0]!.missed_alone}; ${not_complete} not complete`,
    );
    expect(good).toContain('Goals: ttft=24ms, agent:ttft=22ms, from the scheduled instant');
    expect(text(ntpotLine(documentOf()))).toMatch(
      /exact 9\.\d+ ms .*aggregate 1\d\.\d ms with 3 tokens by usage/,
    );
  });

  it('says nothing of them where there were none', () => {
    const plain = documentOf(sampleRun(steady(3)).report);
    expect(text(taskSection(plain)) + text(goodputSection(plain))).toBe('');
  });
});
