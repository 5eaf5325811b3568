/** Queues of known capacity, played event by event: first come, first served, c servers. */

import type { StepRequests } from '../../../src/measure/knee/types.ts';
import { uniform } from '../../../src/measure/random.ts';

export interface Queue {
  readonly servers: number;
  /** Mean service, s: the capacity is servers / service. */
  readonly serviceS: number;
  readonly service: 'D' | 'M';
  readonly arrivals: 'D' | 'M';
  /** Requests that may wait; more are refused. */
  readonly queueLimit?: number;
  /** Added to every service when so many wait: a server that gets slower under load. */
  readonly slowdown?: (waiting: number) => number;
}

/** What a client sees of `rateRps` for `durationS`. */
export function play(queue: Queue, rateRps: number, durationS: number, seed: number): StepRequests {
  const gaps = uniform(seed, 11, Math.round(rateRps * 1000));
  const services = uniform(seed, 12, Math.round(rateRps * 1000));
  const n = Math.max(1, Math.round(rateRps * durationS));
  const scheduledS = new Float64Array(n);
  const endS = new Float64Array(n);
  const ok = new Uint8Array(n);
  const free = new Float64Array(queue.servers);
  const starts: number[] = [];
  let head = 0;
  let at = 0;
  for (let i = 0; i < n; i++) {
    at += (queue.arrivals === 'D' ? 1 : -Math.log(1 - gaps())) / rateRps;
    scheduledS[i] = at;
    while (head < starts.length && starts[head]! <= at) head++;
    const waiting = starts.length - head;
    const scale = queue.service === 'D' ? 1 : -Math.log(1 - services());
    if (queue.queueLimit !== undefined && free[0]! > at && waiting >= queue.queueLimit) {
      endS[i] = at;
      continue;
    }
    const start = Math.max(at, free[0]!);
    const end = start + queue.serviceS * scale * (1 + (queue.slowdown?.(waiting) ?? 0));
    starts.push(start);
    sink(free, end);
    endS[i] = end;
    ok[i] = 1;
  }
  return { scheduledS, sentS: scheduledS.slice(), endS, ok };
}

/** Puts a new value for the least one of a heap. */
function sink(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
