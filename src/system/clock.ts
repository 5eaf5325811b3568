/**
 * CLOCK_MONOTONIC in nanoseconds, cheaply: performance.now() (0.11 µs) plus an offset measured once against
 * process.hrtime.bigint(), which reads that clock. All processes of one machine share it, so instants of client, target
 * and harness compare directly.
 */
import { type Nanos, nanos } from '../measure/time.ts';
import { realtimeOffset } from './realtime-offset.ts';

/** A source of instants; handed in wherever time matters, so that tests need not wait. */
export interface Clock {
  now(): Nanos;
}

/** Median offset of 1,001 bracketed readings: performance.now() × 1e6 + offset = CLOCK_MONOTONIC, in ns. */
function measureOffset(): number {
  const offsets = new Float64Array(1001);
  for (let i = 0; i < offsets.length; i++) {
    const before = performance.now();
    const monotonic = Number(process.hrtime.bigint());
    const after = performance.now();
    offsets[i] = monotonic - ((before + after) / 2) * 1e6;
  }
  return offsets.sort()[500]!;
}

measureOffset(); // the first pass runs before the code is compiled, and is off
const OFFSET_NS = measureOffset();

/** The instant now, ns of CLOCK_MONOTONIC, as a float (sub-nanosecond digits are noise). For hot paths. */
export const nowNs = (): number => performance.now() * 1e6 + OFFSET_NS;

export const monotonicClock: Clock = { now: () => nanos(nowNs()) };

/** The smallest step between two different readings in `samples` tries, ns. */
export function clockResolutionNs(samples = 2000): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < samples; i++) {
    const first = nowNs();
    let next = nowNs();
    while (next === first) next = nowNs();
    smallest = Math.min(smallest, next - first);
  }
  return smallest;
}

/** CLOCK_REALTIME − CLOCK_MONOTONIC now, ns, as near as a float holds it (256 ns); takes some milliseconds. */
export const wallOffsetNs = (): number => Number(realtimeOffset().ns);
