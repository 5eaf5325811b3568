/** Where a curve of latency bends: Kneedle, for a convex increasing curve. */

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

const FEWEST = 5;
/** S of the paper: how much a maximum must stand out, in mean steps of x. */
const SENSITIVITY = 1;

/**
 * Satopää, Albrecht, Irwin & Raghavan, "Finding a 'Kneedle' in a Haystack", ICDCS Workshops 2011: the points are scaled to the unit square, and the knee is
 * the local maximum of the distance from the diagonal (x − y, for an elbow of a rising convex curve) after which the distance falls by more than S mean steps.
 * No smoothing: points are few. Returns its x, or why there is none. Points in any order; of equal x the last counts.
 */
export function kneedle(points: readonly CurvePoint[]): { readonly x: number } | { readonly absent: string } {
  const byX = [...new Map(points.map((p) => [p.x, p])).values()].sort((a, b) => a.x - b.x);
  const n = byX.length;
  if (n < FEWEST) return { absent: `${n} points are too few for a curve: ${FEWEST} are needed` };
  const xs = byX.map(({ x }) => x);
  const ys = byX.map(({ y }) => y);
  const [lowX, highX] = [xs[0]!, xs[n - 1]!];
  const lowY = Math.min(...ys);
  const highY = Math.max(...ys);
  if (highY === lowY) return { absent: 'the curve is flat' };
  const distance = xs.map((x, i) => (x - lowX) / (highX - lowX) - (ys[i]! - lowY) / (highY - lowY));
  let knee: number | null = null;
  let threshold = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < n; i++) {
    const isPeak = distance[i]! >= distance[i - 1]! && (i === n - 1 || distance[i]! > distance[i + 1]!);
    if (isPeak && i < n - 1 && (knee === null || distance[i]! > distance[knee]!)) {
      knee = i;
      threshold = distance[i]! - SENSITIVITY / (n - 1);
    } else if (knee !== null && distance[i]! < threshold) return { x: xs[knee]! };
  }
  return { absent: 'the curve does not bend within the rates that were run' };
}
