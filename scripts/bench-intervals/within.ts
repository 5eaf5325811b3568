/** Coverage of the intervals within a trial. */
import { blocksFor, equalBlocks } from '../../src/measure/blocks.ts';
import type { Interval } from '../../src/measure/intervals.ts';
import { uniform } from '../../src/measure/random.ts';
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
