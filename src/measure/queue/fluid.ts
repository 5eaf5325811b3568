/**
 * A loop at ρ ≥ 1: work comes faster than it is done, and the delay grows for as long as the run goes on. A figure without the run's
 * duration means nothing then. Fluid limit: randomness is small against the growth (G. F. Newell, Applications of Queueing Theory, 2nd ed.
 * 1982, ch. 2). Two clocks tell it differently, and are easily mixed up: what is handled at t was delayed by (1 − μ/λ)·t; what came at t will be
 * delayed by (λ/μ − 1)·t. They are the same delays, as what is handled at t came at tμ/λ. Rates are per second, of one loop.
 */

/** Seconds of delay that each second of the run adds to what is handled then: 1 − μ/λ; 0 at ρ ≤ 1. */
export const growthPerSecond = (lambda: number, mu: number): number => Math.max(0, 1 - mu / lambda);

/**
 * Mean delay, s, of all that came evenly in `durationS` seconds to a queue that was empty at first and is served to the end:
 * (λ/μ − 1)·T/2. Of a run that is cut off when arrivals end only what was handled by then counts, and its mean is `growthPerSecond`·T/2.
 */
export const meanDelayOfRun = (lambda: number, mu: number, durationS: number): number =>
  (Math.max(0, lambda / mu - 1) * durationS) / 2;
