/**
 * A loop at ρ ≥ 1: work comes faster than it is done, and the delay grows for as long as the run goes on. A figure without the run's
 * duration means nothing then. Fluid limit (Kleinrock, Queueing Systems II, 1976, § 2.7): randomness is small against the growth.
 */

/** Seconds of delay that each second of the run adds: 1 − μ/λ; 0 at ρ ≤ 1. Both rates per second, of one loop. */
export const growthPerSecond = (lambda: number, mu: number): number => Math.max(0, 1 - mu / lambda);

/** Mean delay, s, of what arrives evenly in a run of `durationS` seconds that began with an empty queue: half of the last one's. */
export const meanDelayOfRun = (lambda: number, mu: number, durationS: number): number =>
  (growthPerSecond(lambda, mu) * durationS) / 2;
