/** Parsers of flag values that only `tare load` has; the others are in options.ts. They throw what commander prints as a usage error. */
import { InvalidArgumentError } from 'commander';
import { parseCpuList } from '../system/pinning.ts';

/** `60us`, `1ms`, or microseconds as a plain number. */
export function microseconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(us|µs|ms|s)?$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError('it must be a time, e.g. 60us.');
  return Number(match[1]) * ({ us: 1, µs: 1, ms: 1000, s: 1e6 }[match[2] ?? 'us'] ?? 1);
}

/** `1` or `0,2-3`. */
export function cpuList(text: string): number[] {
  const cpus = parseCpuList(text);
  if (cpus === null) throw new InvalidArgumentError('it must be a list of cores, e.g. 1 or 0,2-3.');
  return cpus;
}

/** An object in JSON. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError('it must be a JSON object.');
  return value as Record<string, unknown>;
}
