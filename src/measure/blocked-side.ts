/** One side of a comparison within a trial (reported, or expected), cut into blocks: its figures, and how they spread from block to block. */
import { type Blocked, FEWEST_WORTH, type Spread, spreadOf } from './blocks.ts';
import { type Interval, t975 } from './intervals.ts';
import { mean, quantileSorted, variance } from './quantile.ts';
import { effectiveQuantileInterval, valuesNeeded } from './quantile-interval.ts';
import { shortfallWords } from './shortfall.ts';

/** z(0.975). */
const Z975 = 1.959963984540054;
/** A trial is not believed to be worth more than this many times its values. */
const MOST_WORTH = 2;
/** Values that are alike beyond this design effect must be worth `SURELY` times the fewest, since their worth is an estimate. */
const ALIKE_EFFECT = 2.5;
const SURELY = 2;
/** Parts that a side is cut into where its figures are taken part by part, or without one. */
const PARTS = 10;

/** What a variance from blocks is worth beside a known one. */
const freedom = ({ parts }: Spread): number => (Z975 / t975(parts.length - 1)) ** 2;

/** How many of ascending values are ≤ `limit`. */
function atOrBelow(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A quantile, its interval or why there is none, and how its blocks spread. */
export interface SideQuantile {
  readonly point: number;
  readonly interval: Interval | null;
  readonly reason: string | null;
  readonly spread: Spread;
}

export class BlockedSide {
  readonly sorted: Float64Array;
  readonly mean: number;
  /** Each block's part of the mean's deviation. */
  readonly meanParts: Float64Array;
  readonly #counts: Float64Array;
  readonly #sample: Blocked;
  #parts: readonly Float64Array[] | null = null;
  /** Largest design effect seen so far: quantiles are asked for in ascending order. */
  #worst = 0;

  constructor(sample: Blocked, blocks: number) {
    this.#sample = sample;
    this.sorted = sample.values.toSorted();
    this.mean = mean(this.sorted);
    this.#counts = new Float64Array(blocks);
    const sums = new Float64Array(blocks);
    for (let i = 0; i < sample.values.length; i++) {
      const b = sample.blockOf[i]!;
      this.#counts[b] = this.#counts[b]! + 1;
      sums[b] = sums[b]! + sample.values[i]!;
    }
    this.meanParts = sums.map((sum, b) => (sum - this.mean * this.#counts[b]!) / this.size);
  }

  get size(): number {
    return this.sorted.length;
  }

  /** How many independent values a mean with that spread is worth. */
  worth(spread: Spread): number {
    const own = variance(this.sorted);
    return own > 0 ? (freedom(spread) * own) / spread.variance : this.size;
  }

  /** Each block's part of the deviation of the share of values below `q`, the p-quantile; of those at it, as many count as make p. */
  #shareParts(q: number, p: number): Float64Array {
    const { values, blockOf } = this.#sample;
    const below = new Float64Array(this.#counts.length);
    const at = new Float64Array(this.#counts.length);
    for (let i = 0; i < values.length; i++) {
      const into = values[i]! < q ? below : at;
      if (values[i]! <= q) into[blockOf[i]!] = into[blockOf[i]!]! + 1;
    }
    const sum = (counts: Float64Array) => counts.reduce((a, b) => a + b, 0);
    const [allBelow, allAt] = [sum(below), sum(at)];
    const counted = allAt === 0 ? 0 : Math.min(1, Math.max(0, (p * this.size - allBelow) / allAt));
    const share = (allBelow + counted * allAt) / this.size;
    return below.map((count, b) => (count + counted * at[b]! - share * this.#counts[b]!) / this.size);
  }

  /**
   * The p-quantile. The variance of the share below it, by blocks, tells how many independent values these are worth (as in Korn &
   * Graubard with the freedom of the blocks, not of the values), and those have an interval by order statistics.
   */
  quantile(p: number): SideQuantile {
    const point = quantileSorted(this.sorted, p);
    const spread = spreadOf(this.#shareParts(point, p));
    const effect = (spread.variance * this.size) / (p * (1 - p));
    this.#worst = Math.max(this.#worst, effect);
    const worth = (design: number) => this.size * Math.min(MOST_WORTH, freedom(spread) / design);
    const needed =
      this.#worst > ALIKE_EFFECT ? Math.max(FEWEST_WORTH, SURELY * valuesNeeded(p)) : valuesNeeded(p);
    const enough = Math.min(this.size, worth(this.#worst)) >= needed;
    const interval = enough ? effectiveQuantileInterval(this.sorted, p, worth(effect)) : null;
    if (interval !== null) return { point, interval, reason: null, spread };
    const worthNow = Math.floor(Math.min(this.size, worth(this.#worst)));
    const reason = shortfallWords(p, { needed, values: this.size, worth: worthNow });
    return { point, interval, reason, spread };
  }

  /** The values of each of ten parts, ascending. */
  #ofParts(): readonly Float64Array[] {
    if (this.#parts !== null) return this.#parts;
    const factor = Math.ceil(this.#counts.length / PARTS);
    const parts: number[][] = Array.from({ length: Math.ceil(this.#counts.length / factor) }, () => []);
    const { values, blockOf } = this.#sample;
    for (let i = 0; i < values.length; i++) parts[Math.floor(blockOf[i]! / factor)]!.push(values[i]!);
    this.#parts = parts.map((part) => Float64Array.from(part).sort());
    return this.#parts;
  }

  /** A figure of each of ten parts; NaN of an empty one. */
  ofParts(figure: (sorted: Float64Array) => number): number[] {
    return this.#ofParts().map(figure);
  }

  /** The p-quantile of all but each of ten parts. */
  withoutParts(p: number): number[] {
    return this.#ofParts().map((part) => {
      const place = p * (this.size - part.length - 1);
      const low = this.#without(part, Math.floor(place));
      const high = this.#without(part, Math.min(Math.floor(place) + 1, this.size - part.length - 1));
      return low + (high - low) * (place - Math.floor(place));
    });
  }

  /** The k-th value, from 0, of all but a part: the first with more than k of the others at or below it. */
  #without(part: Float64Array, k: number): number {
    let low = 0;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const value = this.sorted[middle]!;
      if (atOrBelow(this.sorted, value) - atOrBelow(part, value) > k) high = middle;
      else low = middle + 1;
    }
    return this.sorted[low]!;
  }
}
