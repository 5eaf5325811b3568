/**
 * How still the machine is: a loop that does nothing but read the clock, on one core, and the gaps between its readings. A gap is time that the
 * loop was not running: no client on that core could have done better. To stand beside every measured figure.
 *
 * As a program: `node dist/scripts/stall-floor.js [seconds]`, on a core by `taskset`; prints JSON.
 */
import { execa } from 'execa';
import { DurationHistogram } from '../src/load/histogram.ts';
import { nowNs } from '../src/system/clock.ts';
import { entry } from '../src/system/package-root.ts';
import { withTaskset } from '../src/system/pinning.ts';

/** Gaps of a spinning loop. */
export interface StallFloor {
  readonly seconds: number;
  readonly cpu: number | null;
  readonly readings: number;
  readonly p999_us: number;
  readonly max_us: number;
  /** Share of time in gaps longer than 100 µs. */
  readonly stalled_share: number;
}

/** Gaps beyond this are stalls: far above what a reading takes, far below a scheduler's slice. */
const STALL_NS = 100_000;

/** Spins in this process for `seconds`. */
export function spin(seconds: number, now: () => number = nowNs): Omit<StallFloor, 'cpu'> {
  const gaps = new DurationHistogram();
  const start = now();
  const until = start + seconds * 1e9;
  let stalledNs = 0;
  let last = start;
  while (last < until) {
    const at = now();
    const gap = at - last;
    gaps.record(gap);
    if (gap > STALL_NS) stalledNs += gap;
    last = at;
  }
  return {
    seconds,
    readings: gaps.count,
    p999_us: gaps.percentile(99.9) / 1000,
    max_us: gaps.max / 1000,
    stalled_share: stalledNs / (last - start),
  };
}

/** Spins in a process of its own on core `cpu` (null: unpinned). Throws when that cannot be started. */
export async function stallFloor(seconds: number, cpu: number | null): Promise<StallFloor> {
  const plain = [process.execPath, entry('scripts/stall-floor.js'), String(seconds)];
  const [file, ...args] = cpu === null ? plain : withTaskset(plain, [cpu]);
  const { stdout } = await execa(file!, args);
  return { ...(JSON.parse(stdout) as Omit<StallFloor, 'cpu'>), cpu };
}

if (process.argv[1] === entry('scripts/stall-floor.js'))
  process.stdout.write(`${JSON.stringify(spin(Number(process.argv[2] ?? 2)))}\n`);
