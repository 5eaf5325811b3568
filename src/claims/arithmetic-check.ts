/** What one arithmetic check says of a claim. The checks themselves are in src/claims/arithmetic, one file each. */
import type { Claim } from './claim.ts';

export const CHECK_IDS = [
  'littles-law',
  'occupancy',
  'offered-not-completed',
  'order-of-statistics',
  'identities',
  'window',
  'overload',
  'warm-against-cold',
  'restated-figures',
  'ratios',
  'counts',
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/**
 * `agrees`: the figures fit each other within their printed digits. `contradicts`: they cannot all be true as stated. `limits`: they can be
 * true, but do not mean what a reader takes them for, or hold only for that run (ramp and drain inside, no steady state, a warm cache).
 * `not applicable`: what it needs is not stated.
 */
export type CheckState = 'agrees' | 'contradicts' | 'limits' | 'not applicable';

export interface CheckResult {
  readonly check: CheckId;
  /** What is tested, as a heading: `Little's law, row c200`. */
  readonly title: string;
  readonly state: CheckState;
  /** Rows, figures and headlines (ids) that it is about: those it confirms, contradicts or limits. Empty where not applicable. */
  readonly rows: readonly string[];
  readonly figures: readonly string[];
  readonly headlines: readonly string[];
  /** What went in, each with its unit: `throughput 777.02 tok/s`. */
  readonly inputs: readonly { readonly name: string; readonly text: string }[];
  /** The arithmetic, a step a line, figures put in: `777.02 / 500 × (73.3 + 499 × 0.08764) = 181.9 in flight`. */
  readonly working: readonly string[];
  /** One sentence: what comes of it. For `not applicable`: what is missing. */
  readonly finding: string;
  /** What would explain it, most likely first; empty where it agrees. */
  readonly explanations: readonly string[];
  /** What to ask the claimant. */
  readonly questions: readonly string[];
}

export interface ArithmeticCheck {
  readonly id: CheckId;
  /** What is tested and by what formula, one or two sentences, for docs and page. */
  readonly about: string;
  /** One result a place where it applies; one `not applicable` where it applies nowhere. Pure. */
  run(claim: Claim): readonly CheckResult[];
}
