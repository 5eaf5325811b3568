/**
 * The knee: the highest rate that a server sustains. Under overload it completes what it can, whatever it is sent: that plateau is its capacity, with
 * an interval. That steps below it are stable and steps above it are not must agree with it; where they do not (a server whose throughput falls under
 * overload, or that refuses instead of queueing), the knee is what lies between them.
 */
import type { Bracket, Knee, Plateau, Ranged, SweepStep } from './types.ts';

/** Completions of a stable step this far above the plateau's interval contradict it. */
const CONTRADICTS = 1.03;
/** Below this share of the knee, no stable step is near it. */
const NEAR = 0.8;

const isOverloaded = ({ figures: { verdict } }: SweepStep): boolean =>
  verdict === 'unstable' || verdict === 'shedding';

/** The highest stable rate below the lowest overloaded one, and that. */
export function bracketOf(steps: readonly SweepStep[]): Bracket {
  const rates = (wanted: (step: SweepStep) => boolean): number[] =>
    steps.filter(wanted).map(({ figures }) => figures.sentRps);
  const over = rates(isOverloaded);
  const overloadedRps = over.length > 0 ? Math.min(...over) : null;
  const stable = rates(({ figures }) => figures.verdict === 'stable');
  const below = stable.filter((rps) => overloadedRps === null || rps < overloadedRps);
  return { stableRps: below.length > 0 ? Math.max(...below) : null, overloadedRps };
}

/**
 * The plateaus of overloaded steps as one, by their weights (1/variance); where they differ by more than their own intervals say, the common interval
 * is widened by the Birge ratio (R. T. Birge, Phys. Rev. 40, 1932). Steps that were surely sent more than they completed are preferred:
 * of those near the capacity, the ones that met slow service are the ones that look overloaded.
 */
export function pooledPlateau(steps: readonly SweepStep[]): (Ranged & { readonly steps: number }) | null {
  const all = steps.filter((step) => isOverloaded(step) && step.figures.plateau !== null);
  const sure = all.filter(({ figures }) => figures.sentRps > figures.plateau!.high);
  const plateaus = (sure.length > 0 ? sure : all).map(({ figures }) => figures.plateau as Plateau);
  if (plateaus.length === 0) return null;
  const weights = plateaus.map(({ low, high }) => 1 / ((high - low) / 2) ** 2);
  const sum = weights.reduce((a, b) => a + b, 0);
  const value = plateaus.reduce((a, { value: v }, i) => a + (v * weights[i]!) / sum, 0);
  const half = 1 / Math.sqrt(sum);
  const n = plateaus.length;
  // Half-widths are 95 %: 1.96 standard errors, or somewhat more.
  const chi2 = plateaus.reduce((a, { value: v }, i) => a + (v - value) ** 2 * weights[i]! * 1.96 ** 2, 0);
  const birge = n > 1 ? Math.max(1, Math.sqrt(chi2 / (n - 1))) : 1;
  return { value, low: value - half * birge, high: value + half * birge, steps: n };
}

/** The highest rate that a step was sent and stable at; 0 without any. */
const highestStable = (steps: readonly SweepStep[]): number =>
  steps.reduce((most, { figures: f }) => (f.verdict === 'stable' ? Math.max(most, f.sentRps) : most), 0);

/**
 * Whether the server completed more in a stable step than its plateau allows: its throughput falls under overload. What was in service when the
 * count began may be completed beyond the plateau's rate.
 */
export const fallsUnderOverload = (steps: readonly SweepStep[], plateau: Ranged): boolean =>
  steps.some(({ figures: f }) => {
    if (f.verdict !== 'stable' || f.completedRps === null) return false;
    const begunBefore = plateau.value * f.serviceS! + 1;
    return f.completedRps - begunBefore / (f.windowS - f.judgedFromS) > plateau.high * CONTRADICTS;
  });

/** The knee that the steps show. */
export function findKnee(steps: readonly SweepStep[]): Knee {
  const bracket = bracketOf(steps);
  const not = (state: 'notReached' | 'clientLimited' | 'undetermined', why: string): Knee => ({
    state,
    rps: null,
    bracket,
    why,
  });
  const { stableRps, overloadedRps } = bracket;
  if (overloadedRps === null) {
    const ours = steps.find(({ figures }) => figures.verdict === 'clientLimited');
    if (ours !== undefined) return not('clientLimited', ours.figures.why);
    if (stableRps === null) return not('undetermined', steps.at(-1)?.figures.why ?? 'no step was run');
    return not('notReached', 'the server kept up at every rate that was run');
  }
  const pooled = pooledPlateau(steps);
  const anyStable = highestStable(steps);
  if (anyStable === 0)
    return not(
      'undetermined',
      `no step was stable${pooled === null ? '' : `; completions level off at ${pooled.value.toPrecision(3)}/s`}: begin the sweep lower`,
    );
  if (pooled !== null && !fallsUnderOverload(steps, pooled))
    return {
      state: 'found',
      rps: pooled,
      basis: 'plateau',
      bracket,
      notes: plateauNotes(pooled, bracket, anyStable),
    };
  if (stableRps === null || anyStable > overloadedRps)
    return not(
      'undetermined',
      `a step at ${anyStable.toPrecision(3)}/s was stable, one at ${overloadedRps.toPrecision(3)}/s was not: the server is not the same all the time`,
    );
  const falls =
    pooled === null
      ? 'completions show no plateau: the knee is only known to lie between a stable and an overloaded step'
      : `throughput falls under overload, to ${pooled.value.toPrecision(3)}/s: the knee lies between a stable and an overloaded step`;
  const rps = { value: Math.sqrt(stableRps * overloadedRps), low: stableRps, high: overloadedRps };
  return { state: 'found', rps, basis: 'bracket', bracket, notes: [falls] };
}

function plateauNotes(pooled: Ranged, { overloadedRps }: Bracket, anyStable: number): string[] {
  const notes: string[] = [];
  if (anyStable < NEAR * pooled.value)
    notes.push(
      `the highest stable step was at ${anyStable.toPrecision(3)}/s: that the server lasts up to the knee was not tried`,
    );
  if (overloadedRps! < pooled.low / CONTRADICTS)
    notes.push(
      `a step at ${overloadedRps!.toPrecision(3)}/s was overloaded, below the plateau: the server is not the same all the time`,
    );
  return notes;
}
