/** Do the gaps repeat every m arrivals? As those of m senders, each at equal gaps, that were not started evenly. */
import { quantileSorted } from '../quantile.ts';
import { lagSums, robustVariance } from './spread.ts';
import type { Ticks } from './ticks.ts';

export interface Phases {
  /** After so many arrivals the gaps repeat. */
  readonly senders: number;
  /** CV² of the gaps that repeat. */
  readonly cv2: number;
  /** The same arrivals, each moved to where senders started evenly would have sent it, ms, ascending. */
  readonly even: Float64Array;
}

const MOST_SENDERS = 32;
/** The pattern must come so often. */
const LEAST_ROUNDS = 3;
/** Sums of m gaps vary less than this part of what sums of one gap more or less vary by. */
const DIP = 0.2;
/** Of a tick's multiples, one that is a round of senders. */
const WHOLE = 0.015;
/** Of the concentration that jitter leaves, a timer has at least this. */
const NEAR = 0.9;
/** Senders that all lie on a grid by chance as rarely as this have a timer. */
const LOG_CHANCE = Math.log(1e-4);
/** Arrivals nearer than this leave on one tick, ms. */
const TOGETHER_MS = 1.5;
/** Requests of one tick leave at such distances, in the mean and at the most of a round. */
const IN_STEP_MS = 0.7;
const IN_STEP_SHARE = 0.15;
/** More tell nothing more. */
const ENOUGH = 2000;

/**
 * The number of senders whose equal gaps lie between one another in ascending instants (ms) for which a constant process was stated; null
 * where there is no such pattern, or a timer explains it better. Sums of m gaps of a random process vary a little more than those of
 * m − 1, those of a constant one as much: only a pattern of length m makes them vary far less than both their neighbours.
 */
export function findPhases(at: Float64Array, statedGapMs: number, ticks: Ticks | null): Phases | null {
  const used = at.subarray(0, ENOUGH);
  const most = Math.min(MOST_SENDERS, Math.floor(used.length / LEAST_ROUNDS) - 1);
  const varied = Float64Array.from({ length: most + 2 }, (_, m) =>
    m === 0 ? Number.POSITIVE_INFINITY : robustVariance(lagSums(used, m)),
  );
  const dips: number[] = [];
  for (let m = 2; m <= most; m++)
    if (varied[m]! < DIP * Math.min(varied[m - 1]!, varied[m + 1]!)) dips.push(m);
  if (dips.length === 0) return null;
  // Multiples of m are patterns too, and a part of it may nearly be one.
  const least = Math.min(...dips.map((m) => varied[m]!));
  const m = dips.find((dip) => varied[dip]! <= 2 * least + 0.01)!;
  if (ticks !== null && isTimer(ticks, m, statedGapMs, Math.sqrt(varied[m]! / 2))) return null;
  const found = evened(at, m);
  return ticks?.even === true && found.inStep ? null : found;
}

function isTimer(ticks: Ticks, m: number, statedGapMs: number, jitterMs: number): boolean {
  // Distances lie no nearer to the grid than chance put them, though they repeat far more exactly.
  const exact = Math.exp(-((2 * Math.PI * jitterMs) ** 2) / ticks.periodMs ** 2);
  if (ticks.concentration < NEAR * exact) return false;
  const rounds = (m * statedGapMs) / ticks.periodMs;
  // A timer that fires out of step with the load: the pattern slips.
  if (Math.abs(rounds - Math.round(rounds)) > WHOLE) return true;
  const byChance = Math.min(1, (6 * Math.max(jitterMs, 0.05)) / ticks.periodMs);
  return (m - 1) * Math.log(byChance) + Math.log((m * statedGapMs) / TOGETHER_MS) < LOG_CHANCE;
}

function evened(at: Float64Array, m: number): Phases & { readonly inStep: boolean } {
  const round = quantileSorted(lagSums(at, m).sort(), 0.5);
  const late = Float64Array.from(at, (t, i) => t - (i * round) / m);
  const offsets = Float64Array.from({ length: m }, (_, c) =>
    quantileSorted(late.filter((_, i) => i % m === c).sort(), 0.5),
  );
  let squares = 0;
  for (let c = 0; c < m; c++) squares += (offsets[(c + 1) % m]! - offsets[c]!) ** 2;
  // All of a round on one tick: from each to the next, but for the longest gap.
  const sorted = [...offsets].map((offset, c) => offset + (c * round) / m).sort((a, b) => a - b);
  const longest = Math.max(
    ...sorted.map((t, c) => (c === 0 ? t + round - sorted[m - 1]! : t - sorted[c - 1]!)),
  );
  const inStep = round - longest < Math.min(IN_STEP_MS * (m - 1), IN_STEP_SHARE * round);
  const even = at.map((t, i) => t - offsets[i % m]!).sort();
  return { senders: m, inStep, cv2: (squares * m) / round ** 2, even: even.map((t) => t - even[0]!) };
}
