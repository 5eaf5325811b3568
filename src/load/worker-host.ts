/** What pacing needs, from Node: turns of the loop, and waking in the kernel at an instant. */
import { Worker } from 'node:worker_threads';
import { nowNs } from '../system/clock.ts';
import { entry } from '../system/package-root.ts';
import type { PacerHost, Pacing } from './pacer.ts';

/** Timers of Node fire up to this much late (they count whole milliseconds, rounded up). */
const TIMER_LATE_MS = 1;

/** For spinning: a timer, that may be early by a millisecond and never matters more, then turns of the loop. */
export function spinHost(): PacerHost {
  return {
    now: nowNs,
    immediate: (step) => setImmediate(step),
    wakeAt: (instant, step) => {
      setTimeout(step, Math.max(0, Math.floor((instant - nowNs()) / 1e6) - TIMER_LATE_MS));
    },
  };
}

/**
 * For blocking: a helper thread sleeps until the instant (Atomics.wait, tens of microseconds late) and wakes this loop. A timer would be
 * late by 0.7 ms in the median.
 */
export function blockHost(): PacerHost & { close(): void } {
  const shared = new SharedArrayBuffer(16);
  const signal = new Int32Array(shared, 0, 2);
  const due = new Float64Array(shared, 8, 1);
  const thread = new Worker(entry('src/load/alarm-thread.js'), { workerData: { shared } });
  let pending: (() => void) | null = null;
  thread.on('message', () => {
    const step = pending;
    pending = null;
    step?.();
  });
  thread.unref();
  return {
    now: nowNs,
    immediate: (step) => setImmediate(step),
    wakeAt: (instant, step) => {
      pending = step;
      due[0] = instant;
      Atomics.add(signal, 0, 1);
      Atomics.notify(signal, 0);
    },
    close: () => void thread.terminate(),
  };
}

/** The host of a pacing. */
export const hostOf = (pacing: Pacing): PacerHost => (pacing === 'spin' ? spinHost() : blockHost());
