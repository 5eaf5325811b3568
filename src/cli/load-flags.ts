/** Parsers of the flag values of `tare load`. They throw what commander prints as a usage error. */
import { InvalidArgumentError } from 'commander';
import { parseArrivals } from '../measure/workload.ts';
import { parseCpuList } from '../system/pinning.ts';

/** A finite number above zero. */
export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('it must be a number above 0.');
  return value;
}

/** A whole number above zero. */
export function positiveInteger(text: string): number {
  const value = positive(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('it must be a whole number above 0.');
  return value;
}

/** A whole number from 0 on. */
export function seed(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('it must be a whole number from 0 on.');
  return value;
}

/** `10s`, `500ms`, `2m` or a plain number of seconds, in seconds. */
export function seconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const scale = { ms: 0.001, s: 1, m: 60, h: 3600 }[match?.[2] ?? 's']!;
  const value = match === null ? Number.NaN : Number(match[1]) * scale;
  if (!(value > 0)) throw new InvalidArgumentError('it must be a time above 0, e.g. 10s, 500ms or 2m.');
  return value;
}

/** `constant | poisson | gamma:<cv2> | trace:<file>`, kept as text once it is known to be one. */
export function arrivals(text: string): string {
  try {
    parseArrivals(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** `auto` or a number of worker processes; null is auto. */
export function workers(text: string): number | null {
  return text === 'auto' ? null : positiveInteger(text);
}

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
