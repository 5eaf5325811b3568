/** Figures of one kind of requests in a worker: counts, sums, latencies, and how many met their goals. */

import type { RequestShape } from '../../measure/load/request-shape.ts';
import { type Limits, SLO_METRICS } from '../../measure/load/slo.ts';
import { type Ended, sentT0 } from '../ended.ts';
import { DurationHistogram, type HistogramSnapshot } from '../histogram.ts';
import { OUTCOME, OUTCOMES } from '../outcome.ts';

/** Latencies that are given by task: those of the whole that a request has one of. */
export const STRATUM_SERIES = [
  'ttftScheduled',
  'ttftSent',
  'e2eScheduled',
  'e2eSent',
  'ntpotScheduled',
  'ntpotSent',
  'tpot',
] as const;
export type StratumSeries = (typeof STRATUM_SERIES)[number];

/** Sums. All but `ended` and `outcomes` are of complete requests. */
export interface StratumSums {
  ended: number;
  outcomes: number[];
  usageTokens: number;
  withUsage: number;
  eventTokens: number;
  /** Tokens by usage where there is one, else by events: the N of TPOT and NTPOT. */
  tokens: number;
  /** As asked, and as the server's usage counts the prompt. */
  askedPromptTokens: number;
  askedOutputTokens: number;
  promptTokens: number;
  withPromptUsage: number;
  otherLength: number;
  /** Σ TTFT / N, ns. */
  ttftShareScheduled: number;
  ttftShareSent: number;
  /** Requests that met every goal, and their output tokens. */
  good: number;
  goodTokens: number;
  /** Of one token, so that a TPOT goal asks nothing of them. */
  withoutTpot: number;
  /** By goal, in the order of SLO_METRICS: requests that missed it, and those that missed no other. */
  missed: number[];
  missedAlone: number[];
}

export interface StratumSnapshot {
  readonly sums: StratumSums;
  /** Null where latencies are not kept apart. */
  readonly series: Readonly<Record<StratumSeries, HistogramSnapshot>> | null;
}

/** The kinds of requests in their order. */
export type StrataSnapshot = readonly StratumSnapshot[];

export const emptySums = (): StratumSums => ({
  ended: 0,
  outcomes: OUTCOMES.map(() => 0),
  usageTokens: 0,
  withUsage: 0,
  eventTokens: 0,
  tokens: 0,
  askedPromptTokens: 0,
  askedOutputTokens: 0,
  promptTokens: 0,
  withPromptUsage: 0,
  otherLength: 0,
  ttftShareScheduled: 0,
  ttftShareSent: 0,
  good: 0,
  goodTokens: 0,
  withoutTpot: 0,
  missed: SLO_METRICS.map(() => 0),
  missedAlone: SLO_METRICS.map(() => 0),
});

/** Goals of a kind of requests, and the instant from which they run. */
export interface Goals {
  readonly limits: Limits;
  readonly from: 'scheduled' | 'sent';
}

export class Stratum {
  readonly sums = emptySums();
  readonly #goals: Goals | null;
  readonly #series: Record<StratumSeries, DurationHistogram> | null;

  /** `latencies`: whether they are kept apart for this kind. */
  constructor(goals: Goals | null, latencies: boolean) {
    this.#goals = goals;
    this.#series = latencies
      ? (Object.fromEntries(STRATUM_SERIES.map((name) => [name, new DurationHistogram()])) as Record<
          StratumSeries,
          DurationHistogram
        >)
      : null;
  }

  /** Takes a request that has ended, of a shape of this kind. */
  take(r: Ended, shape: RequestShape): void {
    const { sums } = this;
    sums.ended++;
    sums.outcomes[r.outcome]!++;
    if (r.outcome !== OUTCOME.complete) return;
    // A usage of 0 is none: the answer has a token.
    const n = r.completionTokens > 0 ? r.completionTokens : r.tokens;
    sums.eventTokens += r.tokens;
    sums.tokens += n;
    sums.askedPromptTokens += shape.promptTokens;
    sums.askedOutputTokens += shape.outputTokens;
    if (r.completionTokens > 0) {
      sums.usageTokens += r.completionTokens;
      sums.withUsage++;
    }
    if (r.promptTokens > 0) {
      sums.promptTokens += r.promptTokens;
      sums.withPromptUsage++;
    }
    if (n !== shape.outputTokens) sums.otherLength++;
    if (r.tokens > 0) {
      if (!Number.isNaN(r.scheduledNs)) sums.ttftShareScheduled += (r.firstNs - r.scheduledNs) / n;
      sums.ttftShareSent += (r.firstNs - sentT0(r)) / n;
    }
    if (this.#series !== null) this.#takeLatencies(r, n, this.#series);
    if (this.#goals !== null) this.#judge(r, n, this.#goals);
  }

  #takeLatencies(r: Ended, n: number, s: Record<StratumSeries, DurationHistogram>): void {
    const e2e = r.lastNs - r.scheduledNs;
    const t0 = sentT0(r);
    const e2eSent = r.lastNs - t0;
    // In a closed loop nothing was due.
    const due = !Number.isNaN(r.scheduledNs);
    if (due) s.e2eScheduled.record(e2e);
    s.e2eSent.record(e2eSent);
    if (n > 0) {
      if (due) s.ntpotScheduled.record(e2e / n);
      s.ntpotSent.record(e2eSent / n);
    }
    if (r.tokens === 0) return;
    if (due) s.ttftScheduled.record(r.firstNs - r.scheduledNs);
    s.ttftSent.record(r.firstNs - t0);
    if (n > 1) s.tpot.record((r.lastNs - r.firstNs) / (n - 1));
  }

  /** Whether the request met every goal; a request without a TPOT meets a goal for it. */
  #judge(r: Ended, n: number, { limits, from }: Goals): void {
    const { sums } = this;
    const t0 = from === 'scheduled' ? r.scheduledNs : sentT0(r);
    const e2e = r.lastNs - t0;
    if (n <= 1) sums.withoutTpot++;
    const values = [
      r.firstNs - t0,
      n > 1 ? (r.lastNs - r.firstNs) / (n - 1) : Number.NEGATIVE_INFINITY,
      e2e / n,
      e2e,
    ];
    let missed = 0;
    let last = -1;
    for (let i = 0; i < SLO_METRICS.length; i++) {
      if (!(values[i]! > limits[SLO_METRICS[i]!])) continue;
      missed++;
      last = i;
      sums.missed[i]!++;
    }
    if (missed === 1) sums.missedAlone[last]!++;
    if (missed > 0) return;
    sums.good++;
    sums.goodTokens += n;
  }

  snapshot(): StratumSnapshot {
    const { sums } = this;
    const series = this.#series;
    return {
      sums: {
        ...sums,
        outcomes: [...sums.outcomes],
        missed: [...sums.missed],
        missedAlone: [...sums.missedAlone],
      },
      series:
        series === null
          ? null
          : (Object.fromEntries(STRATUM_SERIES.map((name) => [name, series[name].snapshot()])) as Record<
              StratumSeries,
              HistogramSnapshot
            >),
    };
  }
}

/** Adds up sums of the same kind, or of several. */
export function addSums(all: readonly StratumSums[]): StratumSums {
  const total = emptySums();
  for (const sums of all)
    for (const key of Object.keys(total) as (keyof StratumSums)[]) {
      const value = sums[key];
      if (typeof value === 'number') (total[key] as number) += value;
      else total[key] = (total[key] as number[]).map((n, i) => n + value[i]!) as never;
    }
  return total;
}
