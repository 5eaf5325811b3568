/** Parsers of flag values, the same words in every command. They throw what commander prints as a usage error. */
import { InvalidArgumentError } from 'commander';
import { parseArrivals } from '../measure/workload.ts';

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

/** `50,100,200`: rates in requests/s, ascending and without repeats. */
export function rateList(text: string): number[] {
  const rates = text.split(',').map((part) => {
    const value = Number(part);
    if (part.trim() === '' || !Number.isFinite(value) || value <= 0)
      throw new InvalidArgumentError(
        `"${part}" is not a rate: rates are requests/s above 0, e.g. 50,100,200.`,
      );
    return value;
  });
  return [...new Set(rates)].sort((a, b) => a - b);
}

/** `10s`, `500ms`, `2m` or a plain number of seconds, in seconds. */
export function seconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const scale = { ms: 0.001, s: 1, m: 60, h: 3600 }[match?.[2] ?? 's']!;
  const value = match === null ? Number.NaN : Number(match[1]) * scale;
  if (!(value > 0)) throw new InvalidArgumentError('it must be a time above 0, e.g. 10s, 500ms or 2m.');
  return value;
}

/** `5%`, or `0.05`: a share from 0 to 1. */
export function share(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(%)?$/.exec(text.trim());
  const value = match === null ? Number.NaN : Number(match[1]) / (match[2] === undefined ? 1 : 100);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('it must be a share, e.g. 5% or 0.05.');
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

/** `auto`, or an arrival process. */
export const arrivalsOrAuto = (text: string): string => (text === 'auto' ? text : arrivals(text));

/** `auto` or a number of worker processes. (Commander makes '' of a null that a parser returns.) */
export const workers = (text: string): number | 'auto' => (text === 'auto' ? text : positiveInteger(text));

/** The number that was asked for; null: auto. */
export const workerCount = (asked: number | 'auto'): number | null => (asked === 'auto' ? null : asked);

/** Collects a flag that may be given several times, or with commas. */
export const collect = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text.split(',').filter((name) => name !== ''),
];
