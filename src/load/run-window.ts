/** The time that a run's rates are over, and the part of its schedule that fell into it. */
import { createSchedule } from '../measure/schedule.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import type { LoadPlan } from './options.ts';
import type { Counts } from './recorder.ts';

/** What a run's own time is taken from. Instants in ns of CLOCK_MONOTONIC, NaN where there is none. */
export interface Ran {
  readonly startNs: number;
  /** When the run was ended before its time; absent where it went to its end. */
  readonly stoppedNs?: number;
  readonly counts: Counts;
}

/**
 * The run's own time, s: from the first scheduled instant (in a closed loop: the first send) to the last end of a request, whichever way it ended. What was under way when
 * the run was stopped has no end: the time goes on to the stop. null where there is no time.
 */
export function ranS(plan: LoadPlan, { startNs, stoppedNs, counts }: Ran): number | null {
  const fromNs = plan.closed === null ? startNs + plan.firstNs : counts.firstSentNs;
  const ends = [counts.lastOverNs, stoppedNs ?? Number.NaN].filter((ns) => !Number.isNaN(ns));
  const untilNs = Math.max(...ends);
  return untilNs > fromNs ? (untilNs - fromNs) / NANOS_PER_S : null;
}

/**
 * The time that good requests are counted over, s: the run's own, but not less than what its arrivals take at their rate. n arrivals have n − 1 gaps: without the last gap 10 requests
 * at 1/s that are answered at once would be 1.11/s. null where there is no time.
 */
export function goodputS(plan: LoadPlan, ran: Ran): number | null {
  const own = ranS(plan, ran);
  const { scheduledRps, schedule } = plan;
  if (plan.closed !== null || scheduledRps === null || own === null) return own;
  return Math.max(own, schedule.requests / scheduledRps);
}

/**
 * A plan as far as it came: arrivals, and their rate, from number `fromIndex` on until `untilNs` after the start. `plan` is what is kept of `whole`. At least one arrival is left, so
 * that it remains a plan; with one there is no rate.
 */
export function planUntil(plan: LoadPlan, whole: LoadPlan, fromIndex: number, untilNs: number): LoadPlan {
  if (plan.closed !== null || !(untilNs < whole.lastNs)) return plan;
  const { next } = createSchedule(whole.schedule);
  let requests = 0;
  let firstNs = Number.NaN;
  let lastNs = Number.NaN;
  for (let i = 0, at = next(); at <= untilNs; i++, at = next()) {
    if (i < fromIndex) continue;
    if (requests++ === 0) firstNs = at;
    lastNs = at;
  }
  return {
    ...plan,
    schedule: { ...plan.schedule, requests: Math.max(1, requests) },
    scheduledRps: lastNs > firstNs ? ((requests - 1) / (lastNs - firstNs)) * NANOS_PER_S : null,
  };
}
