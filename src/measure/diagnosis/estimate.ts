/** Sizes with intervals, from values in order of time. */
import { studentInterval } from '../intervals.ts';
import { mean, quantileSorted } from '../quantile.ts';

export interface Estimate {
  readonly size: number;
  readonly low: number;
  readonly high: number;
}

/** Runs of neighbours: what one request met its neighbours met, so that runs are independent where requests are not. */
const BATCHES = 10;

const finite = (values: ArrayLike<number>): number[] => Array.from(values).filter(Number.isFinite);

/** Median of the finite values; NaN of none. */
export const median = (values: ArrayLike<number>): number =>
  quantileSorted(
    finite(values).sort((a, b) => a - b),
    0.5,
  );

/** The p-quantile of the finite values; NaN of none. */
export const quantile = (values: ArrayLike<number>, p: number): number =>
  quantileSorted(
    finite(values).sort((a, b) => a - b),
    p,
  );

export const meanOf = (values: ArrayLike<number>): number => mean(finite(values));

/**
 * A statistic of values in order of time with a 95 % interval: Student's t over ten batches of neighbours (batch means, as in the
 * analysis of simulation output). Too few values for batches of three: no width is claimed, and both ends are infinite.
 */
export function estimate(
  values: ArrayLike<number>,
  statistic: (values: ArrayLike<number>) => number,
): Estimate {
  const all = finite(values);
  const size = statistic(all);
  if (all.length < 3 * BATCHES)
    return { size, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const batches = Array.from({ length: BATCHES }, (_, b) =>
    statistic(
      all.slice(Math.floor((b * all.length) / BATCHES), Math.floor(((b + 1) * all.length) / BATCHES)),
    ),
  );
  const interval = studentInterval(batches)!;
  const half = (interval.high - interval.low) / 2;
  return { size, low: size - half, high: size + half };
}
