/**
 * load.hlog: interval histograms in the log format 1.3 of HdrHistogram, one a second and metric, for its log processor, its plotters and hdr-histogram-js. A request's values
 * are in the second in which it ended, since that is when they were known.
 */
import { Float64Histogram, HistogramLogWriter } from 'hdr-histogram-js';
import { figuresOf } from '../../src/load/record-figures.ts';
import type { RequestRecord } from '../../src/load/spool.ts';
import { oneLine } from '../text.ts';

/** Tags of the log, and what they are. */
export const HLOG_TAGS = {
  TTFT: 'first token, from the scheduled instant',
  TTFT_sent: 'first token, from the sent instant',
  E2E: 'last token, from the scheduled instant',
  E2E_sent: 'last token, from the sent instant',
  TPOT: '(last - first token) / (tokens - 1)',
  ITL: 'gaps between token events',
  lag: 'sent - scheduled, of every request that was sent',
} as const;
export type HlogTag = keyof typeof HLOG_TAGS;
const TAGS = Object.keys(HLOG_TAGS) as HlogTag[];

/** Values are ns, the maximum of each line is in ms. */
export const MAX_VALUE_UNIT_RATIO = 1_000_000;
const INTERVAL_NS = 1e9;
/** A day: one range for every interval, since a reader that adds them up takes no wider one into a narrower one. */
const HIGHEST_NS = 8.64e13;

export interface HlogHead {
  readonly tareVersion: string;
  /** Of the common start: ISO, and CLOCK_MONOTONIC. */
  readonly startedAt: string;
  readonly startNs: number;
}

/** Takes records in the order of their ends; `write` gets the log in pieces. */
export class HlogFile {
  readonly #startNs: number;
  readonly #writer: HistogramLogWriter;
  readonly #open = new Map<HlogTag, Float64Histogram>();
  #at = 0;

  constructor(write: (text: string) => void, head: HlogHead) {
    this.#startNs = head.startNs;
    this.#writer = new HistogramLogWriter(write);
    const startS = (Date.parse(head.startedAt) / 1000).toFixed(3);
    this.#writer.outputComment(
      `[Tare ${oneLine(head.tareVersion)}: values in nanoseconds, 3 significant digits; Interval_Max in milliseconds: maxValueUnitRatio ${MAX_VALUE_UNIT_RATIO}]`,
    );
    this.#writer.outputComment(
      `[Of successful requests, in the second in which they ended: ${TAGS.map((tag) => `${tag} = ${HLOG_TAGS[tag]}`).join('; ')}]`,
    );
    this.#writer.outputLogFormatVersion();
    // The library's own line for it is followed by an empty one, which the Java reader takes for the end.
    this.#writer.outputComment(`[BaseTime: ${startS} (seconds since epoch)]`);
    this.#writer.outputComment(`[StartTime: ${startS} (seconds since epoch), ${oneLine(head.startedAt)}]`);
    this.#writer.outputLegend();
  }

  add(r: RequestRecord): void {
    if (r.end_ns !== null) this.#moveTo(Math.floor((r.end_ns - this.#startNs) / INTERVAL_NS));
    const f = figuresOf(r);
    this.#take('TTFT', f.ttft_scheduled_ns);
    this.#take('TTFT_sent', f.ttft_sent_ns);
    this.#take('E2E', f.e2e_scheduled_ns);
    this.#take('E2E_sent', f.e2e_sent_ns);
    this.#take('TPOT', f.tpot_ns);
    this.#take('lag', f.lag_ns);
    if (r.outcome === 'complete') for (const gap of r.itl_ns) this.#take('ITL', Math.max(0, gap));
  }

  finish(): void {
    this.#close();
  }

  #take(tag: HlogTag, ns: number | null): void {
    if (ns === null) return;
    let h = this.#open.get(tag);
    if (h === undefined) {
      h = new Float64Histogram(1, HIGHEST_NS, 3);
      h.autoResize = true;
      this.#open.set(tag, h);
    }
    h.recordValue(Math.round(ns));
  }

  /** What comes out of order stays in the interval that is open. */
  #moveTo(at: number): void {
    if (at <= this.#at) return;
    this.#close();
    this.#at = at;
  }

  /** Writes the open interval: a line a tag that has values. */
  #close(): void {
    for (const tag of TAGS) {
      const h = this.#open.get(tag);
      if (h === undefined || h.totalCount === 0) continue;
      h.tag = tag;
      this.#writer.outputIntervalHistogram(h, this.#at, this.#at + 1, MAX_VALUE_UNIT_RATIO);
      h.reset();
    }
  }
}
