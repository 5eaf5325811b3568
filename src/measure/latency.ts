/**
 * The latency model: the delays that the target injects. A request's draws depend on the seed and its ordinal alone (a
 * stream for TTFT, another for the gaps), never on other requests, on its length or on when it is asked, so that a whole
 * trial's schedule can be recomputed from the ledger.
 */
import { type DelaySpec, isConstantZero, isZero, type LatencySpec } from './latency-spec.ts';
import { normal, type Uniform, uniform } from './random.ts';

const TTFT_STREAM = 1;
const ITL_STREAM = 2;

/** A request's delays. */
export interface Draws {
  /** From arrival to the first token, integer ns, prefill included. */
  readonly ttftNs: number;
  /** The next gap between tokens, integer ns: the first call gives token 0 → 1. */
  gap(): number;
}

export interface LatencyModel {
  readonly spec: LatencySpec;
  /** Nothing is ever delayed. */
  readonly zero: boolean;
  /** All tokens of a request are due at once. */
  readonly together: boolean;
  /** The delays of the request with this ordinal. */
  draws(seed: number, index: number, promptTokens: number): Draws;
}

/** One value of a delay, integer ns ≥ 0. */
type Sampler = (u: Uniform) => number;

/** Values of an `empirical` delay, ns: handed in, since pure code reads no files. */
export type ReadValues = (file: string, column: string | null) => ArrayLike<number>;

const noFiles: ReadValues = (file) => {
  throw new Error(`no reader was given for "${file}"`);
};

/**
 * Lognormal by mean m and coefficient of variation c: σ² = ln(1 + c²), μ = ln m − σ²/2.
 * Source: Johnson, Kotz & Balakrishnan, "Continuous Univariate Distributions", vol. 1, ch. 14.
 */
function lognormal(meanNs: number, cv: number): Sampler {
  if (meanNs === 0) return () => 0;
  const variance = Math.log1p(cv * cv);
  const mu = Math.log(meanNs) - variance / 2;
  const sigma = Math.sqrt(variance);
  return (u) => Math.round(Math.exp(mu + sigma * normal(u)));
}

/** How a delay is sampled; null for a constant. */
function sampler(delay: DelaySpec, read: ReadValues): Sampler | null {
  switch (delay.kind) {
    case 'constant':
      return null;
    case 'lognormal':
      return lognormal(delay.meanNs, delay.cv);
    case 'bimodal':
      return (u) => (u() < delay.share ? delay.rareNs : delay.usualNs);
    case 'empirical': {
      const values = Float64Array.from(read(delay.file, delay.column), Math.round);
      if (values.length === 0) throw new Error(`"${delay.file}" holds no values to draw from`);
      return (u) => values[Math.floor(u() * values.length)]!;
    }
  }
}

/** Makes a model ready to draw; throws an Error where an empirical file gives no values. */
export function latencyModel(spec: LatencySpec, read: ReadValues = noFiles): LatencyModel {
  const ttft = sampler(spec.ttft, read);
  const itl = sampler(spec.itl, read);
  const ttftConstant = spec.ttft.kind === 'constant' ? spec.ttft.ns : 0;
  const itlConstant = spec.itl.kind === 'constant' ? spec.itl.ns : 0;
  const constantGap = (): number => itlConstant;
  return {
    spec,
    zero: isZero(spec),
    together: isConstantZero(spec.itl),
    draws(seed, index, promptTokens) {
      const first = ttft === null ? ttftConstant : ttft(uniform(seed, TTFT_STREAM, index));
      const ttftNs = first + promptTokens * spec.prefillNs;
      if (itl === null) return { ttftNs, gap: constantGap };
      const stream = uniform(seed, ITL_STREAM, index);
      return { ttftNs, gap: () => itl(stream) };
    },
  };
}

/**
 * When each of `tokens` tokens is due, ns after arrival: the schedule that the target keeps for request `index`. Integers,
 * never falling. Written into `into` from `from`, where given.
 */
export function schedule(
  model: LatencyModel,
  seed: number,
  index: number,
  promptTokens: number,
  tokens: number,
  into: Float64Array = new Float64Array(tokens),
  from = 0,
): Float64Array {
  const draws = model.draws(seed, index, promptTokens);
  let due = draws.ttftNs;
  for (let i = 0; i < tokens; i++) {
    if (i > 0) due += draws.gap();
    into[from + i] = due;
  }
  return into;
}
