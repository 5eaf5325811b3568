/** Samples of metrics.prom about goodput, NTPOT's aggregate form, tasks and stages. */
import type { LoadReport, OverSuccesses } from '../../src/load/report.ts';
import type { GoodputFigures } from '../../src/load/requests/report.ts';

export type Labels = Readonly<Record<string, string | null>>;
type Sample = readonly [Labels, number | null];

/** A family of counters or gauges; a null is left out. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
}

const T0 = ['scheduled', 'sent'] as const;
const perThousand = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** Where tasks are told apart there is a sample for each and none for all, so that a sum is that of the run. */
function goodputFamilies({ goodput }: LoadReport): Family[] {
  if (goodput === null) return [];
  const parts: readonly (readonly [string | null, GoodputFigures])[] =
    goodput.by_task === null ? [[null, goodput]] : goodput.by_task.map((task) => [task.name, task]);
  const each = (value: (g: GoodputFigures) => number | null): Sample[] =>
    parts.map(([task, g]) => [{ task }, value(g)]);
  const missed = (of: 'missed' | 'missed_alone'): Sample[] =>
    parts.flatMap(([task, g]) => g.slos.map((slo): Sample => [{ task, goal: slo.metric }, slo[of]]));
  return [
    {
      name: 'tare_load_good_requests_total',
      type: 'counter',
      help: 'Requests that succeeded and met every goal, by task where there are some.',
      samples: each((g) => g.good),
    },
    {
      name: 'tare_load_goal_missed_total',
      type: 'counter',
      help: 'Successful requests that missed this goal.',
      samples: missed('missed'),
    },
    {
      name: 'tare_load_goal_missed_alone_total',
      type: 'counter',
      help: 'Successful requests that missed this goal and no other.',
      samples: missed('missed_alone'),
    },
    {
      name: 'tare_load_goodput_requests_per_second',
      type: 'gauge',
      help: 'Good requests over the time of goodput, tare_load_goodput_time_seconds.',
      samples: each((g) => g.requests_per_second),
    },
    {
      name: 'tare_load_goodput_tokens_per_second',
      type: 'gauge',
      help: 'Output tokens of good requests over the same time.',
      samples: each((g) => g.tokens_per_second),
    },
    {
      name: 'tare_load_goodput_completed_per_second',
      type: 'gauge',
      help: 'All successful requests over the same time: the good ones are never more.',
      samples: each((g) => g.completed_per_second),
    },
    {
      name: 'tare_load_goodput_time_seconds',
      type: 'gauge',
      help: 'The time that goodput is over.',
      samples: [[{}, goodput.over_s]],
    },
  ];
}

const QUANTILES = [
  ['0.5', 'p50_ms'],
  ['0.9', 'p90_ms'],
  ['0.99', 'p99_ms'],
] as const;
const quantiles = (labels: Labels, figures: OverSuccesses): Sample[] =>
  QUANTILES.map(([quantile, field]) => [{ ...labels, quantile }, perThousand(figures[field])]);

function taskFamilies({ tasks }: LoadReport): Family[] {
  if (tasks === null) return [];
  return [
    {
      name: 'tare_load_task_requests_total',
      type: 'counter',
      help: 'Requests of the schedule by task, complete and failed.',
      samples: tasks.flatMap(({ name: task, counts }): Sample[] => [
        [{ task, outcome: 'complete' }, counts.complete],
        [{ task, outcome: 'failed' }, counts.failed],
      ]),
    },
    ...(['ttft', 'e2e', 'ntpot'] as const).map(
      (metric): Family => ({
        name: `tare_load_task_${metric}_seconds`,
        type: 'gauge',
        help: `Percentiles of ${metric.toUpperCase()} of successful requests by task, from the instant t0.`,
        samples: tasks.flatMap((t) =>
          T0.flatMap((t0) => quantiles({ task: t.name, t0 }, t[`from_${t0}`][metric].over_successes)),
        ),
      }),
    ),
    {
      name: 'tare_load_task_tpot_seconds',
      type: 'gauge',
      help: 'Percentiles of TPOT of successful requests by task.',
      samples: tasks.flatMap((t) => quantiles({ task: t.name }, t.tpot.over_successes)),
    },
  ];
}

function stageFamilies({ stages }: LoadReport): Family[] {
  if (stages === null) return [];
  // Two stages may be spelled alike.
  const each = stages.list.map((s, i) => ({ s, labels: { stage: String(i + 1), spelled: s.stage } }));
  return [
    {
      name: 'tare_load_stage_requests_total',
      type: 'counter',
      help: 'Requests due in the stage, and of these ended and complete.',
      samples: each.flatMap(({ s, labels }) =>
        (['scheduled', 'ended', 'complete'] as const).map((kind): Sample => [{ ...labels, kind }, s[kind]]),
      ),
    },
    {
      name: 'tare_load_stage_requests_per_second',
      type: 'gauge',
      help: 'Due, sent and completed in the time of the stage.',
      samples: each.flatMap(({ s, labels }) =>
        (['scheduled', 'sent', 'completed'] as const).map(
          (kind): Sample => [{ ...labels, kind }, s[`${kind}_rps`]],
        ),
      ),
    },
    ...(['ttft', 'e2e'] as const).map(
      (metric): Family => ({
        name: `tare_load_stage_${metric}_seconds`,
        type: 'gauge',
        help: `Percentiles of ${metric.toUpperCase()} of successful requests that were due in the stage, from the scheduled instant.`,
        samples: each.flatMap(({ s, labels }) => quantiles(labels, s[metric])),
      }),
    ),
  ];
}

/** All of them that the report has. */
export const partFamilies = (r: LoadReport): Family[] => [
  {
    name: 'tare_load_ntpot_aggregate_seconds',
    type: 'gauge',
    help: 'TPOT + TTFT / mean output tokens, by where that mean is from, from the instant t0.',
    samples: T0.flatMap((t0) =>
      r.ntpot[`from_${t0}`].aggregate.map(
        ({ source, ntpot_ms }): Sample => [{ t0, source }, ntpot_ms / 1000],
      ),
    ),
  },
  ...goodputFamilies(r),
  ...taskFamilies(r),
  ...stageFamilies(r),
];
