/**
 * Intervals for a bias: between trials (Student's t over repetitions), and within one trial (bootstrap over blocks of time, since
 * what one request waits is correlated with what its neighbours wait).
 */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, variance } from './quantile.ts';
import { uniform } from './random.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** 95 % interval of the mean of independent repetitions, mean ± t(0.975, n − 1)·s/√n; null below two. */
export function studentInterval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  const half = tQuantile(0.975, n - 1) * Math.sqrt(variance(values) / n);
  const centre = mean(values);
  return { low: centre - half, high: centre + half };
}

/** Values in time order, cut into blocks: `blockOf[i]` is the block of `values[i]`, from 0. */
export interface Blocked {
  readonly values: Float64Array;
  readonly blockOf: Int32Array;
}

/** Cuts n items in time order into `blocks` runs of equal count. */
export const equalBlocks = (n: number, blocks: number): Int32Array =>
  Int32Array.from({ length: n }, (_, i) => Math.floor((i * blocks) / n));

/** Statistics of a sample in which block b is taken `weights[b]` times. Sorted once, so that a replicate is one pass. */
class Resampler {
  readonly #values: Float64Array;
  readonly #blockOf: Int32Array;

  constructor(sample: Blocked) {
    const order = Int32Array.from(sample.values.keys()).sort((a, b) => sample.values[a]! - sample.values[b]!);
    this.#values = Float64Array.from(order, (i) => sample.values[i]!);
    this.#blockOf = Int32Array.from(order, (i) => sample.blockOf[i]!);
  }

  /** Mean and the p-quantiles (nearest rank, which differs from interpolation by less than one order statistic). */
  statistics(weights: Int32Array, ps: readonly number[]): number[] {
    let total = 0;
    let sum = 0;
    for (let i = 0; i < this.#values.length; i++) {
      const weight = weights[this.#blockOf[i]!]!;
      total += weight;
      sum += weight * this.#values[i]!;
    }
    const result = [sum / total];
    let seen = 0;
    let i = 0;
    for (const p of ps) {
      const wanted = p * (total - 1);
      while (i < this.#values.length && seen + weights[this.#blockOf[i]!]! <= wanted)
        seen += weights[this.#blockOf[i++]!]!;
      result.push(this.#values[Math.min(i, this.#values.length - 1)]!);
    }
    return result;
  }
}

/**
 * Standard errors of reported − expected for the mean and each quantile of `ps` (ascending), over one trial cut into the same
 * blocks of time on both sides. A block is drawn for both sides at once, so that what they share cancels.
 * Without `expected` they are those of `reported` alone: differences that were taken pair by pair.
 * null where a side has no values or there are fewer than four blocks.
 */
export function blockStandardErrors(
  reported: Blocked,
  expected: Blocked | null,
  blocks: number,
  ps: readonly number[],
  seed: number,
  replicates = 200,
): number[] | null {
  if (blocks < 4 || reported.values.length < blocks) return null;
  if (expected !== null && expected.values.length < blocks) return null;
  const left = new Resampler(reported);
  const right = expected === null ? null : new Resampler(expected);
  const u = uniform(seed, blocks, replicates);
  const differences: number[][] = Array.from({ length: ps.length + 1 }, () => []);
  for (let k = 0; k < replicates; k++) {
    const weights = new Int32Array(blocks);
    for (let b = 0; b < blocks; b++) {
      const drawn = Math.floor(u() * blocks);
      weights[drawn] = weights[drawn]! + 1;
    }
    const a = left.statistics(weights, ps);
    const b = right?.statistics(weights, ps);
    for (let s = 0; s < a.length; s++) {
      const difference = a[s]! - (b?.[s] ?? 0);
      if (Number.isFinite(difference)) differences[s]!.push(difference);
    }
  }
  // √(blocks/(blocks − 1)): the bootstrap's variance is that of a population of `blocks`, not a sample.
  return differences.map((values) => Math.sqrt((variance(values) * blocks) / (blocks - 1)));
}

/** Half width of a 95 % interval from a standard error over `blocks` blocks: t(0.975, blocks − 1)·se. */
export const blockHalfWidth = (se: number, blocks: number): number => tQuantile(0.975, blocks - 1) * se;
