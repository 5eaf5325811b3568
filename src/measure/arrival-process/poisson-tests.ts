/**
 * Is it a Poisson process, of whatever rate? Given their number, its arrivals are uniform on the interval, so that no rate need be
 * estimated, which would spoil the test's level. Source: Kim & Whitt, "Choosing arrival process models for service systems: tests of a
 * nonhomogeneous Poisson process", Naval Research Logistics 61(1), 2014.
 */
import { ksProbability, ksUniform } from './kolmogorov.ts';
import type { PoissonTests } from './types.ts';

/** The arrivals between the first and the last, as shares of the way from one to the other. */
function conditionalUniform(at: Float64Array): Float64Array {
  const first = at[0]!;
  const span = at[at.length - 1]! - first;
  return at.subarray(1, -1).map((t) => (t - first) / span);
}

/**
 * Lewis' transformation (Biometrika 52, 1965), which is Durbin's (Biometrika 48, 1961) of uniform spacings: spacings in ascending order
 * C(1) ≤ … ≤ C(m), then S(k) = Σ j≤k (m + 1 − j)(C(j) − C(j−1)) are again ordered uniforms where the spacings are those of uniforms.
 */
export function lewis(spacings: Float64Array): Float64Array {
  const sorted = Float64Array.from(spacings).sort();
  const m = sorted.length;
  const total = sorted.reduce((sum, gap) => sum + gap, 0);
  const sums = new Float64Array(m - 1);
  let sum = 0;
  let before = 0;
  for (let k = 0; k < m - 1; k++) {
    sum += ((m - k) * (sorted[k]! - before)) / total;
    before = sorted[k]!;
    sums[k] = Math.min(1, sum);
  }
  return sums;
}

/** Both tests on ascending instants of any unit; null below ten arrivals or without a span. */
export function poissonTests(at: Float64Array): PoissonTests | null {
  const n = at.length;
  if (n < 10 || !(at[n - 1]! > at[0]!)) return null;
  const gaps = Float64Array.from({ length: n - 1 }, (_, i) => at[i + 1]! - at[i]!);
  const uniform = ksUniform(conditionalUniform(at));
  const ordered = ksUniform(lewis(gaps));
  const uniformP = ksProbability(uniform, n - 2);
  const orderedP = ksProbability(ordered, n - 2);
  return {
    lewis_ks: ordered,
    lewis_p: orderedP,
    uniform_ks: uniform,
    uniform_p: uniformP,
    p: Math.min(1, 2 * Math.min(uniformP, orderedP)),
  };
}
