/** What a load run says: the document `tare-load/1` (docs/load.md). Every figure names its unit; what is absent is null, with the reason. */
import type { Latency, OverSuccesses } from './latency-report.ts';
import type { Outcome } from './outcome.ts';
import type { ClosedLoopReport } from './report-closed.ts';
import type { ExcludedReport } from './report-excluded.ts';
import type { StagesReport } from './report-stages.ts';
import type { TraceReport } from './report-trace.ts';
import type { RequestsReport } from './requests/report.ts';
import type { LoadWarning } from './warning.ts';

export type { Latency, OverAll, OverSuccesses, Percentiles } from './latency-report.ts';
export type { LoadWarning } from './warning.ts';

import type { RetryReport } from './report-retry.ts';
import type { WorkerChoice } from './worker-choice.ts';

export const LOAD_SCHEMA = 'tare-load/1';

/** Latencies that have a t0. */
export interface FromT0 {
  readonly ttft: Latency;
  /** First content that is not reasoning; absent where no request had reasoning. */
  readonly first_answer: Latency;
  readonly e2e: Latency;
  readonly ntpot: Latency;
}

export interface WorkerReport {
  readonly worker: number;
  readonly pid: number | null;
  readonly cpus: readonly number[] | null;
  /** `done`; `stopped` before its end; `died`. */
  readonly state: 'done' | 'stopped' | 'died';
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly sent: number;
  readonly ended: number;
  readonly peak_in_flight: number;
  readonly connections: number;
  readonly event_loop_utilization: number | null;
  readonly cpu_share: number | null;
  readonly gc_ms: number | null;
  readonly gc_max_ms: number | null;
}

export interface LoadReport extends RequestsReport {
  readonly schema: typeof LOAD_SCHEMA;
  readonly tare_version: string;
  /** `complete`: every request was sent and has ended. `interrupted`: ended from outside. `incomplete`: a worker died, or the run's limit was reached. */
  readonly state: 'complete' | 'interrupted' | 'incomplete';
  readonly reason: string | null;
  /** A fault that was asked for, as a control, as it is spelled and in words: this is then no measurement. */
  readonly fault: { readonly name: string; readonly words: string } | null;
  readonly started_at: string;
  /** The common start, CLOCK_MONOTONIC. */
  readonly start_ns: number;
  readonly elapsed_s: number;
  /** From the launch of the command to when the first request was due, and from the last complete answer to the end of the last worker; null without one. */
  readonly startup_s: number | null;
  readonly teardown_s: number | null;
  /** Length of the schedule: its last arrival after the start. */
  readonly scheduled_s: number | null;
  readonly options: {
    readonly url: string;
    readonly endpoint: string;
    readonly model: string;
    readonly stream: boolean;
    /** null in a closed loop: `absent` says why. */
    readonly arrivals: string | null;
    readonly rate_rps: number | null;
    readonly requests: number;
    /** Of every request; null where they are not alike: see `tasks`. Also null for a prompt of the user’s own. */
    readonly prompt_tokens: number | null;
    readonly output_tokens: number | null;
    /** Whether all requests are alike, drawn by task, or as long as a trace says. */
    readonly lengths: 'alike' | 'tasks' | 'trace';
    readonly seed: number;
    readonly timeout_s: number;
    readonly max_in_flight: number | null;
    readonly burn_per_token_us: number;
    readonly warmup_requests: number;
    readonly request_id_prefix: string;
    readonly absent?: string;
  };
  readonly client: {
    readonly workers: number;
    readonly pacing: 'spin' | 'block';
    readonly pacing_reason: string;
    /** Why so many workers, and how busy their loops were to be. */
    readonly choice: WorkerChoice;
    readonly node: string;
    readonly notes: readonly string[];
  };
  readonly rate: {
    /** As asked, with stages their mean; null for a trace at its own times and in a closed loop. */
    readonly requested_rps: number | null;
    /** Mean rate of the arrivals as drawn: (n − 1) gaps over their time. Of a run that was ended early: of those that were due by then. */
    readonly scheduled_rps: number | null;
    /** First tries: (n − 1) gaps over their time. In a closed loop n over the time from the first send to the last end of a request: there sends and ends come in step, and gaps would leave a whole round out. */
    readonly sent_rps: number | null;
    /** Complete answers: (n − 1) over the time between the first and the last one's end, so that neither ramp nor drain counts. In a closed loop as `sent_rps`. */
    readonly completed_rps: number | null;
    /** Sent over scheduled rate. */
    readonly sends_ratio: number | null;
    readonly completions_ratio: number | null;
  };
  readonly counts: {
    readonly scheduled: number;
    readonly sent: number;
    readonly complete: number;
    readonly failed: number;
    readonly outcomes: Readonly<Record<Outcome, number>>;
    /** complete / scheduled. */
    readonly success_rate: number;
    /** Complete answers with another number of tokens than asked. */
    readonly other_length: number;
    /** Complete streams that ended without `[DONE]`. */
    readonly without_done: number;
    /** Requests that waited for --max-in-flight; the wait is in the figures from the scheduled instant. */
    readonly delayed: number;
    readonly peak_in_flight: number;
    /** Requests under way or waiting when the last one was sent. */
    readonly in_flight_at_last_send: number;
  };
  readonly tokens: {
    /** What n is in TPOT and NTPOT: `usage`, `events` (one a token event), or `mixed`. */
    readonly source: 'usage' | 'events' | 'mixed' | 'none';
    readonly by_usage: number | null;
    readonly by_events: number;
    /** Token events of failed requests: in no other figure. */
    readonly of_failed: number;
    /** Of complete answers with a usage and token events: in how many the two counts differ, and the mean of each. */
    readonly usage_and_events: {
      readonly with_both: number;
      readonly unequal: number;
      readonly per_answer: number | null;
      readonly events_per_answer: number | null;
    };
    readonly per_second: number | null;
  };
  readonly from_scheduled: FromT0;
  readonly from_sent: FromT0;
  readonly tpot: Latency;
  /** Gaps between successive token events of successful requests. */
  readonly itl: OverSuccesses;
  /** Response head, from sent. */
  readonly headers: OverSuccesses;
  /** Sent − scheduled, of every request that was sent. */
  readonly schedule_lag: OverSuccesses;
  /** What was left out at the start; null: nothing was asked. All else is of what was kept. */
  readonly excluded: ExcludedReport | null;
  /** By stage; null where the rate had none. */
  readonly stages: StagesReport | null;
  /** The trace that arrivals followed; null without. */
  readonly trace: TraceReport | null;
  /** null: the loop was open. */
  readonly closed_loop: ClosedLoopReport | null;
  /** What came of answers that asked to wait. */
  readonly retry: RetryReport;
  readonly workers: readonly WorkerReport[];
  /** Whether the client's own figures can be trusted; the warnings say why not. That usage’s count is not that of the events is no reason. */
  readonly trusted: boolean;
  readonly warnings: readonly LoadWarning[];
  /** What a reader should know that is no reason for distrust. */
  readonly notes: readonly LoadWarning[];
  /** A few failures in words. */
  readonly failures: readonly { readonly outcome: Outcome; readonly example: string }[];
}
