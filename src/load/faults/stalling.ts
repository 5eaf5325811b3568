/** `omission`: the event loop stands still now and then, and with it the sending. */
import type { FaultRun } from './fault.ts';

/** A stall begins every so many times its length; the first one, so that it ends with the first period. */
const EVERY = 5;

/** Blocks the loop for `stallNs`, busy, once in every five times that. */
export const stall =
  (stallNs: number) =>
  ({ startNs, now, host }: FaultRun): (() => void) => {
    const clock = host();
    let ended = false;
    let stalls = 0;
    const next = (): void =>
      clock.wakeAt(startNs + (++stalls * EVERY - 1) * stallNs, () => {
        if (ended) return;
        const untilNs = now() + stallNs;
        while (now() < untilNs);
        next();
      });
    next();
    return () => {
      ended = true;
    };
  };
