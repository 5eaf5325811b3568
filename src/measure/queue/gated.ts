/**
 * The gated loop: an event loop sleeps until something is ready; then a turn takes all n requests that are ready and costs a + b·n, and what
 * arrives meanwhile waits for the next turn. The cost of a request, b + a/n, falls with load. Times are seconds, rates per second.
 *
 * Poisson arrivals, constant a and b. Turn sizes are a Markov chain: N' ~ Poisson(λ(a + bN)), or 1 where that is 0, since the loop then
 * sleeps until one arrives. With P0 the probability of that 0 and G the generating function of N,
 *   G(z) = e^(−λa(1−z)) · G(e^(−λb(1−z))) − P0(1 − z),
 * which unrolls along u₀ = 1, u₍ⱼ₊₁₎ = 1 − e^(−λb·uⱼ) → 0. From G(0) = 0 follows P0 = A∞ / Σⱼ uⱼAⱼ, Aⱼ = Π₍ᵢ<ⱼ₎ e^(−λa·uᵢ), and from P0 the
 * first two moments of N, exactly. (The method is that of M/G/1 with gated vacations:
 * H. Takagi, Queueing Analysis I, 1991, ch. 2. With a = 0 it is M/D/1; the tests hold it to that and to a simulation.)
 *
 * A request that is a batch of X equal events which are ready together costs X times as much and is otherwise the same: b is the cost of
 * the whole request. Its first event ends (X − 1)/X · b before its last at any rate: that is a base, no wait.
 */

/** What a gated loop does at a rate. */
export interface GatedState {
  /**
   * Mean wait, s: from arrival to the turn that takes a request, and in it for those ahead. Its own a + b is not in it, so that it goes to 0
   * at low rates.
   */
  readonly wait: number;
  /** Mean number of requests in a turn. */
  readonly turnSize: number;
  /** Share of the time in which the loop works. */
  readonly busyShare: number;
}

/** Steady state of a gated loop with `lambda` arrivals/s, a turn of n costing `turn` + `each`·n s; null at λb ≥ 1: there is none. */
export function gatedLoop(lambda: number, turn: number, each: number): GatedState | null {
  const rho = lambda * each;
  if (rho >= 1) return null;
  const p0 = sleepProbability(lambda * turn, rho);
  const mean = (lambda * turn + p0) / (1 - rho);
  const length = turn + each * mean;
  const fixedSquare = turn ** 2 + 2 * turn * each * mean;
  const meanSquare = (lambda * length + lambda ** 2 * fixedSquare + p0) / (1 - rho ** 2);
  const lengthSquare = fixedSquare + each ** 2 * meanSquare;
  // Arrivals in a turn of length L, λL of them, wait L/2 for its end; the i-th of a turn waits for i − 1 others.
  const waits = (lambda * lengthSquare) / 2 + (each * (meanSquare - mean)) / 2;
  return { wait: waits / mean, turnSize: mean, busyShare: length / (length + p0 / lambda) };
}

/** P0: that nothing arrives in a turn. `turns`: λa, `rho`: λb. */
function sleepProbability(turns: number, rho: number): number {
  let product = 1;
  let sum = 0;
  let u = 1;
  const small = (0.01 * (1 - rho)) / (1 + turns);
  for (; u > small; u = -Math.expm1(-rho * u)) {
    sum += u * product;
    product *= Math.exp(-turns * u);
    if (product < 1e-12) return 0;
  }
  // From here on both series in u are known to their second order: Σ uⱼ = c₁u + c₂u², and with c₂ − c₁·λa·ρ/(1 − ρ²) for c₂ that of uⱼAⱼ.
  const c1 = 1 / (1 - rho);
  const c2 = (-c1 * rho ** 2) / (2 * (1 - rho ** 2));
  const rest = c1 * u + c2 * u * u;
  const weighted = rest - ((c1 * turns * rho) / (1 - rho ** 2)) * u * u;
  return (product * Math.exp(-turns * rest)) / (sum + weighted * product);
}
