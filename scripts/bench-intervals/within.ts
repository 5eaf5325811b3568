/** Coverage of the intervals within a trial. */
import { blocksFor, equalBlocks } from '../../src/measure/blocks.ts';
import type { Interval } from '../../src/measure/intervals.ts';
import { quantileSorted } from '../../src/measure/quantile.ts';
import { normal, type Uniform, uniform } from '../../src/measure/random.ts';
import { trialFigures } from '../../src/measure/trial-interval.ts';
import { type Process, PS } from './shapes.ts';
import { Tally } from './tally.ts';

export const tareWithin = (values: Float64Array): (Interval | null)[] => {
  const blocks = blocksFor(values.length);
  return trialFigures({ values, blockOf: equalBlocks(values.length, blocks) }, null, blocks, PS).map(
    (figure) => figure.interval,
  );
};

/** A tally for each of mean, p50, p90, p99. */
export function withinCoverage(
  process: Process,
  n: number,
  trials: number,
  seed: number,
  method: (values: Float64Array) => readonly (Interval | null)[] = tareWithin,
): Tally[] {
  const u = uniform(seed, n);
  const truth = process.truth(n);
  const tallies = truth.map(() => new Tally());
  for (let k = 0; k < trials; k++) {
    const intervals = method(process.draw(u, n));
    for (const [i, tally] of tallies.entries()) tally.add(intervals[i]!, truth[i]!);
  }
  return tallies;
}

/** Latency of a server, ms: lognormal around 20, and what a client adds to each request. */
const served = (u: Uniform, n: number) =>
  Float64Array.from({ length: n }, () => 20 * Math.exp(0.5 * normal(u)));

/**
 * Of printed figures: quantiles of reported − quantiles of expected, where `added` falls on requests of varied latency. A tally for each of
 * mean, p50, p90, p99. The truth is taken from `long` requests at once.
 */
export function figuresCoverage(
  added: Process,
  n: number,
  trials: number,
  seed: number,
  long = 1_000_000,
): Tally[] {
  const u = uniform(seed, n, 1);
  const draw = (count: number) => {
    const expected = served(u, count);
    const delays = added.draw(u, count);
    return { expected, reported: expected.map((value, i) => value + delays[i]!) };
  };
  const { expected, reported } = draw(long);
  expected.sort();
  reported.sort();
  const truth = [
    added.truth(n)[0]!,
    ...PS.map((p) => quantileSorted(reported, p) - quantileSorted(expected, p)),
  ];
  const tallies = truth.map(() => new Tally());
  const blocks = blocksFor(n);
  const blockOf = equalBlocks(n, blocks);
  for (let k = 0; k < trials; k++) {
    const trial = draw(n);
    const figures = trialFigures(
      { values: trial.reported, blockOf },
      { values: trial.expected, blockOf },
      blocks,
      PS,
    );
    for (const [i, tally] of tallies.entries()) tally.add(figures[i]!.interval, truth[i]!);
  }
  return tallies;
}
