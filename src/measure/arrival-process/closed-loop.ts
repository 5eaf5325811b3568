/** Do arrivals wait for completions? Then each comes just after an end, while as many as the cap are in flight. */
import { quantileSorted } from '../quantile.ts';
import { binomialAtLeast } from './chance.ts';

export interface ClosedLoop {
  /** Most in flight. */
  readonly cap: number;
  /** Share of arrivals that came just after an end at the cap, and what chance gives. */
  readonly share: number;
  readonly chance: number;
  readonly withinMs: number;
}

/** A client sends its next request this soon after an answer, ms; the shorter where ends are dense. */
const WITHIN_MS = [1.5, 0.5, 0.2];
const MIN_SHARE = 0.2;
/** Least correlation of the distances between ends with those between the arrivals that follow them. */
const FOLLOWS = 0.5;

/**
 * Do arrivals follow ends, or do they only fall together, as those at equal gaps do with answers that take a multiple of the gap? What
 * follows moves with what it follows. Pairs are [rank of the end, its instant, rank of the arrival, its instant], ascending; only
 * neighbours of both are compared, since what lies between would be common to both.
 */
function moveTogether(pairs: readonly (readonly [number, number, number, number])[]): boolean {
  const steps = pairs.slice(1).flatMap(([end, endMs, arrival, atMs], i) => {
    const [endBefore, endBeforeMs, arrivalBefore, atBeforeMs] = pairs[i]!;
    return end - endBefore === 1 && arrival - arrivalBefore === 1
      ? [[endMs - endBeforeMs, atMs - atBeforeMs] as const]
      : [];
  });
  if (steps.length < 5) return false;
  const middle = (of: 0 | 1) => quantileSorted(Float64Array.from(steps, (step) => step[of]).sort(), 0.5);
  const [x0, y0] = [middle(0), middle(1)];
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const [x, y] of steps) {
    xx += (x - x0) ** 2;
    yy += (y - y0) ** 2;
    xy += (x - x0) * (y - y0);
  }
  return xy > FOLLOWS * Math.sqrt(xx * yy);
}

/**
 * Looks at ascending arrivals and the ends of the same requests (ms, same clock; NaN: none). The caller must know that arrivals are
 * late: a schedule that is kept was not held back, however its ends fall.
 */
export function findClosedLoop(at: Float64Array, ends: ArrayLike<number>): ClosedLoop | null {
  const n = at.length;
  const ordered = Float64Array.from(ends)
    .filter((end) => !Number.isNaN(end))
    .sort();
  if (ordered.length < 10) return null;
  // Peak: arrivals minus ends so far. An end at the very instant of an arrival comes first.
  let done = 0;
  let cap = 0;
  const inFlight = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    while (done < ordered.length && ordered[done]! <= at[i]!) done++;
    inFlight[i] = i + 1 - done;
    cap = Math.max(cap, inFlight[i]!);
  }
  // Ends that brought the number in flight down from the cap.
  const fromCap: [number, number][] = [];
  let arrived = 0;
  for (let e = 0; e < ordered.length; e++) {
    while (arrived < n && at[arrived]! < ordered[e]!) arrived++;
    if (arrived - e >= cap) fromCap.push([e, ordered[e]!]);
  }
  const span = at[n - 1]! - at[0]!;
  let best: ClosedLoop | null = null;
  for (const withinMs of WITHIN_MS) {
    const pairs: [number, number, number, number][] = [];
    let next = 0;
    let busyUntil = Number.NEGATIVE_INFINITY;
    let covered = 0;
    for (const [rank, end] of fromCap) {
      covered += Math.max(0, end + withinMs - Math.max(end, busyUntil));
      busyUntil = end + withinMs;
      while (next < n && at[next]! < end) next++;
      if (next < n && at[next]! - end <= withinMs) {
        pairs.push([rank, end, next, at[next]!]);
        next++;
      }
    }
    const followed = pairs.length;
    const share = followed / n;
    const chance = Math.min(1, covered / span);
    if (share < MIN_SHARE || share < 2 * chance || binomialAtLeast(followed, n, chance) > 1e-8) continue;
    // One at a time, an end is the arrival before it and a time that may be fixed: nothing to compare.
    if (cap > 1 && !moveTogether(pairs)) continue;
    if (best === null || share - chance > best.share - best.chance) best = { cap, share, chance, withinMs };
  }
  return best;
}
