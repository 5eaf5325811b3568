/** One point of the checklist, and the answer that a claim gives to it. */
import type { Claim, ClaimFigure, ClaimMetric, ClaimRow } from '../claim.ts';

export const CHECKLIST_IDS = [
  'source',
  'client',
  'processes',
  'loop',
  't0',
  'streaming',
  'token-source',
  'arrivals',
  'load',
  'lengths',
  'size',
  'statistic',
  'success-rate',
  'window',
  'warm-up',
  'repetitions',
  'system',
  'prefix-cache',
  'client-host',
  'client-load',
  'client-bias',
  'second-client',
] as const;
export type ChecklistId = (typeof CHECKLIST_IDS)[number];

export type ChecklistState = 'stated' | 'not stated' | 'contradicted';

export interface ChecklistRule {
  readonly id: ChecklistId;
  readonly title: string;
  /** One sentence: what a reader cannot know without it. */
  readonly why: string;
  /** To send to the claimant. */
  readonly question: string;
  /** Metrics whose meaning it decides; a figure of theirs is not supported without it. `[]`: asked, but decides none by itself. */
  readonly decides: readonly ClaimMetric[];
  /** What the claim says for this figure. Points about the whole measurement look at the claim only. */
  answer(claim: Claim, row: ClaimRow, figure: ClaimFigure | null): Stated;
}

/** A whole answer; a part of one, with what is missing in its words; null: not stated at all. */
export type Stated = string | { readonly partly: string } | null;

export interface ChecklistAnswer {
  readonly id: ChecklistId;
  readonly title: string;
  readonly state: ChecklistState;
  /** What the claim says, and where it says nothing; for `contradicted` what stands against what. */
  readonly answer: string;
  readonly why: string;
  /** null where there is nothing to ask: it is stated, or no figure of the claim depends on it. */
  readonly question: string | null;
  /** Ids of the figures whose meaning it decides and for which it is missing or contradicted. */
  readonly figures: readonly string[];
}

export const LATENCIES: readonly ClaimMetric[] = ['ttft', 'itl', 'tpot', 'ntpot', 'e2e'];
export const TOKEN_RATES: readonly ClaimMetric[] = [
  'output_throughput',
  'input_throughput',
  'total_throughput',
];
/** Everything but counts. */
export const MEASURED: readonly ClaimMetric[] = [
  ...LATENCIES,
  ...TOKEN_RATES,
  'request_throughput',
  'user_throughput',
];
