/** The comparison of two audits, as data (`tare-compare/1`). A is before, or the one side; B is after, or the other. */
import type { FigureUnit } from './figures.ts';

export const COMPARE_SCHEMA = 'tare-compare/1';

/**
 * `worse`, `better`, `changed` (neither way is better, or it cannot be told which): the whole interval of the difference lies beyond
 * the floor. `unchanged`: all of it within. `undetermined`: it crosses the floor, or there is no interval. `refused`: not comparable.
 */
export const FIGURE_STATES = ['worse', 'better', 'changed', 'unchanged', 'undetermined', 'refused'] as const;
export type FigureState = (typeof FIGURE_STATES)[number];

/**
 * `primary`: what decides whether a client is worse; the share of the rate, of requests answered, TTFT p50 and p99 (E2E p99 where there is no
 * TTFT), or what `--figures` names. `besides`: all others, a family of their own, which decides nothing.
 */
export const FAMILIES = ['primary', 'besides'] as const;
export type FamilyName = (typeof FAMILIES)[number];

/** One side of a figure. */
export interface Side {
  /** Mean over its repetitions, in the figure's unit; null without a value. */
  readonly mean: number | null;
  /** Repetitions that have it. */
  readonly trials: number;
  /** Standard deviation of its repetitions, in the figure's unit; null below two. */
  readonly spread: number | null;
}

export interface FigureComparison {
  readonly figure: string;
  readonly unit: FigureUnit;
  readonly a: Side;
  readonly b: Side;
  /** B − A, in `unit`. */
  readonly difference: number | null;
  readonly family: FamilyName;
  /** Welch's interval between repetitions, at the level at which the figure was judged in its family. */
  readonly low: number | null;
  readonly high: number | null;
  /** In `unit`; null where none could be measured. */
  readonly floor: number | null;
  readonly state: FigureState;
  /** Why it is undetermined or refused; empty otherwise. */
  readonly reason: string;
  /** A change of this size, in `unit`, would have been found, spreads being what they are; null where it is decided or nothing could be. */
  readonly smallest_change: number | null;
  /** What to know when believing it: that its spread is very unlike on both sides; empty otherwise. */
  readonly caveat: string;
}

/** How the trials of a cell ended, on both sides. */
export interface OutcomeComparison {
  readonly a: Readonly<Record<string, number>>;
  readonly b: Readonly<Record<string, number>>;
  /** Trials that left no figure, of all. */
  readonly failed_a: number;
  readonly failed_b: number;
  readonly state: OutcomeState;
  /** In words; empty where they are the same. */
  readonly reason: string;
  /** Saturated trials, of those that left figures. */
  readonly saturated_a: number;
  readonly saturated_b: number;
  readonly saturation: OutcomeState;
  /** In words; empty where they are the same. */
  readonly saturation_reason: string;
  /** Undetermined, but B failed in at least half more of its trials than A: nobody may call that no change. */
  readonly heavy: boolean;
}

/** `same`: none on either side, or all on both. */
export type OutcomeState = 'worse' | 'better' | 'same' | 'undetermined';

export interface RateComparison {
  readonly rate_rps: number;
  readonly outcomes: OutcomeComparison | null;
  /** It was run in A and not in B. */
  readonly gone: boolean;
  readonly figures: readonly FigureComparison[];
  /** What to know when reading its figures. */
  readonly notes: readonly string[];
}

/** What a condition bears on, when it differs. */
export const CONDITION_GROUPS = [
  'machine',
  'software',
  'placement',
  'harness',
  'workload',
  'settings',
  'client',
  'state',
] as const;
export type ConditionGroup = (typeof CONDITION_GROUPS)[number];

export interface Condition {
  readonly group: ConditionGroup;
  readonly what: string;
  readonly a: string;
  readonly b: string;
  /** `measured`: found anew by every audit, so that it is never quite the same. `unknown`: not recorded on a side, so that nobody knows. */
  readonly state: ConditionState;
}

export const CONDITION_STATES = ['same', 'differs', 'measured', 'unknown'] as const;
export type ConditionState = (typeof CONDITION_STATES)[number];

/** What a difference can be put down to. */
export const ATTRIBUTIONS = [
  'nothing: the same trials',
  'clients of one audit',
  'nothing recorded',
  'circumstances',
  'client',
  'machine',
  'workload',
  'settings',
  'harness',
  'several together',
] as const;
export interface Attribution {
  readonly to: (typeof ATTRIBUTIONS)[number];
  /** One sentence. */
  readonly sentence: string;
}

/** A verdict of one side, as its own audit has it. */
export interface SideVerdict {
  readonly verdict: string;
  /** Within tolerance up to this rate; null: at no rate tried. */
  readonly holds_rps: number | null;
  readonly fails_rps: number | null;
  readonly sentence: string;
}

export interface ClientComparison {
  readonly a: string;
  readonly b: string;
  readonly version_a: string;
  readonly version_b: string;
  /** What is known of how they measure, where it differs. */
  readonly definitions: readonly { readonly what: string; readonly a: string; readonly b: string }[];
  readonly verdict_a: SideVerdict;
  readonly verdict_b: SideVerdict;
  readonly attribution: Attribution;
  readonly rates: readonly RateComparison[];
}

export interface AuditSide {
  readonly folder: string;
  readonly tare_version: string;
  readonly started_at: string;
  readonly state: 'finished' | 'interrupted';
}

export interface Family {
  readonly intervals: number;
  /** Level of an interval that is one of all. */
  readonly level_each: number;
}

export type Counts = Readonly<Record<FigureState, number>>;

export interface Comparison {
  readonly schema: typeof COMPARE_SCHEMA;
  readonly tare_version: string;
  readonly a: AuditSide;
  readonly b: AuditSide;
  /** A and B are the same audit. */
  readonly same_audit: boolean;
  readonly conditions: readonly Condition[];
  /** What was compared at once, and so judged together at 5 %: of figures that have an interval and a floor. */
  readonly family: Readonly<Record<FamilyName, Family>>;
  readonly clients: readonly ClientComparison[];
  /** Clients of one side that have no other side. */
  readonly not_compared: readonly {
    readonly client: string;
    readonly of: 'A' | 'B' | 'both';
    readonly reason: string;
    /** It was there in A and is not in B, and nobody asked for that. */
    readonly gone: boolean;
  }[];
  readonly counts: Counts;
}

/** The comparison and what it says, in sentences. */
export interface CompareDocument extends Comparison {
  readonly sentences: {
    readonly headline: string;
    readonly attribution: string;
    readonly family: string;
    /** One a client, in the order of `clients`. */
    readonly clients: readonly string[];
    /** Change of each client's verdict, in the same order; null where it is the same. */
    readonly verdicts: readonly (string | null)[];
    readonly caveats: readonly string[];
  };
}
