/** What a load summary says of stages and of a closed loop. */
import Table from 'cli-table3';
import type { LoadReport, OverSuccesses } from '../load/report.ts';

const number = (value: number | null, digits = 1): string => (value === null ? '–' : value.toFixed(digits));
const ms = (value: number | null): string =>
  value === null ? '–' : value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 1);
const two = ({ p50_ms, p99_ms }: OverSuccesses): string[] => [ms(p50_ms), ms(p99_ms)];

/** A closed loop in lines that come first: what it is, and what it is not. */
export function closedLines({ closed_loop: loop }: LoadReport): string[] {
  if (loop === null) return [];
  const think = loop.think_ms > 0 ? `, ${loop.think_ms} ms of thinking after each answer` : '';
  const law =
    loop.little_ratio === null
      ? (loop.absent ?? '')
      : `${number(loop.mean_in_flight, 2)} under way in the mean; rate × E2E is ${number(loop.rate_times_e2e, 2)}, ratio ${number(loop.little_ratio, 3)} (Little’s law)`;
  return [
    `CLOSED LOOP: ${loop.concurrency} users${think}; came to ${number(loop.achieved_rps)} requests/s, which is a result and no setting`,
    law,
  ];
}

/** A trace in a line: what of it was used, and what was not. */
export function traceLines({ trace }: LoadReport): string[] {
  if (trace === null) return [];
  const left = [
    [trace.before_slice, 'before the slice'],
    [trace.other_model, 'of other models'],
    [
      trace.failed_rows,
      trace.failed_rows_are === 'sent' ? 'without output, sent with 1 token' : 'without output, left out',
    ],
    [trace.prompts_raised, 'with a prompt of 0 tokens, sent with 1'],
  ] as const;
  const rows = left.filter(([n]) => n > 0).map(([n, what]) => `, ${n} ${what}`);
  return [
    `trace (${trace.format}): ${trace.used} of ${trace.rows} rows${rows.join('')}; lengths ${trace.lengths}`,
    ...trace.notes.map((note) => `Note: ${note}`),
  ];
}

/** The table of stages; empty without. */
export function stageTable({ stages }: LoadReport): string {
  if (stages === null) return '';
  const table = new Table({
    head: [
      'stage',
      's',
      'due',
      'success',
      'due/s',
      'sent/s',
      'done/s',
      'TTFT p50',
      'p99',
      'E2E p50',
      'p99 ms',
    ],
    style: { head: [], border: [] },
    colAligns: ['left', ...new Array<'right'>(10).fill('right')],
  });
  for (const s of stages.list)
    table.push([
      s.stage,
      number(s.time_s),
      String(s.scheduled),
      s.success_rate === null ? '–' : `${(s.success_rate * 100).toFixed(2)} %`,
      number(s.scheduled_rps),
      number(s.sent_rps),
      number(s.completed_rps),
      ...two(s.ttft),
      ...two(s.e2e),
    ]);
  const after =
    stages.completed_after > 0 ? `${stages.completed_after} answers ended after the last stage\n` : '';
  return `${table.toString()}\n${after}`;
}
