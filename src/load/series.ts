/**
 * What a run was like over its time, and the curves of its quantiles, from the records in the order of their ends. Memory grows with the run's length
 * in intervals, of which there are at most 600, and not with its requests.
 */
import { NANOS_PER_MS, NANOS_PER_S } from '../measure/time.ts';
import { DurationHistogram } from './histogram.ts';
import { figuresOf } from './record-figures.ts';
import type { RequestRecord } from './spool.ts';

/** Intervals of a series at most: more than a chart has pixels for is of no use. */
const MAX_INTERVALS = 600;

/** Latencies that are looked at over time and as curves, with what their t0 is. */
export const CURVES = ['ttft_scheduled', 'ttft_sent', 'e2e_scheduled', 'e2e_sent'] as const;
export type Curve = (typeof CURVES)[number];

/** One interval. In a closed loop, which schedules nothing, latencies run from the sent instant. They are of the requests that ended well in it; null where there was none. */
export interface Interval {
  /** From the common start, s. */
  readonly from_s: number;
  /** null in a closed loop, and so is `due`. */
  readonly scheduled: number | null;
  /** First tries. */
  readonly sent: number;
  readonly completed: number;
  readonly failed: number;
  /** Sent and not ended, at the interval’s end. */
  readonly in_flight: number;
  /** Due and not ended, at the interval’s end: those that wait to be sent too. */
  readonly due: number | null;
  readonly ttft_p50_ms: number | null;
  readonly ttft_p99_ms: number | null;
  readonly e2e_p50_ms: number | null;
  readonly e2e_p99_ms: number | null;
}

/** A point of a quantile curve: so many percent of the successful requests are not above the value. */
export interface QuantilePoint {
  readonly percentile: number;
  readonly value_ms: number;
}

export interface LoadSeries {
  readonly interval_s: number;
  /** What the latencies of the intervals run from: `sent` in a closed loop. */
  readonly t0: 'scheduled' | 'sent';
  readonly intervals: readonly Interval[];
  readonly curves: Readonly<Record<Curve, readonly QuantilePoint[]>>;
}

/** Length of an interval, whole seconds, so that a run of `elapsedS` has at most 600. */
export const intervalLength = (elapsedS: number): number => Math.max(1, Math.ceil(elapsedS / MAX_INTERVALS));

/** Percentiles of the curves: even steps of −log10(1 − q), as an HDR plot has them, up to where one value decides. */
export function curvePercentiles(n: number): readonly number[] {
  const percentiles: number[] = [];
  const last = Math.log10(Math.max(2, n));
  for (let step = 0; step / 20 < last; step++) percentiles.push(100 * (1 - 10 ** (-step / 20)));
  return [...percentiles, 100];
}

const toMs = (ns: number): number => Math.round(ns) / NANOS_PER_MS;

class Bins {
  #counts: number[] = [];
  add(at: number): void {
    while (this.#counts.length <= at) this.#counts.push(0);
    this.#counts[at]!++;
  }
  at = (i: number): number => this.#counts[i] ?? 0;
  get length(): number {
    return this.#counts.length;
  }
}

/** Takes records one by one. */
export class SeriesBuilder {
  readonly #startNs: number;
  readonly #intervalNs: number;
  readonly #last: number;
  readonly #curves = Object.fromEntries(CURVES.map((name) => [name, new DurationHistogram()])) as Record<
    Curve,
    DurationHistogram
  >;
  readonly #scheduled = new Bins();
  readonly #sent = new Bins();
  readonly #completed = new Bins();
  readonly #failed = new Bins();
  readonly #sentEnded = new Bins();
  readonly #latencies: (readonly [number | null, number | null, number | null, number | null])[] = [];
  #t0: 'scheduled' | 'sent' = 'scheduled';
  #open = { at: 0, ttft: new DurationHistogram(), e2e: new DurationHistogram() };

  /** `startNs`: the common start; `elapsedS`: from there to the end of the run. What lies beyond counts in the last interval. */
  constructor(startNs: number, elapsedS: number) {
    this.#startNs = startNs;
    const length = intervalLength(elapsedS);
    this.#intervalNs = length * NANOS_PER_S;
    this.#last = Math.max(1, Math.ceil(elapsedS / length)) - 1;
  }

  #intervalOf = (ns: number): number =>
    Math.min(this.#last, Math.max(0, Math.floor((ns - this.#startNs) / this.#intervalNs)));

  /** One that is `excluded` from the figures is in no curve, but in what happened over time. */
  add(record: RequestRecord & { readonly excluded?: boolean }): void {
    // In a closed loop nothing is due at an instant.
    if (record.scheduled_ns === null) this.#t0 = 'sent';
    else this.#scheduled.add(this.#intervalOf(record.scheduled_ns));
    if (record.first_sent_ns !== null) this.#sent.add(this.#intervalOf(record.first_sent_ns));
    // Under way when the run was ended: it did not end.
    if (record.end_ns === null || record.outcome === 'unfinished') return;
    const end = this.#intervalOf(record.end_ns);
    if (record.first_sent_ns !== null) this.#sentEnded.add(end);
    if (record.outcome !== 'complete') {
      this.#failed.add(end);
      return;
    }
    this.#completed.add(end);
    this.#moveTo(end);
    const figures = figuresOf(record);
    for (const name of CURVES) {
      const ns = figures[`${name}_ns`];
      if (ns !== null && !record.excluded) this.#curves[name].record(ns);
    }
    const [ttft, e2e] =
      record.scheduled_ns === null
        ? [figures.ttft_sent_ns, figures.e2e_sent_ns]
        : [figures.ttft_scheduled_ns, figures.e2e_scheduled_ns];
    if (ttft !== null) this.#open.ttft.record(ttft);
    if (e2e !== null) this.#open.e2e.record(e2e);
  }

  /** Closes intervals up to `at`. What comes out of order counts in the one that is open. */
  #moveTo(at: number): void {
    if (at <= this.#open.at) return;
    this.#close();
    this.#open = { at, ttft: new DurationHistogram(), e2e: new DurationHistogram() };
  }

  #close(): void {
    const { at, ttft, e2e } = this.#open;
    const of = (h: DurationHistogram, percent: number) =>
      h.count === 0 ? null : toMs(h.percentile(percent));
    this.#latencies[at] = [of(ttft, 50), of(ttft, 99), of(e2e, 50), of(e2e, 99)];
  }

  finish(): LoadSeries {
    this.#close();
    const length = Math.max(
      ...[this.#scheduled, this.#sent, this.#completed, this.#failed].map((bins) => bins.length),
    );
    let in_flight = 0;
    let due = 0;
    const intervals = Array.from({ length }, (_, i): Interval => {
      in_flight += this.#sent.at(i) - this.#sentEnded.at(i);
      due += this.#scheduled.at(i) - this.#completed.at(i) - this.#failed.at(i);
      const [ttft50, ttft99, e2e50, e2e99] = this.#latencies[i] ?? [null, null, null, null];
      return {
        from_s: (i * this.#intervalNs) / NANOS_PER_S,
        scheduled: this.#t0 === 'sent' ? null : this.#scheduled.at(i),
        sent: this.#sent.at(i),
        completed: this.#completed.at(i),
        failed: this.#failed.at(i),
        in_flight,
        due: this.#t0 === 'sent' ? null : due,
        ttft_p50_ms: ttft50,
        ttft_p99_ms: ttft99,
        e2e_p50_ms: e2e50,
        e2e_p99_ms: e2e99,
      };
    });
    const curve = (h: DurationHistogram): readonly QuantilePoint[] =>
      h.count === 0
        ? []
        : curvePercentiles(h.count).map((percentile) => ({
            percentile,
            value_ms: toMs(h.percentile(percentile)),
          }));
    return {
      interval_s: this.#intervalNs / NANOS_PER_S,
      t0: this.#t0,
      intervals,
      curves: {
        ttft_scheduled: curve(this.#curves.ttft_scheduled),
        ttft_sent: curve(this.#curves.ttft_sent),
        e2e_scheduled: curve(this.#curves.e2e_scheduled),
        e2e_sent: curve(this.#curves.e2e_sent),
      },
    };
  }
}
