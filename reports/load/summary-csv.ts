/** summary.csv and seconds.csv: the report's figures, one a row with its unit, and the run interval by interval. */
import type { FromT0, LoadReport, OverAll, OverSuccesses } from '../../src/load/report.ts';
import type { LoadSeries } from '../../src/load/series.ts';
import { toCsv } from '../csv.ts';
import { latencyRows, partRows, SUMMARY_COLUMNS, type SummaryRow, summaryCells } from './summary-rows.ts';

/** Every latency of a report with its t0 and the requests that it is of. */
export function latencies(
  r: LoadReport,
): readonly { metric: string; t0: string; over: string; figures: OverSuccesses | OverAll }[] {
  const both = (metric: string, t0: string, one: FromT0['ttft']) => [
    { metric, t0, over: 'successes', figures: one.over_successes },
    { metric, t0, over: 'all', figures: one.over_all },
  ];
  const from = (t0: 'scheduled' | 'sent', f: FromT0) => [
    ...both('ttft', t0, f.ttft),
    ...both('first_answer', t0, f.first_answer),
    ...both('e2e', t0, f.e2e),
    ...both('ntpot', t0, f.ntpot),
  ];
  return [
    ...from('scheduled', r.from_scheduled),
    ...from('sent', r.from_sent),
    ...both('tpot', '', r.tpot),
    { metric: 'itl', t0: '', over: 'successes', figures: r.itl },
    { metric: 'headers', t0: 'sent', over: 'successes', figures: r.headers },
    { metric: 'schedule_lag', t0: 'scheduled', over: 'sent', figures: r.schedule_lag },
  ];
}

/** A row a figure: figure, its task or stage (empty: the whole run), t0, what it is over, statistic, value, unit, n, and why it is absent. */
export function summaryCsv(r: LoadReport): string {
  const rows: SummaryRow[] = [];
  const add = (figure: string, statistic: string, value: number | null, unit: string, absent = ''): void =>
    void rows.push({ figure, statistic, value, unit, absent });
  const absentRate = 'fewer than two requests';
  add(
    'rate',
    'requested',
    r.rate.requested_rps,
    'requests/s',
    r.rate.requested_rps === null ? 'none was asked' : '',
  );
  for (const name of ['scheduled', 'sent', 'completed'] as const) {
    const value = r.rate[`${name}_rps`];
    add('rate', name, value, 'requests/s', value === null ? absentRate : '');
  }
  add(
    'tokens',
    'per_second',
    r.tokens.per_second,
    'tokens/s',
    r.tokens.per_second === null ? absentRate : '',
  );
  add('success_rate', '', r.counts.success_rate, 'share');
  add('requests', 'scheduled', r.counts.scheduled, 'requests');
  add('requests', 'sent', r.counts.sent, 'requests');
  for (const [outcome, n] of Object.entries(r.counts.outcomes)) add('requests', outcome, n, 'requests');
  add('requests', 'peak_in_flight', r.counts.peak_in_flight, 'requests');
  add('requests', 'retried', r.retry.retried, 'requests');
  add('startup', '', r.startup_s, 's', r.startup_s === null ? 'nothing was sent' : '');
  add('teardown', '', r.teardown_s, 's', r.teardown_s === null ? 'no request succeeded' : '');
  add('trusted', '', r.trusted ? 1 : 0, 'yes is 1');
  for (const { metric, t0, over, figures } of latencies(r))
    rows.push(...latencyRows({}, metric, t0, over, figures));
  return toCsv(SUMMARY_COLUMNS, [...rows, ...partRows(r)].map(summaryCells));
}

/** A row an interval of the run. */
export function secondsCsv(series: LoadSeries): string {
  return toCsv(
    [
      'from_s',
      'length_s',
      'scheduled',
      'sent',
      'completed',
      'failed',
      'in_flight_at_end',
      'due_at_end',
      't0',
      'ttft_p50_ms',
      'ttft_p99_ms',
      'e2e_p50_ms',
      'e2e_p99_ms',
    ],
    series.intervals.map((i) => [
      i.from_s,
      series.interval_s,
      i.scheduled,
      i.sent,
      i.completed,
      i.failed,
      i.in_flight,
      i.due,
      series.t0,
      i.ttft_p50_ms,
      i.ttft_p99_ms,
      i.e2e_p50_ms,
      i.e2e_p99_ms,
    ]),
  );
}
