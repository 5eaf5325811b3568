/** The helper thread of blocking pacing: sleeps until the instant in shared memory, then posts a message. */
import { parentPort, workerData } from 'node:worker_threads';
import { nowNs } from '../system/clock.ts';

/** Waiting in the kernel comes back about this much late. */
const WAKE_LATE_NS = 50_000;

const shared = (workerData as { shared: SharedArrayBuffer }).shared;
const signal = new Int32Array(shared, 0, 2);
const due = new Float64Array(shared, 8, 1);

// From 0, not from what is there now: the first alarm may have been set before this thread began.
let served = 0;
for (;;) {
  Atomics.wait(signal, 0, served);
  served = Atomics.load(signal, 0);
  const left = due[0]! - nowNs() - WAKE_LATE_NS;
  if (left > 0) Atomics.wait(signal, 1, 0, left / 1e6);
  parentPort!.postMessage(0);
}
