/** To which step a client prints its figures, from the figures themselves. Pure. */

/** Finest step looked for, as a power of ten: no clock of a client is finer than a nanosecond. */
const FINEST = 6;

/** Relative error of a decimal in floating point, with room for a conversion between units. */
const NEARLY = 1e-9;

const isMultiple = (value: number, step: number): boolean => {
  const steps = value / step;
  return Math.abs(steps - Math.round(steps)) <= NEARLY * Math.max(1, Math.abs(steps));
};

/**
 * The largest power of ten, at most 1, that all values are whole multiples of: 1 of whole milliseconds, 0.01 of two decimals; the finest
 * looked for, 10⁻⁶, where there is none. Few values may be round by chance: then the step is too large, which is the safe side.
 * Null without a value.
 */
export function printedStep(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  for (let k = 0; k < FINEST; k++) {
    const step = 10 ** -k;
    if (values.every((value) => isMultiple(value, step))) return step;
  }
  return 10 ** -FINEST;
}
