/** Whether a trial that does not hold shows the client at all: the target may be at its limit, or something else had the cores. */
import { disturbedBy } from '../disturbance.ts';
import type { Trial } from '../document.ts';
import { othersCores } from '../warnings/machine.ts';

/** A target that does not spin and takes this share of a core has no time left to be on time. */
const TARGET_BUSY = 0.85;
/** The median of its lateness tells its pace; a stall moves the tail only. */
const TARGET_LATE_P50_MS = 1;
/** Cores that other programs may take from a trial before its failure is no longer the client's. */
const OTHERS_CORES = 0.5;
/** Of its cores: a client that takes less and has to wait for one waits for others. */
const OWN_PART = 0.4;

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** CPU seconds per second of the target; null where it spins, since it takes its core then whatever it does. */
export function targetCpuShare({ truth }: Pick<Trial, 'truth'>): number | null {
  if (truth === null || truth.target.pacing === 'spin' || truth.target.windowNs <= 0) return null;
  return truth.target.cpuNs / truth.target.windowNs;
}

/** In words why the target was at its limit; null where it was not. */
export function targetLimit(trial: Pick<Trial, 'truth'>): string | null {
  const busy = targetCpuShare(trial);
  if (busy !== null && busy > TARGET_BUSY) return `the target itself used ${percent(busy)} of its core`;
  const late = trial.truth?.lateness_p50_ms ?? null;
  if (late !== null && late > TARGET_LATE_P50_MS)
    return `the target itself was late by ${late.toFixed(1)} ms at the median`;
  return null;
}

/** In words what others took from client and target alike; null where nothing. */
export function outsideDisturbance(trial: Trial): string | null {
  const others = othersCores(trial);
  const causes = [
    disturbedBy({
      stealShare: trial.observed?.steal_share ?? null,
      coreWaitShare: null,
      targetLatenessP99Ms: null,
    }),
    others !== null && others > OTHERS_CORES ? `other programs used ${others.toFixed(1)} cores` : null,
  ].filter((cause) => cause !== null);
  return causes.length === 0 ? null : causes.join(', ');
}

/**
 * In words what disturbed a trial, so that a failure in it is not the client's; null where nothing did. Waiting for a core is the client's
 * own doing where it takes a good part of them itself.
 * @param cores that the client may use
 */
export function disturbance(trial: Trial, cores: number): string | null {
  const { observed, truth } = trial;
  const own = (observed?.cpu_share ?? 0) >= OWN_PART * cores;
  const within = disturbedBy({
    stealShare: null,
    coreWaitShare: own ? null : (observed?.core_wait_share ?? null),
    targetLatenessP99Ms: truth?.lateness_p99_ms ?? null,
  });
  const causes = [outsideDisturbance(trial), within].filter((cause) => cause !== null);
  return causes.length === 0 ? null : causes.join(', ');
}
