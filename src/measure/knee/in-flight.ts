/** The number of requests under way, as a function of time. */
import type { StepRequests } from './types.ts';

/** A step function: from `atS[i]` on (until `atS[i + 1]`) so many are under way; none before the first. */
export interface InFlight {
  readonly atS: Float64Array;
  readonly count: Int32Array;
}

/** Requests under way, from sent to end. What was never sent does not count; what has no end is under way for ever. */
export function inFlight({ sentS, endS }: StepRequests): InFlight {
  const starts = sentS.filter((at) => !Number.isNaN(at)).sort();
  const ends = endS.filter((at, i) => !Number.isNaN(at) && !Number.isNaN(sentS[i]!)).sort();
  const atS = new Float64Array(starts.length + ends.length);
  const count = new Int32Array(atS.length);
  let s = 0;
  let e = 0;
  for (let i = 0; i < atS.length; i++) {
    const isStart = s < starts.length && !(ends[e]! <= starts[s]!);
    atS[i] = isStart ? starts[s++]! : ends[e++]!;
    count[i] = s - e;
  }
  return { atS, count };
}

/** How many are under way at an instant. */
export function countAt({ atS, count }: InFlight, s: number): number {
  const i = firstAfter(atS, s);
  return i === 0 ? 0 : count[i - 1]!;
}

/** Mean number under way in each of `blocks` equal parts of the time from `fromS` to `toS`. */
export function blockMeans(
  { atS, count }: InFlight,
  fromS: number,
  toS: number,
  blocks: number,
): Float64Array {
  const means = new Float64Array(blocks);
  const width = (toS - fromS) / blocks;
  let i = firstAfter(atS, fromS);
  let now = i === 0 ? 0 : count[i - 1]!;
  for (let b = 0; b < blocks; b++) {
    let at = fromS + b * width;
    const end = fromS + (b + 1) * width;
    let area = 0;
    for (; i < atS.length && atS[i]! < end; i++) {
      area += now * (atS[i]! - at);
      at = atS[i]!;
      now = count[i]!;
    }
    means[b] = (area + now * (end - at)) / width;
  }
  return means;
}

/** When the number under way last rose to `level` (1 or more) before `toS`, to stay there; `toS` where it is lower at that time. */
export function lastBelow({ atS, count }: InFlight, level: number, toS: number): number {
  let i = firstAfter(atS, toS) - 1;
  if (i < 0 || count[i]! < level) return toS;
  while (i >= 0 && count[i]! >= level) i--;
  return atS[i + 1]!;
}

/** Place of the first value above `s` in ascending ones. */
export function firstAfter(sorted: Float64Array, s: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= s) low = middle + 1;
    else high = middle;
  }
  return low;
}
