/**
 * HDR histograms of durations in nanoseconds (hdr-histogram-js, the plain JS kind: a WASM one cannot be added to it), with 3 significant
 * digits: a figure is at most 0.1 % above the value that was recorded. Each also keeps the exact sum and maximum, and the list of buckets in use, so that a
 * snapshot costs what it holds and not its 30,000 buckets.
 */
import { Float64Histogram } from 'hdr-histogram-js';

/** An hour; longer durations make the histogram grow. */
const HIGHEST_NS = 3.6e12;

/** A histogram as it travels from a worker: pairs of bucket and count. */
export interface HistogramSnapshot {
  readonly buckets: Int32Array;
  readonly counts: Float64Array;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** 2^-k: multiplying is exact, and cheaper than the library's log2, pow and division (25 against 130 ns a value). */
const HALVINGS = Float64Array.from({ length: 64 }, (_, k) => 2 ** -k);

/** Notes which buckets are in use, and finds a value's bucket fast. Counts and percentiles are the library's. */
class Counting extends Float64Histogram {
  used = new Int32Array(256);
  usedCount = 0;
  /** As the library does for 3 significant digits from 1 up: 2,048 buckets, then 1,024 for each further power of two. */
  override countsArrayIndex(value: number): number {
    if (value < 2048) return value;
    const magnitude = value < 2 ** 32 ? 31 - Math.clz32(value) : 63 - Math.clz32(value / 2 ** 32);
    const power = magnitude - 10;
    return power * 1024 + Math.floor(value * HALVINGS[power]!);
  }
  override incrementCountAtIndex(index: number): void {
    if (this._counts[index]++ === 0) this.#use(index);
  }
  override addToCountAtIndex(index: number, count: number): void {
    if (this._counts[index] === 0) this.#use(index);
    this._counts[index]! += count;
  }
  #use(index: number): void {
    if (this.usedCount === this.used.length) {
      const grown = new Int32Array(this.used.length * 2);
      grown.set(this.used);
      this.used = grown;
    }
    this.used[this.usedCount++] = index;
  }
  /** Counts of the buckets in use, in their order. */
  usedCounts(): Float64Array {
    const counts = new Float64Array(this.usedCount);
    for (let i = 0; i < counts.length; i++) counts[i] = this._counts[this.used[i]!]!;
    return counts;
  }
}

export class DurationHistogram {
  readonly #h: Counting;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = 0;

  constructor() {
    this.#h = new Counting(1, HIGHEST_NS, 3);
    this.#h.autoResize = true;
  }

  /** Number of values. */
  get count(): number {
    return this.#h.totalCount;
  }
  /** Exact arithmetic mean, ns; NaN when empty. */
  get mean(): number {
    return this.#sum / this.#h.totalCount;
  }
  /** Exact; NaN when empty. */
  get min(): number {
    return this.count === 0 ? Number.NaN : this.#min;
  }
  /** Exact; NaN when empty. */
  get max(): number {
    return this.count === 0 ? Number.NaN : this.#max;
  }

  /** Records a duration, rounded to a whole nanosecond; a negative one (clock noise) counts as 0. */
  record(ns: number): void {
    const value = ns > 0 ? Math.round(ns) : 0;
    this.#h.recordValue(value);
    this.#note(value, 1);
  }

  recordMany(ns: number, count: number): void {
    const value = ns > 0 ? Math.round(ns) : 0;
    this.#h.recordValueWithCount(value, count);
    this.#note(value, count);
  }

  #note(value: number, count: number): void {
    this.#sum += value * count;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  /**
   * The value at a percentile (0–100) by nearest rank, ns, of `total` values, those beyond the recorded ones being infinitely large:
   * Infinity then. NaN when there is nothing. Never above the exact maximum.
   */
  percentile(percent: number, total: number = this.count): number {
    if (total === 0) return Number.NaN;
    const rank = Math.max(1, Math.ceil((percent / 100) * total - 1e-9));
    if (rank > this.count) return Number.POSITIVE_INFINITY;
    // The library counts ranks in its own number of values.
    return Math.min(this.#h.getValueAtPercentile((100 * rank) / this.count), this.#max);
  }

  snapshot(): HistogramSnapshot {
    const buckets = this.#h.used.slice(0, this.#h.usedCount);
    return { buckets, counts: this.#h.usedCounts(), sum: this.#sum, min: this.#min, max: this.#max };
  }

  /** Adds a snapshot: the same as having recorded its values here. */
  add(snapshot: HistogramSnapshot): void {
    for (const [i, bucket] of snapshot.buckets.entries())
      this.#h.recordValueWithCount(this.#h.valueFromIndex(bucket), snapshot.counts[i]!);
    this.#sum += snapshot.sum;
    this.#min = Math.min(this.#min, snapshot.min);
    this.#max = Math.max(this.#max, snapshot.max);
  }
}
