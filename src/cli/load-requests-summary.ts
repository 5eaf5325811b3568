/** What a load report says of its prompts, NTPOT, tasks and goodput, in lines for people. */
import Table from 'cli-table3';
import type { LoadReport } from '../load/report.ts';
import type { GoodputFigures, NtpotReport, TaskReport } from '../load/requests/report.ts';

const ms = (value: number | null): string =>
  value === null ? '–' : value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 1);
const number = (value: number | null): string =>
  value === null ? '–' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
const share = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`);
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${ms(Math.abs(value))}`;

function promptLine({ prompts }: LoadReport): string {
  const asked = prompts.asked_tokens_mean;
  const usage = prompts.by_usage_tokens_mean;
  const means =
    asked === null || usage === null
      ? ''
      : `; ${number(asked)} words a prompt asked in the mean, ${number(usage)} tokens by the server’s usage`;
  return `prompts: ${prompts.prefix_cache}${means}`;
}

function ntpotLines(name: string, n: NtpotReport): string[] {
  const [first] = n.aggregate;
  if (first === undefined || n.exact_mean_ms === null) return [];
  const others = n.aggregate
    .filter((a) => a.output_tokens_mean !== first.output_tokens_mean)
    .map((a) => `, ${ms(a.ntpot_ms)} ms with ${number(a.output_tokens_mean)} ${a.source}`);
  return [
    `${name}: exact ${ms(n.exact_mean_ms)} ms (mean of E2E/n); aggregate ${ms(first.ntpot_ms)} ms (TPOT + TTFT/E[n], E[n] = ${number(first.output_tokens_mean)} by ${first.source})${others.join('')}; they differ by ${signed(n.exact_minus_aggregate_ms!)}: ${signed(n.of_unlike_lengths_ms!)} since 1/n is convex and lengths differ, ${signed(n.of_first_token_ms!)} since the first token has no gap`,
  ];
}

function missed(g: GoodputFigures): string {
  const parts = g.slos
    .filter((slo) => slo.missed > 0)
    .map((slo) => `${slo.metric} ${slo.missed} (alone ${slo.missed_alone})`);
  if (g.not_complete > 0) parts.push(`not complete ${g.not_complete}`);
  return parts.length === 0 ? 'none missed a goal' : `missed: ${parts.join(', ')}`;
}

const goodLine = (g: GoodputFigures): string =>
  `${number(g.requests_per_second)} requests/s, ${number(g.tokens_per_second)} tokens/s; ${g.good} of ${g.scheduled} scheduled were good (${share(g.share_of_scheduled)}); ${missed(g)}`;

function goodputLines({ goodput }: LoadReport): string[] {
  if (goodput === null) return [];
  const vacuous = goodput.slos.some(({ metric }) => metric === 'tpot') ? goodput.without_tpot : 0;
  return [
    `goodput for ${goodput.goals.join(', ')} (from ${goodput.from}${goodput.over_s === null ? '' : `, over ${number(goodput.over_s)} s`}): ${goodLine(goodput)}`,
    ...(goodput.by_task ?? []).map((task) => `  ${task.name}: ${goodLine(task)}`),
    ...(vacuous > 0
      ? [
          vacuous === 1
            ? '  1 answer of one token has no TPOT, and counts as having met that goal'
            : `  ${vacuous} answers of one token have no TPOT, and count as having met that goal`,
        ]
      : []),
  ];
}

const HEAD = [
  'task',
  'n',
  'success',
  'prompt',
  'output',
  'TTFT p50',
  'p99',
  'TPOT p50',
  'p99',
  'NTPOT',
  'aggr.',
  'E2E p50',
  'p99',
];

function taskRow(t: TaskReport, from: 'from_scheduled' | 'from_sent'): string[] {
  const { ttft, e2e } = t[from];
  const ntpot = t.ntpot[from];
  return [
    t.name,
    String(t.counts.scheduled),
    share(t.counts.success_rate),
    number(t.tokens.prompt_by_usage_mean ?? t.tokens.asked_prompt_mean),
    number(t.tokens.output_mean),
    ms(ttft.over_successes.p50_ms),
    ms(ttft.over_successes.p99_ms),
    ms(t.tpot.over_successes.p50_ms),
    ms(t.tpot.over_successes.p99_ms),
    ms(ntpot.exact_mean_ms),
    ms(ntpot.aggregate[0]?.ntpot_ms ?? null),
    ms(e2e.over_successes.p50_ms),
    ms(e2e.over_successes.p99_ms),
  ];
}

function taskTable(tasks: readonly TaskReport[], from: 'from_scheduled' | 'from_sent'): string {
  const table = new Table({
    head: HEAD,
    style: { head: [], border: [] },
    colAligns: HEAD.map((_, i) => (i === 0 ? 'left' : 'right')),
  });
  for (const task of tasks) table.push(taskRow(task, from));
  return `${table.toString()}\nby task, of answers that succeeded: mean tokens; ms, TTFT, NTPOT and E2E ${from.replace('_', ' ')}; NTPOT as mean of E2E/n and in the aggregate form\n`;
}

/** The instant that figures are from: the scheduled one, but for a closed loop, which has none. */
const fromOf = (r: LoadReport): 'from_scheduled' | 'from_sent' =>
  r.ntpot.from_scheduled.exact_mean_ms === null ? 'from_sent' : 'from_scheduled';

/** Lines that stand before the table of latencies. */
export const requestLines = (r: LoadReport): string[] => [
  promptLine(r),
  ...ntpotLines(`NTPOT ${fromOf(r).replace('_', ' ')}`, r.ntpot[fromOf(r)]),
  ...goodputLines(r),
];

/** The table of tasks, or nothing. */
export const taskLines = (r: LoadReport): string => (r.tasks === null ? '' : taskTable(r.tasks, fromOf(r)));
