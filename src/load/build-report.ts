/** Merges the workers' figures into the report. */
import type { ClosedLoopSpec } from '../measure/load/closed-loop.ts';
import type { StagePlan } from '../measure/load/stages.ts';
import { NANOS_PER_MS, NANOS_PER_S } from '../measure/time.ts';
import { formatArrivals } from '../measure/workload.ts';
import { excludedReport } from './build-excluded.ts';
import { keptPlan } from './exclude.ts';
import type { Exclusion } from './exclude-rule.ts';
import { faultInWords } from './faults/catalogue.ts';
import { DurationHistogram } from './histogram.ts';
import type { WorkerVitals } from './messages.ts';
import { notesOf } from './notes.ts';
import type { LoadOptions, LoadPlan } from './options.ts';
import { OUTCOME, OUTCOMES, type Outcome } from './outcome.ts';
import { type Counts, emptyCounts, type RecorderSnapshot, SERIES, type Series } from './recorder.ts';
import {
  type FromT0,
  type Latency,
  LOAD_SCHEMA,
  type LoadReport,
  type OverAll,
  type OverSuccesses,
  type WorkerReport,
} from './report.ts';
import { closedReport, NO_ARRIVALS, NO_SCHEDULE } from './report-closed.ts';
import { retryReport } from './report-retry.ts';
import { stagesReport } from './report-stages.ts';
import { requestsReport } from './requests/build.ts';
import { promptsAreOurs } from './requests/prefix-words.ts';
import { lengthsOf } from './requests/spec.ts';
import { goodputS, planUntil, type Ran, ranS } from './run-window.ts';
import type { SteadyCut } from './steady.ts';
import { judge } from './trust.ts';
import { isNote } from './warning-kinds.ts';

/** A worker at the end of the run: its last figures, null when it had sent none. */
export interface WorkerEnd {
  readonly worker: number;
  readonly pid: number | null;
  readonly cpus: readonly number[] | null;
  readonly state: WorkerReport['state'];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly figures: RecorderSnapshot | null;
  readonly vitals: WorkerVitals | null;
}

export interface RunEnd {
  readonly state: LoadReport['state'];
  readonly reason: string | null;
  readonly startedAt: string;
  readonly startNs: number;
  readonly endNs: number;
  /** When it was ended before its time; absent where it went to its end. */
  readonly stoppedNs?: number;
  /** When the command was launched, CLOCK_MONOTONIC. */
  readonly launchedNs: number;
  readonly workers: readonly WorkerEnd[];
  readonly tareVersion: string;
  /** What was left out at the start, and how that was found; absent or null: nothing. */
  readonly exclusion?: Exclusion | null;
  readonly steady?: SteadyCut | null;
}

const ms = (ns: number): number => Math.round(ns) / NANOS_PER_MS;

/** Figures of the values that there are. */
export function overSuccesses(h: DurationHistogram, why: string): OverSuccesses {
  if (h.count === 0)
    return {
      n: 0,
      mean_ms: null,
      min_ms: null,
      p50_ms: null,
      p90_ms: null,
      p99_ms: null,
      p999_ms: null,
      max_ms: null,
      absent: why,
    };
  return {
    n: h.count,
    mean_ms: ms(h.mean),
    min_ms: ms(h.min),
    p50_ms: ms(h.percentile(50)),
    p90_ms: ms(h.percentile(90)),
    p99_ms: ms(h.percentile(99)),
    p999_ms: ms(h.percentile(99.9)),
    max_ms: ms(h.max),
  };
}

/** Figures of `total` requests, of which those without a value are infinitely late. `why`: why there is no value at all. */
export function overAll(h: DurationHistogram, total: number, why: string): OverAll {
  if (h.count === 0)
    return { n: total, p50_ms: null, p90_ms: null, p99_ms: null, p999_ms: null, max_ms: null, absent: why };
  const at = (percent: number): number | null => {
    const value = h.percentile(percent, total);
    return Number.isFinite(value) ? ms(value) : null;
  };
  const late = total - h.count;
  return {
    n: total,
    p50_ms: at(50),
    p90_ms: at(90),
    p99_ms: at(99),
    p999_ms: at(99.9),
    max_ms: late > 0 ? null : ms(h.max),
    ...(late > 0
      ? {
          absent: `${late} of ${total} requests have no value: a percentile that falls among them is infinite`,
        }
      : {}),
  };
}

const lower = (a: number, b: number): number => (Number.isNaN(a) || b < a ? b : a);
const upper = (a: number, b: number): number => (Number.isNaN(a) || b > a ? b : a);

/** Sums of counts; earliest and latest instants. */
export function mergeCounts(all: readonly Counts[]): Counts {
  const sum = emptyCounts();
  for (const c of all) {
    for (const key of [
      'sent',
      'ended',
      'usageTokens',
      'eventTokens',
      'withUsage',
      'withBoth',
      'unequal',
      'bothTokens',
      'bothEvents',
      'failedTokens',
      'otherLength',
      'withoutDone',
      'withReasoning',
      'tokens',
      'promptTokens',
      'withPromptUsage',
      'ttftShareScheduled',
      'ttftShareSent',
      'refusedWithHeader',
    ] as const)
      sum[key] += c[key];
    sum.outcomes = sum.outcomes.map((n, i) => n + c.outcomes[i]!);
    if (!Number.isNaN(c.firstSentNs)) {
      sum.firstSentNs = lower(sum.firstSentNs, c.firstSentNs);
      sum.lastSentNs = upper(sum.lastSentNs, c.lastSentNs);
    }
    if (!Number.isNaN(c.lastOverNs)) sum.lastOverNs = upper(sum.lastOverNs, c.lastOverNs);
    if (!Number.isNaN(c.firstEndNs)) {
      sum.firstEndNs = lower(sum.firstEndNs, c.firstEndNs);
      sum.lastEndNs = upper(sum.lastEndNs, c.lastEndNs);
    }
  }
  return sum;
}

/** (n − 1) gaps over their time; null where there is no time. Of arrivals that follow a schedule: where users send in step, ends come in bursts of k and this is k/(k − 1) too high. */
const rateOf = (n: number, firstNs: number, lastNs: number): number | null =>
  n > 1 && lastNs > firstNs ? ((n - 1) / (lastNs - firstNs)) * NANOS_PER_S : null;

const ratio = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a / b;

export function buildReport(options: LoadOptions, whole: LoadPlan, end: RunEnd): LoadReport {
  const { exclusion = null, steady = null } = end;
  // Figures, counts and rates are those of what is kept.
  const { plan, fromS } = exclusion === null ? { plan: whole, fromS: null } : keptPlan(whole, exclusion);
  const figures = end.workers.flatMap((w) => (w.figures === null ? [] : [w.figures]));
  const merged = Object.fromEntries(
    SERIES.map((name) => {
      const h = new DurationHistogram();
      for (const f of figures) h.add(f.series[name]);
      return [name, h];
    }),
  ) as Record<Series, DurationHistogram>;
  const counts = mergeCounts(figures.map((f) => f.counts));
  const accounted = counts.outcomes.reduce((a, b) => a + b, 0);
  const excludedEnded = figures.reduce((n, f) => n + (f.excluded?.ended ?? 0), 0);
  // A client that forgets its failures believes that it never had them.
  const scheduled =
    options.fault?.name === 'drop-failures'
      ? accounted
      : plan.closed === null
        ? plan.schedule.requests
        : begun(plan.closed, end.workers, accounted) - excludedEnded;
  const complete = counts.outcomes[OUTCOME.complete]!;
  // What no worker has accounted for was never sent, or went down with its worker.
  counts.outcomes[OUTCOME.unsent]! += Math.max(0, scheduled - accounted);
  const total = scheduled;

  const none = complete === 0 ? 'no request succeeded' : 'no request has this figure';
  const noStream = options.stream
    ? none
    : 'the answers were not streamed: no token has an instant of its own';
  const latencyOf = (h: DurationHistogram, of: number, why: string): Latency => ({
    over_successes: overSuccesses(h, why),
    over_all: overAll(h, of, why),
  });
  const latency = (name: Series, whyNot: string): Latency =>
    latencyOf(merged[name], total, plan.closed !== null && name.endsWith('Scheduled') ? NO_SCHEDULE : whyNot);
  const noReasoning = 'no answer had reasoning tokens: the first answer token is the first token';
  const fromT0 = (t0: 'Scheduled' | 'Sent'): FromT0 => ({
    ttft: latency(`ttft${t0}`, noStream),
    first_answer: latency(
      `answer${t0}`,
      counts.withReasoning > 0 ? 'reasoning only, no answer' : noReasoning,
    ),
    e2e: latency(`e2e${t0}`, none),
    ntpot: latency(`ntpot${t0}`, none),
  });

  const vitals = end.workers.flatMap((w) => (w.vitals === null ? [] : [w.vitals]));
  const ran: Ran = {
    startNs: end.startNs,
    counts,
    ...(end.stoppedNs === undefined ? {} : { stoppedNs: end.stoppedNs }),
  };
  const lengthS = ranS(plan, ran);
  const perSecond = (n: number): number | null => (lengthS === null ? null : n / lengthS);
  const open = plan.closed === null;
  const sentRps = open ? rateOf(counts.sent, counts.firstSentNs, counts.lastSentNs) : perSecond(counts.sent);
  const completedRps = open ? rateOf(complete, counts.firstEndNs, counts.lastEndNs) : perSecond(complete);
  const came = planUntil(plan, whole, exclusion?.fromIndex ?? 0, (end.stoppedNs ?? Infinity) - end.startNs);
  const byUsage = complete > 0 && counts.withUsage === complete;
  const draft: Omit<LoadReport, 'trusted' | 'warnings' | 'notes'> = {
    schema: LOAD_SCHEMA,
    tare_version: end.tareVersion,
    state: end.state,
    reason: end.reason,
    fault: options.fault === null ? null : { name: options.fault.text, words: faultInWords(options.fault) },
    started_at: end.startedAt,
    start_ns: Math.round(end.startNs),
    elapsed_s: Math.round((end.endNs - end.startNs) / 1000) / 1e6,
    ...costOfRun(end, counts, whole),
    options: {
      url: options.url,
      endpoint: options.endpoint,
      model: options.model,
      stream: options.stream,
      arrivals: open ? formatArrivals(options.arrivals) : null,
      ...(open ? {} : { absent: NO_ARRIVALS }),
      rate_rps: options.rateRps,
      requests: plan.closed === null ? whole.schedule.requests : scheduled + excludedEnded,
      prompt_tokens: lengthsOf(options) === 'alike' && promptsAreOurs(options) ? options.promptTokens : null,
      output_tokens: lengthsOf(options) === 'alike' ? options.outputTokens : null,
      lengths: lengthsOf(options),
      seed: options.seed,
      timeout_s: options.timeoutS,
      max_in_flight: options.maxInFlight,
      burn_per_token_us: options.burnPerTokenUs,
      warmup_requests: options.warmup,
      request_id_prefix: options.idPrefix,
    },
    client: {
      workers: plan.workers,
      pacing: plan.pacing,
      pacing_reason: plan.pacingReason,
      choice: plan.choice,
      node: process.versions.node,
      notes: plan.notes,
    },
    rate: {
      requested_rps: options.rateRps,
      scheduled_rps: came.scheduledRps,
      sent_rps: sentRps,
      completed_rps: completedRps,
      sends_ratio: ratio(sentRps, came.scheduledRps),
      completions_ratio: ratio(completedRps, came.scheduledRps),
    },
    counts: {
      scheduled,
      sent: counts.sent,
      complete,
      failed: scheduled - complete,
      outcomes: Object.fromEntries(OUTCOMES.map((name, i) => [name, counts.outcomes[i]!])) as Record<
        Outcome,
        number
      >,
      success_rate: scheduled === 0 ? 0 : complete / scheduled,
      other_length: counts.otherLength,
      without_done: counts.withoutDone,
      delayed: vitals.reduce((n, v) => n + v.delayed, 0),
      peak_in_flight: vitals.reduce((n, v) => n + v.peakInFlight, 0),
      in_flight_at_last_send: vitals.reduce((n, v) => n + v.inFlightAtLastSend, 0),
    },
    tokens: {
      source: complete === 0 ? 'none' : byUsage ? 'usage' : counts.withUsage === 0 ? 'events' : 'mixed',
      by_usage: counts.withUsage === 0 ? null : counts.usageTokens,
      by_events: counts.eventTokens,
      of_failed: counts.failedTokens,
      usage_and_events: {
        with_both: counts.withBoth,
        unequal: counts.unequal,
        per_answer: counts.withBoth === 0 ? null : counts.bothTokens / counts.withBoth,
        events_per_answer: counts.withBoth === 0 ? null : counts.bothEvents / counts.withBoth,
      },
      per_second:
        completedRps === null || complete === 0
          ? completedRps
          : ((byUsage ? counts.usageTokens : counts.eventTokens) / complete) * completedRps,
    },
    from_scheduled: fromT0('Scheduled'),
    from_sent: fromT0('Sent'),
    tpot: latency('tpot', options.stream ? 'no successful request had two tokens' : noStream),
    itl: overSuccesses(merged.itl, options.stream ? 'no successful request had two tokens' : noStream),
    headers: overSuccesses(merged.headersSent, none),
    schedule_lag: overSuccesses(merged.lag, plan.closed === null ? 'nothing was sent' : NO_SCHEDULE),
    excluded: excludedReport(
      options,
      exclusion,
      fromS,
      figures.map((f) => f.excluded),
      steady,
    ),
    stages:
      options.stages === null
        ? null
        : stagesReport(
            {
              plan: options.stages,
              inStage: plan.inStage ?? [],
              untilS: stagesUntilS(options.stages, options, plan, end),
              workers: figures.flatMap((f) => (f.byStage === undefined ? [] : [f.byStage])),
            },
            overSuccesses,
          ),
    trace: options.traceReport,
    closed_loop:
      plan.closed === null
        ? null
        : closedReport(
            plan.closed,
            vitals.flatMap((v) => (v.closed === undefined ? [] : [v.closed])),
            merged.e2eSent.mean,
          ),
    ...requestsReport(options, {
      figures,
      counts,
      series: merged,
      scheduled,
      complete,
      goodputS: goodputS(came, ran),
      noSchedule: plan.closed === null ? null : NO_SCHEDULE,
      allCount: options.fault?.name !== 'drop-failures' && plan.closed === null,
      latencyOf,
    }),
    retry: retryReport(options.retryAfter, counts.refusedWithHeader, vitals),
    workers: end.workers.map(workerReport),
    failures: figures
      .flatMap((f) => f.samples)
      .slice(0, 12)
      .map((s) => ({ outcome: OUTCOMES[s.outcome]!, example: s.text })),
  };
  const warnings = [...judge(draft), ...plan.warnings];
  return {
    ...draft,
    trusted: warnings.every(({ code }) => isNote(code)),
    warnings,
    notes: notesOf(draft, options),
  };
}

/** Requests of a closed loop: those that were asked; those that were begun, where time ended it. */
function begun(spec: ClosedLoopSpec, workers: readonly WorkerEnd[], accounted: number): number {
  if (spec.durationS === null && spec.requests !== null) return spec.requests;
  return Math.max(
    accounted,
    workers.reduce((n, w) => n + (w.vitals?.dispatched ?? 0), 0),
  );
}

/** Until when stages were gone through, s: the last arrival where a limit cut them short, and no longer than the run. */
function stagesUntilS(stages: StagePlan, options: LoadOptions, plan: LoadPlan, end: RunEnd): number {
  const cut = plan.schedule.requests === options.requests;
  const planned = cut ? plan.lastNs / NANOS_PER_S : stages.lengthS;
  return Math.min(planned, Math.max(0, (end.endNs - end.startNs) / NANOS_PER_S));
}

/** What the run cost around its load, s: from launch to when the first request was due, and from the last answer to the end; null without an answer. */
function costOfRun(
  end: RunEnd,
  counts: Counts,
  { firstNs, lastNs }: LoadPlan,
): Pick<LoadReport, 'startup_s' | 'teardown_s' | 'scheduled_s'> {
  const s = (ns: number): number | null => (Number.isFinite(ns) ? Math.round(ns / 1000) / 1e6 : null);
  return {
    // Of a closed loop the first request is sent at the start; so is that of a run that ended before any was.
    startup_s: s(end.startNs + (Number.isNaN(firstNs) ? 0 : firstNs) - end.launchedNs),
    teardown_s: s(end.endNs - counts.lastEndNs),
    scheduled_s: s(lastNs),
  };
}

function workerReport(w: WorkerEnd): WorkerReport {
  return {
    worker: w.worker,
    pid: w.pid,
    cpus: w.cpus,
    state: w.state,
    exit_code: w.exitCode,
    signal: w.signal,
    sent: w.figures?.counts.sent ?? 0,
    ended: w.figures?.counts.ended ?? 0,
    peak_in_flight: w.vitals?.peakInFlight ?? 0,
    connections: w.vitals?.connections ?? 0,
    event_loop_utilization: w.vitals?.eventLoopUtilization ?? null,
    cpu_share: w.vitals?.cpuShare ?? null,
    gc_ms: w.vitals?.gcMs ?? null,
    gc_max_ms: w.vitals?.gcMaxMs ?? null,
  };
}
