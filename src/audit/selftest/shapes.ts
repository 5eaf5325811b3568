/** What the controls are tried on: small workloads whose every delay is known, and servers whose head, role, tokens and end lie far apart. */
import type { Arrivals } from '../../measure/workload.ts';

export interface ControlShape {
  readonly rateRps: number;
  readonly durationS: number;
  readonly arrivals: Arrivals;
  readonly ttftMs: number;
  readonly itlMs: number;
  readonly tailMs: number;
  /** Further flags of `tare serve`. */
  readonly serve: readonly string[];
}

export const OUTPUT_TOKENS = 16;

// Rates are no divisors of a second: stamps that move in steps, and timers, would fall in with the schedule.
const HEAD_FIRST = ['--headers', 'early', '--role', 'early', '--tail', '20ms'] as const;

export const SHAPES = {
  /** Tokens one by one; some requests fail at once, some in mid-stream. */
  stream: {
    rateRps: 97,
    durationS: 2,
    arrivals: { kind: 'constant' },
    ttftMs: 40,
    itlMs: 5,
    tailMs: 20,
    serve: [...HEAD_FIRST, '--refuse', '5%', '--break', '5%'],
  },
  /** All tokens of an answer in one write. */
  together: {
    rateRps: 97,
    durationS: 2,
    arrivals: { kind: 'constant' },
    ttftMs: 40,
    itlMs: 0,
    tailMs: 20,
    serve: HEAD_FIRST,
  },
  random: {
    rateRps: 97,
    durationS: 2,
    arrivals: { kind: 'poisson' },
    ttftMs: 40,
    itlMs: 5,
    tailMs: 20,
    serve: HEAD_FIRST,
  },
  /** Long enough to hold several whole seconds, slow enough that what lies on them is no chance. */
  slow: {
    rateRps: 10,
    durationS: 10,
    arrivals: { kind: 'poisson' },
    ttftMs: 40,
    itlMs: 5,
    tailMs: 20,
    serve: HEAD_FIRST,
  },
  /** Few requests, so that a client with a connection or two keeps up. */
  few: {
    rateRps: 5,
    durationS: 5,
    arrivals: { kind: 'constant' },
    ttftMs: 100,
    itlMs: 0,
    tailMs: 0,
    serve: [],
  },
} as const satisfies Readonly<Record<string, ControlShape>>;
export type ShapeName = keyof typeof SHAPES;

/** The latency model of a shape, as the target's flag spells it. */
export const latencyOf = ({ ttftMs, itlMs }: ControlShape): string =>
  `ttft=${ttftMs}ms,itl=${itlMs === 0 ? '0ms' : `${itlMs}ms`}`;
