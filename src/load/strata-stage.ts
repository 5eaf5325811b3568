/** A worker's figures by stage; only when the rate has stages. A request belongs to the stage of its scheduled instant; sends and ends are counted where they happened. */
import { RateCurve } from '../measure/load/rate-curve.ts';
import type { StagePlan } from '../measure/load/stages.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import { DurationHistogram, type HistogramSnapshot } from './histogram.ts';
import { OUTCOME } from './outcome.ts';

/** What is read of a request that has ended. Instants in ns; NaN where the event did not happen. */
export interface StageEnded {
  readonly scheduledNs: number;
  readonly sentNs: number;
  readonly firstNs: number;
  readonly lastNs: number;
  readonly endNs: number;
  readonly outcome: number;
}

/** Figures of one stage, over all its repetitions. */
export interface StageSnapshot {
  /** Of the requests due in it: ended, and complete. */
  readonly ended: number;
  readonly complete: number;
  /** Sends and complete answers' ends that happened in the stage's own time, whatever stage they were due in. */
  readonly sends: number;
  readonly completions: number;
  /** From the scheduled instant, of complete requests. */
  readonly ttft: HistogramSnapshot;
  readonly e2e: HistogramSnapshot;
}

export interface StagesSnapshot {
  readonly stages: readonly StageSnapshot[];
  /** Sends and complete answers' ends after the last stage. */
  readonly sendsAfter: number;
  readonly completionsAfter: number;
}

/** An instant on the border of two stages is off by so much where it was added to that of the start, ns. */
const BORDER_NS = 4;

/** The stage of an arrival `offsetNs` after the start; a border belongs to what follows. */
export const placeOf = (curve: RateCurve, offsetNs: number): number =>
  curve.stageAt((offsetNs + BORDER_NS) / NANOS_PER_S);

class Stratum {
  ended = 0;
  complete = 0;
  sends = 0;
  completions = 0;
  // Made when there is something to keep: a histogram has 240 KB.
  ttft: DurationHistogram | null = null;
  e2e: DurationHistogram | null = null;
}

const EMPTY = new DurationHistogram().snapshot();

export class StageStrata {
  readonly #curve: RateCurve;
  readonly #strata: readonly Stratum[];
  readonly #startNs: number;
  readonly #lengthNs: number;
  #sendsAfter = 0;
  #completionsAfter = 0;

  constructor(plan: StagePlan, startNs: number) {
    this.#curve = new RateCurve(plan);
    this.#strata = plan.stages.map(() => new Stratum());
    this.#startNs = startNs;
    this.#lengthNs = plan.lengthS * NANOS_PER_S;
  }

  take(r: StageEnded): void {
    const stratum = this.#strata[placeOf(this.#curve, r.scheduledNs - this.#startNs)]!;
    stratum.ended++;
    if (!Number.isNaN(r.sentNs)) {
      const at = this.#at(r.sentNs);
      if (at === null) this.#sendsAfter++;
      else at.sends++;
    }
    if (r.outcome !== OUTCOME.complete) return;
    stratum.complete++;
    stratum.e2e ??= new DurationHistogram();
    stratum.e2e.record(r.lastNs - r.scheduledNs);
    if (!Number.isNaN(r.firstNs)) {
      stratum.ttft ??= new DurationHistogram();
      stratum.ttft.record(r.firstNs - r.scheduledNs);
    }
    const at = this.#at(r.endNs);
    if (at === null) this.#completionsAfter++;
    else at.completions++;
  }

  #at(ns: number): Stratum | null {
    const offset = ns - this.#startNs;
    return offset < this.#lengthNs ? this.#strata[placeOf(this.#curve, offset)]! : null;
  }

  snapshot(): StagesSnapshot {
    return {
      stages: this.#strata.map(({ ended, complete, sends, completions, ttft, e2e }) => ({
        ended,
        complete,
        sends,
        completions,
        ttft: ttft?.snapshot() ?? EMPTY,
        e2e: e2e?.snapshot() ?? EMPTY,
      })),
      sendsAfter: this.#sendsAfter,
      completionsAfter: this.#completionsAfter,
    };
  }
}
