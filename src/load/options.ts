/** What a load run is asked to do, and what that comes to on this machine. */

import type { ClosedLoopSpec } from '../measure/load/closed-loop.ts';
import type { PrefixSpec, TaskSpec, TraceLengths } from '../measure/load/request-shape.ts';
import type { Slo } from '../measure/load/slo.ts';
import { peakRps, type StagePlan } from '../measure/load/stages.ts';
import type { ScheduleSpec } from '../measure/schedule.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import type { Arrivals } from '../measure/workload.ts';
import { UserError } from '../system/user-error.ts';
import type { ExcludeRule } from './exclude-rule.ts';
import type { FaultSpec } from './faults/catalogue.ts';
import { checkFault, limitsWith } from './faults/limits.ts';
import type { Pacing } from './pacer.ts';
import { closedLimitS, closedLoopOf } from './plan-closed.ts';
import { walkSchedule } from './plan-schedule.ts';
import { type Machine, planWorkers } from './plan-workers.ts';
import type { LoadWarning } from './report.ts';
import type { TraceReport } from './report-trace.ts';
import { checkRequests } from './requests/check.ts';
import { MAX_WAIT_S } from './retries.ts';
import { NO_LIMITS } from './room.ts';
import type { WorkerChoice } from './worker-choice.ts';

export interface LoadOptions {
  /** Base URL, e.g. http://127.0.0.1:8150. A path is kept before `/v1/…`. */
  readonly url: string;
  readonly endpoint: 'chat' | 'completions';
  readonly model: string;
  /** Whether the user named the model; false: the server was asked for it. Absent: not known. */
  readonly modelAsked?: boolean;
  readonly stream: boolean;
  readonly arrivals: Arrivals;
  /** Offsets of a trace in seconds; only with arrivals of kind `trace`. */
  readonly trace?: ArrayLike<number>;
  /** Where the trace is from and what was left out of it; null without. */
  readonly traceReport: TraceReport | null;
  /** null with a trace at its own times, and in a closed loop; with stages, their mean. */
  readonly rateRps: number | null;
  /** With stages a limit, UNLIMITED for none: they say how many there are. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Fields added to each body. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /** null: as many as the cores allow. */
  readonly workers: number | null;
  /** Cores for the workers; null: not pinned. */
  readonly cpus: readonly number[] | null;
  readonly pacing: Pacing | 'auto';
  /** A request's limit, s, from when a connection took it. */
  readonly timeoutS: number;
  /** null: no limit. */
  readonly maxInFlight: number | null;
  /** Connections opened before the start; null: a guess from the rate. */
  readonly connections: number | null;
  readonly burnPerTokenUs: number;
  /** Requests to the target before the start, not counted. */
  readonly warmup: number;
  /** Longest time in which each worker warms its own code before the start, s. */
  readonly rehearsalS: number;
  /** A known fault, for controls: the figures are then no measurement. */
  readonly fault: FaultSpec | null;
  readonly recordsFile: string | null;
  /** Sent as a bearer token; goes to no file. */
  readonly apiKey: string | null;
  /** The request id is this and the request's number. */
  readonly idPrefix: string;
  /** The whole run's limit, s, from its start; null: the schedule's length, the requests' limit and 5 s. */
  readonly deadlineS: number | null;
  /** How the rate changes; null: it does not. With stages, `rateRps` is their mean. */
  readonly stages: StagePlan | null;
  /** Closed loop: so many requests under way all the time, each sent when another has ended; null: open loop. `rateRps` is null then. */
  readonly concurrency: number | null;
  /** Of a closed loop: from the end of a request to the user's next one, s. */
  readonly thinkS: number;
  /** Of a closed loop: its users start one after the other over this time, s. */
  readonly staggerS: number;
  /** Of a closed loop: nothing is begun from this time on, s; null: `requests` ends it. */
  readonly durationS: number | null;
  /** Kinds of requests; null: all alike, `promptTokens` and `outputTokens`. */
  readonly tasks: readonly TaskSpec[] | null;
  /** Lengths as a trace states them, request by request; never beside `tasks`. */
  readonly traceLengths: TraceLengths | null;
  readonly prefix: PrefixSpec | null;
  /** What a good request is; empty: no goodput is stated. */
  readonly slos: readonly Slo[];
  /** What is left out of the figures at the start, as its flag spells it; null: nothing. */
  readonly exclude: ExcludeRule | null;
  /** Heed the Retry-After of an answer: off, a refused request has failed. */
  readonly retryAfter: boolean;
}

export const LOAD_DEFAULTS = {
  endpoint: 'chat',
  model: 'tare',
  stream: true,
  arrivals: { kind: 'poisson' },
  promptTokens: 8,
  outputTokens: 16,
  extraBody: {},
  seed: 1,
  workers: null,
  cpus: null,
  pacing: 'auto',
  timeoutS: 120,
  maxInFlight: null,
  connections: null,
  burnPerTokenUs: 0,
  warmup: 0,
  rehearsalS: 2,
  fault: null,
  recordsFile: null,
  apiKey: null,
  idPrefix: 'tare-',
  deadlineS: null,
  traceReport: null,
  stages: null,
  concurrency: null,
  thinkS: 0,
  staggerS: 0,
  durationS: null,
  tasks: null,
  traceLengths: null,
  prefix: null,
  slos: [],
  exclude: null,
  retryAfter: false,
} as const satisfies Omit<LoadOptions, 'url' | 'rateRps' | 'requests'>;

/** What this machine offers. */
export interface Cores {
  /** Cores that this process may run on. */
  readonly allowed: readonly number[];
  readonly total: number;
  readonly taskset: boolean;
  /** Limits and costs, where they are known. */
  readonly machine?: Machine;
}

/** What the options come to. */
export interface LoadPlan {
  readonly workers: number;
  /** Why so many. */
  readonly choice: WorkerChoice;
  /** What is known to be wrong before the run: in the report too. */
  readonly warnings: readonly LoadWarning[];
  readonly pacing: Pacing;
  /** Why this pacing, in words. */
  readonly pacingReason: string;
  /** Cores of each worker; null: not pinned. */
  readonly cpusOf: readonly (readonly number[] | null)[];
  readonly notes: readonly string[];
  /** A closed loop follows none. */
  readonly schedule: ScheduleSpec;
  /** First and last arrival of the schedule, ns after the start; NaN in a closed loop. */
  readonly firstNs: number;
  readonly lastNs: number;
  /** Arrivals in each stage; null without stages. */
  readonly inStage: readonly number[] | null;
  /** null: the loop is open. */
  readonly closed: ClosedLoopSpec | null;
  /** Mean rate of the schedule as drawn: gaps over time; null for one arrival. */
  readonly scheduledRps: number | null;
  readonly connectionsEach: number;
  /** CPU time burned for each token event, ns. */
  readonly burnNs: number;
  /** Limit of each worker; Infinity for none. */
  readonly maxInFlightOf: readonly number[];
  readonly deadlineNs: number;
}

/** In-flight time that the guess of connections allows for, s, and its bounds over all workers. */
const GUESSED_E2E_S = 0.1;
const MIN_CONNECTIONS = 16;
const MAX_CONNECTIONS = 512;
const DEADLINE_GRACE_S = 5;
const UNKNOWN: Machine = { room: NO_LIMITS, costs: { profile: null, why: 'its costs are not known' } };

/** 127.0.0.0/8, ::1 and localhost: then the target needs a core of this machine too. */
export const isLoopback = (url: URL): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);

/** Parses the base URL; throws a UserError. */
export function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UserError(
      `"${text.replace(/\/\/[^/]*@/, '//***@').replace(/[?#].*$/s, '?***')}" is not a URL; give the server's base, e.g. --url http://127.0.0.1:8000`,
    );
  }
  // They would not be sent, and would stand in the report.
  if (url.username !== '' || url.password !== '')
    throw new UserError(
      'the URL holds a user name or password, which is not sent; give the key by --api-key-file or --api-key-env, and the URL without',
    );
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UserError(`the URL begins with ${url.protocol}, which is neither http: nor https:`);
  // Nor would these be sent; and a key in them would stand in the report.
  if (/[?#]/.test(text))
    throw new UserError(
      'the URL holds a query ("?…") or a fragment ("#…"), which is not sent; give the bare URL, and a key by --api-key-file or --api-key-env',
    );
  const own = /^(.*)\/v1(?:\/(?:chat\/)?completions)?\/*$/.exec(url.pathname);
  if (own !== null)
    throw new UserError(
      `the URL ends in a path that Tare adds itself (/v1/…), so requests would go to a doubled one; give --url ${url.origin}${own[1]}`,
    );
  return url;
}

/** How many cores are free for our workers, and how that is known. */
function ownCores(options: LoadOptions, cores: Cores): { count: number; why: string } {
  if (options.cpus !== null)
    return { count: options.cpus.length, why: `cores ${options.cpus.join(',')} given` };
  const allowed = cores.allowed.length;
  if (allowed < cores.total) return { count: allowed, why: `bound to ${allowed} of ${cores.total} cores` };
  if (isLoopback(parseBaseUrl(options.url)))
    return { count: allowed - 1, why: `${allowed} cores, one of them left to the target on this machine` };
  return { count: allowed, why: `${allowed} cores` };
}

/** Plans a run. Throws a UserError on options that cannot work. */
export function planLoad(options: LoadOptions, cores: Cores): LoadPlan {
  const notes: string[] = [];
  const closed = closedLoopOf(options);
  checkFault(options.fault, options.arrivals.kind, options.stages !== null);
  checkRequests(options);
  const limits = limitsWith(options.fault, options);
  const outside = options.cpus?.filter((cpu) => !cores.allowed.includes(cpu)) ?? [];
  if (options.cpus?.length === 0) throw new UserError('the list of cores is empty');
  if (outside.length > 0)
    throw new UserError(
      `core ${outside.join(',')} is not among those that this process may use (${cores.allowed.join(',')})`,
    );
  const { count, why } = ownCores(options, cores);
  const schedule: ScheduleSpec = {
    arrivals: options.arrivals,
    rateRps: options.rateRps,
    requests: options.requests,
    seed: options.seed,
    ...(options.trace === undefined ? {} : { trace: options.trace }),
    ...(options.stages === null ? {} : { stages: options.stages }),
  };
  const { requests, firstNs, lastNs, inStage, busiestSecond } =
    closed === null
      ? walkSchedule(schedule)
      : {
          requests: options.requests,
          firstNs: Number.NaN,
          lastNs: Number.NaN,
          inStage: null,
          busiestSecond: null,
        };
  // A worker that may never send would be of no use.
  const useful = Math.min(limits.maxInFlight ?? requests, closed?.users ?? requests, requests);
  const { choice, warnings } = planWorkers(
    { ...options, requests },
    limits,
    steadyRate(options) ?? busiestSecond,
    useful,
    { cores: count, why },
    cores.machine ?? UNKNOWN,
  );
  const { workers } = choice;
  const mayPin = options.cpus !== null && cores.taskset;
  if (options.cpus !== null && !cores.taskset)
    notes.push('not pinned: there is no taskset (util-linux) on the PATH');
  // In a closed loop nothing is due at an instant that is known beforehand: there is nothing to spin for.
  const auto = workers <= count && closed === null ? 'spin' : 'block';
  const pacing = options.pacing === 'auto' ? auto : options.pacing;
  const scheduledRps = lastNs > firstNs ? ((requests - 1) / (lastNs - firstNs)) * NANOS_PER_S : null;
  const busiestRps = options.stages === null ? (scheduledRps ?? 1) : peakRps(options.stages);
  const guess = closed?.users ?? Math.ceil(busiestRps * GUESSED_E2E_S);
  const connections = options.connections ?? Math.min(MAX_CONNECTIONS, Math.max(MIN_CONNECTIONS, guess));
  const lastS =
    closed === null ? lastNs / NANOS_PER_S + options.timeoutS : closedLimitS(closed, options.timeoutS);
  const deadlineS = options.deadlineS ?? lastS + DEADLINE_GRACE_S + (options.retryAfter ? MAX_WAIT_S : 0);
  return {
    workers,
    choice,
    warnings,
    pacing,
    pacingReason:
      options.pacing === 'auto' ? `${workers} worker${workers === 1 ? '' : 's'}, ${why}` : 'as asked',
    cpusOf: Array.from({ length: workers }, (_, k) => (mayPin ? coresOf(k, workers, options.cpus!) : null)),
    notes,
    schedule: { ...schedule, requests },
    firstNs,
    lastNs,
    inStage,
    closed,
    scheduledRps,
    connectionsEach: Math.ceil(connections / workers),
    burnNs: limits.burnPerTokenUs * 1000,
    maxInFlightOf: Array.from({ length: workers }, (_, k) =>
      limits.maxInFlight === null
        ? Number.POSITIVE_INFINITY
        : Math.floor(limits.maxInFlight / workers) + (k < limits.maxInFlight % workers ? 1 : 0),
    ),
    deadlineNs: deadlineS * NANOS_PER_S,
  };
}

/** A worker's cores: each core goes to one worker while there are enough, else workers share them in turn. */
const coresOf = (worker: number, workers: number, cpus: readonly number[]): readonly number[] =>
  workers <= cpus.length ? cpus.filter((_, i) => i % workers === worker) : [cpus[worker % cpus.length]!];

/** The highest rate that was asked for; null where only the schedule tells how high it goes. */
function steadyRate({ arrivals, stages, rateRps }: LoadOptions): number | null {
  if (stages !== null) return peakRps(stages);
  return arrivals.kind === 'trace' ? null : rateRps;
}
