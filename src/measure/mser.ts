/** Where a run's start-up is over, by the series itself. */

/** Values of one batch. */
export const MSER_BATCH = 5;
/** Batches below which nothing is said, and that are never left alone at the end: the statistic is wild there. */
const FEWEST_BATCHES = 20;
const LEFT_AT_LEAST = 5;

export type Truncation =
  /** So many values are to be left out at the start. */
  | { readonly state: 'found'; readonly values: number; readonly batches: number }
  /** No steady state within the series. */
  | { readonly state: 'refused'; readonly why: string };

/**
 * MSER-5: of the means of batches of five, those are left out at the start without which the standard error of the mean of the rest is least, as
 * Σ(Y − Ȳ)²/n² over the n that are left. More than half left out means that the series has no steady part, or is too short.
 * Sources: K. P. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997; K. P. White, M. J. Cobb & S. C. Spratt, "A
 * comparison of five steady-state truncation heuristics for simulation", WSC 2000 (batches of five, and the rejection beyond half).
 */
export function mser5(values: ArrayLike<number>): Truncation {
  const batches = Math.floor(values.length / MSER_BATCH);
  if (batches < FEWEST_BATCHES)
    return {
      state: 'refused',
      why: `${values.length} values are too few: ${FEWEST_BATCHES * MSER_BATCH} are needed`,
    };
  let least = Number.POSITIVE_INFINITY;
  let cut = 0;
  // From the end on, mean and squares are updated (Welford 1962): one pass over all truncations.
  let mean = 0;
  let squares = 0;
  for (let d = batches - 1; d >= 0; d--) {
    const y = batchMean(values, d);
    const n = batches - d;
    const delta = y - mean;
    mean += delta / n;
    squares += delta * (y - mean);
    const statistic = squares / n ** 2;
    // Of equal ones the earliest cut: nothing is left out without need.
    if (n >= LEFT_AT_LEAST && statistic <= least) [least, cut] = [statistic, d];
  }
  if (cut > batches / 2)
    return {
      state: 'refused',
      why: `no steady state: by MSER-5 ${cut} of ${batches} batches of ${MSER_BATCH} would go, more than half`,
    };
  return { state: 'found', values: cut * MSER_BATCH, batches };
}

function batchMean(values: ArrayLike<number>, batch: number): number {
  let sum = 0;
  for (let i = batch * MSER_BATCH; i < (batch + 1) * MSER_BATCH; i++) sum += values[i]!;
  return sum / MSER_BATCH;
}
