/**
 * Time units. Inside Tare a duration or an instant is a whole number of nanoseconds (a float64 holds them exactly
 * up to 104 days of uptime); milliseconds appear only at the edges: files, libraries, people.
 */
declare const nanosBrand: unique symbol;

/** Integer nanoseconds: an instant of CLOCK_MONOTONIC, or a duration. */
export type Nanos = number & { readonly [nanosBrand]: true };

/** Marks a number as nanoseconds, rounded to a whole one. */
export const nanos = (value: number): Nanos => Math.round(value) as Nanos;

export const NANOS_PER_MS = 1e6;
export const NANOS_PER_S = 1e9;

/** Milliseconds (float) of a number of nanoseconds. */
export const toMs = (value: number): number => value / NANOS_PER_MS;

/** Nanoseconds of a number of milliseconds. */
export const fromMs = (ms: number): Nanos => nanos(ms * NANOS_PER_MS);

/** Nanoseconds of a number of seconds. */
export const fromSeconds = (s: number): Nanos => nanos(s * NANOS_PER_S);
