/**
 * k loops that share the arrivals: what each of them sees.
 *
 * `random`: each request goes to a loop by chance, as where k clients run on their own: of a Poisson process each loop sees a Poisson process
 * of λ/k, exactly. `inTurn`: every k-th request goes to the same loop, as where one scheduler deals them out: a loop's gap is the sum of k,
 * an Erlang-k variable with CV² 1/k where all arrivals are a Poisson process, so that waits are shorter. Tare assumes `random` where nothing
 * else is known, and takes `inTurn` by the approximation `waitGg1`.
 */
export type Split = 'random' | 'inTurn';

export interface LoopArrivals {
  /** Arrivals per second at one loop. */
  readonly lambda: number;
  /** Squared coefficient of variation of the gaps at one loop. */
  readonly gapCv2: number;
}

/** `gapCv2`: of all arrivals. Split at random, a renewal process keeps (C_a² − 1)/k + 1 of it (thinning). */
export const loopArrivals = (rateRps: number, loops: number, split: Split, gapCv2 = 1): LoopArrivals => ({
  lambda: rateRps / loops,
  gapCv2: split === 'inTurn' ? gapCv2 / loops : 1 + (gapCv2 - 1) / loops,
});
