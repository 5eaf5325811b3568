/** What a ledger's arrivals are identified as. Fields are those of audit.json: each names its unit. */
import type { Arrivals } from '../workload.ts';

export const PROCESSES = ['constant', 'poisson', 'gamma', 'other', 'too few'] as const;
export type Process = (typeof PROCESSES)[number];

/**
 * How arrivals depart from the process that was stated. The size of each, and its unit:
 * - `drift` (ms): constant, but each gap is longer than 1/R by this much (a sleep that is not corrected); negative: shorter.
 * - `rate` (share): another mean rate; achieved / stated − 1.
 * - `random-gaps` (ratio): constant was stated and gaps vary as those of a random process; their CV².
 * - `regular-gaps` (ratio): a random process was stated and gaps are equal; their CV².
 * - `other-cv2` (ratio): gaps vary, but not as much as stated, or more; their CV².
 * - `ticks` (ms): arrivals sit on a grid, as those of a coarse timer; its period.
 * - `uneven-phases` (requests): gaps repeat every m arrivals, as those of m senders at equal gaps that were not started evenly; m.
 * - `clumps` (requests): several leave together at random instants, as those of workers with one seed; the mean clump.
 * - `on-the-second` (share): more of them at one instant of the second, second after second, than chance puts there; the share pinned to it.
 * - `renewed-each-second` (ratio): random within a second, yet as many in every second; index of dispersion of counts over 1 s.
 * - `ramp` (ratio): the rate changes over the run; rate of the last third / of the first.
 * - `bursts` (ratio): the rate swings to and fro; the greatest index of dispersion of counts over windows of 20 gaps and more.
 * - `closed-loop` (requests): arrivals wait for completions; the cap, i.e. most in flight.
 * - `stall` (ms): pauses far longer than the process gives, often with a burst that catches up; the median pause.
 * - `jitter` (ms): constant, on time in the mean, but each arrival is off by chance; standard deviation of an arrival's instant.
 * - `unnamed` (ratio): a test fails and nothing above explains it; the test's statistic.
 */
export const DEPARTURES = [
  'drift',
  'rate',
  'random-gaps',
  'regular-gaps',
  'other-cv2',
  'ticks',
  'uneven-phases',
  'clumps',
  'on-the-second',
  'renewed-each-second',
  'ramp',
  'bursts',
  'closed-loop',
  'stall',
  'jitter',
  'unnamed',
] as const;
export type DepartureKind = (typeof DEPARTURES)[number];

export const DEPARTURE_UNITS = ['ms', 'share', 'requests', 'ratio'] as const;

export interface Departure {
  readonly kind: DepartureKind;
  readonly size: number;
  readonly unit: (typeof DEPARTURE_UNITS)[number];
  /** One sentence with the figures behind it. */
  readonly evidence: string;
}

/** Index of dispersion of counts: variance / mean of the arrivals per window. 1 for Poisson at every window, near 0 for constant. */
export interface Dispersion {
  readonly window_s: number;
  readonly index: number;
  /** 95 % interval (χ² of a variance). */
  readonly low: number;
  readonly high: number;
}

export interface PoissonTests {
  /** Lewis (1965), after Durbin (1961): conditional-uniform KS of the gaps in order of size. Sees gaps that are not exponential. */
  readonly lewis_ks: number;
  readonly lewis_p: number;
  /** Conditional-uniform KS of the arrivals as they are. Sees a rate that changes; hardly sees gaps that are not exponential. */
  readonly uniform_ks: number;
  readonly uniform_p: number;
  /** Of both together: twice the smaller, at most 1. */
  readonly p: number;
}

export interface ArrivalIdentity {
  readonly requests: number;
  /** Arrivals per second, (requests − 1) / span; null below two. Its 95 % interval counts chance in the gaps. */
  readonly rate_rps: number | null;
  readonly rate_low_rps: number | null;
  readonly rate_high_rps: number | null;
  /** CV² of the process's gaps, jitter of the machine left out: 0 constant, 1 Poisson; null where too few. With a 95 % interval. */
  readonly cv2: number | null;
  readonly cv2_low: number | null;
  readonly cv2_high: number | null;
  readonly dispersion: readonly Dispersion[];
  readonly poisson: PoissonTests | null;
  /** What it is by the tests. Where clumps or stalls were found: what it is without them. */
  readonly process: Process;
  /** null: not gamma. */
  readonly cv2_of_gamma: number | null;
  /** With the stated process and rate; null: too few to tell. */
  readonly agrees: boolean | null;
  /** The one that explains most first; empty where it agrees. */
  readonly departures: readonly Departure[];
}

/** What a client was asked for. */
export interface StatedArrivals {
  readonly arrivals: Arrivals;
  readonly rateRps: number;
}
