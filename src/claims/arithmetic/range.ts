/**
 * Interval arithmetic on figures that are not negative: a printed figure stands for every value that prints so, and a formula of several for
 * every value that it takes over them. Pure.
 */
import type { Quantity } from '../claim.ts';

export interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * How far a printed figure is trusted: `rounded` to its last digit (± half a unit), or `cut` at it (± a unit: a page that says neither may
 * have cut). A contradiction has to hold for both.
 */
export type Digits = 'rounded' | 'cut';

/** What floating point may lose over a few operations, relative. */
const EPSILON = 1e-9;

export const exactly = (value: number): Range => ({ low: value, high: value });

/** Every value that prints as this figure does; never below 0. */
export function rangeOf(quantity: Quantity, digits: Digits = 'rounded'): Range {
  const reach = digits === 'cut' ? 2 * quantity.half : quantity.half;
  return { low: Math.max(0, quantity.value - reach), high: quantity.value + reach };
}

export const plus = (a: Range, b: Range): Range => ({ low: a.low + b.low, high: a.high + b.high });
export const minus = (a: Range, b: Range): Range => ({ low: a.low - b.high, high: a.high - b.low });
export const times = (a: Range, b: Range): Range => ({ low: a.low * b.low, high: a.high * b.high });
export const scaled = (a: Range, factor: number): Range => ({ low: a.low * factor, high: a.high * factor });

/** a / b; without an upper end where b may be 0. */
export const over = (a: Range, b: Range): Range => ({
  low: b.high > 0 ? a.low / b.high : 0,
  high: b.low > 0 ? a.high / b.low : Number.POSITIVE_INFINITY,
});

/** No value of `a` is as great as any of `b`. */
export const below = (a: Range, b: Range): boolean => a.high < b.low - EPSILON * Math.abs(b.low);

/** Some value is in both. */
export const overlap = (a: Range, b: Range): boolean => !below(a, b) && !below(b, a);

export const middle = ({ low, high }: Range): number => (low + high) / 2;

/** `fits`: as rounded; `cut`: only were a figure cut at its last digit instead of rounded; `never`: neither way. */
export type Fit = 'fits' | 'cut' | 'never';

export const fitOf = (fits: (digits: Digits) => boolean): Fit =>
  fits('rounded') ? 'fits' : fits('cut') ? 'cut' : 'never';
