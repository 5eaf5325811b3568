/** Merges what the workers know of their requests by kind into the report. */
import { formatLength } from '../../measure/load/length-text.ts';
import { DurationHistogram } from '../histogram.ts';
import type { Latency } from '../latency-report.ts';
import type { LoadOptions } from '../options.ts';
import { OUTCOME } from '../outcome.ts';
import type { Counts, RecorderSnapshot, Series } from '../recorder.ts';
import { goodputOf, type Judged } from './build-goodput.ts';
import { ntpotOf, tokenSource } from './build-ntpot.ts';
import { cacheWords, promptsAreOurs } from './prefix-words.ts';
import type { PromptsReport, RequestsReport, TaskReport } from './report.ts';
import { strataSpec } from './spec.ts';
import { type StrataSpec, strataNames, strataShapes } from './strata.ts';
import { addSums, STRATUM_SERIES, type StratumSeries, type StratumSums } from './stratum.ts';

/** What of the run as a whole this part needs. */
export interface WholeRun {
  readonly figures: readonly RecorderSnapshot[];
  readonly counts: Counts;
  readonly series: Readonly<Record<Series, DurationHistogram>>;
  /** Requests of the schedule; with fewer of them accounted for, the others were not sent. */
  readonly scheduled: number;
  readonly complete: number;
  /** The time that good requests are counted over, s; null: there is none. */
  readonly goodputS: number | null;
  /** Why nothing has a scheduled instant; null where it has. */
  readonly noSchedule: string | null;
  /** Whether a request that no worker accounted for counts as scheduled. */
  readonly allCount: boolean;
  readonly latencyOf: (h: DurationHistogram, total: number, why: string) => Latency;
}

interface Kind extends Judged {
  readonly series: Readonly<Record<StratumSeries, DurationHistogram>>;
}

/** How many requests of each kind the schedule has. */
function scheduledOf(spec: StrataSpec, requests: number): number[] {
  const counts = strataNames(spec).map(() => 0);
  if (counts.length === 1) return [requests];
  const shapeOf = strataShapes(spec);
  for (let i = 0; i < requests; i++) counts[shapeOf(i).task]!++;
  return counts;
}

function mergeKinds(spec: StrataSpec, run: WholeRun): Kind[] {
  const scheduled = run.allCount ? scheduledOf(spec, run.scheduled) : null;
  return strataNames(spec).map((name, i) => {
    const parts = run.figures.flatMap((f) => f.strata?.[i] ?? []);
    const sums = addSums(parts.map((part) => part.sums));
    const series = Object.fromEntries(
      STRATUM_SERIES.map((key) => {
        const h = new DurationHistogram();
        for (const part of parts) if (part.series !== null) h.add(part.series[key]);
        return [key, h];
      }),
    ) as Record<StratumSeries, DurationHistogram>;
    return { name, sums, series, scheduled: scheduled?.[i] ?? sums.ended };
  });
}

const mean = (sum: number, n: number): number | null => (n === 0 ? null : sum / n);

function taskReport(kind: Kind, options: LoadOptions, run: WholeRun): TaskReport {
  const { sums, series, scheduled, name } = kind;
  const complete = sums.outcomes[OUTCOME.complete]!;
  const spec = options.traceLengths === null ? options.tasks?.find((task) => task.name === name) : undefined;
  const none =
    complete === 0 ? 'no request of this task succeeded' : 'no request of this task has this figure';
  const noStream = options.stream
    ? none
    : 'the answers were not streamed: no token has an instant of its own';
  const latency = (key: StratumSeries, why: string): Latency =>
    run.latencyOf(series[key], scheduled, key.endsWith('Scheduled') ? (run.noSchedule ?? why) : why);
  return {
    name,
    share: spec?.share ?? null,
    prompt: spec === undefined ? null : formatLength(spec.prompt),
    output: spec === undefined ? null : formatLength(spec.output),
    counts: {
      scheduled,
      complete,
      failed: scheduled - complete,
      success_rate: mean(complete, scheduled),
      other_length: sums.otherLength,
    },
    tokens: {
      source: tokenSource(complete, sums.withUsage),
      by_usage: sums.withUsage === 0 ? null : sums.usageTokens,
      by_events: sums.eventTokens,
      asked_prompt_mean: mean(sums.askedPromptTokens, complete),
      prompt_by_usage_mean: mean(sums.promptTokens, sums.withPromptUsage),
      asked_output_mean: mean(sums.askedOutputTokens, complete),
      output_mean: mean(sums.tokens, complete),
    },
    from_scheduled: {
      ttft: latency('ttftScheduled', noStream),
      e2e: latency('e2eScheduled', none),
      ntpot: latency('ntpotScheduled', none),
    },
    from_sent: {
      ttft: latency('ttftSent', noStream),
      e2e: latency('e2eSent', none),
      ntpot: latency('ntpotSent', none),
    },
    tpot: latency('tpot', options.stream ? 'no successful request of this task had two tokens' : noStream),
    ntpot: ntpotOf({ ...sums, complete, series }, noStream, run.noSchedule),
  };
}

function promptsReport(options: LoadOptions, run: WholeRun, sums: StratumSums | null): PromptsReport {
  const { counts, complete } = run;
  const asked = sums === null ? options.promptTokens : mean(sums.askedPromptTokens, complete);
  const ours = promptsAreOurs(options);
  const byUsage = mean(counts.promptTokens, counts.withPromptUsage);
  const why = !ours
    ? 'the prompt is the user’s own: its length was not asked'
    : complete === 0
      ? 'no request succeeded'
      : byUsage === null
        ? 'no answer had a usage with prompt_tokens'
        : null;
  return {
    prefix_cache: cacheWords(options),
    shared_prefix_tokens: options.prefix?.tokens ?? 0,
    shared_prefix_groups: options.prefix?.groups ?? 0,
    asked_tokens_mean: ours && complete > 0 ? asked : null,
    by_usage_tokens_mean: byUsage,
    ...(why === null ? {} : { absent: why }),
  };
}

/** This part of the report. */
export function requestsReport(options: LoadOptions, run: WholeRun): RequestsReport {
  const spec = strataSpec(options);
  const kinds = spec === null ? null : mergeKinds(spec, run);
  const sums = kinds === null ? null : addSums(kinds.map((kind) => kind.sums));
  const { counts, complete } = run;
  const ntpot = ntpotOf(
    {
      ...counts,
      complete,
      askedOutputTokens: sums?.askedOutputTokens ?? options.outputTokens * complete,
      series: run.series,
    },
    options.stream
      ? complete === 0
        ? 'no request succeeded'
        : 'no request has a TTFT'
      : 'the answers were not streamed: there is no TTFT and no TPOT to put together',
    run.noSchedule,
  );
  return {
    prompts: promptsReport(options, run, sums),
    ntpot,
    tasks: kinds === null || !spec!.byTask ? null : kinds.map((kind) => taskReport(kind, options, run)),
    goodput:
      kinds === null || options.slos.length === 0
        ? null
        : goodputOf(options.slos, spec!.from, kinds, run.goodputS, spec!.byTask),
  };
}
