/** How finely figures are printed, by the figures themselves: rounded ones that are equal are not the same. Pure. */

/** From 1 s down to 1 ns, in ms. */
const EXPONENTS = [3, 2, 1, 0, -1, -2, -3, -4, -5, -6] as const;

/**
 * The greatest power of ten of which all values are multiples, in their unit; 0 where there is none down to 10⁻⁶, or where all are 0. Hand in all that one
 * program prints: of a few figures a coarser step than its own may be seen by chance.
 */
export function stepOf(values: readonly number[]): number {
  if (values.every((value) => value === 0)) return 0;
  const isStep = (exponent: number) =>
    values.every((value) => {
      const steps = exponent < 0 ? value * 10 ** -exponent : value / 10 ** exponent;
      return Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps));
    });
  const found = EXPONENTS.find(isStep);
  return found === undefined ? 0 : found < 0 ? 1 / 10 ** -found : 10 ** found;
}
