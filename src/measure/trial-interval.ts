/**
 * 95 % intervals of a trial's own figures: batch means for the mean, and for a quantile the batch means of "lies below it", which tell
 * how many independent requests the trial is worth (Woodruff, JASA 47, 1952; Korn & Graubard, Survey Methodology 24, 1998). They know
 * nothing of how trials differ. docs/intervals.md has what they cover.
 */
import { BlockedSide, type SideQuantile } from './blocked-side.ts';
import { type Blocked, FEWEST_BLOCKS, merge, type Spread, spreadOf } from './blocks.ts';
import { type Interval, skewedReach } from './intervals.ts';
import { mean, quantileSorted } from './quantile.ts';

/** A figure of reported − expected, with its interval or why there is none. */
export interface Figure {
  readonly point: number;
  readonly interval: Interval | null;
  readonly reason: string | null;
}

/** Correlation of what the blocks of both sides deviate by, cut into as many blocks as the coarser has. */
function correlation(a: Spread, b: Spread): number {
  const most = Math.min(a.parts.length, b.parts.length);
  const [x, y] = [merge(a.parts, most), merge(b.parts, most)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let k = 0; k < x.length; k++) {
    xx += x[k]! ** 2;
    yy += y[k]! ** 2;
    xy += x[k]! * y[k]!;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

/**
 * √(a² + b² − 2rab), written so that it is 0 where it should be: how far the interval of a difference reaches, from how far its sides' do (Zou & Donner's MOVER, Stat. Med. 27, 2008).
 * The other side errs the other way where they are independent, and the same way where they are alike, so that what both share cancels.
 */
function reach(a: number, same: number, other: number, r: number): number {
  const b = r > 0 ? r * same + (1 - r) * other : other;
  return Math.sqrt((a - b) ** 2 + 2 * (1 - Math.min(1, r)) * a * b);
}

function difference(a: SideQuantile, b: SideQuantile | null): Figure {
  if (b === null || a.interval === null) return { ...a, point: a.point - (b?.point ?? 0) };
  const point = a.point - b.point;
  if (b.interval === null) return { ...b, point };
  const r = correlation(a.spread, b.spread);
  const [aLow, aHigh] = [a.point - a.interval.low, a.interval.high - a.point];
  const [bLow, bHigh] = [b.point - b.interval.low, b.interval.high - b.point];
  const interval = { low: point - reach(aLow, bLow, bHigh, r), high: point + reach(aHigh, bHigh, bLow, r) };
  return { point, interval, reason: null };
}

const DRIFT = 'no interval: the values drift through the trial, which is too short to tell this quantile';

/**
 * The mean and each quantile of `ps` (ascending) of reported − expected, over one trial cut into the same `blocks` of time on both sides, so
 * that what both share cancels. Without `expected` those of `reported` alone: differences that were taken pair by pair.
 */
export function trialFigures(
  reported: Blocked,
  expected: Blocked | null,
  blocks: number,
  ps: readonly number[],
): Figure[] {
  const left = new BlockedSide(reported, blocks);
  const right = expected === null ? null : new BlockedSide(expected, blocks);
  const pointOf = (figure: (sorted: Float64Array) => number) =>
    figure(left.sorted) - (right === null ? 0 : figure(right.sorted));
  const quantile = (p: number) => (sorted: Float64Array) => quantileSorted(sorted, p);
  const fewest = Math.min(left.size, right?.size ?? left.size);
  if (blocks < FEWEST_BLOCKS || fewest < blocks) {
    const reason = `no interval: ${fewest} values are too few to tell how they spread`;
    return [mean, ...ps.map(quantile)].map((figure) => ({ point: pointOf(figure), interval: null, reason }));
  }
  // Where both sides share all, what is left is rounding, and that may drift.
  const rounding = 1e-12 * Math.max(Math.abs(left.sorted[0]!), Math.abs(left.sorted[left.size - 1]!));
  const parts = left.meanParts.map((part, b) => part - (right?.meanParts[b] ?? 0));
  const spread = spreadOf(parts.map((part) => (Math.abs(part) > rounding ? part : 0)));
  /** Where a trial drifts: all that its blocks show, since it could have begun, or stopped, at any of them. */
  const ofBlocks = (figure: (sorted: Float64Array) => number): Interval => {
    const others = right?.ofBlocks(figure);
    const differences = left.ofBlocks(figure).map((value, k) => value - (others?.[k] ?? 0));
    return { low: Math.min(...differences), high: Math.max(...differences) };
  };
  const point = left.mean - (right?.mean ?? 0);
  const { below, above } = skewedReach(spread.parts);
  const se = Math.sqrt(spread.variance);
  const hull = spread.drifting ? ofBlocks(mean) : { low: point, high: point };
  const interval = {
    low: Math.min(hull.low, point - below * se),
    high: Math.max(hull.high, point + above * se),
  };
  return [
    { point, interval, reason: null },
    ...ps.map((p): Figure => {
      const [a, b] = [left.quantile(p), right?.quantile(p) ?? null];
      if (!(spread.drifting || a.spread.drifting || b?.spread.drifting)) return difference(a, b);
      const drifting = { point: pointOf(quantile(p)), interval: null, reason: DRIFT };
      return p === 0.5 ? { ...drifting, interval: ofBlocks(quantile(p)), reason: null } : drifting;
    }),
  ];
}
