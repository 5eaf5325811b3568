/** By how much each gap between sends is too long: one δ for all rates, or a ceiling. */
import { robustGapMs } from '../../src/measure/arrival-process/pace.ts';
import type { LoadRun } from '../../src/measure/probe/probe.ts';
import { arrivalsMs, isRandom } from './load-run.ts';

export interface Gap {
  readonly rateRps: number;
  readonly statedMs: number;
  /** 1/achieved, ms. */
  readonly gapMs: number;
  /** Standard deviation of it, ms: chance in the gaps, and stamps at both ends that are off by a millisecond. */
  readonly sdMs: number;
}

/** The mean gap of a run, by slopes that a stall does not move where gaps are equal; null below ten requests. */
export function gapOf(run: LoadRun): Gap | null {
  const at = arrivalsMs(run);
  const n = at.length;
  if (n < 10) return null;
  const statedMs = 1000 / run.rateRps;
  const random = isRandom(run);
  const gapMs = random ? at[n - 1]! / (n - 1) : robustGapMs(at);
  return {
    rateRps: run.rateRps,
    statedMs,
    gapMs,
    sdMs: Math.hypot(random ? statedMs / Math.sqrt(n) : 0, 1.5 / n),
  };
}

/** δ by weighted least squares of 1/achieved = 1/R + δ: the mean of what each gap is too long by, by 1/sd². With its sd. */
export function fitDrift(gaps: readonly Gap[]): { readonly deltaMs: number; readonly sdMs: number } {
  const weights = gaps.map(({ sdMs }) => 1 / sdMs ** 2);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const sum = gaps.reduce((all, { gapMs, statedMs }, i) => all + weights[i]! * (gapMs - statedMs), 0);
  return { deltaMs: sum / total, sdMs: 1 / Math.sqrt(total) };
}

/** What a model leaves over, in squares. A gap that is long by δ is known to a tenth of it: a sleep is not the same at every rate. */
const leftOver = (gaps: readonly Gap[], model: (gap: Gap) => number): number =>
  gaps.reduce((all, gap) => {
    const off = gap.gapMs - model(gap);
    return all + off ** 2 / (gap.sdMs ** 2 + (0.1 * Math.abs(gap.gapMs - gap.statedMs)) ** 2);
  }, 0);

/** Whether one ceiling on the rate explains the gaps better than one δ: what holds at low rates and falls short at high ones. */
export function isCeiling(gaps: readonly Gap[], deltaMs: number): boolean {
  const longest = Math.max(...gaps.map(({ gapMs }) => gapMs));
  const shortest = Math.min(...gaps.map(({ statedMs }) => statedMs));
  let best = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= 1000; step++) {
    const ceilingMs = shortest * (longest / shortest) ** (step / 1000);
    best = Math.min(
      best,
      leftOver(gaps, ({ statedMs }) => Math.max(statedMs, ceilingMs)),
    );
  }
  return best < leftOver(gaps, ({ statedMs }) => statedMs + deltaMs);
}
