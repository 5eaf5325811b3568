/** Tail probabilities and quantiles by the incomplete gamma function. */
import gammainc from '@stdlib/math-base-special-gammainc';
import gammaincinv from '@stdlib/math-base-special-gammaincinv';

/** P(X ≤ x) of χ² with k degrees of freedom. */
export const chi2Below = (x: number, k: number): number => (x <= 0 ? 0 : gammainc(x / 2, k / 2));
/** P(X > x) of χ² with k degrees of freedom: exact where it is tiny. */
export const chi2Above = (x: number, k: number): number => (x <= 0 ? 1 : gammainc(x / 2, k / 2, true, true));
/** The p-quantile of χ² with k degrees of freedom. */
export const chi2Quantile = (p: number, k: number): number => 2 * gammaincinv(p, k / 2);

/** P(X ≥ k) of a Poisson variable of that mean. */
export const poissonAtLeast = (k: number, mean: number): number =>
  k <= 0 ? 1 : mean <= 0 ? 0 : gammainc(mean, k);

/** P(X ≥ k) of n trials of probability p; summed from k on, so exact where it is tiny. */
export function binomialAtLeast(k: number, n: number, p: number): number {
  if (k <= 0 || p >= 1) return 1;
  if (p <= 0 || k > n) return 0;
  let logTerm = k * Math.log(p) + (n - k) * Math.log1p(-p);
  for (let j = 1; j <= k; j++) logTerm += Math.log((n - k + j) / j);
  let term = Math.exp(logTerm);
  let sum = term;
  for (let j = k + 1; j <= n && term > sum * 1e-12; j++) {
    term *= ((n - j + 1) / j) * (p / (1 - p));
    sum += term;
  }
  return Math.min(1, sum);
}

/**
 * How many standard deviations a sum of n gaps of that CV² lies above n times its mean, given their ratio; negative below. The sum as a
 * gamma variable of CV² cv2/n, by the cube-root transformation of Wilson & Hilferty (PNAS 17, 1931).
 */
export function sumDeviation(ratio: number, cv2: number, n: number): number {
  const c = cv2 / n;
  return (Math.cbrt(ratio) - (1 - c / 9)) / Math.sqrt(c / 9);
}

/** P(X ≤ x) of a gamma variable of that shape and mean. */
export const gammaBelow = (x: number, shape: number, mean: number): number =>
  x <= 0 ? 0 : gammainc((shape * x) / mean, shape);
