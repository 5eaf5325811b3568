/**
 * An alarm for a process that shares its cores: a thread sleeps in Atomics.wait until the instant and then wakes the event
 * loop, which meanwhile sleeps too. Nothing spins but the thread, for its last microseconds. Instants are rounded up to a
 * tenth of a millisecond, so that tokens which are due close together cost one wake-up.
 */
import { Worker } from 'node:worker_threads';
import { entry } from '../../src/system/package-root.ts';
import type { Alarm } from './pacer.ts';

export const QUANTUM_NS = 100_000;

/** What wakes the loop: the thread, or a fake in tests. */
export interface Sleeper {
  onWake: () => void;
  /** Sleeps until `dueNs`, unless it is to wake earlier already. */
  until(dueNs: number): void;
  stop(): void;
}

export class BlockAlarm implements Alarm {
  onRing: () => void = () => {};
  readonly #sleeper: Sleeper;
  #dueNs = Number.POSITIVE_INFINITY;

  constructor(sleeper: Sleeper) {
    this.#sleeper = sleeper;
    sleeper.onWake = () => {
      this.#dueNs = Number.POSITIVE_INFINITY;
      this.onRing();
    };
  }

  set(dueNs: number): void {
    const rounded = Math.ceil(dueNs / QUANTUM_NS) * QUANTUM_NS;
    if (rounded >= this.#dueNs) return;
    this.#dueNs = rounded;
    this.#sleeper.until(rounded);
  }

  stop(): void {
    this.#sleeper.stop();
  }
}

/** Words of the memory shared with the thread: [0] counts changes of the instant, which is the float at byte 8. */
export const SHARED_BYTES = 16;

/** Starts the thread; it does not keep the process alive. */
export function threadSleeper(): Sleeper {
  const shared = new SharedArrayBuffer(SHARED_BYTES);
  const changes = new Int32Array(shared, 0, 1);
  const due = new Float64Array(shared, 8, 1);
  due[0] = Number.POSITIVE_INFINITY;
  const thread = new Worker(entry('simulators/reference/block-thread.js'), { workerData: shared });
  thread.unref();
  const sleeper: Sleeper = {
    onWake: () => {},
    until(dueNs) {
      due[0] = dueNs;
      Atomics.add(changes, 0, 1);
      Atomics.notify(changes, 0);
    },
    stop: () => void thread.terminate(),
  };
  thread.on('message', () => sleeper.onWake());
  return sleeper;
}
