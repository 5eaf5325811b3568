/** Do arrivals sit on a grid, as those of a timer that only fires every so many ms? */
import { quantileSorted } from '../quantile.ts';

export interface Ticks {
  readonly periodMs: number;
  /** Mean arrivals on a tick that has any. */
  readonly clump: number;
  /** Mean cosine of the clumps' distances as phases of the period: 1 on the grid exactly, near 0 by chance. */
  readonly concentration: number;
  /** Every tick has as many. */
  readonly even: boolean;
}

/** Arrivals nearer than this left on one tick. */
const TOGETHER_MS = 1.5;
/** Shorter ticks cannot be told from jitter. */
const MIN_PERIOD_MS = 4;
const CONCENTRATED = 0.75;
/** A constant process is a grid of its own gap. Ticks show in distances of more than one kind: at least this share is of another. */
const OTHER_KIND = 0.08;
const MIN_CLUMPS = 6;
/** So many are enough at any concentration above the limit; fewer must lie so near the grid that chance is below e⁻¹⁸. */
const CLUMPS_ENOUGH = 15;
const LOG_CHANCE = 18;

/** Mean cosine of the distances as phases of a period: 1 where all are whole multiples of it (Rayleigh's statistic about a known direction). */
function concentrationAt(distances: Float64Array, periodMs: number): number {
  let cos = 0;
  const w = (2 * Math.PI) / periodMs;
  for (const distance of distances) cos += Math.cos(w * distance);
  return cos / distances.length;
}

/** Enough distances for any verdict; more would only cost time. */
const MAX_DISTANCES = 1500;

/**
 * The grid of ascending instants (ms); null where there is none. Distances between neighbouring clumps are tested, not instants: a
 * timer's phase may slip, and a distance spans few ticks, so that few periods need be tried. `ownGapsMs`: gaps of a constant process,
 * whose grid is no tick, nor are whole parts of it.
 */
export function findTicks(at: Float64Array, ownGapsMs: readonly number[]): Ticks | null {
  const starts: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const t of at) {
    // From arrival to arrival: a tick's requests leave one after the other.
    if (t - last > TOGETHER_MS) starts.push(t);
    last = t;
  }
  if (starts.length < MIN_CLUMPS) return null;
  const kept = Math.min(starts.length - 1, MAX_DISTANCES);
  const distances = Float64Array.from({ length: kept }, (_, i) => starts[i + 1]! - starts[i]!);
  const sorted = Float64Array.from(distances).sort();
  // No distance is shorter than a tick, but for a few that jitter or a stall made so.
  const longest = 1.15 * quantileSorted(sorted, 0.08) + 1;
  const widest = quantileSorted(sorted, 0.9);
  let best: { period: number; concentration: number } | null = null;
  // In steps of frequency of an eighth of what the widest distance can tell apart, from the longest period down.
  for (let f = 1 / longest; f <= 1 / MIN_PERIOD_MS; f += 1 / (8 * widest)) {
    const concentration = concentrationAt(distances, 1 / f);
    // A whole fraction of the true period concentrates as well: a shorter one must be clearly better.
    if (concentration > CONCENTRATED && concentration > 1.05 * (best?.concentration ?? 0))
      best = { period: 1 / f, concentration };
  }
  if (best === null) return null;
  const periodMs = longestMultiple(distances, refine(distances, best.period));
  const concentration = concentrationAt(distances, periodMs);
  if (concentration < CONCENTRATED) return null;
  if (distances.length < CLUMPS_ENOUGH && logChance(distances.length, periodMs, concentration) < LOG_CHANCE)
    return null;
  if (ownGapsMs.some((own) => isWhole(own / periodMs))) return null;
  const perTick = at.length / starts.length;
  if (!severalKinds(distances, periodMs, perTick)) return null;
  return { periodMs, clump: perTick, concentration, even: evenClumps(at) };
}

/** The longest of a few multiples of a period that still is one: where a few distances are short by chance, a part of it is found first. */
function longestMultiple(distances: Float64Array, period: number): number {
  const multiple = [4, 3, 2].find((m) => concentrationAt(distances, m * period) > CONCENTRATED);
  return multiple === undefined ? period : refine(distances, multiple * period);
}

/** −log of the probability that all but one of the distances lie as near to a grid by chance: within three deviations of their phases. */
function logChance(distances: number, periodMs: number, concentration: number): number {
  const deviation = (periodMs / (2 * Math.PI)) * Math.sqrt(-2 * Math.log(Math.min(concentration, 1 - 1e-6)));
  return (distances - 1) * Math.log(periodMs / (6 * deviation));
}

/** Within a twentieth, and not 0. */
const isWhole = (ratio: number): boolean =>
  Math.round(ratio) > 0 && Math.abs(ratio - Math.round(ratio)) < 0.05;

/** A period at which the distances are whole multiples: total over the number of ticks in it, from those that lie near one. */
function refine(distances: Float64Array, start: number): number {
  let period = start;
  for (let pass = 0; pass < 5; pass++) {
    let total = 0;
    let ticks = 0;
    for (const distance of distances) {
      const multiple = Math.round(distance / period);
      if (multiple === 0 || Math.abs(distance / period - multiple) > 0.25) continue;
      total += distance;
      ticks += multiple;
    }
    if (ticks === 0) return start;
    period = total / ticks;
  }
  return period;
}

/** Whether arrivals share ticks or leave some out: both cannot be of a process whose own gap is the period. */
function severalKinds(distances: Float64Array, period: number, perTick: number): boolean {
  if (1 - 1 / perTick >= OTHER_KIND) return true;
  const kinds = new Map<number, number>();
  for (const distance of distances) {
    const multiple = Math.round(distance / period);
    kinds.set(multiple, (kinds.get(multiple) ?? 0) + 1);
  }
  const most = Math.max(...kinds.values());
  return 1 - most / distances.length >= OTHER_KIND;
}

function evenClumps(at: Float64Array): boolean {
  const sizes = new Map<number, number>();
  let size = 1;
  for (let i = 1; i <= at.length; i++) {
    if (i < at.length && at[i]! - at[i - 1]! <= TOGETHER_MS) size++;
    else {
      sizes.set(size, (sizes.get(size) ?? 0) + 1);
      size = 1;
    }
  }
  const total = [...sizes.values()].reduce((a, b) => a + b, 0);
  const [common, times] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a));
  return common > 1 && times >= 0.95 * total;
}
