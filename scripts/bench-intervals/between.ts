/** Coverage of the intervals between trials. */
import { type Interval, meanInterval } from '../../src/measure/intervals.ts';
import { uniform } from '../../src/measure/random.ts';
import type { Repetitions } from './shapes.ts';
import { Tally } from './tally.ts';

/** How often `method` of n repetitions holds their true mean. */
export function betweenCoverage(
  shape: Repetitions,
  n: number,
  trials: number,
  seed: number,
  method: (values: readonly number[]) => Interval | null = meanInterval,
): Tally {
  const u = uniform(seed, n);
  const tally = new Tally();
  for (let k = 0; k < trials; k++)
    tally.add(method(Array.from({ length: n }, () => shape.draw(u))), shape.mean);
  return tally;
}
