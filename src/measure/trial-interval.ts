/**
 * 95 % intervals of a trial's own figures: batch means for the mean, and for a quantile the batch means of "lies below it", which tell
 * how many independent requests the trial is worth (Woodruff, JASA 47, 1952; Korn & Graubard, Survey Methodology 24, 1998). They know
 * nothing of how trials differ. docs/intervals.md has what they cover.
 */
import { BlockedSide, type SideQuantile } from './blocked-side.ts';
import {
  type Blocked,
  DRIFT_FROM,
  FEWEST_BLOCKS,
  FEWEST_WORTH,
  merge,
  type Spread,
  spreadOf,
} from './blocks.ts';
import { type Interval, skewedReach, t975 } from './intervals.ts';
import { mean, quantileSorted, variance } from './quantile.ts';
import { tooFewWords } from './shortfall.ts';

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

/**
 * Half an interval of a difference of quantiles by the jackknife over ten parts of the trial: it sees which values, not only how many, make
 * the tails of both sides differ (Shao & Wu, Ann. Stat. 17, 1989: leaving out many at once holds for quantiles).
 */
function jackknife(left: BlockedSide, right: BlockedSide, p: number): number {
  const others = right.withoutParts(p);
  const without = left.withoutParts(p).map((value, k) => value - others[k]!);
  const m = without.length;
  return t975(m - 1) * (m - 1) * Math.sqrt(variance(without) / m);
}

/** A quantile of the left side less that of the right one; of the left one alone where there is no other. */
function difference(
  left: BlockedSide,
  right: BlockedSide | null,
  a: SideQuantile,
  b: SideQuantile | null,
  p: number,
): Figure {
  const point = a.point - (b?.point ?? 0);
  if (b === null || right === null || a.interval === null)
    return { point, interval: a.interval, reason: a.reason };
  if (b.interval === null) return { point, interval: null, reason: b.reason };
  const r = correlation(a.spread, b.spread);
  const [aLow, aHigh] = [a.point - a.interval.low, a.interval.high - a.point];
  const [bLow, bHigh] = [b.point - b.interval.low, b.interval.high - b.point];
  const least = jackknife(left, right, p);
  const interval = {
    low: point - Math.max(least, reach(aLow, bLow, bHigh, r)),
    high: point + Math.max(least, reach(aHigh, bHigh, bLow, r)),
  };
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
    const reason = tooFewWords(fewest);
    return [mean, ...ps.map(quantile)].map((figure) => ({ point: pointOf(figure), interval: null, reason }));
  }
  // Where both sides share all, what is left is rounding, and that may drift.
  const rounding = 1e-12 * Math.max(Math.abs(left.sorted[0]!), Math.abs(left.sorted[left.size - 1]!));
  const parts = left.meanParts.map((part, b) => part - (right?.meanParts[b] ?? 0));
  const spread = spreadOf(parts.map((part) => (Math.abs(part) > rounding ? part : 0)));
  /** Where a trial drifts: all that its blocks show, since it could have begun, or stopped, at any of them. */
  const ofBlocks = (figure: (sorted: Float64Array) => number): Interval => {
    const others = right?.ofParts(figure);
    const differences = left.ofParts(figure).map((value, k) => value - (others?.[k] ?? 0));
    return { low: Math.min(...differences), high: Math.max(...differences) };
  };
  const point = left.mean - (right?.mean ?? 0);
  const { below, above } = skewedReach(spread.parts);
  const se = Math.sqrt(spread.variance);
  const ofMean = { low: point - below * se, high: point + above * se };
  const worth = Math.floor(Math.min(left.size, left.worth(spread)));
  const meanFigure = (): Figure => {
    if (spread.drifting && blocks >= DRIFT_FROM) {
      const hull = ofBlocks(mean);
      const interval = { low: Math.min(hull.low, ofMean.low), high: Math.max(hull.high, ofMean.high) };
      return { point, interval, reason: null };
    }
    if (worth >= FEWEST_WORTH) return { point, interval: ofMean, reason: null };
    const reason = `no interval: it needs ${FEWEST_WORTH} independent requests, and these ${left.size} values are worth ${worth}`;
    return { point, interval: null, reason };
  };
  return [
    meanFigure(),
    ...ps.map((p): Figure => {
      const [a, b] = [left.quantile(p), right?.quantile(p) ?? null];
      if (!(spread.drifting || a.spread.drifting || b?.spread.drifting))
        return difference(left, right, a, b, p);
      const drifting = { point: pointOf(quantile(p)), interval: null, reason: DRIFT };
      return p === 0.5 && blocks >= DRIFT_FROM
        ? { ...drifting, interval: ofBlocks(quantile(p)), reason: null }
        : drifting;
    }),
  ];
}
