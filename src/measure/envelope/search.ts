/**
 * Which rate to try next, from the verdicts so far: a geometric ramp up to the first rate that does not hold, bisection (by the geometric mean)
 * between, then repetition of both sides, and a look below and above, since a client need not be worse at a higher rate. Pure: the state is
 * the list of trials, so that a search that was cut short goes on where it was.
 */
import { canRepeat, isBeyond, type Purpose, type Tally, type Try, tallies } from './tally.ts';

export interface SearchConfig {
  readonly from_rps: number;
  readonly to_rps: number;
  /** From one rate of the ramp to the next. */
  readonly ramp: number;
  /** The bracket is narrow enough where the failing rate is at most so many times the holding one. */
  readonly ratio: number;
  /** By how many trials a verdict must lead on either side of the bracket. */
  readonly confirm: number;
}

/** Why a search is over. `found`: nothing is left to try; `budget`: trials or time are used up. */
export type EndReason = 'found' | 'budget';

export type Step =
  | { readonly kind: 'try'; readonly rate_rps: number; readonly purpose: Purpose }
  | { readonly kind: 'done'; readonly why: EndReason };

/** Wider than this a bracket is narrowed before anything else is looked at. */
const WIDE = 1.5;
/** A gap among the rates that held of less than this has nothing to show. */
const WORTH_A_LOOK = 1.25;
/** So many rates between both sides that cannot be told, and it is not narrowed any more. */
const MOST_UNCLEAR = 3;

/** Three significant digits: people read these, and no client holds a rate better. */
export const roundRate = (rate: number): number => Number(rate.toPrecision(3));

export interface View {
  readonly cells: readonly Tally[];
  /** The lowest rate that does not hold. */
  readonly ceiling: Tally | null;
  /** The highest rate below it that holds. */
  readonly base: Tally | null;
  /** A rate that fails and the next one above it, which holds: the order is not what one expects. */
  readonly contradiction: { readonly lower: Tally; readonly upper: Tally } | null;
}

/** The bracket as it stands. */
export function viewOf(tries: readonly Try[], confirm: number): View {
  const cells = tallies(tries, confirm);
  const ceiling = cells.find(isBeyond) ?? null;
  const below = ceiling === null ? cells : cells.filter((cell) => cell.rate_rps < ceiling.rate_rps);
  const base = below.findLast(({ standing }) => standing === 'holds') ?? null;
  const upper =
    ceiling === null
      ? undefined
      : cells.find(({ standing, rate_rps }) => standing === 'holds' && rate_rps > ceiling.rate_rps);
  const lower = upper && cells.findLast((cell) => isBeyond(cell) && cell.rate_rps < upper.rate_rps);
  return { cells, ceiling, base, contradiction: upper && lower ? { lower, upper } : null };
}

/** Gaps that differ by less than this are alike: ramps are rounded. */
const ALIKE = 0.98;

/** The widest gap between neighbours, of those alike the highest, as the rate in its middle; null where none is wider than `ratio`. */
function widest(rates: readonly number[], ratio: number): { middle: number; ratio: number } | null {
  let best: { middle: number; ratio: number } | null = null;
  for (let i = 1; i < rates.length; i++) {
    const [low, high] = [rates[i - 1]!, rates[i]!];
    const middle = roundRate(Math.sqrt(low * high));
    if (high / low > Math.max(ratio, ALIKE * (best?.ratio ?? 0)) && middle > low && middle < high)
      best = { middle, ratio: high / low };
  }
  return best;
}

const tryAt = (rate_rps: number, purpose: Purpose): Step => ({ kind: 'try', rate_rps, purpose });

/** A look below the bracket; null where one was had, or nothing is wide enough. */
function lookBelow({ cells, base }: View, tries: readonly Try[]): Step | null {
  if (base === null || tries.some(({ purpose }) => purpose === 'below')) return null;
  const rates = cells
    .filter(({ standing, rate_rps }) => standing === 'holds' && rate_rps <= base.rate_rps)
    .map(({ rate_rps }) => rate_rps);
  const gap = widest(rates, WORTH_A_LOOK);
  return gap === null ? null : tryAt(gap.middle, 'below');
}

/** A look above it, where nothing above was tried. */
function lookAbove({ cells, ceiling }: View, config: SearchConfig, tries: readonly Try[]): Step | null {
  if (ceiling?.standing !== 'fails' || tries.some(({ purpose }) => purpose === 'above')) return null;
  if (cells.at(-1)!.rate_rps > ceiling.rate_rps * WORTH_A_LOOK) return null;
  const rate = Math.min(roundRate(ceiling.rate_rps * config.ramp), config.to_rps);
  return rate > ceiling.rate_rps ? tryAt(rate, 'above') : null;
}

/** Between the sides of the bracket. */
function inside({ cells, base, ceiling }: View, ratio: number): { middle: number; ratio: number } | null {
  const low = base?.rate_rps ?? cells[0]!.rate_rps;
  const within = cells.filter(({ rate_rps }) => rate_rps >= low && rate_rps <= ceiling!.rate_rps);
  if (within.filter(({ standing }) => standing === 'unclear').length > MOST_UNCLEAR) return null;
  return widest(
    within.map(({ rate_rps }) => rate_rps),
    ratio,
  );
}

/** Trials that a side still needs. */
const needOf = (cell: Tally | null, confirm: number): number =>
  cell === null || !canRepeat(cell, confirm) ? 0 : Math.max(0, confirm - cell.lead);

function withoutCeiling(config: SearchConfig, view: View, tries: readonly Try[], remaining: number): Step {
  const { confirm, to_rps, ramp } = config;
  const last = view.cells.at(-1)!;
  const need = needOf(view.base, confirm);
  if (last.rate_rps < to_rps && (view.base === null || remaining > need))
    return tryAt(Math.min(roundRate(last.rate_rps * ramp), to_rps), 'ramp');
  if (need > 0) return tryAt(view.base!.rate_rps, 'confirm');
  return lookBelow(view, tries) ?? { kind: 'done', why: 'found' };
}

/** The next step. @param remaining trials that the budget still has */
export function nextStep(config: SearchConfig, tries: readonly Try[], remaining: number): Step {
  const { confirm } = config;
  if (remaining <= 0) return { kind: 'done', why: 'budget' };
  if (tries.length === 0) return tryAt(config.from_rps, 'ramp');
  const view = viewOf(tries, confirm);
  const open = view.cells.find(({ standing }) => standing === 'open');
  if (open !== undefined) return tryAt(open.rate_rps, 'repeat');
  const { ceiling, base, contradiction } = view;
  if (ceiling === null) return withoutCeiling(config, view, tries, remaining);
  if (contradiction !== null) {
    // One of the two is wrong, or the client is odd: the failing one must lead by one trial more than usual.
    const { lower, upper } = contradiction;
    if (lower.lead <= confirm && canRepeat(lower, confirm)) return tryAt(lower.rate_rps, 'confirm');
    if (needOf(upper, confirm) > 0) return tryAt(upper.rate_rps, 'confirm');
  }
  // The first failure ends the ramp: a stall of the machine must not.
  const isSure = view.cells.some((cell) => isBeyond(cell) && cell.lead >= confirm);
  if (!isSure && needOf(ceiling, confirm) > 0) return tryAt(ceiling.rate_rps, 'confirm');
  const below = lookBelow(view, tries);
  const above = lookAbove(view, config, tries);
  const gap = inside(view, config.ratio);
  const need = needOf(base, confirm) + needOf(ceiling, confirm);
  const looks = gap !== null && gap.ratio > WIDE ? 0 : (below === null ? 0 : 1) + (above === null ? 0 : 1);
  if (gap !== null && remaining > need + looks) return tryAt(gap.middle, 'bisect');
  if (needOf(ceiling, confirm) > 0) return tryAt(ceiling.rate_rps, 'confirm');
  if (needOf(base, confirm) > 0) return tryAt(base!.rate_rps, 'confirm');
  return below ?? above ?? { kind: 'done', why: gap === null ? 'found' : 'budget' };
}

/** Trials that a search takes where the limit is near the top: the ramp, the bisection, and the repetition of both sides. */
export function trialsNeeded({ from_rps, to_rps, ratio, confirm, ramp }: SearchConfig): number {
  const steps = Math.ceil(Math.log(to_rps / from_rps) / Math.log(ramp) - 1e-9) + 1;
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.log(ramp) / Math.log(ratio)) - 1e-9));
  return steps + halvings + 2 * (confirm - 1);
}

/** The ramp that fits the budget: doubling, or where that takes too many trials quadrupling. */
export const rampFor = (config: Omit<SearchConfig, 'ramp'>, budget: number): number =>
  trialsNeeded({ ...config, ramp: 2 }) <= budget ? 2 : 4;
