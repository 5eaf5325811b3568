/**
 * How far CLOCK_REALTIME is ahead of CLOCK_MONOTONIC, to well under a microsecond. Node reads the first only in whole milliseconds, but
 * the instant at which Date.now() steps is exact: between the last reading before a step and the first behind it the wall clock
 * passed a whole millisecond. Each step bounds the offset; the bounds of several steps overlap in what remains.
 */

export interface RealtimeOffset {
  /** CLOCK_REALTIME − CLOCK_MONOTONIC, ns: the middle of the bounds. */
  readonly ns: bigint;
  /** Half the distance of the bounds, ns. */
  readonly uncertaintyNs: number;
}

export interface OffsetClocks {
  /** CLOCK_MONOTONIC, ns. */
  monotonicNs(): bigint;
  /** CLOCK_REALTIME in whole milliseconds, rounded down. */
  wallMs(): number;
}

const NODE_CLOCKS: OffsetClocks = { monotonicNs: () => process.hrtime.bigint(), wallMs: () => Date.now() };

/** Steps that are looked at, each a millisecond of one core at the most. One that the scheduler cut into bounds little, and does no harm. */
const STEPS = 8;

interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** Bounds of the offset by one step of the wall clock. */
function atStep({ monotonicNs, wallMs }: OffsetClocks): Bounds {
  const start = wallMs();
  for (let before = monotonicNs(); ; ) {
    const beforeReading = monotonicNs();
    const wall = wallMs();
    const after = monotonicNs();
    if (wall !== start) {
      // The millisecond had begun by `after`; at `before`, ahead of a reading that did not see it, it had not.
      const instant = BigInt(wall) * 1_000_000n;
      return { low: instant - after, high: instant - before };
    }
    before = beforeReading;
  }
}

/** Measures the offset; takes about `STEPS` milliseconds. */
export function realtimeOffset(clocks: OffsetClocks = NODE_CLOCKS, steps = STEPS): RealtimeOffset {
  let { low, high } = atStep(clocks);
  for (let i = 1; i < steps; i++) {
    const next = atStep(clocks);
    if (next.low > low) low = next.low;
    if (next.high < high) high = next.high;
  }
  // A wall clock that was set meanwhile leaves no overlap: what remains is their distance.
  const width = high > low ? high - low : low - high;
  return { ns: (low + high) / 2n, uncertaintyNs: Number(width) / 2 };
}

/** Turns an instant of CLOCK_REALTIME into ns of CLOCK_MONOTONIC, in numbers that hold both exactly. */
export function toMonotonic(offsetNs: bigint): (seconds: number, nanos: number) => number {
  const billion = 1_000_000_000n;
  const offsetSeconds = Number(offsetNs / billion);
  const offsetNanos = Number(offsetNs % billion);
  return (seconds, nanos) => (seconds - offsetSeconds) * 1e9 + (nanos - offsetNanos);
}

/**
 * One offset from two measurements, before and after. Both clocks are slewed alike, so they differ only where the wall clock was set in
 * between; that is then in the uncertainty.
 */
export function joinedOffset(begin: RealtimeOffset, end: RealtimeOffset): RealtimeOffset {
  const apart = Math.abs(Number(end.ns - begin.ns));
  return { ns: begin.ns, uncertaintyNs: Math.max(begin.uncertaintyNs, end.uncertaintyNs) + apart };
}
