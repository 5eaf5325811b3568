/** Rows of summary.csv about NTPOT's forms, goodput, tasks and stages. */
import type { Latency, LoadReport, OverSuccesses } from '../../src/load/report.ts';
import type { StageReport } from '../../src/load/report-stages.ts';
import type { GoodputFigures, NtpotForms, TaskReport } from '../../src/load/requests/report.ts';
import { type CsvCell, textCell } from '../csv.ts';

/** What a row is of; empty: of the whole run. */
export interface Of {
  readonly task?: string;
  readonly stage?: string;
}

/** A figure of a run, a task or a stage. */
export interface SummaryRow extends Of {
  readonly figure: string;
  readonly t0?: string;
  readonly over?: string;
  readonly statistic?: string;
  readonly value: number | null;
  readonly unit: string;
  readonly n?: number;
  readonly absent?: string | undefined;
}

export const SUMMARY_COLUMNS = [
  ...['figure', 'task', 'stage', 't0', 'over', 'statistic', 'value', 'unit', 'n', 'absent'],
] as const;

/** Its cells. The reason stands only where there is no value. */
export const summaryCells = (r: SummaryRow): CsvCell[] => [
  r.figure,
  textCell(r.task ?? ''),
  textCell(r.stage ?? ''),
  r.t0 ?? '',
  r.over ?? '',
  r.statistic ?? '',
  r.value,
  r.unit,
  r.n ?? null,
  r.value === null ? textCell(r.absent ?? 'there is none') : '',
];

const STATISTICS = ['mean_ms', 'min_ms', 'p50_ms', 'p90_ms', 'p99_ms', 'p999_ms', 'max_ms'] as const;

/** A row a statistic of a latency. */
export const latencyRows = (
  of: Of,
  metric: string,
  t0: string,
  over: string,
  figures: Partial<OverSuccesses> & { readonly n: number; readonly absent?: string },
): SummaryRow[] =>
  STATISTICS.flatMap((statistic) => {
    const value = figures[statistic];
    if (value === undefined) return [];
    const { n, absent } = figures;
    return {
      ...of,
      figure: metric,
      t0,
      over,
      statistic: statistic.slice(0, -3),
      value,
      unit: 'ms',
      n,
      absent,
    };
  });

const bothRows = (of: Of, metric: string, t0: string, l: Latency): SummaryRow[] => [
  ...latencyRows(of, metric, t0, 'successes', l.over_successes),
  ...latencyRows(of, metric, t0, 'all', l.over_all),
];

/** NTPOT in the aggregate form, a row a source of the mean number of tokens; the exact form's mean is among the latencies. */
function aggregateRows(of: Of, ntpot: NtpotForms): SummaryRow[] {
  return (['scheduled', 'sent'] as const).flatMap((t0): SummaryRow[] => {
    const { aggregate, absent } = ntpot[`from_${t0}`];
    const base = { ...of, figure: 'ntpot_aggregate', t0, over: 'successes', unit: 'ms' };
    return aggregate.length === 0
      ? [{ ...base, value: null, absent }]
      : aggregate.map(({ source, ntpot_ms }) => ({ ...base, statistic: source, value: ntpot_ms }));
  });
}

function goodputRows(of: Of, t0: string, g: GoodputFigures): SummaryRow[] {
  const row = (statistic: string, value: number | null, unit: string, absent = g.absent): SummaryRow => ({
    ...of,
    ...{ figure: 'goodput', t0, over: 'all', statistic, value, unit, n: g.scheduled, absent },
  });
  return [
    row('good', g.good, 'requests'),
    row('share_of_scheduled', g.share_of_scheduled, 'share', 'nothing was scheduled'),
    row('share_of_complete', g.share_of_complete, 'share', 'no request succeeded'),
    row('not_complete', g.not_complete, 'requests'),
    row('requests_per_second', g.requests_per_second, 'requests/s'),
    row('tokens_per_second', g.tokens_per_second, 'tokens/s'),
    row('completed_per_second', g.completed_per_second, 'requests/s'),
    ...g.slos.flatMap((slo) => [
      row(`${slo.metric}_limit`, slo.limit_ms, 'ms', 'tasks have limits of their own'),
      row(`${slo.metric}_missed`, slo.missed, 'requests'),
      row(`${slo.metric}_missed_alone`, slo.missed_alone, 'requests'),
    ]),
  ];
}

function taskRows(t: TaskReport): SummaryRow[] {
  const of = { task: t.name };
  const count = (statistic: string, value: number): SummaryRow => ({
    ...of,
    ...{ figure: 'requests', statistic, value, unit: 'requests' },
  });
  const absent = 'nothing of this task was scheduled';
  return [
    count('scheduled', t.counts.scheduled),
    count('complete', t.counts.complete),
    { ...of, figure: 'success_rate', value: t.counts.success_rate, unit: 'share', absent },
    ...(['scheduled', 'sent'] as const).flatMap((t0) =>
      (['ttft', 'e2e', 'ntpot'] as const).flatMap((metric) =>
        bothRows(of, metric, t0, t[`from_${t0}`][metric]),
      ),
    ),
    ...bothRows(of, 'tpot', '', t.tpot),
    ...aggregateRows(of, t.ntpot),
  ];
}

function stageRows(s: StageReport, i: number): SummaryRow[] {
  // Two stages may be spelled alike.
  const of = { stage: `${i + 1}: ${s.stage}` };
  const row = (figure: string, statistic: string, value: number | null, unit: string): SummaryRow => ({
    ...of,
    ...{ figure, statistic, value, unit, absent: 'the stage took no time, or nothing was due in it' },
  });
  return [
    row('time', '', s.time_s, 's'),
    row('requests', 'scheduled', s.scheduled, 'requests'),
    row('requests', 'ended', s.ended, 'requests'),
    row('requests', 'complete', s.complete, 'requests'),
    row('success_rate', '', s.success_rate, 'share'),
    row('rate', 'scheduled', s.scheduled_rps, 'requests/s'),
    row('rate', 'sent', s.sent_rps, 'requests/s'),
    row('rate', 'completed', s.completed_rps, 'requests/s'),
    ...latencyRows(of, 'ttft', 'scheduled', 'successes', s.ttft),
    ...latencyRows(of, 'e2e', 'scheduled', 'successes', s.e2e),
  ];
}

/** All of them that the report has. */
export const partRows = (r: LoadReport): SummaryRow[] => [
  ...aggregateRows({}, r.ntpot),
  ...(r.goodput === null
    ? []
    : [
        ...goodputRows({}, r.goodput.from, r.goodput),
        ...(r.goodput.by_task ?? []).flatMap((task) =>
          goodputRows({ task: task.name }, r.goodput!.from, task),
        ),
      ]),
  ...(r.tasks ?? []).flatMap(taskRows),
  ...(r.stages?.list ?? []).flatMap(stageRows),
];
