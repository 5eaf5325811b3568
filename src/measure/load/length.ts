/** Lengths that are drawn: their moments, and one value from uniform numbers. */
import gammainc from '@stdlib/math-base-special-gammainc';
import type { LengthSpec } from './request-shape.ts';

/** The longest length that may be asked for, tokens. */
export const MAX_LENGTH = 1_000_000;

/** The standard normal distribution function, by the incomplete gamma function: erf(x) = P(1/2, x²). */
export function normalBelow(z: number): number {
  const tail = z === 0 ? 0.5 : gammainc((z * z) / 2, 0.5, true, true) / 2;
  return z <= 0 ? tail : 1 - tail;
}

/** Location and scale of the logarithm, and the bounds, tokens. */
export interface Bounded {
  readonly mu: number;
  readonly sigma: number;
  readonly low: number;
  readonly high: number;
}

/**
 * E[X^k] of a lognormal X whose values beyond a bound become the bound:
 * low^k·Φ(a) + e^{kμ + k²σ²/2}·[Φ(b − kσ) − Φ(a − kσ)] + high^k·(1 − Φ(b)), where a = (ln low − μ)/σ and b = (ln high − μ)/σ (by completing the square).
 */
export function boundedMoment({ mu, sigma, low, high }: Bounded, k: number): number {
  const a = (Math.log(low) - mu) / sigma;
  const b = (Math.log(high) - mu) / sigma;
  const between = normalBelow(b - k * sigma) - normalBelow(a - k * sigma);
  const inside = between <= 0 ? 0 : Math.exp(k * mu + (k * k * sigma * sigma) / 2) * between;
  return low ** k * normalBelow(a) + inside + high ** k * normalBelow(-b);
}

/** The lognormal with the CV that is stated, placed so that its mean with the bounds is the one that is stated (by bisection: the mean rises with μ). */
export function placeLognormal(spec: Extract<LengthSpec, { kind: 'lognormal' }>): Bounded {
  const { low, high } = spec;
  const sigma = Math.sqrt(Math.log(1 + spec.cv * spec.cv));
  let from = Math.log(low) - 10 * sigma;
  let to = Math.log(high) + 10 * sigma;
  for (let i = 0; i < 100; i++) {
    const mu = (from + to) / 2;
    if (boundedMoment({ mu, sigma, low, high }, 1) < spec.mean) from = mu;
    else to = mu;
  }
  return { mu: (from + to) / 2, sigma, low, high };
}

/** Mean, tokens, and coefficient of variation of what is drawn, by formula. A fraction is rounded at random: that leaves the mean, and adds at most 1/4 to the variance, which is left out here. */
export function lengthMoments(spec: LengthSpec): { readonly mean: number; readonly cv: number } {
  if (spec.kind === 'constant') return { mean: spec.tokens, cv: 0 };
  if (spec.kind === 'uniform') {
    const mean = (spec.low + spec.high) / 2;
    const width = spec.high - spec.low + 1;
    return { mean, cv: Math.sqrt((width * width - 1) / 12) / mean };
  }
  const placed = placeLognormal(spec);
  const mean = boundedMoment(placed, 1);
  return { mean, cv: Math.sqrt(Math.max(0, boundedMoment(placed, 2) - mean * mean)) / mean };
}

/** Draws a length, tokens, from a source of uniform numbers in (0, 1): none, one or three of them. */
export type DrawLength = (u: () => number) => number;

/** How the lengths of a specification are drawn. */
export function lengthDrawer(spec: LengthSpec): DrawLength {
  if (spec.kind === 'constant') return () => spec.tokens;
  if (spec.kind === 'uniform') return (u) => spec.low + Math.floor(u() * (spec.high - spec.low + 1));
  const { mu, sigma, low, high } = placeLognormal(spec);
  return (u) => {
    // Box–Muller.
    const z = Math.sqrt(-2 * Math.log(u())) * Math.cos(2 * Math.PI * u());
    const x = Math.min(high, Math.max(low, Math.exp(mu + sigma * z)));
    // Up as often as its fraction says: rounding to the nearest would shift the mean of short lengths.
    return Math.floor(x + u());
  };
}
