/** Why a quantile of a trial has no interval, where more requests would give it one: in words, as documents keep it, and back. */
import { valuesNeeded } from './quantile-interval.ts';

export interface Shortfall {
  /** Independent values that an interval needs. */
  readonly needed: number;
  /** Values there were, and how many independent ones these are worth. */
  readonly values: number;
  readonly worth: number;
}

export const shortfallWords = (p: number, { needed, values, worth }: Shortfall): string =>
  `no interval: p${100 * p} needs ${needed} independent requests, and these ${values} values are worth ${worth}`;

export const tooFewWords = (values: number): string =>
  `no interval: ${values} values are too few to tell how they spread`;

/** null: the reason is another (drift, no records), which more requests alone do not remove. */
export function shortfallOf(reason: string, p: number): Shortfall | null {
  const short = /needs (\d+) independent requests, and these (\d+) values are worth (\d+)$/.exec(reason);
  if (short !== null) {
    const [needed, values, worth] = short.slice(1).map(Number);
    return { needed: needed!, values: values!, worth: worth! };
  }
  const few = /no interval: (\d+) values are too few/.exec(reason);
  return few === null ? null : { needed: valuesNeeded(p), values: Number(few[1]), worth: Number(few[1]) };
}
