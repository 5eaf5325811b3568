/** Do arrivals wait for completions? Then each comes just after an end, while as many as the cap are in flight. */
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
  const fromCap: number[] = [];
  let arrived = 0;
  for (let e = 0; e < ordered.length; e++) {
    while (arrived < n && at[arrived]! < ordered[e]!) arrived++;
    if (arrived - e >= cap) fromCap.push(ordered[e]!);
  }
  const span = at[n - 1]! - at[0]!;
  let best: ClosedLoop | null = null;
  for (const withinMs of WITHIN_MS) {
    let followed = 0;
    let next = 0;
    let busyUntil = Number.NEGATIVE_INFINITY;
    let covered = 0;
    for (const end of fromCap) {
      covered += Math.max(0, end + withinMs - Math.max(end, busyUntil));
      busyUntil = end + withinMs;
      while (next < n && at[next]! < end) next++;
      if (next < n && at[next]! - end <= withinMs) {
        followed++;
        next++;
      }
    }
    const share = followed / n;
    const chance = Math.min(1, covered / span);
    if (share < MIN_SHARE || share < 2 * chance || binomialAtLeast(followed, n, chance) > 1e-8) continue;
    if (best === null || share - chance > best.share - best.chance) best = { cap, share, chance, withinMs };
  }
  return best;
}
