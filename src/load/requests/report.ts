/** The part of the report that is about what requests are like and which were good. Units are in the names; what is absent is null, with the reason. */
import type { SloMetric } from '../../measure/load/slo.ts';
import type { Latency } from '../latency-report.ts';

/** What the prompts were, and what that means for a prefix cache. Means are of complete requests. */
export interface PromptsReport {
  /** In words, e.g. `shared prefix of 512 tokens in 4 groups`. */
  readonly prefix_cache: string;
  readonly shared_prefix_tokens: number;
  readonly shared_prefix_groups: number;
  /** Words asked, one taken for one token. */
  readonly asked_tokens_mean: number | null;
  /** As the server's usage counts them: its template and its tokenizer are in it. */
  readonly by_usage_tokens_mean: number | null;
  readonly absent?: string;
}

/** NTPOT in the aggregate form, with one source of E[output tokens]. */
export interface AggregateNtpot {
  /** Where the mean of output tokens comes from: what `usage` counts, token events, or what was asked. */
  readonly source: 'usage' | 'events' | 'mixed' | 'asked';
  readonly output_tokens_mean: number;
  /** TPOT + TTFT / E[output tokens]. */
  readonly ntpot_ms: number;
}

/** NTPOT's two forms from one instant. */
export interface NtpotReport {
  /** Mean of E2E / n over complete requests. */
  readonly exact_mean_ms: number | null;
  readonly ttft_mean_ms: number | null;
  readonly tpot_mean_ms: number | null;
  /** The first one has the n that is in the exact form. */
  readonly aggregate: readonly AggregateNtpot[];
  /** Exact − first aggregate, and its two parts (docs/load-requests.md). */
  readonly exact_minus_aggregate_ms: number | null;
  readonly of_unlike_lengths_ms: number | null;
  readonly of_first_token_ms: number | null;
  readonly absent?: string;
}

export interface NtpotForms {
  readonly from_scheduled: NtpotReport;
  readonly from_sent: NtpotReport;
}

/** Requests of one kind. */
export interface TaskReport {
  readonly name: string;
  /** As asked, 0–1; null for a trace. */
  readonly share: number | null;
  /** How lengths were drawn, as they are spelled; null for a trace. */
  readonly prompt: string | null;
  readonly output: string | null;
  readonly counts: {
    readonly scheduled: number;
    readonly complete: number;
    readonly failed: number;
    /** complete / scheduled; null when none was scheduled. */
    readonly success_rate: number | null;
    readonly other_length: number;
  };
  readonly tokens: {
    readonly source: 'usage' | 'events' | 'mixed' | 'none';
    readonly by_usage: number | null;
    readonly by_events: number;
    /** Means of complete requests. */
    readonly asked_prompt_mean: number | null;
    readonly prompt_by_usage_mean: number | null;
    readonly asked_output_mean: number | null;
    readonly output_mean: number | null;
  };
  readonly from_scheduled: { readonly ttft: Latency; readonly e2e: Latency; readonly ntpot: Latency };
  readonly from_sent: { readonly ttft: Latency; readonly e2e: Latency; readonly ntpot: Latency };
  readonly tpot: Latency;
  readonly ntpot: NtpotForms;
}

/** How often one goal was missed by complete requests. */
export interface SloReport {
  readonly metric: SloMetric;
  /** null where tasks have goals of their own for it. */
  readonly limit_ms: number | null;
  readonly missed: number;
  /** Of these, the requests that missed no other goal. */
  readonly missed_alone: number;
}

/** Good requests: those that were complete and met every goal. */
export interface GoodputFigures {
  readonly scheduled: number;
  readonly good: number;
  /** Of all that were scheduled: one that failed or was not sent is not good. */
  readonly share_of_scheduled: number | null;
  readonly share_of_complete: number | null;
  readonly not_complete: number;
  /** Good requests, and their output tokens, over `over_s`. */
  readonly requests_per_second: number | null;
  readonly tokens_per_second: number | null;
  /** All complete requests over the same time: the good ones are never more. */
  readonly completed_per_second: number | null;
  /** Complete requests of one token: they meet a TPOT goal, having no TPOT. */
  readonly without_tpot: number;
  readonly slos: readonly SloReport[];
  readonly absent?: string;
}

export interface GoodputReport extends GoodputFigures {
  /** The goals as they are spelled. */
  readonly goals: readonly string[];
  /** The instant from which TTFT, E2E and NTPOT goals run. */
  readonly from: 'scheduled' | 'sent';
  /** The time that rates are over: from the first scheduled instant (closed loop: the first send) to the last end of a request or the stop of the run, and not less than n arrivals take at the schedule's rate. */
  readonly over_s: number | null;
  readonly by_task: readonly (GoodputFigures & { readonly name: string })[] | null;
}

/** What this part adds to the report. */
export interface RequestsReport {
  readonly prompts: PromptsReport;
  readonly ntpot: NtpotForms;
  /** null where no tasks were given. */
  readonly tasks: readonly TaskReport[] | null;
  /** null where no goals were given. */
  readonly goodput: GoodputReport | null;
}
