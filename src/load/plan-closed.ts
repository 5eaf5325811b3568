/** What a closed loop comes to: the part of each worker, and what it cannot be combined with. */
import type { ClosedLoopSpec } from '../measure/load/closed-loop.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import { UserError } from '../system/user-error.ts';
import type { ClosedShare } from './closed-loop.ts';
import type { FaultSpec } from './faults/catalogue.ts';

/** `requests` where something else ends the run: stages, or a closed loop's duration. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** What is looked at of a load's options. */
export interface ClosedAsked {
  readonly concurrency: number | null;
  readonly thinkS: number;
  readonly staggerS: number;
  readonly durationS: number | null;
  readonly requests: number;
  readonly rateRps: number | null;
  readonly stages: object | null;
  readonly arrivals: { readonly kind: string };
  readonly maxInFlight: number | null;
  readonly fault: FaultSpec | null;
}

/** Faults that change when an open loop sends, or what its schedule is compared with. */
const NEED_A_SCHEDULE: readonly string[] = [
  'late-send',
  'omission',
  'ttft-in-itl',
  'sleep-drift',
  'pool-cap',
  'cap-wait-omitted',
  'same-seed',
  'tick',
  'random-gaps',
  'on-the-second',
  'lost-requests',
  'duplicate',
  'clock-scale',
];

/** The closed loop of the options; null: the loop is open. Throws a UserError on what makes no sense together. */
export function closedLoopOf(options: ClosedAsked): ClosedLoopSpec | null {
  const { concurrency: users, fault, thinkS, staggerS, durationS, requests } = options;
  if (users === null) return null;
  if (fault !== null && NEED_A_SCHEDULE.includes(fault.name))
    throw new UserError(
      `the fault ${fault.name} needs scheduled instants, and a closed loop has none: give --rate in place of --concurrency`,
    );
  if (options.rateRps !== null || options.stages !== null)
    throw new UserError(
      '--concurrency makes its own rate (a request is sent when another has ended): leave out --rate, --stages, --ramp and --bursts',
    );
  if (options.arrivals.kind === 'trace')
    throw new UserError(
      'a trace says when requests are sent, and so does --concurrency: give one of the two',
    );
  if (options.maxInFlight !== null)
    throw new UserError('--concurrency is the number under way: leave out --max-in-flight');
  if (durationS === null && requests === UNLIMITED)
    throw new UserError('a closed loop needs an end: give --duration or --requests');
  if (durationS !== null && staggerS >= durationS)
    throw new UserError(
      `--stagger ${staggerS}s is not shorter than the run of ${durationS} s: some users would never start`,
    );
  if (requests < users)
    throw new UserError(
      `${requests} requests are fewer than the ${users} users of --concurrency: give at least one for each`,
    );
  return { users, thinkS, staggerS, durationS, requests: requests === UNLIMITED ? null : requests };
}

/** How many of `total` fall to one of `parts`, as even as can be. */
const part = (total: number, index: number, parts: number): number =>
  Math.floor(total / parts) + (index < total % parts ? 1 : 0);

/** A worker's users and requests. User u begins at u × stagger / (users − 1), and belongs to worker u mod m. */
export function closedShare(spec: ClosedLoopSpec, worker: number, workers: number): ClosedShare {
  const staggerNs = spec.staggerS * NANOS_PER_S;
  const apartNs = spec.users > 1 ? staggerNs / (spec.users - 1) : 0;
  return {
    users: part(spec.users, worker, workers),
    thinkNs: spec.thinkS * NANOS_PER_S,
    firstNs: worker * apartNs,
    apartNs: apartNs * workers,
    allNs: spec.users > 1 ? staggerNs : 0,
    durationNs: spec.durationS === null ? Number.POSITIVE_INFINITY : spec.durationS * NANOS_PER_S,
    requests: spec.requests ?? Number.POSITIVE_INFINITY,
    allUsers: spec.users,
    first: worker,
    step: workers,
  };
}

/**
 * After this a closed loop has ended whatever the target does, s after the start: each user's requests one after the other, all up to their time limit; with a
 * duration, at most one more request after it.
 */
export function closedLimitS(spec: ClosedLoopSpec, timeoutS: number): number {
  const byRequests =
    spec.requests === null
      ? Number.POSITIVE_INFINITY
      : spec.staggerS + Math.ceil(spec.requests / spec.users + 1) * (timeoutS + spec.thinkS);
  const byTime = spec.durationS === null ? Number.POSITIVE_INFINITY : spec.durationS + timeoutS;
  return Math.min(byRequests, byTime);
}
