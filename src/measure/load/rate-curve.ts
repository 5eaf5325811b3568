/**
 * The cumulative rate of stages, Λ(t) = ∫ λ, and its inverse, both exact. A point process of any kind gets the rate λ(t) by time-rescaling: one of unit
 * rate, with points x₁ < x₂ < …, is taken through Λ⁻¹. From Poisson points comes the inhomogeneous Poisson process of intensity λ (Çinlar, Introduction to
 * Stochastic Processes, 1975, 4.7; the converse is the time-rescaling theorem: Brown et al., Neural Computation 14, 2002). Constant ones, at 0, 1, 2 …, are due
 * where Λ is a whole number.
 */
import type { Stage, StagePlan } from './stages.ts';

/** Requests that a stage is due up to `s` seconds after its beginning. */
export function stageCount({ durationS, fromRps: a, toRps: b, shape }: Stage, s: number): number {
  if (a === b) return a * s;
  if (shape === 'linear') return s * (a + ((b - a) * s) / (2 * durationS));
  const growth = Math.log(b / a) / durationS;
  return (a * Math.expm1(growth * s)) / growth;
}

/** Seconds after its beginning at which a stage has been due `count` requests; 0 ≤ count ≤ those of the whole stage. */
export function stageInstant({ durationS, fromRps: a, toRps: b, shape }: Stage, count: number): number {
  if (count <= 0) return 0;
  if (a === b) return count / a;
  if (shape === 'geometric') {
    const growth = Math.log(b / a) / durationS;
    return Math.log1p((growth * count) / a) / growth;
  }
  // The root of a·t + slope·t²/2 = count, in the form that takes no difference of nearly equal numbers.
  const slope = (b - a) / durationS;
  return (2 * count) / (a + Math.sqrt(Math.max(0, a * a + 2 * slope * count)));
}

/** The rate of a stage `s` seconds after its beginning, requests/s. */
export function stageRate({ durationS, fromRps: a, toRps: b, shape }: Stage, s: number): number {
  const part = s / durationS;
  return shape === 'linear' ? a + (b - a) * part : a * (b / a) ** part;
}

/** Counts and times that differ by less than this, or by this share, are the same: sums of stages are off by rounding. */
const SAME = 1e-9;
const SAME_SHARE = 1e-12;
const near = (value: number): number => Math.max(SAME, SAME_SHARE * value);

/** The whole of a plan, with its repetitions. Instants are seconds from the start. */
export class RateCurve {
  /** Λ at the end: the expected number of requests; Infinity where only their number ends the run. */
  readonly total: number;
  readonly #stages: readonly Stage[];
  readonly #lengthS: number;
  /** Beginning of each stage, in time and in requests, and the end of the last one. */
  readonly #startS: number[] = [0];
  readonly #startCount: number[] = [0];
  readonly #cycleS: number;
  readonly #cycleCount: number;
  /** The stage that was found last: instants are asked for in order. */
  #at = 0;

  constructor({ stages, lengthS }: StagePlan) {
    this.#stages = stages;
    this.#lengthS = lengthS;
    for (const [i, stage] of stages.entries()) {
      this.#startS.push(this.#startS[i]! + stage.durationS);
      this.#startCount.push(this.#startCount[i]! + stageCount(stage, stage.durationS));
    }
    this.#cycleS = this.#startS.at(-1)!;
    this.#cycleCount = this.#startCount.at(-1)!;
    this.total = Number.isFinite(lengthS) ? this.countAt(lengthS) : Number.POSITIVE_INFINITY;
  }

  /** Λ(s). */
  countAt(s: number): number {
    const { cycle, stage, into } = this.#place(s);
    return cycle * this.#cycleCount + this.#startCount[stage]! + stageCount(this.#stages[stage]!, into);
  }

  /** λ(s): at a border the rate of what follows; 0 from the end on. */
  rateAt(s: number): number {
    if (s >= this.#lengthS) return 0;
    const { stage, into } = this.#place(s);
    return stageRate(this.#stages[stage]!, into);
  }

  /** Place in the list of the stage at `s`; a border belongs to what follows, and what is after the end to the last one. */
  stageAt(s: number): number {
    if (s < this.#lengthS) return this.#place(Math.max(0, s)).stage;
    const { stage, into } = this.#place(this.#lengthS);
    const { length } = this.#stages;
    return into > 0 ? stage : (stage + length - 1) % length;
  }

  /** Seconds within [0, until] that each stage has, over all repetitions. */
  timeIn(untilS: number): number[] {
    const end = Math.min(untilS, this.#lengthS);
    const { cycle, stage, into } = this.#place(Math.max(0, end));
    return this.#stages.map(
      ({ durationS }, i) => cycle * durationS + (i < stage ? durationS : i === stage ? into : 0),
    );
  }

  /**
   * Λ⁻¹(count), where it jumps (at a pause) the later instant: stages hold their beginning and not their end, so that 10 s at 50/s are 50 requests each
   * second, and the next one is that of the stage which follows. NaN from the end on.
   */
  instantAt(count: number): number {
    const off = near(count);
    if (!(count < this.total - off)) return Number.NaN;
    const cycle = Math.floor((count + off) / this.#cycleCount);
    const rest = Math.max(0, count - cycle * this.#cycleCount);
    const starts = this.#startCount;
    let at = this.#at;
    if (rest + off < starts[at]!) at = 0;
    while (at < this.#stages.length - 1 && rest + off >= starts[at + 1]!) at++;
    this.#at = at;
    const stage = this.#stages[at]!;
    const into = stageInstant(stage, Math.min(rest, starts[at + 1]!) - starts[at]!);
    return cycle * this.#cycleS + this.#startS[at]! + Math.min(into, stage.durationS);
  }

  #place(s: number): { cycle: number; stage: number; into: number } {
    // A time that is a whole number of cycles but for rounding is one.
    const cycles = s / this.#cycleS;
    const nearest = Math.round(cycles);
    const cycle = Math.abs(cycles - nearest) < near(nearest) ? nearest : Math.floor(cycles);
    const rest = Math.max(0, s - cycle * this.#cycleS);
    let stage = 0;
    while (stage < this.#stages.length - 1 && rest >= this.#startS[stage + 1]!) stage++;
    return { cycle, stage, into: Math.min(rest - this.#startS[stage]!, this.#stages[stage]!.durationS) };
  }
}
