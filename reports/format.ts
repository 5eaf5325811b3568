/** Figures for people. A figure that is absent is a dash; never NaN, never 0. */
import { grouped } from './text.ts';

/** Stands for a figure that does not exist. */
export const ABSENT = '–';
const MINUS = '−';

/** Digits after the point so that about three figures count: 0.042, 1.23, 12.3, 123. */
const digitsFor = (magnitude: number): number =>
  magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;

function fixed(value: number, digits: number): string {
  const text = grouped(Math.abs(value).toFixed(digits));
  // A negative number that rounds to zero has no sign.
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** Milliseconds without the unit: `24.1`, `1,234`, `0.042`. */
export const ms = (value: number | null): string =>
  value === null ? ABSENT : fixed(value, digitsFor(Math.abs(value)));

/** Milliseconds of a limit that people chose, without needless digits: `1`, `2.5`. */
export const limitMs = (value: number): string => grouped(Number(value.toPrecision(3)));

/** Milliseconds with a sign always, as for a difference: `+24.1`, `−0.042`, `0.000`. */
export function signedMs(value: number | null): string {
  const text = ms(value);
  return value !== null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** An interval with as many digits on both sides: `[20.3, 27.9]`; empty without one. */
export function intervalMs(low: number | null, high: number | null): string {
  if (low === null || high === null) return '';
  const digits = digitsFor(Math.max(Math.abs(low), Math.abs(high)));
  return `[${fixed(low, digits)}, ${fixed(high, digits)}]`;
}

/** A rate without its unit: `50`, `12.5`, `1,600`. */
export const rate = (value: number | null): string =>
  value === null ? ABSENT : fixed(value, value >= 99.95 || Number.isInteger(value) ? 0 : 1);

/** A share as a percentage, without the sign: `98.2`, `100`, `3.1`. Rounds down near 100, so that 99.96 is not shown as all. */
export function percent(share: number | null): string {
  if (share === null) return ABSENT;
  const value = share * 100;
  const rounded = value < 100 && value > 99.9 ? Math.floor(value * 10) / 10 : value;
  return Number.isInteger(rounded) || Math.abs(rounded) >= 100 ? fixed(rounded, 0) : fixed(rounded, 1);
}

/** A plain number of about three figures: `0.98`, `5.1`, `19`. */
export const plain = (value: number | null): string =>
  value === null ? ABSENT : fixed(value, value >= 100 ? 0 : value >= 10 ? 1 : 2);

/** Names of metrics as people write them. */
export const METRIC_LABEL = { ttft: 'TTFT', itl: 'ITL', tpot: 'TPOT', ntpot: 'NTPOT', e2e: 'E2E' } as const;
