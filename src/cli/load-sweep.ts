/** `tare load --sweep`: a saturation sweep, and the knee. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cores, LoadOptions } from '../load/options.ts';
import { planLoad } from '../load/options.ts';
import { lengthsOf } from '../load/requests/spec.ts';
import { goalKnee, kneeReport, latencyKnee } from '../load/sweep/build-report.ts';
import { SWEEP_SCHEMA, type SweepReport, type SweepStepReport } from '../load/sweep/report.ts';
import { runStep } from '../load/sweep/run-step.ts';
import { runSweep } from '../load/sweep/run-sweep.ts';
import { sweepCsv } from '../load/sweep/sweep-csv.ts';
import type { SweepGoal } from '../measure/knee/plan-sweep.ts';
import { formatSlo } from '../measure/load/slo.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import { formatArrivals } from '../measure/workload.ts';
import { nowNs } from '../system/clock.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { makeEmptyFolder } from './default-folder.ts';
import { claimFile } from './load-outputs.ts';
import { refuseSameFile } from './load-paths.ts';
import { stepLine, sweepSummary } from './load-sweep-summary.ts';
import { positiveInteger, seconds, share } from './options.ts';

export interface SweepRange {
  readonly lowRps: number;
  readonly highRps: number;
}

interface OutFlags {
  readonly out?: string;
  readonly csv?: string;
  readonly json?: boolean;
  readonly apiKeyFile?: string;
  readonly tasks?: string;
}

export interface SweepFlags {
  readonly sweep?: SweepRange;
  readonly sweepPoints: number | null;
  readonly stepDuration: number;
  readonly budgetTime: number;
  readonly sweepPrecision: number;
}

/** `10..2000`: rates, requests/s. */
export function sweepRange(text: string): SweepRange {
  const [low, high, more] = text.split('..').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (more !== undefined || !(low! > 0) || !(high! > low!) || !Number.isFinite(high!))
    throw new InvalidArgumentError('it must be two rates, the lower one first, e.g. 10..2000.');
  return { lowRps: low!, highRps: high! };
}

const points = (text: string): number | null => (text === 'auto' ? null : positiveInteger(text));

function precision(text: string): number {
  const value = share(text);
  if (value < 0.005 || value > 0.5) throw new InvalidArgumentError('it must be from 0.5% to 50%.');
  return value;
}

/** Adds the flags of a sweep to `tare load`. */
export function addSweepFlags(command: Command): void {
  command
    .option(
      '--sweep <low..high>',
      'saturation sweep between two rates, e.g. 10..2000; finds the knee',
      sweepRange,
    )
    .addOption(
      new Option('--sweep-points <n>', 'rates in geometric progression; auto: as many as the knee takes')
        .argParser(points)
        .default(null, 'auto'),
    )
    .option('--step-duration <time>', 'with --sweep: least time in which a step sends', seconds, 5)
    .option('--budget-time <time>', 'with --sweep: time for all steps', seconds, 180)
    .option(
      '--sweep-precision <share>',
      'with --sweep: half of the interval’s width that is enough',
      precision,
      0.05,
    );
}

/** Flags of `tare load` that a sweep sets itself. */
const OWN = [
  ...[
    'rate',
    'duration',
    'requests',
    'stages',
    'ramp',
    'bursts',
    'concurrency',
    'think',
    'stagger',
    'exclude',
  ],
  ...['records', 'deadline', 'hlog', 'prom', 'html'],
];

/** Throws a UserError on flags that contradict a sweep, or have a meaning with one only. */
export function checkSweepFlags(command: Command, flags: SweepFlags): void {
  const given = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if (flags.sweep === undefined) {
    for (const name of ['sweepPoints', 'stepDuration', 'budgetTime', 'sweepPrecision'])
      if (given(name))
        throw new UserError(`--${dashed(name)} has a meaning with --sweep only; add it, or leave this out`);
    return;
  }
  for (const name of OWN)
    if (given(name))
      throw new UserError(
        `--${name} and --sweep contradict each other: a sweep sets its rates and steps itself, and writes JSON and CSV only`,
      );
}

/** The flags of the load that a sweep is made of: what it sets itself does not matter. */
export const sweepsInPlaceOf = <F extends SweepFlags>(flags: F): F =>
  flags.sweep === undefined ? flags : { ...flags, rate: flags.sweep.lowRps, requests: 1 };

const dashed = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

/** Runs a sweep and reports. `options`: those of a load, whose rate and number of requests do not matter. */
export async function sweep(flags: SweepFlags & OutFlags, options: LoadOptions, cores: Cores): Promise<void> {
  const { lowRps, highRps } = flags.sweep!;
  const goal: SweepGoal = {
    lowRps,
    highRps,
    stepS: flags.stepDuration,
    points: flags.sweepPoints,
    precision: flags.sweepPrecision,
  };
  if (options.arrivals.kind === 'trace')
    throw new UserError('a sweep needs arrivals that follow a rate: constant, poisson or gamma:<cv2>');
  if (options.fault !== null) throw new UserError('--fault is a control of one run; leave it out of a sweep');
  const lengths = lengthsOf(options);
  const plan = planLoad({ ...options, rateRps: highRps, requests: 2 }, cores);
  await claim(flags);
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const startNs = nowNs();
  const startedAt = new Date().toISOString();
  const tell = (text: string): void => void process.stderr.write(text);
  tell(
    `${goal.points === null ? 'rates ascend until the server is overloaded; further steps then go where the knee is' : `${goal.points} rates, ascending`}; at most ${flags.budgetTime} s\n`,
  );
  try {
    const result = await runSweep(goal, flags.budgetTime, {
      run: (rateRps, durationS, place) => runStep(options, cores, rateRps, durationS, place, abort.signal),
      now: () => nowNs() / NANOS_PER_S,
      pause: (s) => sleep(s * 1000, undefined, { signal: abort.signal }).catch(() => {}),
      signal: abort.signal,
      onStep: (step) => tell(stepLine(step)),
    });
    const report: SweepReport = {
      schema: SWEEP_SCHEMA,
      tare_version: version,
      state: result.interrupted ? 'interrupted' : 'complete',
      ended: result.ended,
      started_at: startedAt,
      elapsed_s: (nowNs() - startNs) / NANOS_PER_S,
      options: {
        url: options.url,
        model: options.model,
        arrivals: formatArrivals(options.arrivals),
        prompt_tokens: lengths === 'alike' ? options.promptTokens : null,
        output_tokens: lengths === 'alike' ? options.outputTokens : null,
        lengths,
        seed: options.seed,
        low_rps: lowRps,
        high_rps: highRps,
        points: goal.points,
        step_s: goal.stepS,
        budget_s: flags.budgetTime,
        precision: goal.precision,
        timeout_s: options.timeoutS,
      },
      client: { workers: plan.workers, pacing: plan.pacing },
      steps: result.steps,
      knee: kneeReport(result.knee),
      goal_knee: goalKnee(result.steps, options.slos.map(formatSlo)),
      latency_knee: latencyKnee(result.steps),
    };
    deliver(flags, report, result.steps);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** Where the document and the steps go. */
function outputs({ out, csv }: OutFlags): {
  readonly json: string | undefined;
  readonly csv: string | undefined;
} {
  if (out === undefined || out.endsWith('.json')) return { json: out, csv };
  return { json: join(out, 'sweep.json'), csv: csv ?? join(out, 'steps.csv') };
}

async function claim(flags: OutFlags): Promise<void> {
  if (flags.out !== undefined && !flags.out.endsWith('.json')) await makeEmptyFolder(flags.out);
  const { json, csv } = outputs(flags);
  const check = (): void =>
    refuseSameFile(
      [
        ['--out', json],
        ['--csv', csv],
      ],
      [
        ['--api-key-file', flags.apiKeyFile],
        ['--tasks', flags.tasks],
      ],
    );
  check();
  for (const path of [json, csv]) claimFile(path);
  check();
}

function deliver(flags: OutFlags, report: SweepReport, steps: readonly SweepStepReport[]): void {
  const json = `${JSON.stringify(report, null, 2)}\n`;
  const paths = outputs(flags);
  if (paths.json !== undefined) writeFileSync(paths.json, json);
  if (paths.csv !== undefined) writeFileSync(paths.csv, sweepCsv(steps));
  if (flags.json) process.stdout.write(json);
  process.stderr.write(sweepSummary(report));
  if (report.state !== 'complete') process.exitCode = EXIT.harnessInvalid;
  else if (report.knee.state === 'clientLimited') process.exitCode = EXIT.harnessInvalid;
  else if (report.knee.state !== 'found') process.exitCode = EXIT.undetermined;
}
