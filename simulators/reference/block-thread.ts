/** The thread of block-alarm.ts: sleeps until the instant in shared memory, then sends one empty message. */
import { parentPort, workerData } from 'node:worker_threads';
import { nowNs } from '../../src/system/clock.ts';

const changes = new Int32Array(workerData as SharedArrayBuffer, 0, 1);
const due = new Float64Array(workerData as SharedArrayBuffer, 8, 1);

/** A sleep is ended this much early, and the rest is spun away: waking up takes about that long. */
const SPIN_NS = 20_000;

let rungFor = -1;
for (;;) {
  const seen = Atomics.load(changes, 0);
  if (seen === rungFor) {
    Atomics.wait(changes, 0, seen);
    continue;
  }
  const gapNs = due[0]! - nowNs();
  if (gapNs > SPIN_NS) Atomics.wait(changes, 0, seen, (gapNs - SPIN_NS) / 1e6);
  else if (gapNs <= 0) {
    rungFor = seen;
    parentPort?.postMessage(0);
  }
}
