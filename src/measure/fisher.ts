/** Fisher's exact test of two shares. Pure. */
import gammaln from '@stdlib/math-base-special-gammaln';

const logChoose = (n: number, k: number): number => gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1);

/** Tables as likely as the one seen differ from it in floating point only; R's fisher.test allows the same. */
const ALIKE = 1 + 1e-7;

/**
 * The two-sided p-value of x of m on one side and y of n on the other, were both sides' chance the same: the sum over all tables of the
 * same margins that are no likelier than the one seen. 1 where a side is empty.
 * Source: R. A. Fisher, "Statistical Methods for Research Workers", 5th ed. 1934, §21.02.
 */
export function fisherExact(x: number, m: number, y: number, n: number): number {
  if (m === 0 || n === 0) return 1;
  const total = x + y;
  const likelihood = (k: number) =>
    Math.exp(logChoose(m, k) + logChoose(n, total - k) - logChoose(m + n, total));
  const seen = likelihood(x) * ALIKE;
  let p = 0;
  for (let k = Math.max(0, total - n); k <= Math.min(m, total); k++) {
    const one = likelihood(k);
    if (one <= seen) p += one;
  }
  return Math.min(1, p);
}
