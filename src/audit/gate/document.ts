/** gate.json: what a gate held a client, or a load run, to, and what came of it. */
import type { Tolerance } from '../../measure/envelope/tolerance.ts';
import type { HostInfo } from '../../system/host.ts';
import type { AuditPlan, ClientEntry, Floor, Trial } from '../document.ts';
import type { Warning } from '../warnings.ts';

export const GATE_SCHEMA = 'tare-gate/1';

/** `notJudged`: there is nothing to judge (the client gives no such figure). `invalid`: the harness was not valid here. */
export const CHECK_STATES = ['pass', 'fail', 'undetermined', 'notJudged', 'invalid'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export const CHECK_KINDS = [
  'run',
  'rate',
  'bias',
  'change',
  'loadClient',
  'loadRate',
  'success',
  'slo',
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** One thing that is held to one limit: a test case in JUnit. `value`, its interval, limits and floor are in `unit`. */
export interface GateCheck {
  readonly kind: CheckKind;
  /** `rate`, `ttft_p50`, `run`; of a load run `success`, a warning's code, … */
  readonly name: string;
  /** Of a load run the file. */
  readonly client: string;
  readonly rate_rps: number | null;
  readonly state: CheckState;
  readonly unit: 'ms' | 'share' | 'runs';
  /** Mean over the repetitions: bias of a figure, share of the rate, or of a change |new| − |old|, each of the mean (of a rate, of what it is off by). */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Of this one interval: what a look has left of 95 %; null without one. */
  readonly confidence: number | null;
  readonly limit_low: number | null;
  readonly limit_high: number | null;
  /** The smallest difference that the machine can tell from zero; null where that has no sense. */
  readonly floor: number | null;
  /** Repetitions behind the value. */
  readonly trials: number;
  /** Of a change: the figure before and now, and what it is compared with. */
  readonly before?: number | null;
  readonly now?: number | null;
  readonly compared_with?: string;
  /** Why it is not decided, what failed, or what there is to know of it; empty where the figures say it. */
  readonly reason: string;
  /** What would decide it, or mend it; empty otherwise. */
  readonly remedy: string;
}

export const VERDICTS = ['pass', 'fail', 'undetermined', 'invalid'] as const;
export type GateVerdict = (typeof VERDICTS)[number];

/** What a repetition was counted for. */
export interface GateTrial {
  readonly id: string;
  readonly client: string;
  readonly rate_rps: number;
  /** Why it is in no figure: what the machine or the target did to it; null: it counts. */
  readonly left_out: string | null;
}

/** What looking repeatedly does to the error, and what is done about it. */
export interface GateErrorRate {
  /** A client that is out of tolerance passes with at most this probability, and one that is within fails with at most this one. */
  readonly at_most: number;
  /** Checks with an interval among which it is shared. */
  readonly checks: number;
  readonly first_look: number;
  /** Looks at each client and rate: how often the verdict was asked for. */
  readonly looks: Readonly<Record<string, number>>;
}

/** An earlier result that is compared with. */
export interface GateBaseline {
  readonly from: string;
  readonly tare_version: string;
  readonly started_at: string;
  /** Of which client and version; null where it has none of the clients. */
  readonly clients: Readonly<Record<string, string>>;
  /** Why nothing is judged by it; null where it is. */
  readonly refused: string | null;
  /** What differs, and is no reason against comparing. */
  readonly note?: string;
}

export interface GateDocument {
  readonly schema: typeof GATE_SCHEMA;
  readonly tare_version: string;
  readonly of: 'clients' | 'load';
  readonly started_at: string;
  readonly finished_at: string;
  readonly elapsed_s: number;
  readonly state: 'finished' | 'interrupted';
  readonly verdict: GateVerdict;
  readonly exit_code: number;
  /** Why it is invalid, or interrupted; empty otherwise. */
  readonly reason: string;
  readonly checks: readonly GateCheck[];
  readonly warnings: readonly Warning[];
  /** null of a load run, as is all that follows. */
  readonly tolerance: string | null;
  readonly tolerances: Tolerance | null;
  readonly allow: string | null;
  readonly budget_s: number | null;
  readonly error_rate: GateErrorRate | null;
  readonly baseline: GateBaseline | null;
  /** The client that the others are compared with, run beside them. */
  readonly against: string | null;
  readonly host: HostInfo | null;
  readonly plan: AuditPlan | null;
  readonly floor: Floor | null;
  readonly clients: readonly ClientEntry[];
  readonly counted: readonly GateTrial[];
  readonly trials: readonly Trial[];
}

/** Of a client at a rate. */
export const cellName = (client: string, rate_rps: number): string => `${client} at ${rate_rps}/s`;
