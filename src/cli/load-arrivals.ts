/** Flags of `tare load` that say when requests are sent: at a rate, in stages, by a trace, or in a closed loop. */
import { type Command, InvalidArgumentError } from 'commander';
import type { LoadOptions } from '../load/options.ts';
import { UNLIMITED } from '../load/plan-closed.ts';
import { RateCurve } from '../measure/load/rate-curve.ts';
import { checkStages, parseBursts, parseRamp, parseStages } from '../measure/load/stage-text.ts';
import { cycleS, once, type Stage, type StagePlan } from '../measure/load/stages.ts';
import { type Arrivals, parseArrivals } from '../measure/workload.ts';
import { UserError } from '../system/user-error.ts';
import { addTraceFlags, readTrace, type TraceFlags, traceFlagsGiven } from './load-trace.ts';
import { arrivals, positive, positiveInteger, seconds } from './options.ts';

export interface ArrivalFlags extends TraceFlags {
  readonly rate?: number;
  readonly duration?: number;
  readonly requests?: number;
  readonly arrivals?: string;
  readonly maxInFlight?: number;
  readonly stages?: Stage[];
  readonly ramp?: Stage;
  readonly bursts?: Stage[];
  readonly concurrency?: number;
  readonly think?: number;
  readonly stagger?: number;
}

/** What the flags come to. */
export type ArrivalOptions = Pick<
  LoadOptions,
  | 'arrivals'
  | 'trace'
  | 'traceReport'
  | 'traceLengths'
  | 'rateRps'
  | 'requests'
  | 'stages'
  | 'concurrency'
  | 'thinkS'
  | 'staggerS'
  | 'durationS'
>;

const DEFAULT_DURATION_S = 10;

/** A parser for commander out of one that throws Errors. */
const parsed =
  <T>(parse: (text: string) => T) =>
  (text: string): T => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };

export function addArrivalFlags(command: Command): void {
  const stages = parsed(parseStages);
  command
    .option('--rate <rps>', 'requests per second', positive)
    .option(
      '--duration <time>',
      'how long to send, e.g. 10s (default: 10s); it makes rate × duration requests, so random arrivals may end sooner or later',
      seconds,
    )
    .option('--requests <n>', 'how many to send, in place of --duration', positiveInteger)
    .option(
      '--arrivals <process>',
      'constant, poisson, gamma:<cv2> or trace:<file> (default: poisson)',
      arrivals,
    )
    .option(
      '--stages <list>',
      'rates one after the other, in place of --rate: TIME@RATE, TIME@FROM..TO or TIME@geometric:FROM..TO, e.g. 10s@50,30s@50..500,10s@0',
      (text: string, before: Stage[] = []) => [...before, ...stages(text)],
    )
    .option('--ramp <rates:time>', 'one stage: 10..200:60s, or geometric:10..200:60s', parsed(parseRamp))
    .option(
      '--bursts <list>',
      'on and off in turn, e.g. on=2s@200,off=3s; with --duration or --requests',
      parsed(parseBursts),
    )
    .option(
      '--concurrency <n>',
      'closed loop: so many users, each sends when its former request has ended; no --rate then',
      positiveInteger,
    )
    .option('--think <time>', 'of a closed loop: wait after each answer, e.g. 100ms', seconds)
    .option('--stagger <time>', 'of a closed loop: start the users over this time', seconds)
    .option('--max-in-flight <n>', 'requests under way at once; the wait for it counts', positiveInteger);
  addTraceFlags(command);
}

/** The flags about lengths that were given, as they are spelled. */
export const lengthFlagsGiven = (given: (flag: string) => boolean): string[] =>
  Object.entries({ tokens: '--tokens', promptTokens: '--prompt-tokens', task: '--task', tasks: '--tasks' })
    .filter(([flag]) => given(flag))
    .map(([, name]) => name);

/** When requests are sent. `lengthFlags`: flags that were given about lengths, which a trace may state itself. Throws a UserError on flags that make no sense together. */
export async function arrivalOptions(
  flags: ArrivalFlags,
  lengthFlags: readonly string[] = [],
): Promise<ArrivalOptions> {
  const process = parseArrivals(flags.arrivals ?? 'poisson');
  const open = {
    concurrency: null,
    thinkS: 0,
    staggerS: 0,
    durationS: null,
    stages: null,
    traceReport: null,
    traceLengths: null,
  };
  const aboutTraces = traceFlagsGiven(flags);
  if (process.kind !== 'trace' && aboutTraces.length > 0)
    throw new UserError(
      `${aboutTraces.join(' and ')} ${aboutTraces.length > 1 ? 'need' : 'needs'} a trace: give --arrivals trace:FILE too`,
    );
  if (flags.concurrency !== undefined) return closed(flags, flags.concurrency);
  for (const name of ['think', 'stagger'] as const)
    if (flags[name] !== undefined)
      throw new UserError(`--${name} belongs to a closed loop: give --concurrency too, or leave it out`);
  if (flags.requests !== undefined && flags.duration !== undefined)
    throw new UserError('give --requests or --duration, not both: the rate makes one of the other');
  const plan = stagePlan(flags, process);
  if (plan !== null) {
    const requests = flags.requests ?? UNLIMITED;
    return { ...open, arrivals: process, rateRps: meanRate(plan), requests, stages: plan };
  }
  if (flags.rate !== undefined && flags.traceScale !== undefined)
    throw new UserError(
      '--rate and --trace-scale both say how fast the trace is gone through: give one of the two',
    );
  const trace = process.kind === 'trace' ? await readTrace(process.file, flags) : undefined;
  if (trace?.lengths && lengthFlags.length > 0)
    throw new UserError(
      `the trace states the lengths of its requests, and so does ${lengthFlags.join(' and ')}: leave that out, or give --no-trace-lengths too`,
    );
  if (flags.rate === undefined && trace === undefined)
    throw new UserError(
      'no rate was given; say how many requests/s, e.g. --rate 50, or give --stages, --ramp, --bursts or --concurrency',
    );
  return {
    ...open,
    arrivals: process,
    ...(trace === undefined
      ? {}
      : { trace: trace.offsetsS, traceReport: trace.report, traceLengths: trace.lengths }),
    rateRps: flags.rate ?? null,
    requests: requestCount(flags, trace?.offsetsS),
  };
}

function closed(flags: ArrivalFlags, concurrency: number): ArrivalOptions {
  const wrong = (
    [
      ['--rate', flags.rate],
      ['--arrivals', flags.arrivals],
      ['--stages', flags.stages],
      ['--ramp', flags.ramp],
      ['--bursts', flags.bursts],
    ] as const
  ).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (wrong.length > 0)
    throw new UserError(
      `${wrong.join(' and ')} and --concurrency do not go together: in a closed loop a request is sent when another has ended, so its rate is a result; leave out one of them`,
    );
  const ends = flags.requests !== undefined || flags.duration !== undefined;
  return {
    arrivals: { kind: 'constant' },
    rateRps: null,
    requests: flags.requests ?? UNLIMITED,
    stages: null,
    traceReport: null,
    traceLengths: null,
    concurrency,
    thinkS: flags.think ?? 0,
    staggerS: flags.stagger ?? 0,
    durationS: ends ? (flags.duration ?? null) : DEFAULT_DURATION_S,
  };
}

function stagePlan(flags: ArrivalFlags, process: Arrivals): StagePlan | null {
  const given = (['stages', 'ramp', 'bursts'] as const).filter((name) => flags[name] !== undefined);
  if (given.length === 0) return null;
  const names = given.map((name) => `--${name}`).join(' and ');
  if (given.length > 1)
    throw new UserError(
      `${names} do not go together: write it all as --stages, where --ramp 10..200:60s is 60s@10..200`,
    );
  if (flags.rate !== undefined)
    throw new UserError(`${names} and --rate do not go together: the stages have their own rates`);
  if (process.kind === 'trace')
    throw new UserError(`${names} and a trace do not go together: the trace has its own times`);
  if (flags.bursts === undefined && flags.duration !== undefined)
    throw new UserError(`${names} says how long the run is: leave out --duration`);
  const stages = flags.stages ?? flags.bursts ?? [flags.ramp!];
  const lengthS =
    flags.requests === undefined ? (flags.duration ?? DEFAULT_DURATION_S) : Number.POSITIVE_INFINITY;
  try {
    return checkStages(flags.bursts === undefined ? once(stages) : { stages, lengthS });
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** Requests/s in the mean, over the whole; over the stages once, where no time ends them. */
function meanRate(plan: StagePlan): number {
  const lengthS = Number.isFinite(plan.lengthS) ? plan.lengthS : cycleS(plan);
  return new RateCurve({ ...plan, lengthS }).total / lengthS;
}

/** How many requests: as given, or rate × duration. */
function requestCount(flags: ArrivalFlags, trace: readonly number[] | undefined): number {
  if (flags.requests !== undefined) return flags.requests;
  if (trace !== undefined && flags.duration === undefined) return trace.length;
  if (trace !== undefined) {
    const scale =
      flags.rate === undefined ? 1 : (trace.length - 1) / (trace.at(-1)! - trace[0]!) / flags.rate;
    return Math.max(1, trace.filter((at) => at * scale <= flags.duration!).length);
  }
  return Math.max(1, Math.round(flags.rate! * (flags.duration ?? DEFAULT_DURATION_S)));
}
