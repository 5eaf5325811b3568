/**
 * envelope.json: the whole of a search, as data. The table, the page and the CSV files are made from this document alone. The trials' own records
 * are in trials/, and audit.json beside it has them all in the shape of an audit, so that `tare report` draws their bias by rate.
 */
import type { Found, Missing } from '../../../adapters/contract.ts';
import type { Bracket } from '../../measure/envelope/bracket.ts';
import type { TermVerdict, TrialVerdict } from '../../measure/envelope/judge.ts';
import type { Purpose } from '../../measure/envelope/tally.ts';
import type { Tolerance } from '../../measure/envelope/tolerance.ts';
import type { HostInfo } from '../../system/host.ts';
import type { AuditDocument, AuditPlan, Floor } from '../document.ts';

export const ENVELOPE_SCHEMA = 'tare-envelope/1';

/** What is searched, and how far. */
export interface EnvelopeSearch {
  /** As its flag spells it. */
  readonly tolerance: string;
  readonly tolerances: Tolerance;
  readonly from_rps: number;
  readonly to_rps: number;
  /** Factor from one rate of the ramp to the next. */
  readonly ramp: number;
  /** Failing rate / holding rate at which the bracket is narrow enough. */
  readonly ratio: number;
  /** By how many trials a verdict must lead on either side. */
  readonly confirm: number;
  /** Trials a client. */
  readonly budget_trials: number;
  /** For all clients together; null: only trials are counted. */
  readonly budget_time_s: number | null;
}

/** The rate side of a trial: the share that decided it, the worst of those of requests, arrivals, completions and successes. */
export interface RateTerm {
  readonly name: 'rate';
  readonly verdict: TermVerdict;
  readonly of: 'requests' | 'arrivals' | 'completions' | 'successes';
  /** Of what was asked. */
  readonly share: number;
  readonly achieved_rps: number | null;
  /** By which `share` may be off 1, with what chance alone does to a random process. */
  readonly allowed_share: number;
  readonly reason: string;
}

/** One figure of a trial, held to its tolerance. */
export interface BiasTerm {
  /** `ttft_p99`. */
  readonly name: string;
  readonly verdict: TermVerdict;
  readonly bias_ms: number | null;
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  readonly allowed_ms: number;
  /** With the target's own error in the trial, where that is larger. */
  readonly floor_ms: number | null;
  /**
   * `figure`: the client keeps no records, and the floor stands on both sides in the interval's place. `worst tenth`: too few requests for an
   * interval, and in no tenth of the trial was it beyond what is allowed.
   */
  readonly by: 'interval' | 'figure' | 'worst tenth';
  readonly reason: string;
}

export type Term = RateTerm | BiasTerm;

/** A trial of the search. */
export interface EnvelopeTrial {
  readonly id: string;
  readonly client: string;
  readonly rate_rps: number;
  readonly order: number;
  readonly purpose: Purpose;
  readonly verdict: TrialVerdict;
  /** Why it is not `holds`, in words; empty otherwise. */
  readonly reason: string;
  readonly outcome: string;
  readonly duration_s: number;
  readonly elapsed_s: number;
  readonly started_at: string;
  readonly requests: number | null;
  readonly arrival_rps: number | null;
  readonly terms: readonly Term[];
  /** Figures that have a tolerance and that the client does not give. */
  readonly not_given: readonly string[];
  readonly busiest_thread_share: number | null;
  readonly target_cpu_share: number | null;
  readonly target_lateness_p50_ms: number | null;
  readonly target_lateness_p99_ms: number | null;
  /** What the machine did to it, in words; null where nothing. */
  readonly disturbed: string | null;
}

/** A figure at one side of the bracket, over the trials there. */
export interface SideTerm {
  readonly name: string;
  readonly trials: number;
  readonly bias_ms: number | null;
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  /** `between trials`: of three or more. `hull of trials`: from the lowest to the highest end of their own intervals. */
  readonly interval: 'between trials' | 'hull of trials' | 'none';
  readonly allowed_ms: number;
  readonly floor_ms: number | null;
}

/** What was measured at one side of the bracket, over the trials there that held or failed. */
export interface SideFigures {
  readonly rate_rps: number;
  readonly trials: readonly string[];
  readonly fidelity: number | null;
  /** Least and greatest of the trials. */
  readonly fidelity_low: number | null;
  readonly fidelity_high: number | null;
  readonly terms: readonly SideTerm[];
}

/** The tolerance that gave way at the lowest failing rate. */
export interface FailedFirst {
  /** `rate`, `ttft_p99`, … or `run`: the client itself failed. */
  readonly name: string;
  /** `TTFT p99 +18.2 ms [16.9, 19.6] for ±5 allowed`. */
  readonly words: string;
  /** Trials at that rate in which it failed, and how many there were. */
  readonly trials: number;
  readonly of: number;
}

/** Why it fails there, from the CPU time of its threads and what its source says. */
export interface Why {
  readonly cause: string;
  readonly sentence: string;
  readonly busiest_thread: string | null;
  readonly busiest_thread_share: number | null;
  readonly cpu_share: number | null;
  readonly core_wait_share: number | null;
}

/** `notMeasured`: not one trial gave figures. `notRun`: the run ended before its first trial, or it cannot run here. */
export type ClientState = 'searched' | 'notMeasured' | 'notRun';

export interface EnvelopeClient {
  readonly name: string;
  readonly title: string;
  readonly found: Found | Missing;
  readonly state: ClientState;
  /** Why there is no bracket, or why its search ended early; empty otherwise. */
  readonly reason: string;
  readonly bracket: Bracket | null;
  readonly at_holds: SideFigures | null;
  readonly at_fails: SideFigures | null;
  readonly failed_first: FailedFirst | null;
  readonly why: Why | null;
  /** Figures of the tolerance that this client does not give, so that they were not judged. */
  readonly not_given: readonly string[];
  readonly trials: number;
  readonly elapsed_s: number;
}

export interface EnvelopeDocument {
  readonly schema: typeof ENVELOPE_SCHEMA;
  readonly tare_version: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly state: 'finished' | 'interrupted';
  readonly host: HostInfo;
  /** `rates_rps` are those tried; a trial at a low rate is longer than `duration_s`, so that its p99 has an interval. */
  readonly plan: AuditPlan;
  readonly search: EnvelopeSearch;
  readonly floor: Floor | null;
  readonly clients: readonly EnvelopeClient[];
  readonly trials: readonly EnvelopeTrial[];
  /** How trials of the same client at the same rate disagreed, and the error of a trial that confidences are stated with. */
  readonly noise: {
    readonly assumed: number;
    readonly repeated_trials: number;
    readonly disagree: number;
    readonly used: number;
  };
  readonly warnings: AuditDocument['warnings'];
  /** Under what conditions the figures came about, as labelled lines: clients, workload, target, host, floor. */
  readonly provenance: readonly { readonly label: string; readonly text: string }[];
}
