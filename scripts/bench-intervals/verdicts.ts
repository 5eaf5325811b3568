/** What verdicts are given where the true bias is known. */
import { type BiasVerdict, biasVerdict, cellInterval } from '../../src/measure/bias.ts';
import { type Uniform, uniform } from '../../src/measure/random.ts';

/**
 * Shares of the verdicts over `cells` simulated cells of n repetitions.
 * @param bias the true bias, in floors
 * @param spread standard deviation between repetitions, in floors
 * @param draw a standard deviate: mean 0, variance 1
 */
export function verdictShares(
  n: number,
  bias: number,
  spread: number,
  draw: (u: Uniform) => number,
  cells: number,
  seed: number,
): Record<BiasVerdict, number> {
  const u = uniform(seed, n);
  const shares: Record<BiasVerdict, number> = { found: 0, 'none above the floor': 0, undetermined: 0 };
  for (let k = 0; k < cells; k++) {
    const biases = Array.from({ length: n }, () => bias + spread * draw(u));
    const { verdict } = biasVerdict(
      cellInterval(
        biases,
        biases.map(() => null),
      ),
      1,
      0,
    );
    shares[verdict] += 1 / cells;
  }
  return shares;
}
