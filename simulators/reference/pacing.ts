/** Chooses how the target waits for a token's instant. */
import { availableParallelism } from 'node:os';
import { BlockAlarm, threadSleeper } from './block-alarm.ts';
import type { PacingChoice } from './options.ts';
import type { Alarm } from './pacer.ts';
import { SpinAlarm } from './spin-alarm.ts';

/**
 * `auto`: spinning where the process is pinned to one core (it is taken to be the target's own) or the machine has four
 * or more; blocking otherwise, since a spinning process takes its core from the client that it measures.
 */
export function choosePacing(
  choice: PacingChoice,
  allowedCores: number = availableParallelism(),
): 'spin' | 'block' {
  if (choice !== 'auto') return choice;
  return allowedCores === 1 || allowedCores >= 4 ? 'spin' : 'block';
}

export const makeAlarm = (pacing: 'spin' | 'block', now: () => number): Alarm =>
  pacing === 'spin' ? new SpinAlarm(now) : new BlockAlarm(threadSleeper());
