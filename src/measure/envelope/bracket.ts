/** What a search found: the bracket, how sure each side of it is, and what is odd. */
import { leadConfidence } from './confidence.ts';
import { type LikelyRange, limitPosterior, massWithin, widened } from './posterior.ts';
import { type EndReason, type SearchConfig, type View, viewOf } from './search.ts';
import type { Tally, Try } from './tally.ts';

/**
 * `bracket`: holds at one rate, fails at another. `atLeast`: holds, and no rate was found that the client fails. `none`: fails at the lowest
 * rate that could be told. `undetermined`: no rate could be told.
 */
export const BRACKET_STATES = ['bracket', 'atLeast', 'none', 'undetermined'] as const;
export type BracketState = (typeof BRACKET_STATES)[number];

/**
 * Why it is not known more closely. `narrow`: it is as close as was asked. `top`: it holds at the highest rate of the search. `target`: the target itself is at its
 * limit. `unclear`: what lies above, or between, could not be told. `budget`, `interrupted`: the search ended early.
 */
export const LIMITS = ['narrow', 'top', 'target', 'unclear', 'budget', 'interrupted'] as const;
export type Limit = (typeof LIMITS)[number];

export interface Side {
  readonly rate_rps: number;
  readonly trials: number;
  readonly holds: number;
  readonly fails: number;
  readonly target: number;
  readonly undetermined: number;
  /** That the majority is right. */
  readonly confidence: number;
}

export interface Bracket {
  readonly state: BracketState;
  readonly limit: Limit;
  /** null: no rate was found to hold. */
  readonly holds: Side | null;
  /** null: no rate was found to fail. */
  readonly fails: Side | null;
  /** The rate at which the target itself was at its limit. */
  readonly target_rps: number | null;
  /**
   * That the client's limit lies in it, by all trials (`limitPosterior`): where only one side was found no more than that side's own. null where the
   * order of rates is odd, or nothing is known.
   */
  readonly confidence: number | null;
  /** Where the limit lies with `LIKELY` or more, if not in the bracket: from tried rate to tried rate. null where the bracket is it; absent in documents of Tare 0.1. */
  readonly likely?: LikelyRange | null;
  /** It fails at the one and holds at the other, higher one: more is not always worse. */
  readonly not_monotone: { readonly fails_rps: number; readonly holds_rps: number } | null;
  /** Rates that could not be told: below the bracket or within it. */
  readonly unclear_rps: readonly number[];
}

/** A bracket that holds the limit less likely than this is widened, beside. */
export const LIKELY = 0.8;

const sideOf = (cell: Tally, noise: number): Side => ({
  rate_rps: cell.rate_rps,
  trials: cell.trials,
  holds: cell.holds,
  fails: cell.fails,
  target: cell.target,
  undetermined: cell.undetermined,
  confidence: leadConfidence(cell.lead, noise),
});

/**
 * A rate that fails below one that holds. Only what both rates were repeated for, the failing one once more than usual: a contradiction that
 * the budget left open lowers the confidence instead.
 */
function oddOrder(view: View, confirm: number): Bracket['not_monotone'] {
  if (view.contradiction === null) return null;
  const { lower, upper } = view.contradiction;
  const isSettled = lower.standing === 'fails' && lower.lead > confirm && upper.lead >= confirm;
  return isSettled ? { fails_rps: lower.rate_rps, holds_rps: upper.rate_rps } : null;
}

/** How sure the bracket is, and where the limit is likely if not in it. */
function sureness(
  cells: readonly Tally[],
  config: SearchConfig,
  holds: Side | null,
  fails: Side | null,
  noise: number,
): Pick<Bracket, 'confidence' | 'likely'> {
  // A trial at the target's limit says nothing of the client's.
  const posterior = limitPosterior(cells, config, noise);
  const [low, high] = [holds?.rate_rps ?? null, fails?.rate_rps ?? null];
  const mass = massWithin(posterior, low, high);
  // Of one side alone the prior makes much: how much room there is up to the end of the search is no knowledge of the client.
  const side = holds === null ? fails : fails === null ? holds : null;
  const confidence = Math.min(mass, side?.confidence ?? 1);
  const range = confidence >= LIKELY ? null : widened(posterior, low, high, LIKELY);
  const isWider = range !== null && (range.low_rps !== low || range.high_rps !== high);
  return { confidence, likely: isWider ? range : null };
}

/** @param noise probability that a trial's verdict is wrong */
export function bracketOf(
  config: SearchConfig,
  tries: readonly Try[],
  ended: EndReason | 'interrupted',
  noise: number,
): Bracket {
  const view = viewOf(tries, config.confirm);
  const { cells, ceiling, base } = view;
  const holds = base === null ? null : sideOf(base, noise);
  const failing = ceiling?.standing === 'fails' ? sideOf(ceiling, noise) : null;
  const unclear = cells.filter(
    ({ standing, rate_rps }) =>
      (standing === 'unclear' || standing === 'open') && rate_rps < (ceiling?.rate_rps ?? Infinity),
  );
  const above = unclear.some(({ rate_rps }) => rate_rps > (base?.rate_rps ?? 0));
  const early = ended === 'found' ? null : ended;
  const state: BracketState =
    base !== null ? (failing !== null ? 'bracket' : 'atLeast') : failing !== null ? 'none' : 'undetermined';
  const odd = oddOrder(view, config.confirm);
  const isNarrow =
    failing !== null && (holds === null || failing.rate_rps / holds.rate_rps <= config.ratio * 1.01);
  const limit: Limit = isNarrow
    ? 'narrow'
    : ceiling?.standing === 'target'
      ? 'target'
      : ceiling === null && base !== null && base.rate_rps >= config.to_rps
        ? 'top'
        : (early ?? (above ? 'unclear' : 'narrow'));
  return {
    state,
    limit,
    holds,
    fails: failing,
    target_rps: ceiling?.standing === 'target' ? ceiling.rate_rps : null,
    ...(state === 'undetermined' || odd !== null
      ? { confidence: null, likely: null }
      : sureness(cells, config, holds, failing, noise)),
    not_monotone: odd,
    unclear_rps: unclear.map(({ rate_rps }) => rate_rps),
  };
}
