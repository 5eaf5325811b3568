/** How long a client's delay can be for all but a share of the requests. ms. */

/** A bound d(ε): at most a share ε of the requests is delayed by more than d. */
export type DelayBound = (share: number) => number;

/**
 * Markov's inequality: of delays that are not below `leastMs`, with this mean, at most a share ε is longer than least + (mean − least)/ε, whatever
 * their distribution.
 */
export const markov =
  (meanMs: number, leastMs = 0): DelayBound =>
  (share) =>
    leastMs + Math.max(0, meanMs - leastMs) / share;

/**
 * Decay rate θ of the wait of M/G/1, per service time: P(W > t) ≤ e^(−θt/E[S]), for gamma service times of this CV² (0: deterministic) and
 * ρ < 1. θ > 0 solves E[e^(θS)]·λ/(λ + θ) = 1, in units of E[S] = 1.
 * Source: J. Kingman, "Inequalities in the theory of queues", J. R. Stat. Soc. B 32, 1970.
 */
export function decay(rho: number, cv2: number): number {
  // log E[e^(θS)] − log(1 + θ/ρ): below 0 up to the root and above 0 beyond it.
  const f = (theta: number) =>
    (cv2 === 0 ? theta : -Math.log1p(-theta * cv2) / cv2) - Math.log1p(theta / rho);
  // The gamma's transform has its pole at 1/CV²; a deterministic one has none, and e^θ outgrows 1 + θ/ρ.
  let high = cv2 === 0 ? 1 : 1 / cv2;
  if (cv2 === 0) while (f(high) < 0) high *= 2;
  let low = 0;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return low;
}

/** The bound by the model: a constant base and the wait of an M/G/1 queue with gamma service times. */
export const mg1Tail =
  (baseMs: number, serviceMs: number, rho: number, cv2: number): DelayBound =>
  (share) =>
    baseMs + (serviceMs * Math.log(1 / share)) / decay(rho, cv2);
