/** Methods that Tare does not use, to be measured beside those that it does. */
import type { Blocked } from '../../src/measure/blocks.ts';
import { blocksFor, equalBlocks } from '../../src/measure/blocks.ts';
import { type Interval, studentInterval, t975 } from '../../src/measure/intervals.ts';
import { mean, quantileSorted, variance } from '../../src/measure/quantile.ts';
import { quantileInterval } from '../../src/measure/quantile-interval.ts';
import type { Uniform } from '../../src/measure/random.ts';
import { PS } from './shapes.ts';

const REPLICATES = 400;

/** Φ by Abramowitz & Stegun 26.2.17, to 1e−7. */
function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    0.3989422804 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x > 0 ? 1 - tail : tail;
}

function normalQuantile(p: number): number {
  let [low, high] = [-8, 8];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Percentile, studentized and BCa bootstraps of a mean (Efron & Tibshirani 1993), from the same replicates. */
export function bootstraps(
  values: readonly number[],
  u: Uniform,
): Record<'percentile' | 'studentized' | 'BCa', Interval> {
  const n = values.length;
  const centre = mean(values);
  const se = Math.sqrt(variance(values) / n);
  const means: number[] = [];
  const ts: number[] = [];
  for (let k = 0; k < REPLICATES; k++) {
    const drawn = values.map(() => values[Math.floor(u() * n)]!);
    const m = mean(drawn);
    const s = Math.sqrt(variance(drawn) / n);
    means.push(m);
    ts.push(s > 0 ? (m - centre) / s : Math.sign(m - centre) * Number.MAX_VALUE);
  }
  means.sort((a, b) => a - b);
  ts.sort((a, b) => a - b);
  const below = means.filter((m) => m < centre).length + means.filter((m) => m === centre).length / 2;
  const z0 = normalQuantile(Math.min(0.999, Math.max(0.001, below / REPLICATES)));
  const cubes = values.reduce((sum, value) => sum + (value - centre) ** 3, 0);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const a = squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
  const bca = (z: number) => quantileSorted(means, normalCdf(z0 + (z0 + z) / (1 - a * (z0 + z))));
  return {
    percentile: { low: quantileSorted(means, 0.025), high: quantileSorted(means, 0.975) },
    studentized: {
      low: centre - quantileSorted(ts, 0.975) * se,
      high: centre - quantileSorted(ts, 0.025) * se,
    },
    BCa: { low: bca(-1.96), high: bca(1.96) },
  };
}

/** Mean by Student's t and quantiles by order statistics, as if requests were independent. */
export const asIndependent = (values: Float64Array): (Interval | null)[] => {
  const sorted = values.toSorted();
  return [studentInterval(Array.from(values)), ...PS.map((p) => quantileInterval(sorted, p))];
};

/** The interval that Tare had before: 20 blocks drawn anew, the spread of the figure times t(0.975, blocks − 1). */
export function blockBootstrap(values: Float64Array, u: Uniform): Interval[] {
  const blocks = Math.min(20, Math.floor(values.length / 10));
  const sample: Blocked = { values, blockOf: equalBlocks(values.length, blocks) };
  const order = Int32Array.from(values.keys()).sort((i, k) => values[i]! - values[k]!);
  const sorted = Float64Array.from(order, (i) => values[i]!);
  const figures: number[][] = [[], ...PS.map(() => [])];
  for (let k = 0; k < 100; k++) {
    const weights = new Int32Array(blocks);
    for (let b = 0; b < blocks; b++) weights[Math.floor(u() * blocks)]!++;
    let [total, sum] = [0, 0];
    for (let i = 0; i < order.length; i++) {
      const weight = weights[sample.blockOf[order[i]!]!]!;
      total += weight;
      sum += weight * sorted[i]!;
    }
    figures[0]!.push(sum / total);
    let [seen, at] = [0, 0];
    for (const [s, p] of PS.entries()) {
      while (at < order.length - 1 && seen + weights[sample.blockOf[order[at]!]!]! <= p * (total - 1))
        seen += weights[sample.blockOf[order[at++]!]!]!;
      figures[s + 1]!.push(sorted[at]!);
    }
  }
  return [mean(values), ...PS.map((p) => quantileSorted(sorted, p))].map((centre, s) => {
    const half = t975(blocks - 1) * Math.sqrt((variance(figures[s]!) * blocks) / (blocks - 1));
    return { low: centre - half, high: centre + half };
  });
}

/** Each block's own quantile, and t over the blocks (non-overlapping batch quantiles). */
export const batchQuantiles = (values: Float64Array): (Interval | null)[] => {
  const blocks = Math.min(20, blocksFor(values.length));
  const size = values.length / blocks;
  const groups = Array.from({ length: blocks }, (_, b) =>
    values.slice(Math.round(b * size), Math.round((b + 1) * size)).sort(),
  );
  return [
    studentInterval(groups.map(mean)),
    ...PS.map((p) => studentInterval(groups.map((g) => quantileSorted(g, p)))),
  ];
};
