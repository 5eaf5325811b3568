/** Whether the machine disturbed a trial: by what it did, never by what came out. */
import type { Trial } from './document.ts';

/** What the machine did to a trial. */
export interface Disturbance {
  /** Share of CPU time that the hypervisor took; null where unknown. */
  readonly stealShare: number | null;
  /** Share of the time that a thread of the client was ready and had no core; null where unknown. */
  readonly coreWaitShare: number | null;
  readonly targetLatenessP99Ms: number | null;
}

/** Beyond these a trial shows the machine more than the client: medians stand a stall or two, and not this. */
export const DISTURBED = { stealShare: 0.1, coreWaitShare: 0.1, targetLatenessP99Ms: 10 } as const;

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** In words what disturbed a trial, whatever came out of it; null where nothing did. */
export function disturbedBy({ stealShare, coreWaitShare, targetLatenessP99Ms }: Disturbance): string | null {
  const causes = [
    ...((stealShare ?? 0) > DISTURBED.stealShare
      ? [`the hypervisor took ${percent(stealShare!)} of CPU time`]
      : []),
    ...((coreWaitShare ?? 0) > DISTURBED.coreWaitShare
      ? [`the client waited for a core ${percent(coreWaitShare!)} of the time`]
      : []),
    ...((targetLatenessP99Ms ?? 0) > DISTURBED.targetLatenessP99Ms
      ? [`the target was late by ${targetLatenessP99Ms!.toFixed(1)} ms at p99`]
      : []),
  ];
  return causes.length === 0 ? null : causes.join(', ');
}

/** What disturbed a trial, in words; null where nothing did. */
export const trialDisturbedBy = ({ observed, truth }: Pick<Trial, 'observed' | 'truth'>): string | null =>
  disturbedBy({
    stealShare: observed?.steal_share ?? null,
    coreWaitShare: observed?.core_wait_share ?? null,
    targetLatenessP99Ms: truth?.lateness_p99_ms ?? null,
  });
