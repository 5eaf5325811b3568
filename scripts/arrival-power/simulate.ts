/** Simulated clients with one known departure each, on a simulated machine: for the tests of src/measure/arrival-process and their power. */

import { exponential, normal, type Uniform, uniform } from '../../src/measure/random.ts';
import { createSchedule } from '../../src/measure/schedule.ts';
import type { Arrivals } from '../../src/measure/workload.ts';

/** Noise of the machine that every client has. */
export interface Machine {
  /** Standard deviation (and mean) of an exponential delay of each request, ms. */
  readonly jitterMs: number;
  /** Stalls a second, and the shortest and longest of them, ms: log-uniform. Whatever is due in one leaves after it, one by one. */
  readonly stallsPerS: number;
  readonly stallMs: readonly [number, number];
}

export const QUIET: Machine = { jitterMs: 0.1, stallsPerS: 0, stallMs: [1, 1] };
/** Loopback on two shared virtual cores, at its worst. */
export const NOISY: Machine = { jitterMs: 0.5, stallsPerS: 1, stallMs: [1, 30] };

/** Instants (ms) of a schedule. */
export function schedule(arrivals: Arrivals, rateRps: number, requests: number, seed: number): number[] {
  const plan = createSchedule({ arrivals, rateRps, requests, seed });
  return Array.from({ length: requests }, () => plan.next() / 1e6);
}

/** Holds back whatever is due in [from, from + length) to its end; one request leaves every `eachMs`. */
function hold(at: number[], from: number, length: number, eachMs: number): void {
  let k = 0;
  for (let i = 0; i < at.length; i++)
    if (at[i]! >= from && at[i]! < from + length) at[i] = from + length + eachMs * k++;
}

/** What the target sees of instants at which a client would send, ns, ascending. */
export function onMachine(sendMs: readonly number[], machine: Machine, seed: number): Float64Array {
  const u = uniform(seed, 77);
  const at = sendMs.map((t) => t + machine.jitterMs * exponential(u));
  at.sort((a, b) => a - b);
  const [shortest, longest] = machine.stallMs;
  const end = at.at(-1)!;
  if (machine.stallsPerS > 0)
    for (
      let t = (1000 / machine.stallsPerS) * exponential(u);
      t < end;
      t += (1000 / machine.stallsPerS) * exponential(u)
    )
      hold(at, t, shortest * (longest / shortest) ** u(), 0.08);
  return Float64Array.from(at, (t) => 1e12 + Math.round(t * 1e6)).sort();
}

export interface Case {
  readonly stated: Arrivals;
  readonly rateRps: number;
  readonly requests: number;
  readonly seed: number;
}

/** Instants, ms, at which a faulty client would send; by dose. */
export type Fault = (spec: Case, dose: number) => number[];

const planned = ({ stated, rateRps, requests, seed }: Case) => schedule(stated, rateRps, requests, seed);
const draws = (seed: number): Uniform => uniform(seed, 78);

export const FAULTS = {
  none: (spec) => planned(spec),
  /** Sleeps of the gap and `dose` ms more, not corrected. */
  drift: (spec, dose) => planned(spec).map((t, i) => t + dose * i),
  /** The schedule at `1 + dose` of its rate. */
  rate: (spec, dose) => planned(spec).map((t) => t / (1 + dose)),
  /** Gamma gaps of CV² `dose`, whatever was stated; 0: constant. */
  cv2: (spec, dose) =>
    planned({
      ...spec,
      stated:
        dose === 0 ? { kind: 'constant' } : dose === 1 ? { kind: 'poisson' } : { kind: 'gamma', cv2: dose },
    }),
  /** A timer that fires every `dose` ms. */
  ticks: (spec, dose) => planned(spec).map((t) => Math.ceil(t / dose) * dose),
  /** `dose` workers, each with the same schedule at its part of the rate. */
  clumps: (spec, dose) =>
    planned({ ...spec, rateRps: spec.rateRps / dose, requests: Math.ceil(spec.requests / dose) })
      .flatMap((t) => Array.from({ length: dose }, () => t))
      .slice(0, spec.requests),
  /** `dose` workers, each strictly periodic at its part of the rate, started at any time. */
  phases: (spec, dose) => {
    const u = draws(spec.seed);
    const gap = (1000 * dose) / spec.rateRps;
    const starts = Array.from({ length: dose }, () => gap * u());
    return Array.from(
      { length: spec.requests },
      (_, i) => starts[i % dose]! + Math.floor(i / dose) * gap,
    ).sort((a, b) => a - b);
  },
  /** As many in every second, uniform within it, and the share `dose` of them at its start. */
  second: (spec, dose) => {
    const u = draws(spec.seed);
    const each = Math.round(spec.rateRps);
    return Array.from({ length: spec.requests }, (_, i) => {
      const second = Math.floor(i / each) * 1000;
      return i % each < dose * each ? second : second + 1000 * u();
    }).sort((a, b) => a - b);
  },
  /** The share `dose` of arrivals is moved to the start of its second; the rest is the schedule. */
  pinned: (spec, dose) => {
    const u = draws(spec.seed);
    return planned(spec)
      .map((t) => (u() < dose ? Math.floor(t / 1000) * 1000 + 337 : t))
      .sort((a, b) => a - b);
  },
  /** The rate goes linearly so that the last third has `dose` times the first third's. */
  ramp: (spec, dose) => {
    const at = planned(spec);
    const end = at.at(-1)!;
    // Rate 1 + c·x over x in [0, 1]: thirds are (1 + c/6) and (1 + 5c/6).
    const c = (dose - 1) / (5 / 6 - dose / 6);
    return at.map((t) => {
      const q = (t / end) * (1 + c / 2);
      return end * (c === 0 ? q : (Math.sqrt(1 + 2 * c * q) - 1) / c);
    });
  },
  /** On for half of every second at `dose` times the rate of the other half. */
  bursts: (spec, dose) => {
    const high = (2 * dose) / (1 + dose);
    return planned(spec).map((t) => {
      const second = Math.floor(t / 1000) * 1000;
      const inside = t - second;
      const first = 500 * high;
      return second + (inside < first ? inside / high : 500 + (inside - first) / (2 - high));
    });
  },
  /** A stall of `dose` ms every second, caught up. */
  stall: (spec, dose) => {
    const at = planned(spec);
    for (let t = 500; t < at.at(-1)!; t += 1000) hold(at, t, dose, 0.08);
    return at;
  },
  /** Each arrival is moved by a normal variable of standard deviation `dose` ms. */
  jitter: (spec, dose) => {
    const u = draws(spec.seed);
    return planned(spec)
      .map((t) => t + dose * normal(u))
      .sort((a, b) => a - b);
  },
} satisfies Record<string, Fault>;

/** A client with `cap` connections against answers of `serviceMs`: arrivals and ends, ns. It sends late rather than beyond its cap. */
export function capped(
  spec: Case,
  cap: number,
  serviceMs: (i: number) => number,
  machine: Machine,
): { arrivalsNs: Float64Array; endsNs: Float64Array } {
  const u = uniform(spec.seed, 79);
  const free: number[] = Array.from({ length: cap }, () => 0);
  const pairs = planned(spec).map((due, i) => {
    free.sort((a, b) => a - b);
    const at = Math.max(due, free[0]!) + machine.jitterMs * exponential(u);
    const end = at + serviceMs(i);
    free[0] = end;
    return [at, end] as const;
  });
  pairs.sort((a, b) => a[0] - b[0]);
  return {
    arrivalsNs: Float64Array.from(pairs, ([at]) => 1e12 + at * 1e6),
    endsNs: Float64Array.from(pairs, ([, end]) => 1e12 + end * 1e6),
  };
}
