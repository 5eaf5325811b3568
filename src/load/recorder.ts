/**
 * A worker's figures. Their memory does not grow with the number of requests. A request's figures enter when it has ended and was
 * complete; a failed one's tokens are counted apart.
 */
import { type Ended, sentT0 } from './ended.ts';
import { EVENT } from './event-kind.ts';
import type { ExcludedCounts } from './exclude-rule.ts';
import { DurationHistogram, type HistogramSnapshot } from './histogram.ts';
import { OUTCOME, OUTCOMES } from './outcome.ts';
import type { Strata } from './requests/strata.ts';
import type { StrataSnapshot } from './requests/stratum.ts';
import type { StagesSnapshot } from './strata-stage.ts';

/** The histograms: `…Scheduled` and `…Sent` say what t0 is. */
export const SERIES = [
  'ttftScheduled',
  'ttftSent',
  'answerScheduled',
  'answerSent',
  'e2eScheduled',
  'e2eSent',
  'ntpotScheduled',
  'ntpotSent',
  'tpot',
  'itl',
  'headersSent',
  'lag',
] as const;
export type Series = (typeof SERIES)[number];

export type { Ended } from './ended.ts';

export interface Counts {
  sent: number;
  ended: number;
  outcomes: number[];
  /** Of complete requests: tokens by `usage` and by events, and how many had a usage. */
  usageTokens: number;
  eventTokens: number;
  withUsage: number;
  /** By usage where there is one, else by events. */
  tokens: number;
  /** Complete requests with a usage and token events, how many of them have two counts, and their tokens and events. */
  withBoth: number;
  unequal: number;
  bothTokens: number;
  bothEvents: number;
  /** Tokens of complete requests' prompts by `usage`, and how many had that. */
  promptTokens: number;
  withPromptUsage: number;
  /** Σ TTFT / N of complete requests, ns, from either instant: what NTPOT's two forms differ by. */
  ttftShareScheduled: number;
  ttftShareSent: number;
  /** Token events of requests that failed. */
  failedTokens: number;
  /** Complete requests with another number of tokens than asked. */
  otherLength: number;
  /** Complete streams without `[DONE]`. */
  withoutDone: number;
  /** Complete requests with reasoning tokens. */
  withReasoning: number;
  /** Requests that ended refused (429, 503) with a Retry-After. */
  refusedWithHeader: number;
  /** ns; NaN while there is none. */
  firstSentNs: number;
  lastSentNs: number;
  firstEndNs: number;
  lastEndNs: number;
  /** The last end of a request, whichever way it ended. */
  lastOverNs: number;
}

export interface RecorderSnapshot {
  readonly series: Readonly<Record<Series, HistogramSnapshot>>;
  readonly counts: Counts;
  /** By kind of request; null where all are alike and have no goals. */
  readonly strata: StrataSnapshot | null;
  /** What was left out at the start; absent where nothing is. */
  readonly excluded?: ExcludedCounts;
  /** A few failures in words, by outcome. */
  readonly samples: readonly { readonly outcome: number; readonly text: string }[];
  /** With stages: by stage. */
  readonly byStage?: StagesSnapshot;
}

const MAX_SAMPLES_EACH = 3;

export const emptyCounts = (): Counts => ({
  sent: 0,
  ended: 0,
  outcomes: OUTCOMES.map(() => 0),
  usageTokens: 0,
  eventTokens: 0,
  withUsage: 0,
  tokens: 0,
  withBoth: 0,
  unequal: 0,
  bothTokens: 0,
  bothEvents: 0,
  promptTokens: 0,
  withPromptUsage: 0,
  ttftShareScheduled: 0,
  ttftShareSent: 0,
  failedTokens: 0,
  otherLength: 0,
  withoutDone: 0,
  withReasoning: 0,
  refusedWithHeader: 0,
  firstSentNs: Number.NaN,
  lastSentNs: Number.NaN,
  firstEndNs: Number.NaN,
  lastEndNs: Number.NaN,
  lastOverNs: Number.NaN,
});

export class Recorder {
  readonly counts = emptyCounts();
  readonly #asked: number;
  readonly #strata: Strata | null;
  readonly #series: Record<Series, DurationHistogram>;
  readonly #samples: { outcome: number; text: string }[] = [];

  /** `askedTokens`: what every request asks for; `strata`: takes them by kind, and knows what each one asks for. */
  constructor(askedTokens: number, strata: Strata | null = null) {
    this.#asked = askedTokens;
    this.#strata = strata;
    this.#series = Object.fromEntries(SERIES.map((name) => [name, new DurationHistogram()])) as Record<
      Series,
      DurationHistogram
    >;
  }

  /** Takes a request that has ended. */
  take(r: Ended): void {
    const { counts } = this;
    const asked = this.#strata === null ? this.#asked : this.#strata.take(r);
    counts.ended++;
    counts.outcomes[r.outcome]!++;
    const sentNs = r.tries === 1 ? r.sentNs : r.firstSentNs;
    if (!Number.isNaN(sentNs)) this.#takeSent(sentNs, r.scheduledNs);
    if (!(counts.lastOverNs >= r.endNs) && !Number.isNaN(r.endNs)) counts.lastOverNs = r.endNs;
    if (r.outcome !== OUTCOME.complete) {
      if (r.retryAfter !== '' && r.outcome === OUTCOME.httpError) counts.refusedWithHeader++;
      counts.failedTokens += r.tokens;
      if (r.failure !== '') this.#sample(r.outcome, r.failure);
      return;
    }
    if (!(counts.firstEndNs <= r.endNs)) counts.firstEndNs = r.endNs;
    if (!(counts.lastEndNs >= r.endNs)) counts.lastEndNs = r.endNs;
    const n = r.completionTokens > 0 ? r.completionTokens : r.tokens;
    counts.eventTokens += r.tokens;
    counts.tokens += n;
    if (r.completionTokens > 0) this.#takeUsage(r);
    if (r.promptTokens > 0) {
      counts.promptTokens += r.promptTokens;
      counts.withPromptUsage++;
    }
    if (n !== asked) counts.otherLength++;
    if (r.tokens > 0 && (r.kinds & EVENT.done) === 0) counts.withoutDone++;
    this.#takeLatencies(r, n);
  }

  /** A usage of 0 is none: the answer has a token. */
  #takeUsage({ completionTokens, tokens }: Ended): void {
    const { counts } = this;
    counts.usageTokens += completionTokens;
    counts.withUsage++;
    if (tokens === 0) return;
    counts.withBoth++;
    if (completionTokens !== tokens) counts.unequal++;
    counts.bothTokens += completionTokens;
    counts.bothEvents += tokens;
  }

  /** Rate and lag are those of first tries: a later one is sent when the server wants it. */
  #takeSent(sentNs: number, scheduledNs: number): void {
    const { counts } = this;
    counts.sent++;
    if (!(counts.firstSentNs <= sentNs)) counts.firstSentNs = sentNs;
    if (!(counts.lastSentNs >= sentNs)) counts.lastSentNs = sentNs;
    if (!Number.isNaN(scheduledNs)) this.#series.lag.record(sentNs - scheduledNs);
  }

  #takeLatencies(r: Ended, n: number): void {
    const s = this.#series;
    const e2e = r.lastNs - r.scheduledNs;
    const t0 = sentT0(r);
    const e2eSent = r.lastNs - t0;
    const due = !Number.isNaN(r.scheduledNs);
    s.headersSent.record(r.headersNs - r.sentNs);
    if (due) s.e2eScheduled.record(e2e);
    s.e2eSent.record(e2eSent);
    if (n > 0) {
      if (due) s.ntpotScheduled.record(e2e / n);
      s.ntpotSent.record(e2eSent / n);
    }
    if (r.tokens === 0) return;
    if (due) s.ttftScheduled.record(r.firstNs - r.scheduledNs);
    s.ttftSent.record(r.firstNs - t0);
    if (due) this.counts.ttftShareScheduled += (r.firstNs - r.scheduledNs) / n;
    this.counts.ttftShareSent += (r.firstNs - t0) / n;
    if ((r.kinds & EVENT.reasoning) !== 0) {
      this.counts.withReasoning++;
      if (!Number.isNaN(r.firstAnswerNs)) {
        if (due) s.answerScheduled.record(r.firstAnswerNs - r.scheduledNs);
        s.answerSent.record(r.firstAnswerNs - t0);
      }
    }
    if (n > 1) s.tpot.record((r.lastNs - r.firstNs) / (n - 1));
    this.#takeGaps(r);
  }

  #takeGaps(r: Ended): void {
    const { stamps, stampCount } = r;
    let together = 0;
    for (let i = 1; i < stampCount; i++) {
      const gap = stamps[i]! - stamps[i - 1]!;
      // Tokens of one segment have one instant, and are many: counted together.
      if (gap === 0) together++;
      else this.#series.itl.record(gap);
    }
    if (together > 0) this.#series.itl.recordMany(0, together);
  }

  #sample(outcome: number, text: string): void {
    let same = 0;
    for (const sample of this.#samples) {
      if (sample.outcome !== outcome) continue;
      if (sample.text === text || ++same === MAX_SAMPLES_EACH) return;
    }
    this.#samples.push({ outcome, text });
  }

  snapshot(): RecorderSnapshot {
    const series = Object.fromEntries(
      SERIES.map((name) => [name, this.#series[name].snapshot()]),
    ) as RecorderSnapshot['series'];
    return {
      series,
      counts: { ...this.counts, outcomes: [...this.counts.outcomes] },
      strata: this.#strata === null ? null : this.#strata.snapshot(),
      samples: [...this.#samples],
    };
  }
}
