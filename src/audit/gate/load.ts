/**
 * Stored reports of `tare load` held to goals: first whether our client itself was well, then success and latency. One run has no interval, and
 * this says so; from three runs of the same load on, intervals between them decide. Pure.
 */
import { z } from 'zod';
import type { LoadReport, LoadWarning } from '../../load/report.ts';
import { LOAD_SCHEMA } from '../../load/report.ts';
import { FIRST_LOOK } from '../../measure/gate/looks.ts';
import { t975 } from '../../measure/intervals.ts';
import { mean, variance } from '../../measure/quantile.ts';
import { UserError } from '../../system/user-error.ts';
import type { CheckState, GateCheck } from './document.ts';
import type { RunGoals, RunSlo } from './slo.ts';

/** Warnings that tell of the server or of the load that was chosen for it; all others are our client's own. */
const OF_SERVER: readonly string[] = ['requests-lost', 'completions-behind'];

/** A report with the name that it goes by. */
export interface NamedReport {
  readonly file: string;
  readonly report: LoadReport;
}

const figure = z.number().nullable();
const overSuccesses = z.looseObject({ n: z.number(), mean_ms: figure });
const latency = z.looseObject({
  over_successes: overSuccesses,
  over_all: z.looseObject({ n: z.number(), p50_ms: figure, p99_ms: figure }),
});
const fromT0 = z.looseObject({ ttft: latency, e2e: latency, ntpot: latency });
const reportShape = z.looseObject({
  schema: z.literal(LOAD_SCHEMA),
  state: z.enum(['complete', 'interrupted', 'incomplete']),
  fault: z.looseObject({ name: z.string(), words: z.string() }).nullable(),
  options: z.looseObject({ model: z.string(), rate_rps: figure, requests: z.number() }),
  rate: z.looseObject({ requested_rps: figure, sends_ratio: figure, completions_ratio: figure }),
  counts: z.looseObject({ scheduled: z.number(), complete: z.number(), success_rate: figure }),
  from_scheduled: fromT0,
  from_sent: fromT0,
  tpot: latency,
  itl: overSuccesses,
  trusted: z.boolean(),
  warnings: z.array(z.looseObject({ code: z.string(), evidence: z.string(), remedy: z.string() })),
});

/** Takes a value read from JSON for a report. @throws UserError where it is none. */
export function asReport(file: string, value: unknown): LoadReport {
  const checked = reportShape.safeParse(value);
  if (checked.success) return value as LoadReport;
  const schema = (value as { schema?: unknown } | null)?.schema;
  throw new UserError(
    schema === LOAD_SCHEMA
      ? `--load ${file} is a damaged report (${checked.error.issues[0]!.path.join('.')}): run tare load anew.`
      : `--load ${file} is no report of tare load (${LOAD_SCHEMA}), but ${schema === undefined ? 'something else' : String(schema)}: give what tare load --out FILE.json wrote.`,
  );
}

type Of = Pick<GateCheck, 'client' | 'rate_rps'>;
const BARE = {
  value: null,
  low: null,
  high: null,
  confidence: null,
  limit_low: null,
  limit_high: null,
  floor: null,
  trials: 1,
  reason: '',
  remedy: '',
} as const;

const said = (warnings: readonly LoadWarning[]): Pick<GateCheck, 'reason' | 'remedy'> => ({
  reason: warnings.map(({ code, evidence }) => `${code}: ${evidence}`).join('; '),
  remedy: warnings.map(({ remedy }) => remedy).join('; '),
});

/** Whether our client was well in a run. Where it was not, the run is no evidence of the server. */
function clientChecks({ file, report }: NamedReport, tolerance: number): GateCheck[] {
  const of = { client: file, rate_rps: report.options.rate_rps };
  const own = report.warnings.filter(({ code }) => !OF_SERVER.includes(code));
  const isWell = own.length === 0 && report.fault === null && report.state === 'complete';
  const sends = report.rate.sends_ratio;
  return [
    {
      ...BARE,
      ...of,
      kind: 'loadClient',
      name: 'client',
      unit: 'runs',
      state: isWell ? 'pass' : 'invalid',
      ...(isWell ? {} : said(own)),
    },
    {
      ...BARE,
      ...of,
      kind: 'loadRate',
      name: 'rate',
      unit: 'share',
      state: sends === null ? 'notJudged' : sends >= 1 - tolerance ? 'pass' : 'invalid',
      value: sends,
      limit_low: 1 - tolerance,
      reason: sends === null ? 'this run has no schedule of its own (closed loop, or one request)' : '',
      remedy: sends !== null && sends < 1 - tolerance ? 'lower the rate, or give the client more cores' : '',
    },
  ];
}

/** Answers that fell behind: the queue grew, so that any latency is a matter of the run's length. */
function completions({ file, report }: NamedReport): GateCheck {
  const behind = report.warnings.filter(({ code }) => code === 'completions-behind');
  return {
    ...BARE,
    client: file,
    rate_rps: report.options.rate_rps,
    kind: 'loadRate',
    name: 'completions',
    unit: 'share',
    state: behind.length > 0 ? 'fail' : 'pass',
    value: report.rate.completions_ratio,
    ...said(behind),
  };
}

interface Goal {
  readonly kind: 'success' | 'slo';
  readonly name: string;
  readonly unit: 'share' | 'ms';
  readonly limit: number;
  /** Least or most. */
  readonly side: 'least' | 'most';
  /** The figure of a run; null where it has none, with why. `isWorse`: it is beyond any limit. */
  readonly of: (report: LoadReport) => { value: number | null; reason: string; isWorse: boolean };
}

/** A figure of a run: over all requests, a failed one as infinitely late; a mean, and ITL, over those that succeeded. */
function figureOf(report: LoadReport, { metric, statistic }: RunSlo): ReturnType<Goal['of']> {
  const t0 = report.closed_loop === null ? report.from_scheduled : report.from_sent;
  const found = metric === 'itl' ? report.itl : metric === 'tpot' ? report.tpot : t0[metric];
  const all = 'over_all' in found && statistic !== 'mean';
  const side = all ? found.over_all : 'over_successes' in found ? found.over_successes : found;
  const value = (side as unknown as Record<string, number | null | undefined>)[`${statistic}_ms`] ?? null;
  // Where others have a value, a percentile over all that has none falls among the requests that failed: later than any limit.
  const isWorse = all && value === null && found.over_successes.n > 0;
  return { value, isWorse, reason: value !== null ? '' : (side.absent ?? 'the run has no such figure') };
}

const goalsOf = ({ success, slos }: RunGoals): Goal[] => [
  {
    kind: 'success',
    name: 'success',
    unit: 'share',
    limit: success,
    side: 'least',
    of: ({ counts }) => ({ value: counts.success_rate, reason: '', isWorse: false }),
  },
  ...slos.map(
    (slo): Goal => ({
      kind: 'slo',
      name: `${slo.metric}_${slo.statistic}`,
      unit: 'ms',
      limit: slo.limit_ms,
      side: 'most',
      of: (report) => figureOf(report, slo),
    }),
  ),
];

const ONE_RUN = `a single run has no interval: give ${FIRST_LOOK} runs of the same load (--load a repeated) to judge by one`;

/** A goal over the runs: by the interval between them, or of fewer than three by each one's figure. */
function goalCheck(goal: Goal, reports: readonly NamedReport[], of: Of, checks: number): GateCheck {
  const figures = reports.map(({ report }) => goal.of(report));
  const values = figures.map(({ value }) => value).filter((value) => value !== null);
  const missing = figures.find(({ value }) => value === null);
  const n = values.length;
  const half =
    reports.length >= FIRST_LOOK && n === reports.length
      ? t975(n - 1, checks) * Math.sqrt(variance(values) / n)
      : null;
  const value = n === 0 ? null : mean(values);
  const [low, high] = half === null || value === null ? [null, null] : [value - half, value + half];
  const within = (one: number) => (goal.side === 'least' ? one >= goal.limit : one <= goal.limit);
  const ends = low === null || high === null ? values : [low, high];
  const state: CheckState = figures.some(({ isWorse }) => isWorse)
    ? 'fail'
    : missing !== undefined
      ? 'notJudged'
      : ends.every(within)
        ? 'pass'
        : ends.some(within)
          ? 'undetermined'
          : 'fail';
  return {
    ...BARE,
    ...of,
    kind: goal.kind,
    name: goal.name,
    unit: goal.unit,
    state,
    value,
    low,
    high,
    confidence: half === null ? null : 1 - 0.05 / checks,
    limit_low: goal.side === 'least' ? goal.limit : null,
    limit_high: goal.side === 'most' ? goal.limit : null,
    trials: reports.length,
    reason: missing?.reason ?? (half === null ? ONE_RUN : ''),
    remedy: state === 'undetermined' ? 'more or longer runs would tell' : '',
  };
}

/** In words how the runs differ in what was asked; null where they are repetitions of one load. */
function unlike(reports: readonly NamedReport[]): string | null {
  const keys = [
    'rate_rps',
    'model',
    'requests',
    'arrivals',
    'prompt_tokens',
    'output_tokens',
    'url',
  ] as const;
  const [first] = reports;
  for (const { file, report } of reports)
    for (const key of keys) {
      const [a, b] = [first!.report.options[key] ?? null, report.options[key] ?? null];
      if (a !== b) return `${first!.file} has ${key} ${a}, ${file} has ${b}`;
    }
  return null;
}

/** Every check of the runs. @throws UserError where they are no repetitions of one load. */
export function judgeLoad(
  reports: readonly NamedReport[],
  goals: RunGoals,
  rateTolerance: number,
): GateCheck[] {
  const differs = unlike(reports);
  if (differs !== null)
    throw new UserError(`several --load must be runs of the same load: ${differs}. Judge them one by one.`);
  const wanted = goalsOf(goals);
  const pooled =
    reports.length === 1
      ? reports[0]!.file
      : `${reports.length} runs (${reports.map(({ file }) => file).join(', ')})`;
  const of = { client: pooled, rate_rps: reports[0]!.report.options.rate_rps };
  return [
    ...reports.flatMap((one) => [...clientChecks(one, rateTolerance), completions(one)]),
    ...wanted.map((goal) => goalCheck(goal, reports, of, wanted.length)),
  ];
}

/** The verdict of a load run: where our client was not well, nothing is said of the server. A goal without a figure leaves it open. */
export function loadVerdict(checks: readonly GateCheck[]): {
  verdict: 'pass' | 'fail' | 'undetermined' | 'invalid';
  reason: string;
} {
  const first = (state: CheckState) => checks.find((check) => check.state === state);
  const invalid = first('invalid');
  if (invalid !== undefined)
    return {
      verdict: 'invalid',
      reason: `the load itself was not what was asked${invalid.reason === '' ? '' : ` (${invalid.reason})`}: this run is no evidence of the server`,
    };
  if (first('fail') !== undefined) return { verdict: 'fail', reason: '' };
  const open =
    first('undetermined') ?? checks.find(({ kind, state }) => kind === 'slo' && state === 'notJudged');
  return open === undefined
    ? { verdict: 'pass', reason: '' }
    : { verdict: 'undetermined', reason: open.reason };
}
