/**
 * The stall floor of a core: a program that only reads the clock, on that core. As a program: `node dist/scripts/stall-floor.js [seconds]`
 * prints JSON.
 */
import { execa } from 'execa';
import { entry } from '../src/system/package-root.ts';
import { withTaskset } from '../src/system/pinning.ts';
import { type StallFloor, stallFloor } from './bench-target/stall-floor.ts';

const PROGRAM = entry('scripts/stall-floor.js');

/** Spins in a process of its own on core `cpu`. Throws when that cannot be started. */
export async function stallFloorOn(cpu: number, seconds: number): Promise<StallFloor> {
  const [file, ...args] = withTaskset([process.execPath, PROGRAM, String(seconds)], [cpu]);
  const { stdout } = await execa(file!, args);
  return JSON.parse(stdout) as StallFloor;
}

if (process.argv[1] === PROGRAM)
  process.stdout.write(`${JSON.stringify(stallFloor(Number(process.argv[2] ?? 1)))}\n`);
