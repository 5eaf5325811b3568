/** Whether the mappings of a client file match what the client left: one that matches nothing must not pass in silence. */
import { type TimeUnit, writtenMs } from './units.ts';

interface Seen {
  readonly expression: string;
  readonly expected: string;
  taken: number;
  nothing: number;
  unfit: number;
  negative: number;
  firstUnfit?: unknown;
  firstNegative?: unknown;
}

/** What a value is read as. */
export interface Reading {
  /** In words, as in "is no number of ms". */
  readonly expected: string;
  /** A length of time, or several: none is below zero. */
  readonly length?: boolean;
}

/** A length of time in a unit. */
export const lengthIn = (unit: TimeUnit): Reading => ({
  expected: unit === 'text' ? 'number with its unit' : `number of ${unit}`,
  length: true,
});

const LONGEST = 40;

const example = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** Counts, for each key of the file, what its expression gave. Keys that begin with `records.` are met once a record. */
export class Mappings {
  private readonly seen = new Map<string, Seen>();

  /** `raw`: what the expression gave; `value`: what became of it, null where it is nothing of that kind. Gives `value` back. */
  take<T>(key: string, expression: string, raw: unknown, value: T | null, reading: Reading): T | null {
    let seen = this.seen.get(key);
    if (seen === undefined) {
      seen = { expression, expected: reading.expected, taken: 0, nothing: 0, unfit: 0, negative: 0 };
      this.seen.set(key, seen);
    }
    seen.taken++;
    if (raw === null || raw === '') seen.nothing++;
    else if (value === null) {
      if (seen.unfit++ === 0) seen.firstUnfit = raw;
    } else if (reading.length === true && least(value) < 0 && seen.negative++ === 0) seen.firstNegative = raw;
    return value;
  }

  /** What is wrong with the mapping of a key, in words; null where nothing is, or where it was not met. */
  fault(key: string): string | null {
    const seen = this.seen.get(key);
    if (seen === undefined) return null;
    const { expression, taken, nothing, unfit, negative } = seen;
    const name = `${key} ("${expression}")`;
    const each = key.startsWith('records.');
    const among = (count: number) => (each ? ` in ${count} of ${taken} records, first` : ':');
    if (nothing === taken) return `${name} gave nothing${each ? ` in any of ${taken} records` : ''}`;
    if (unfit > 0) {
      const hint =
        writtenMs(seen.firstUnfit) === null ? '' : ' (`unit: text` reads a unit behind the number)';
      return `${name} is no ${seen.expected}${among(unfit)} ${example(seen.firstUnfit)}${hint}`;
    }
    return negative > 0 ? `${name} is negative${among(negative)} ${example(seen.firstNegative)}` : null;
  }

  /** Why a figure that is made of these keys is absent: the first fault of theirs. A negative one is not absent. */
  whyAbsent(keys: readonly string[]): string | null {
    const lacking = keys.filter((key) => {
      const seen = this.seen.get(key);
      return seen !== undefined && seen.nothing + seen.unfit > 0;
    });
    return lacking.map((key) => this.fault(key)).find((fault) => fault !== null) ?? null;
  }

  /** Every fault, in the order in which the keys were met. */
  faults(): string[] {
    return [...this.seen.keys()].map((key) => this.fault(key)).filter((fault) => fault !== null);
  }
}

const least = (value: unknown): number =>
  Array.isArray(value)
    ? (value as number[]).reduce((a, b) => Math.min(a, b), 0)
    : typeof value === 'number'
      ? value
      : 0;
