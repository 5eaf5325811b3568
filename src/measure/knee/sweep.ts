/** A sweep under way: its steps so far, judged by the time that a request takes at its lowest rate; the next step; the knee. */
import { findKnee } from './find-knee.ts';
import { judgeStep, serviceTime } from './judge-step.ts';
import { type NextStep, nextStep, type SweepBudget, type SweepGoal } from './plan-sweep.ts';
import type { Knee, StepRequests, SweepStep } from './types.ts';

/** Complete answers from which the time of a request at low load is taken. */
const FEWEST_FOR_SERVICE = 5;

export class Sweep {
  readonly goal: SweepGoal;
  readonly steps: SweepStep[] = [];
  #serviceS: number | null = null;

  constructor(goal: SweepGoal) {
    this.goal = goal;
  }

  next(budget: SweepBudget): NextStep {
    return nextStep(this.steps, this.goal, budget);
  }

  /** Takes what a step showed. `clientReasons`: see `JudgeContext`. */
  add(
    step: Pick<SweepStep, 'rateRps' | 'durationS' | 'purpose'>,
    requests: StepRequests,
    clientReasons: readonly string[] = [],
  ): SweepStep {
    const figures = judgeStep(requests, { serviceS: this.#serviceS, clientReasons });
    const low = figures.verdict === 'stable' || figures.verdict === 'undecided';
    const completions = requests.ok.reduce((sum, one) => sum + one, 0);
    if (this.#serviceS === null && low && completions >= FEWEST_FOR_SERVICE)
      this.#serviceS = serviceTime(requests);
    const judged = { rateRps: step.rateRps, durationS: step.durationS, purpose: step.purpose, figures };
    this.steps.push(judged);
    return judged;
  }

  knee(): Knee {
    return findKnee(this.steps);
  }
}
