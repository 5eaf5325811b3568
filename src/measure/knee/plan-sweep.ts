/** What step of a sweep comes next. Pure: the same steps give the same answer. */
import { bracketOf, fallsUnderOverload, pooledPlateau } from './find-knee.ts';
import { BUILD_UP, FEWEST_SERVICES } from './judge-step.ts';
import type { SweepStep } from './types.ts';

export interface SweepGoal {
  readonly lowRps: number;
  /** No step goes beyond it. */
  readonly highRps: number;
  /** Least time in which a step sends, s. */
  readonly stepS: number;
  /** Rates in geometric progression, all of them ascending; null: as many as it takes. */
  readonly points: number | null;
  /** Half of the interval's width that is enough, as a share. */
  readonly precision: number;
}

/** What is left of the budget, s, and what a step takes beside the time in which it sends and drains. */
export interface SweepBudget {
  readonly leftS: number;
  readonly overheadS: number;
}

export type NextStep =
  | { readonly kind: 'step'; readonly rateRps: number; readonly durationS: number; readonly purpose: string }
  | { readonly kind: 'done'; readonly why: string };

const RAMP = 2;
/** Tries of each kind of further step. */
const MOST_REFINED = 2;
const MOST_BISECTIONS = 8;
/** Steps beside the plateau, as shares of it and multiples of a step's time, until one is stable, or overloaded. */
const BELOW: readonly Try[] = [
  { at: 0.95, times: 1 },
  { at: 0.95, times: 4 },
  { at: 0.85, times: 4 },
];
const ABOVE: readonly Try[] = [
  { at: 1.06, times: 1 },
  { at: 1.06, times: 4 },
];
/** A step within this distance of where a try would be counts as one. */
const BESIDE = 0.04;
/** Overload at which the plateau is refined: enough to be always busy, not so much that the backlog grows without need. */
const REFINE_AT = 1.25;
const LEAST_REFINE_AT = 1.06;
/** Requests that may pile up in it. */
const MOST_PILED_UP = 3000;
/** More answers than the interval's width asks for, so that one refinement is enough. */
const MARGIN = 1.4;

interface Try {
  readonly at: number;
  readonly times: number;
}

const overloaded = ({ figures: { verdict } }: SweepStep): boolean =>
  verdict === 'unstable' || verdict === 'shedding';

/** The next step, or why there is none. */
export function nextStep(steps: readonly SweepStep[], goal: SweepGoal, budget: SweepBudget): NextStep {
  const wanted = goal.points === null ? adaptive(steps, goal) : onGrid(steps, goal, goal.points);
  if (wanted.kind === 'done') return wanted;
  const capacity = pooledPlateau(steps)?.value;
  const drain = capacity === undefined ? 1 : Math.max(0, wanted.rateRps / capacity - 1);
  const affordableS = (budget.leftS - budget.overheadS) / (1 + drain);
  const leastS = baseDuration(steps, goal);
  if (affordableS < leastS)
    return {
      kind: 'done',
      why: `the time budget is used up before a step at ${wanted.rateRps.toPrecision(3)}/s`,
    };
  return { ...wanted, durationS: Math.min(wanted.durationS, affordableS) };
}

/** A step's time: as asked, and at least what a queue needs to show. */
function baseDuration(steps: readonly SweepStep[], { stepS }: SweepGoal): number {
  const serviceS = steps.find(({ figures }) => figures.serviceS !== null)?.figures.serviceS ?? 0;
  return Math.max(stepS, (BUILD_UP + FEWEST_SERVICES + 2) * serviceS);
}

/** All rates of a grid; not further once the server was clearly overloaded twice, or the client gave out. */
function onGrid(steps: readonly SweepStep[], goal: SweepGoal, points: number): NextStep {
  const { lowRps, highRps } = goal;
  const k = steps.length;
  if (k >= points) return { kind: 'done', why: 'every rate of the grid was run' };
  if (steps.filter((step) => overloaded(step) && step.figures.plateau !== null).length >= 2)
    return { kind: 'done', why: 'the server was clearly overloaded at two rates' };
  if (steps.at(-1)?.figures.verdict === 'clientLimited')
    return { kind: 'done', why: 'the client gave out: higher rates would show nothing of the server' };
  const rateRps = points === 1 ? lowRps : lowRps * (highRps / lowRps) ** (k / (points - 1));
  return {
    kind: 'step',
    rateRps: Math.min(rateRps, highRps),
    durationS: baseDuration(steps, goal),
    purpose: 'grid',
  };
}

function adaptive(steps: readonly SweepStep[], goal: SweepGoal): NextStep {
  if (!steps.some(overloaded)) return ramp(steps, goal);
  const pooled = pooledPlateau(steps);
  if (pooled === null || fallsUnderOverload(steps, pooled)) return bisect(steps, goal);
  return aroundPlateau(steps, goal, pooled);
}

/** Upwards by a factor until the server is overloaded, the client gives out, or the top has been run. */
function ramp(steps: readonly SweepStep[], goal: SweepGoal): NextStep {
  const durationS = baseDuration(steps, goal);
  const last = steps.at(-1);
  if (last === undefined) return { kind: 'step', rateRps: goal.lowRps, durationS, purpose: 'ramp' };
  if (last.figures.verdict === 'clientLimited') {
    if (steps.at(-2)?.rateRps === last.rateRps) return { kind: 'done', why: 'the client gave out, twice' };
    return { kind: 'step', rateRps: last.rateRps, durationS, purpose: 'again: the client was late' };
  }
  if (last.rateRps >= goal.highRps * (1 - 1e-9))
    return { kind: 'done', why: 'the top rate was run, and the server was not overloaded' };
  const next = last.rateRps * RAMP;
  const rateRps = next * 1.3 > goal.highRps ? goal.highRps : next;
  return { kind: 'step', rateRps, durationS, purpose: 'ramp' };
}

/** Between the highest stable and the lowest overloaded step, until they are within the precision of each other. */
function bisect(steps: readonly SweepStep[], goal: SweepGoal): NextStep {
  const { stableRps, overloadedRps } = bracketOf(steps);
  const durationS = baseDuration(steps, goal);
  if (stableRps === null) {
    const lowest = Math.min(...steps.map(({ rateRps }) => rateRps));
    if (lowest <= goal.lowRps * 1.001)
      return { kind: 'done', why: 'even the lowest rate was too much, or undecided' };
    return { kind: 'step', rateRps: Math.max(goal.lowRps, lowest / RAMP), durationS, purpose: 'downwards' };
  }
  if (overloadedRps! / stableRps <= 1 + goal.precision)
    return { kind: 'done', why: 'the bracket is narrow enough' };
  const rateRps = Math.sqrt(stableRps * overloadedRps!);
  const tries = steps.filter(({ purpose }) => purpose === 'bisection').length;
  const same = steps.filter((s) => Math.abs(s.rateRps / rateRps - 1) < 0.01).length;
  if (same >= 2 || tries >= MOST_BISECTIONS) return { kind: 'done', why: 'more bisection would not help' };
  return { kind: 'step', rateRps, durationS: durationS * 4 ** same, purpose: 'bisection' };
}

/** Around a plateau: first make its interval narrow, then see that the server lasts below it and not above it. */
function aroundPlateau(
  steps: readonly SweepStep[],
  goal: SweepGoal,
  pooled: { readonly value: number; readonly low: number; readonly high: number },
): NextStep {
  const base = baseDuration(steps, goal);
  const c = pooled.value;
  const half = (pooled.high - pooled.low) / 2 / c;
  if (half > goal.precision) {
    const refinement = refine(steps, goal, c, half, base);
    if (refinement !== null) return refinement;
  }
  const isStable = ({ figures }: SweepStep): boolean => figures.verdict === 'stable';
  return (
    beside(steps, goal, c, base, BELOW, isStable) ??
    beside(steps, goal, c, base, ABOVE, overloaded) ?? {
      kind: 'done',
      why:
        half <= goal.precision
          ? 'the knee is known well enough'
          : 'more steps would not make it more precise',
    }
  );
}

/** More completions under overload; null where that was tried, or is not allowed. */
function refine(
  steps: readonly SweepStep[],
  goal: SweepGoal,
  c: number,
  half: number,
  base: number,
): NextStep | null {
  const tries = steps.filter(({ purpose }) => purpose === 'refinement').length;
  if (tries >= MOST_REFINED || goal.highRps < LEAST_REFINE_AT * c) return null;
  const have = steps.reduce((sum, { figures }) => sum + (figures.plateau?.completions ?? 0), 0);
  // An interval goes with 1/√n.
  const more = have * ((half / goal.precision) ** 2 * MARGIN - 1);
  const piled = (share: number): number => MOST_PILED_UP / (share * c);
  const durationS = Math.max(base, Math.min(more / c, piled(LEAST_REFINE_AT - 1)));
  const at = 1 + Math.min(REFINE_AT - 1, Math.max(LEAST_REFINE_AT - 1, MOST_PILED_UP / (durationS * c)));
  return { kind: 'step', rateRps: Math.min(goal.highRps, at * c), durationS, purpose: 'refinement' };
}

/** The first of some tries that was not run yet; null when one of them went as hoped, or none is left or allowed. */
function beside(
  steps: readonly SweepStep[],
  { lowRps, highRps }: SweepGoal,
  c: number,
  base: number,
  tries: readonly Try[],
  hoped: (step: SweepStep) => boolean,
): NextStep | null {
  const run = steps.filter(({ rateRps }) => tries.some(({ at }) => Math.abs(rateRps / c - at) < BESIDE));
  const next = tries[run.length];
  if (next === undefined || run.some(hoped)) return null;
  const rateRps = next.at * c;
  if (rateRps < lowRps || rateRps > highRps) return null;
  return {
    kind: 'step',
    rateRps,
    durationS: base * next.times,
    purpose: next.at < 1 ? 'below the plateau' : 'above the plateau',
  };
}
