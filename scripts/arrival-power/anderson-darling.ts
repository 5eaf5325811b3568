/** Anderson & Darling's test of exponential gaps: only to show what it makes of rounded ones. */

/** Upper 5 % point of A²(1 + 0.6/n) where the mean is estimated (Stephens, JASA 69, 1974; D'Agostino & Stephens 1986, table 4.14). */
export const AD_CRITICAL = 1.321;

/** A² of gaps against an exponential of their mean, corrected for n. A gap of 0, as rounding makes it, is infinitely far off. */
export function andersonDarling(gaps: Float64Array): number {
  const n = gaps.length;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / n;
  const sorted = Float64Array.from(gaps).sort();
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum += (2 * i + 1) * (Math.log(-Math.expm1(-sorted[i]! / mean)) - sorted[n - 1 - i]! / mean);
  return (-n - sum / n) * (1 + 0.6 / n);
}
