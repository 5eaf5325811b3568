/**
 * When requests are due. One schedule, drawn from the seed, serves all worker processes: each one walks the whole of it and sends
 * every m-th arrival, so that request i has the same instant whatever the number of workers.
 */
import { RateCurve } from './load/rate-curve.ts';
import { type StagePlan, stageProblem } from './load/stages.ts';
import { exponential, gamma, uniform } from './random.ts';
import { NANOS_PER_S } from './time.ts';
import type { Arrivals } from './workload.ts';

export interface ScheduleSpec {
  readonly arrivals: Arrivals;
  /** Mean arrivals per second. For a trace: null leaves its times as they are, a rate rescales them to that mean. */
  readonly rateRps: number | null;
  readonly requests: number;
  readonly seed: number;
  /** The trace's offsets in seconds, non-decreasing; only with arrivals of kind `trace`. */
  readonly trace?: ArrayLike<number>;
  /** How the rate changes; then `rateRps` is not looked at, and `requests` is only a limit: the stages say how many there are. */
  readonly stages?: StagePlan;
}

/** Arrivals in order. Holds no list of them, so that a run's memory does not grow with its length. */
export interface Schedule {
  /** How many there are; with stages, at most. */
  readonly requests: number;
  /** Nanoseconds of the next arrival after the start, never before the one before it; NaN after the last. */
  next(): number;
}

/** Random stream of the gaps between arrivals: apart from those of prompts and latencies. */
const ARRIVAL_STREAM = 1;

/** Gaps between arrivals in units of the mean gap; their CV² is 0, 1, or the one that was asked. */
function unitGaps(arrivals: Exclude<Arrivals, { kind: 'trace' }>, seed: number): () => number {
  const u = uniform(seed, ARRIVAL_STREAM);
  if (arrivals.kind === 'poisson') return () => exponential(u);
  if (arrivals.kind === 'gamma') {
    // Gamma of shape k has CV² = 1/k, and mean k at scale 1.
    const shape = 1 / arrivals.cv2;
    return () => gamma(u, shape) / shape;
  }
  return () => 1;
}

/**
 * The schedule of a specification. Constant arrivals start at 0; random ones after a first gap.
 * Throws an Error on a rate or number that is not positive, and on a trace that is missing.
 */
export function createSchedule(spec: ScheduleSpec): Schedule {
  const { arrivals } = spec;
  if (!(Number.isInteger(spec.requests) && spec.requests > 0))
    throw new Error(`the number of requests must be a whole number above 0, not ${spec.requests}`);
  if (spec.rateRps !== null && !(spec.rateRps > 0 && Number.isFinite(spec.rateRps)))
    throw new Error(`the rate must be a number above 0, not ${spec.rateRps}`);
  if (spec.stages !== undefined) return stagedSchedule(spec, spec.stages);
  if (arrivals.kind === 'trace') return traceSchedule(spec);
  if (spec.rateRps === null) throw new Error('a rate is needed, unless arrivals come from a trace');

  const meanGapNs = NANOS_PER_S / spec.rateRps;
  let sent = 0;
  if (arrivals.kind === 'constant')
    // From the index, not by adding up: no rounding error grows.
    return { requests: spec.requests, next: () => (sent < spec.requests ? sent++ * meanGapNs : Number.NaN) };
  const gap = unitGaps(arrivals, spec.seed);
  let at = 0;
  return {
    requests: spec.requests,
    next: () => {
      if (sent >= spec.requests) return Number.NaN;
      sent++;
      at += gap() * meanGapNs;
      return at;
    },
  };
}

/** Unit-rate arrivals, taken through the inverse of the cumulative rate (rate-curve.ts). */
function stagedSchedule({ arrivals, requests, seed }: ScheduleSpec, stages: StagePlan): Schedule {
  if (arrivals.kind === 'trace') throw new Error('a trace has its own times, so it cannot follow stages');
  const problem = stageProblem(stages);
  if (problem !== null) throw new Error(problem);
  const curve = new RateCurve(stages);
  const gap = arrivals.kind === 'constant' ? null : unitGaps(arrivals, seed);
  let sent = 0;
  let count = 0;
  return {
    requests,
    next: () => {
      if (sent >= requests) return Number.NaN;
      count = gap === null ? sent : count + gap();
      sent++;
      return curve.instantAt(count) * NANOS_PER_S;
    },
  };
}

function traceSchedule(spec: ScheduleSpec): Schedule {
  const trace = spec.trace;
  if (trace === undefined || trace.length === 0) throw new Error('the trace holds no arrivals');
  const requests = Math.min(spec.requests, trace.length);
  const span = trace[trace.length - 1]! - trace[0]!;
  if (spec.rateRps !== null && span <= 0)
    throw new Error('the trace has no length in time, so it cannot be rescaled to a rate');
  const scale = spec.rateRps === null ? 1 : (trace.length - 1) / span / spec.rateRps;
  let index = 0;
  return {
    requests,
    next: () => (index < requests ? trace[index++]! * scale * NANOS_PER_S : Number.NaN),
  };
}

/**
 * Reads a trace: one arrival a line, in seconds; of a CSV the first column, or the one that the header calls offset, time, timestamp,
 * arrival or seconds. Empty lines and lines from # on are skipped. Throws an Error that names the line.
 */
export function parseTrace(text: string): number[] {
  const offsets: number[] = [];
  let column = 0;
  let first = true;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (first) {
      first = false;
      if (cells.every((cell) => cell !== '' && Number.isNaN(Number(cell)))) {
        const named = cells.findIndex((cell) => /^(offset|time|timestamp|arrival|seconds)(_s)?$/i.test(cell));
        column = Math.max(0, named);
        continue;
      }
    }
    const cell = cells[column] ?? '';
    const value = Number(cell);
    if (cell === '' || !Number.isFinite(value) || value < 0)
      throw new Error(`line ${index + 1} of the trace: "${cell}" is not a number of seconds`);
    if (offsets.length > 0 && value < offsets[offsets.length - 1]!)
      throw new Error(`line ${index + 1} of the trace goes back in time (${value} s)`);
    offsets.push(value);
  }
  if (offsets.length === 0) throw new Error('the trace holds no arrivals');
  return offsets;
}
