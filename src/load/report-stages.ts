/** What a report says of each stage. */
import { RateCurve } from '../measure/load/rate-curve.ts';
import { formatStage } from '../measure/load/stage-text.ts';
import type { StagePlan } from '../measure/load/stages.ts';
import { DurationHistogram, type HistogramSnapshot } from './histogram.ts';
import type { OverSuccesses } from './latency-report.ts';
import type { StagesSnapshot } from './strata-stage.ts';

/** One stage, over all its repetitions. */
export interface StageReport {
  /** As its flag spells it: `30s@50..500`. */
  readonly stage: string;
  /** Time that the run spent in it. */
  readonly time_s: number;
  /** Requests due in it, and of these: ended, complete. */
  readonly scheduled: number;
  readonly ended: number;
  readonly complete: number;
  /** complete / scheduled; null where nothing was due. */
  readonly success_rate: number | null;
  /** Due, sent and completed in the stage's own time, over that time: what was late from an earlier stage is counted where it happened. null without time. */
  readonly scheduled_rps: number | null;
  readonly sent_rps: number | null;
  readonly completed_rps: number | null;
  /** Of complete requests that were due in it, from the scheduled instant. */
  readonly ttft: OverSuccesses;
  readonly e2e: OverSuccesses;
}

export interface StagesReport {
  readonly list: readonly StageReport[];
  /** How long the stages last in all, and how often they are gone through. null: until the number of requests was reached. */
  readonly length_s: number | null;
  /** Sends and complete answers' ends after the end of the last stage. */
  readonly sent_after: number;
  readonly completed_after: number;
}

export interface StagesEnd {
  readonly plan: StagePlan;
  readonly inStage: readonly number[];
  /** Until when the stages were gone through, s: the end of the run, or the last arrival where a limit cut them short. */
  readonly untilS: number;
  readonly workers: readonly StagesSnapshot[];
}

const merged = (all: readonly HistogramSnapshot[]): DurationHistogram => {
  const h = new DurationHistogram();
  for (const snapshot of all) h.add(snapshot);
  return h;
};
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export function stagesReport(
  { plan, inStage, untilS, workers }: StagesEnd,
  figures: (h: DurationHistogram, why: string) => OverSuccesses,
): StagesReport {
  const times = new RateCurve(plan).timeIn(untilS);
  const list = plan.stages.map((stage, i): StageReport => {
    const parts = workers.map((w) => w.stages[i]!);
    const time = times[i]!;
    const per = (n: number): number | null => (time > 0 ? n / time : null);
    const scheduled = inStage[i]!;
    const complete = sum(parts.map((p) => p.complete));
    const why =
      scheduled === 0 ? 'nothing was due in this stage' : 'no request of this stage has this figure';
    return {
      stage: formatStage(stage),
      time_s: Math.round(time * 1e6) / 1e6,
      scheduled,
      ended: sum(parts.map((p) => p.ended)),
      complete,
      success_rate: scheduled === 0 ? null : complete / scheduled,
      scheduled_rps: per(scheduled),
      sent_rps: per(sum(parts.map((p) => p.sends))),
      completed_rps: per(sum(parts.map((p) => p.completions))),
      ttft: figures(merged(parts.map((p) => p.ttft)), why),
      e2e: figures(merged(parts.map((p) => p.e2e)), why),
    };
  });
  return {
    list,
    length_s: Number.isFinite(plan.lengthS) ? plan.lengthS : null,
    sent_after: sum(workers.map((w) => w.sendsAfter)),
    completed_after: sum(workers.map((w) => w.completionsAfter)),
  };
}
