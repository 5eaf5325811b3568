/** The comparison of two audits, as data (`tare-compare/1`). A is before, or the one side; B is after, or the other. */
import type { FigureUnit } from './figures.ts';

export const COMPARE_SCHEMA = 'tare-compare/1';

/**
 * `worse`, `better`, `changed` (neither way is better, or it cannot be told which): the whole interval of the difference lies beyond
 * the floor. `unchanged`: all of it within. `undetermined`: it crosses the floor, or there is no interval. `refused`: not comparable.
 */
export const FIGURE_STATES = ['worse', 'better', 'changed', 'unchanged', 'undetermined', 'refused'] as const;
export type FigureState = (typeof FIGURE_STATES)[number];

/** One side of a figure. */
export interface Side {
  /** Mean over its repetitions, in the figure's unit; null without a value. */
  readonly mean: number | null;
  /** Repetitions that have it. */
  readonly trials: number;
}

export interface FigureComparison {
  readonly figure: string;
  readonly unit: FigureUnit;
  readonly a: Side;
  readonly b: Side;
  /** B − A, in `unit`. */
  readonly difference: number | null;
  /** Welch's interval between repetitions, such that all intervals of the family hold at 95 %. */
  readonly low: number | null;
  readonly high: number | null;
  /** In `unit`; null where none could be measured. */
  readonly floor: number | null;
  readonly state: FigureState;
  /** Why it is undetermined or refused; empty otherwise. */
  readonly reason: string;
}

/** How the trials of a cell ended, on both sides. */
export interface OutcomeComparison {
  readonly a: Readonly<Record<string, number>>;
  readonly b: Readonly<Record<string, number>>;
  /** Trials that left no figure, of all. */
  readonly failed_a: number;
  readonly failed_b: number;
  readonly state: 'worse' | 'better' | 'same' | 'undetermined';
  /** In words; empty where they are the same. */
  readonly reason: string;
}

export interface RateComparison {
  readonly rate_rps: number;
  readonly outcomes: OutcomeComparison | null;
  readonly figures: readonly FigureComparison[];
  /** What to know when reading its figures. */
  readonly notes: readonly string[];
}

/** What a condition bears on, when it differs. */
export const CONDITION_GROUPS = [
  'machine',
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
  /** `measured`: found anew by every audit, so that it is never quite the same. */
  readonly state: 'same' | 'differs' | 'measured';
}

/** What a difference can be put down to. */
export const ATTRIBUTIONS = [
  'nothing: the same trials',
  'clients of one audit',
  'nothing recorded',
  'client',
  'machine',
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

export type Counts = Readonly<Record<FigureState, number>>;

export interface Comparison {
  readonly schema: typeof COMPARE_SCHEMA;
  readonly tare_version: string;
  readonly a: AuditSide;
  readonly b: AuditSide;
  /** A and B are the same audit. */
  readonly same_audit: boolean;
  readonly conditions: readonly Condition[];
  /** What was compared at once: every interval is so wide that all of them hold together at 95 %. */
  readonly family: { readonly intervals: number; readonly level_each: number };
  readonly clients: readonly ClientComparison[];
  /** Clients of one side that have no other side. */
  readonly not_compared: readonly {
    readonly client: string;
    readonly of: 'A' | 'B' | 'both';
    readonly reason: string;
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
