/** Blocks of a trial's time: what one request waits its neighbours wait too, so it is blocks that are compared, not requests. */

/** Values in time order, cut into blocks: `blockOf[i]` is the block of `values[i]`, from 0. */
export interface Blocked {
  readonly values: Float64Array;
  readonly blockOf: Int32Array;
}

/** Cuts n items in time order into `blocks` runs of equal count. */
export const equalBlocks = (n: number, blocks: number): Int32Array =>
  Int32Array.from({ length: n }, (_, i) => Math.floor((i * blocks) / n));

/** Fewest blocks that an interval is made from, and the fewest requests of a block. */
export const FEWEST_BLOCKS = 4;
const FEWEST_REQUESTS = 10;

/** Blocks that a trial of n requests is cut into: 40 where each has ten requests, else 20, else 10, else as many as have ten. */
export function blocksFor(n: number): number {
  const most = Math.floor(n / FEWEST_REQUESTS);
  return most >= 40 ? 40 : most >= 20 ? 20 : Math.min(10, most);
}

/** What a trial must be worth, in independent requests, for an interval of any kind: below, its own variance is guesswork. */
export const FEWEST_WORTH = 30;
/** Blocks that a drifting trial must have been cut into for anything to be said of it. */
export const DRIFT_FROM = 40;

/** Neighbouring blocks alike to this degree (lag-1 correlation): half as many, twice as long, are taken. */
const ALIKE = 0.25;
/** To this degree the trial drifts: it is too short for what its requests have in common, e.g. waits that grow all along. */
const DRIFTING = 0.5;

/** What the blocks say of a figure. */
export interface Spread {
  /** Each block's part of the figure's deviation: they sum to 0. At most 20 of them. */
  readonly parts: Float64Array;
  /** The figure's variance. */
  readonly variance: number;
  readonly drifting: boolean;
}

/** Lag-1 correlation of deviations from a mean of zero. */
function lagOne(deviations: Float64Array): number {
  let squares = 0;
  let products = 0;
  for (let b = 0; b < deviations.length; b++) {
    squares += deviations[b]! ** 2;
    if (b > 0) products += deviations[b]! * deviations[b - 1]!;
  }
  return squares > 0 ? products / squares : 0;
}

/** Sums neighbours until at most `most` are left. */
export function merge(parts: Float64Array, most: number): Float64Array {
  const factor = Math.ceil(parts.length / most);
  const result = new Float64Array(Math.ceil(parts.length / factor));
  for (let b = 0; b < parts.length; b++) {
    const into = Math.floor(b / factor);
    result[into] = result[into]! + parts[b]!;
  }
  return result;
}

/**
 * A figure's variance by batch means. 20 blocks where neighbours differ; where they are alike 10, and what likeness is left between
 * those widens as in a first-order autoregression, (1 + r)/(1 − r) (Tafazzoli & Wilson's Skart, IIE Trans. 43, 2011, does the same).
 */
export function spreadOf(deviations: Float64Array): Spread {
  const r = lagOne(deviations);
  const parts = merge(deviations, r > ALIKE ? 10 : 20);
  const left = r > ALIKE ? Math.min(0.95, Math.max(0, lagOne(parts))) : 0;
  const m = parts.length;
  const squares = parts.reduce((sum, part) => sum + part ** 2, 0);
  return {
    parts,
    variance: ((squares * m) / (m - 1)) * ((1 + left) / (1 - left)),
    drifting: r > DRIFTING,
  };
}
