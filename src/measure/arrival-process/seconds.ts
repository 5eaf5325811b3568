/** What happens second by second: arrivals pinned to one instant of each, and as many in every one. */
import { mean, variance } from '../quantile.ts';
import { binomialAtLeast, chi2Below } from './chance.ts';
import { countsIn } from './dispersion.ts';

export interface Pinned {
  /** Share of all arrivals that is pinned, chance taken off. */
  readonly share: number;
  /** Seconds with one, of so many. */
  readonly hit: number;
  readonly seconds: number;
  /** Instant within the second, from the run's first arrival, ms. */
  readonly phaseMs: number;
  readonly windowMs: number;
  readonly p: number;
}

const SECOND_MS = 1000;
const WINDOWS_MS = [0.5, 1, 2, 4];
/** Pinned arrivals are spread over so much by the machine. */
const SPREAD_MS = 6;
/** At a higher rate one a second is too few to matter, and to find. */
const MAX_PER_SECOND = 500;
const MIN_SECONDS = 5;
const SIGNIFICANT = 1e-5;

/**
 * Looks for an instant of the second that has an arrival second after second, in ascending instants (ms) of a random process. Of a
 * constant process every instant has. null where chance explains the most that was found.
 */
export function findPinned(at: Float64Array): Pinned | null {
  const n = at.length;
  const first = at[0]!;
  const seconds = Math.floor((at[n - 1]! - first) / SECOND_MS);
  if (seconds < MIN_SECONDS || n / seconds > MAX_PER_SECOND) return null;
  const phases = Float64Array.from(at, (t) => (t - first) % SECOND_MS);
  const order = Int32Array.from(phases.keys()).sort((a, b) => phases[a]! - phases[b]!);
  let best: Pinned | null = null;
  for (const windowMs of WINDOWS_MS) {
    const chance = 1 - Math.exp((-n / (at[n - 1]! - first)) * windowMs);
    for (let k = 0; k < n; k++) {
      const phaseMs = phases[order[k]!]!;
      const hits = new Set<number>();
      // Around the turn of the second, too.
      for (let j = 0; j < n; j++) {
        const index = order[(k + j) % n]!;
        const behind = (phases[index]! - phaseMs + SECOND_MS) % SECOND_MS;
        if (behind > windowMs) break;
        hits.add(Math.round((at[index]! - first - phaseMs) / SECOND_MS));
      }
      if (hits.size < MIN_SECONDS) continue;
      // The first one is there since the window was put where it is.
      const p = Math.min(1, binomialAtLeast(hits.size - 1, seconds, chance) * n * WINDOWS_MS.length);
      if (p < (best?.p ?? SIGNIFICANT)) best = { share: 0, hit: hits.size, seconds, phaseMs, windowMs, p };
    }
  }
  if (best === null) return null;
  // Where jitter puts them: a little before the window that was found, and some ms after.
  const from = best.phaseMs - 1;
  const inside = phases.filter((phase) => (phase - from + SECOND_MS) % SECOND_MS <= SPREAD_MS).length;
  const byChance = (n / (at[n - 1]! - first)) * SPREAD_MS * (seconds + 1);
  return { ...best, share: Math.max(0, inside - byChance) / n };
}

export interface EvenSeconds {
  readonly index: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p: number;
}

/** Fewer seconds are too often equal by chance. */
const MIN_EVEN_SECONDS = 8;
/** Twice Sheppard's correction of a variance for rounding (1/12), to be on the safe side. */
const CELL = 1 / 6;
/** How many phases of the second are tried. */
const PHASES = 20;

/**
 * Whether every second has nearly as many arrivals, though within it they are random (index of dispersion over 1 s far below 1).
 * `phaseMs`: where the second starts, where that is known. `own`: the index that its gaps by themselves give, the least that it may be.
 */
export function findEvenSeconds(at: Float64Array, phaseMs: number | null, own: number): EvenSeconds | null {
  const starts =
    phaseMs === null ? Array.from({ length: PHASES }, (_, i) => (i * SECOND_MS) / PHASES) : [phaseMs];
  let best: EvenSeconds | null = null;
  for (const start of starts) {
    const counts = countsIn(at, SECOND_MS, at[0]! + start - 1);
    if (counts.length < MIN_EVEN_SECONDS) continue;
    const index = variance(counts) / mean(counts);
    // Counts are whole: without a cell about each, equal ones would be impossible, and not only rare.
    const squares = (counts.length - 1) * (index + CELL / mean(counts));
    const p = Math.min(1, chi2Below(squares / own, counts.length - 1) * starts.length);
    if (p < (best?.p ?? SIGNIFICANT * 10))
      best = { index, seconds: counts.length, perSecond: mean(counts), p };
  }
  return best !== null && best.index < 0.5 * own ? best : null;
}
