/** A saturation sweep: one load after another, each as the former ones ask for, until the knee is known or the budget is used up. */
import type { SweepBudget, SweepGoal } from '../../measure/knee/plan-sweep.ts';
import { Sweep } from '../../measure/knee/sweep.ts';
import type { Knee, StepRequests } from '../../measure/knee/types.ts';
import type { LoadReport } from '../report.ts';
import { stepReport } from './build-report.ts';
import { clientReasons } from './client-reasons.ts';
import type { SweepStepReport } from './report.ts';

/** A step that was run. */
export interface StepRun {
  readonly report: LoadReport;
  readonly requests: StepRequests;
  /** Share of the requests that met every goal; null without goals. */
  readonly goodShare: number | null;
  /** Ended before its time, since too many requests were under way. */
  readonly cutShort: boolean;
}

export interface SweepHooks {
  /** Runs one step to its end, its drain included. `place`: from 0. */
  readonly run: (rateRps: number, durationS: number, place: number) => Promise<StepRun>;
  /** Monotonic clock, s. */
  readonly now: () => number;
  /** Pauses; may return at once when the sweep is to end. */
  readonly pause: (s: number) => Promise<void>;
  readonly signal?: AbortSignal;
  readonly onPlan?: (rateRps: number, durationS: number, purpose: string, leftS: number) => void;
  readonly onStep?: (step: SweepStepReport) => void;
}

export interface SweepResult {
  readonly steps: readonly SweepStepReport[];
  readonly knee: Knee;
  readonly ended: string;
  readonly interrupted: boolean;
}

/** Beside a step's sending and draining: processes, warm-up. Until the first step has shown it. */
const GUESSED_OVERHEAD_S = 4;
/** Between steps, for the server to come to rest; after one that was cut short, for its queue to be worked off. */
const REST_S = 0.5;
const MOST_REST_S = 15;

/** Runs a sweep to its end. An abort ends it after the step under way, which does not count. */
export async function runSweep(goal: SweepGoal, budgetS: number, hooks: SweepHooks): Promise<SweepResult> {
  const sweep = new Sweep(goal);
  const reports: SweepStepReport[] = [];
  const startS = hooks.now();
  let overheadS = GUESSED_OVERHEAD_S;
  const over = (ended: string, interrupted: boolean): SweepResult => ({
    steps: reports,
    knee: sweep.knee(),
    ended,
    interrupted,
  });
  for (;;) {
    const budget: SweepBudget = { leftS: budgetS - (hooks.now() - startS), overheadS };
    const next = sweep.next(budget);
    if (next.kind === 'done') return over(next.why, false);
    hooks.onPlan?.(next.rateRps, next.durationS, next.purpose, budget.leftS);
    const beganS = hooks.now();
    const { report, requests, goodShare, cutShort } = await hooks.run(
      next.rateRps,
      next.durationS,
      reports.length,
    );
    if (hooks.signal?.aborted) return over('interrupted', true);
    const elapsedS = hooks.now() - beganS;
    const step = sweep.add(next, requests, clientReasons(report));
    const told = stepReport(step, reports.length, report, { elapsedS, cutShort, goodShare });
    reports.push(told);
    hooks.onStep?.(told);
    overheadS = REST_S + Math.max(0, elapsedS - report.elapsed_s);
    await hooks.pause(REST_S + (cutShort ? workOff(told) : 0));
    if (hooks.signal?.aborted) return over('interrupted', true);
  }
}

/** How long a server that does not see that its client is gone needs for what it still has, s. */
const workOff = ({ in_flight_at_end: left, completed_rps: rps }: SweepStepReport): number =>
  Math.min(MOST_REST_S, rps === null || rps === 0 ? MOST_REST_S : left / rps);
