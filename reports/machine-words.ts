/** What the machine adds by itself, in words. Pure. */
import type { MachineFloor } from '../src/system/machine-floor.ts';
import type { DelaySpread } from '../src/system/probe-result.ts';
import { grouped, oneLine } from './text.ts';

const us = (value: number): string => grouped(value >= 10 ? Math.round(value) : Number(value.toFixed(1)));

/** `24 µs (p99 90 µs)`. */
const spread = ({ p50_us, p99_us }: DelaySpread): string => `${us(p50_us)} µs (p99 ${us(p99_us)} µs)`;

/** `loopback one way 24 µs (p99 90 µs) to the target and 31 µs (p99 110 µs) back; …`. */
export function machineWords(machine: MachineFloor): string {
  const { to_target: there, to_client: back, wake_up: wake, clock, clock_of_client: theirs } = machine;
  const dearer = theirs !== null && theirs.read_ns > clock.read_ns ? theirs : clock;
  return [
    there === null || back === null
      ? `loopback not measured (${oneLine(machine.note) || 'no reason given'})`
      : `loopback one way ${spread(there)} to the target and ${spread(back)} back`,
    ...(wake === null ? [] : [`a sleep of 1 ms ends ${spread(wake)} late`]),
    `clock ${oneLine(machine.clock_source ?? 'unknown')}, ${us(dearer.read_ns)} ns a reading, steps of ${us(dearer.resolution_ns)} ns`,
    ...(machine.steal_share === null ? [] : [`steal ${(machine.steal_share * 100).toFixed(1)} % meanwhile`]),
    ...(machine.cpu_governor === null ? [] : [`CPU governor ${oneLine(machine.cpu_governor)}`]),
  ].join('; ');
}
