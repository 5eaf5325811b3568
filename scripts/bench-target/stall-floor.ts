/** What the machine itself does to a process that never sleeps: gaps in a spinning loop. No lateness can be better. */
import { nowNs } from '../../src/system/clock.ts';

export interface StallFloor {
  readonly seconds: number;
  readonly largest_gap_us: number;
  readonly p999_gap_us: number;
  /** Gaps above 100 µs, a second. */
  readonly stalls_per_s: number;
}

/** Reads the clock without pause for `seconds` and looks at the gaps between readings. */
export function stallFloor(seconds = 1): StallFloor {
  // Logarithmic bins, 32 to a factor of two, from 10 ns: enough for a percentile, and nothing to sort.
  const bins = new Uint32Array(32 * 32);
  const end = nowNs() + seconds * 1e9;
  let before = nowNs();
  let largest = 0;
  let stalls = 0;
  let count = 0;
  while (before < end) {
    const now = nowNs();
    const gap = now - before;
    before = now;
    count++;
    if (gap > largest) largest = gap;
    if (gap > 100_000) stalls++;
    const bin = Math.max(0, Math.min(bins.length - 1, Math.floor(32 * Math.log2(gap / 10))));
    bins[bin]!++;
  }
  let seen = 0;
  let bin = 0;
  while (bin < bins.length - 1 && seen + bins[bin]! < 0.999 * count) seen += bins[bin++]!;
  return {
    seconds,
    largest_gap_us: largest / 1e3,
    p999_gap_us: (10 * 2 ** ((bin + 1) / 32)) / 1e3,
    stalls_per_s: stalls / seconds,
  };
}
