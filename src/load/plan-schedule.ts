/** Goes through a schedule once, before the run: how many arrivals it really has, when, and in which stage. */
import { RateCurve } from '../measure/load/rate-curve.ts';
import { createSchedule, type Schedule, type ScheduleSpec } from '../measure/schedule.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import { UserError } from '../system/user-error.ts';
import { placeOf } from './strata-stage.ts';

export interface ScheduleExtent {
  readonly requests: number;
  /** First and last arrival, ns after the start. */
  readonly firstNs: number;
  readonly lastNs: number;
  /** The most arrivals in any one second from the start. */
  readonly busiestSecond: number;
  /** Arrivals in each stage, over its repetitions; null without stages. */
  readonly inStage: readonly number[] | null;
}

/** Throws a UserError on a schedule that cannot be, and on one without an arrival. */
export function walkSchedule(spec: ScheduleSpec): ScheduleExtent {
  let schedule: Schedule;
  try {
    schedule = createSchedule(spec);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
  const curve = spec.stages === undefined ? null : new RateCurve(spec.stages);
  const inStage = spec.stages === undefined ? null : spec.stages.stages.map(() => 0);
  let requests = 0;
  const firstNs = schedule.next();
  let lastNs = firstNs;
  let [second, inSecond, busiestSecond] = [0, 0, 0];
  for (let at = firstNs; !Number.isNaN(at); at = schedule.next()) {
    lastNs = at;
    requests++;
    const current = Math.floor(at / NANOS_PER_S);
    if (current !== second) [second, inSecond] = [current, 0];
    busiestSecond = Math.max(busiestSecond, ++inSecond);
    if (curve !== null) inStage![placeOf(curve, at)]!++;
  }
  if (requests === 0)
    throw new UserError(
      `with seed ${spec.seed} the stages bring no request: they are too short or too slow for their arrivals; give longer stages, or --arrivals constant`,
    );
  return { requests, firstNs, lastNs, busiestSecond, inStage };
}
