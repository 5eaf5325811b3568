/** Pauses that the process does not give, and the bursts that catch up after them. */
import { quantileSorted } from '../quantile.ts';
import { uniform } from '../random.ts';

export interface Stall {
  readonly atMs: number;
  readonly pauseMs: number;
  /** Arrivals that were due in the pause and came at its end; 0: it was not caught up. */
  readonly caughtUp: number;
}

export interface Mended {
  readonly stalls: readonly Stall[];
  /** The arrivals with those of each burst spread over its pause: what the process would have been without. */
  readonly at: Float64Array;
  /** The arrivals without bursts and their pauses: what is left speaks of the process alone. */
  readonly calm: Float64Array;
}

/** A burst takes at most this share of its pause. */
const BURST = 0.15;
/** It brings at least this share of what was due. */
const CAUGHT_UP = 0.6;

/** Index of the last arrival within `lengthMs` of arrival i. */
function lastWithin(at: Float64Array, i: number, lengthMs: number): number {
  let j = i;
  while (j + 1 < at.length && at[j + 1]! - at[i]! <= lengthMs) j++;
  return j;
}

/**
 * Finds stalls in ascending instants (ms) and mends them. A random process has long gaps of its own and bursts of its own, but a burst
 * of as many as a long gap withheld, at its very end, comes once in 10⁵ arrivals by chance; where gaps are equal less is needed.
 * `scale`: 1 for Poisson; less where gaps vary less, more where gaps vary more, or several arrive together.
 */
export function mendStalls(at: Float64Array, regular: boolean, scale: number): Mended {
  const n = at.length;
  const gap = (at[n - 1]! - at[0]!) / (n - 1);
  const least = regular ? 2.5 : scale < 1 ? 2.5 + 5.5 * scale : 8 * scale;
  const fewest = regular ? 3 : scale < 1 ? 3 + 2 * scale : 5 * scale;
  // A pause that nothing makes up for: one in 10⁵ of a random process.
  const lost = gap * (regular ? 6 : (Math.log(n) + 12) * Math.max(1, scale));
  // A pause begins some time after the last arrival: half a gap in the mean, or a whole one of a random process.
  const before = regular ? gap / 2 : gap;
  const mended = Float64Array.from(at);
  const stalls: Stall[] = [];
  const calm = [at[0]!];
  let cut = 0;
  const u = uniform(1, n);
  for (let i = 0; i + 1 < n; i++) {
    const pauseMs = at[i + 1]! - at[i]!;
    if (pauseMs < least * gap || pauseMs < 3) {
      calm.push(at[i + 1]! - cut);
      continue;
    }
    const end = lastWithin(at, i + 1, BURST * pauseMs);
    const caughtUp = end - i;
    // At its end a run has less to catch up, and little or nothing after a pause that chance does not give.
    const last = end === n - 1;
    const due = last ? (pauseMs > lost ? 1 : fewest) : Math.max(fewest, (CAUGHT_UP * pauseMs) / gap);
    if (caughtUp >= due) {
      stalls.push({ atMs: at[i]!, pauseMs: pauseMs - before, caughtUp });
      // A catch-up ends with the arrival that is on time: that one stays where it is.
      const places = Float64Array.from({ length: caughtUp - 1 }, (_, j) =>
        regular ? (j + 1) / caughtUp : u(),
      ).sort();
      for (const [j, place] of places.entries()) mended[i + 1 + j] = at[i]! + place * (at[end]! - at[i]!);
      cut += at[end]! - at[i]!;
      i = end - 1;
    } else {
      calm.push(at[i + 1]! - cut);
      if (pauseMs > Math.max(lost, 50)) stalls.push({ atMs: at[i]!, pauseMs: pauseMs - before, caughtUp: 0 });
    }
  }
  return { stalls, at: mended, calm: Float64Array.from(calm) };
}

export interface StallFigures {
  readonly medianMs: number;
  readonly perSecond: number;
  /** Share of the run that was paused. */
  readonly share: number;
  readonly caughtUp: number;
  /** They come at even distances. */
  readonly periodMs: number | null;
}

export function stallFigures(stalls: readonly Stall[], spanMs: number): StallFigures | null {
  if (stalls.length === 0) return null;
  const pauses = Float64Array.from(stalls, ({ pauseMs }) => pauseMs).sort();
  const between = Float64Array.from(stalls.slice(1), ({ atMs }, i) => atMs - stalls[i]!.atMs).sort();
  const middle = quantileSorted(between, 0.5);
  const even =
    between.length >= 4 && quantileSorted(between, 0.8) - quantileSorted(between, 0.2) < 0.15 * middle;
  return {
    medianMs: quantileSorted(pauses, 0.5),
    perSecond: (stalls.length * 1000) / spanMs,
    share: pauses.reduce((sum, pause) => sum + pause, 0) / spanMs,
    caughtUp: stalls.filter(({ caughtUp }) => caughtUp > 0).length,
    periodMs: even ? middle : null,
  };
}
