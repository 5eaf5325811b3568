/**
 * Stored reports of `tare load` held to goals: first whether our client itself was well, then success and latency. One run has no interval, and
 * this says so; from three runs of the same load on, intervals between them decide. Pure.
 */
import { z } from 'zod';
import type { LoadReport, LoadWarning } from '../../load/report.ts';
import { LOAD_SCHEMA } from '../../load/report.ts';
import { clopperPearson, fewestForShare } from '../../measure/gate/binomial.ts';
import { FIRST_LOOK } from '../../measure/gate/looks.ts';
import { stepOf } from '../../measure/gate/resolution.ts';
import { t975 } from '../../measure/intervals.ts';
import { mean, variance } from '../../measure/quantile.ts';
import { UserError } from '../../system/user-error.ts';
import type { CheckState, GateCheck } from './document.ts';
import { notRepetitions } from './same-load.ts';
import type { RunGoals, RunSlo } from './slo.ts';

/** Answers a second, per what was due and did not fail: below this a run needs a reason, however few its requests. */
const LEAST_COMPLETIONS = 0.95;

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

/** Why a run is no evidence of the server, with what to do; none where our client was well. */
function ailments(report: LoadReport): { reason: string; remedy: string }[] {
  const { state, fault, trusted } = report;
  const own = report.warnings.filter(({ code }) => !OF_SERVER.includes(code));
  const found = [
    ...(state === 'complete'
      ? []
      : [
          {
            reason: `the run is ${state}${report.reason == null ? '' : ` (${report.reason})`}`,
            remedy: 'run tare load anew, to its end',
          },
        ]),
    ...(fault === null
      ? []
      : [
          {
            reason: `its client had the fault ${fault.name} (${fault.words}), as a control`,
            remedy: 'run tare load without --fault',
          },
        ]),
    ...(own.length === 0 ? [] : [said(own)]),
  ];
  return found.length > 0 || trusted
    ? found
    : [
        {
          reason: 'the report says itself that it is not to be trusted, and no warning says why',
          remedy: 'run tare load anew',
        },
      ];
}

/** Whether the schedule was kept. More than was asked is as little what was asked as less. */
function sendsCheck({ file, report }: NamedReport, tolerance: number): GateCheck {
  const sends = report.rate.sends_ratio;
  const isOff = sends !== null && Math.abs(sends - 1) > tolerance;
  return {
    ...BARE,
    client: file,
    rate_rps: report.options.rate_rps,
    kind: 'loadRate',
    name: 'rate',
    unit: 'share',
    state: sends === null ? 'notJudged' : isOff ? 'invalid' : 'pass',
    value: sends,
    limit_low: 1 - tolerance,
    limit_high: 1 + tolerance,
    reason:
      sends === null
        ? 'this run has no schedule of its own (closed loop, or one request)'
        : isOff
          ? `${(100 * sends).toFixed(1)} % of the schedule was sent`
          : '',
    remedy: isOff
      ? sends < 1
        ? 'lower the rate, or give the client more cores'
        : 'run tare load anew: it sent faster than its own schedule'
      : '',
  };
}

/** Whether our client was well in a run. Where it was not, the run is no evidence of the server. */
function clientChecks(one: NamedReport, tolerance: number): GateCheck[] {
  const found = ailments(one.report);
  const joined = (of: 'reason' | 'remedy') => found.map((ailment) => ailment[of]).join('; ');
  return [
    {
      ...BARE,
      client: one.file,
      rate_rps: one.report.options.rate_rps,
      kind: 'loadClient',
      name: 'client',
      unit: 'runs',
      state: found.length === 0 ? 'pass' : 'invalid',
      reason: joined('reason'),
      remedy: joined('remedy'),
    },
    sendsCheck(one, tolerance),
  ];
}

/** Answers that fell behind: the queue grew, so that any latency is a matter of the run's length. */
function completions({ file, report }: NamedReport): GateCheck {
  const behind = report.warnings.filter(({ code }) => code === 'completions-behind');
  const ratio = report.rate.completions_ratio;
  const kept = report.counts.success_rate ?? 1;
  // Failures take from it what they are; answers of unlike lengths draw it out, which the run's own warning knows how to tell.
  const isShort = ratio !== null && report.options.lengths === 'alike' && ratio < LEAST_COMPLETIONS * kept;
  const base = {
    ...BARE,
    client: file,
    rate_rps: report.options.rate_rps,
    kind: 'loadRate',
    name: 'completions',
    unit: 'share',
    value: ratio,
  } as const;
  if (behind.length > 0) return { ...base, state: 'fail', ...said(behind) };
  if (ratio === null)
    return { ...base, state: 'notJudged', reason: 'no schedule that answers could fall behind' };
  return isShort
    ? {
        ...base,
        state: 'undetermined',
        reason: `answers came at ${(100 * ratio).toFixed(1)} % of the schedule, and the report has no warning that would say why`,
        remedy: 'run longer: of a hundred requests or more tare load tells whether a queue grew',
      }
    : { ...base, state: 'pass' };
}

interface Figure {
  readonly value: number | null;
  readonly reason: string;
  /** It is beyond any limit. */
  readonly isWorse: boolean;
  /** Requests behind it. */
  readonly n: number;
}

const QUANTILE: Readonly<Partial<Record<RunSlo['statistic'], number>>> = {
  p50: 0.5,
  p90: 0.9,
  p99: 0.99,
  p999: 0.999,
};

/** A figure of a run: over all requests, a failed one as infinitely late; a mean, and ITL, over those that succeeded. */
function figureOf(report: LoadReport, { metric, statistic }: RunSlo): Figure {
  const t0 = report.closed_loop === null ? report.from_scheduled : report.from_sent;
  const found = metric === 'itl' ? report.itl : metric === 'tpot' ? report.tpot : t0[metric];
  const all = 'over_all' in found && statistic !== 'mean';
  const side = all ? found.over_all : 'over_successes' in found ? found.over_successes : found;
  const { n } = side;
  const value = (side as unknown as Record<string, number | null | undefined>)[`${statistic}_ms`] ?? null;
  const p = QUANTILE[statistic];
  const least = p === undefined ? 1 : Math.round(1 / (1 - p));
  if (n > 0 && n < least)
    return {
      value: null,
      isWorse: false,
      n,
      reason: `${n} values have no ${statistic}: it takes ${least} at least, of fewer it is the largest one`,
    };
  // Where others have a value, a percentile over all that has none falls among the requests that failed: later than any limit.
  const isWorse = all && value === null && found.over_successes.n > 0;
  return { value, isWorse, n, reason: value !== null ? '' : (side.absent ?? 'the run has no such figure') };
}

type Decided = Omit<GateCheck, 'kind' | 'name' | 'client' | 'rate_rps' | 'unit' | 'floor'>;

/** Student's interval between runs, no narrower than what they are rounded to. */
function betweenRuns(values: readonly number[], checks: number): { low: number; high: number } {
  const n = values.length;
  const student = t975(n - 1, checks) * Math.sqrt(variance(values) / n);
  const half = Math.max(student, stepOf(values) / 2);
  return { low: mean(values) - half, high: mean(values) + half };
}

/** The success rate, by the exact interval of requests, and of three runs and more by the one between them as well: what fails, fails in bursts. */
function successOf(reports: readonly NamedReport[], limit: number, checks: number): Decided {
  const counts = reports.map(({ report }) => report.counts);
  const n = counts.reduce((sum, { scheduled }) => sum + scheduled, 0);
  const complete = counts.reduce((sum, one) => sum + one.complete, 0);
  const base = { ...BARE, limit_low: limit, trials: reports.length };
  if (n === 0 || counts.some(({ success_rate }) => success_rate === null))
    return {
      ...base,
      state: 'undetermined',
      reason: 'no request was scheduled, so that there is no success rate',
      remedy: 'run longer',
    };
  const value = complete / n;
  const of = `${complete} of ${n} requests succeeded`;
  // No interval of a share ends at 1: all is a matter of these requests alone.
  if (limit >= 1)
    return {
      ...base,
      state: complete === n ? 'pass' : 'fail',
      value,
      reason: `${of}: judged of these requests alone`,
    };
  const alpha = 0.05 / checks;
  const exact = clopperPearson(complete, n, alpha);
  const runs =
    reports.length < FIRST_LOOK
      ? exact
      : betweenRuns(
          counts.map((one) => one.success_rate),
          checks,
        );
  const [low, high] = [
    Math.max(0, Math.min(exact.low, runs.low)),
    Math.min(1, Math.max(exact.high, runs.high)),
  ];
  const state: CheckState = low >= limit ? 'pass' : high < limit ? 'fail' : 'undetermined';
  const fewest = fewestForShare(limit, alpha);
  return {
    ...base,
    state,
    value,
    low,
    high,
    confidence: 1 - alpha,
    reason: of,
    remedy:
      state !== 'undetermined'
        ? ''
        : n < fewest
          ? `so few requests cannot show it: it takes ${fewest} without a failure, in one run or several`
          : 'more requests would tell',
  };
}

const ONE_RUN = `a single run has no interval: give ${FIRST_LOOK} runs of the same load (--load a repeated) to judge by one`;

/** A latency goal over the runs: by the interval between them, or of fewer than three by each one's figure. */
function sloOf(slo: RunSlo, reports: readonly NamedReport[], checks: number): Decided {
  const figures = reports.map(({ report }) => figureOf(report, slo));
  const values = figures.map(({ value }) => value).filter((value) => value !== null);
  const missing = figures.find(({ value }) => value === null);
  const hasInterval = reports.length >= FIRST_LOOK && missing === undefined;
  const between = hasInterval ? betweenRuns(values, checks) : null;
  const within = (one: number) => one <= slo.limit_ms;
  const ends = between === null ? values : [between.low, between.high];
  const isWorse = figures.some((one) => one.isWorse);
  const state: CheckState = isWorse
    ? 'fail'
    : missing !== undefined
      ? 'undetermined'
      : ends.every(within)
        ? 'pass'
        : ends.some(within)
          ? 'undetermined'
          : 'fail';
  const n = figures.map((one) => one.n);
  return {
    ...BARE,
    state,
    value: values.length === 0 ? null : mean(values),
    // A latency is not below zero, whatever the interval of so few runs says.
    low: between === null ? null : Math.max(0, between.low),
    high: between?.high ?? null,
    confidence: between === null ? null : 1 - 0.05 / checks,
    limit_high: slo.limit_ms,
    trials: reports.length,
    reason: [
      missing?.reason ?? '',
      missing === undefined ? `n = ${n.join(', ')}` : '',
      missing === undefined && between === null ? ONE_RUN : '',
    ]
      .filter((text) => text !== '')
      .join('; '),
    remedy:
      state !== 'undetermined'
        ? ''
        : missing === undefined
          ? 'more or longer runs would tell'
          : 'run longer, or set the goal on a figure that the run has',
  };
}

/** Every check of the runs. @throws UserError where they are no repetitions of one load. */
export function judgeLoad(
  reports: readonly NamedReport[],
  goals: RunGoals,
  rateTolerance: number,
): GateCheck[] {
  const differs = notRepetitions(reports);
  if (differs !== null)
    throw new UserError(`several --load must be runs of the same load: ${differs}. Judge them one by one.`);
  const pooled =
    reports.length === 1
      ? reports[0]!.file
      : `${reports.length} runs (${reports.map(({ file }) => file).join(', ')})`;
  const of = { client: pooled, rate_rps: reports[0]!.report.options.rate_rps, floor: null };
  const checks = 1 + goals.slos.length;
  return [
    ...reports.flatMap((one) => [...clientChecks(one, rateTolerance), completions(one)]),
    {
      ...of,
      kind: 'success',
      name: 'success',
      unit: 'share',
      ...successOf(reports, goals.success, checks),
    },
    ...goals.slos.map(
      (slo): GateCheck => ({
        ...of,
        kind: 'slo',
        name: `${slo.metric}_${slo.statistic}`,
        unit: 'ms',
        ...sloOf(slo, reports, checks),
      }),
    ),
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
      reason: `the load itself was not what was asked (${invalid.reason}): this run is no evidence of the server`,
    };
  if (first('fail') !== undefined) return { verdict: 'fail', reason: '' };
  const open = first('undetermined');
  return open === undefined
    ? { verdict: 'pass', reason: '' }
    : { verdict: 'undetermined', reason: open.reason };
}
