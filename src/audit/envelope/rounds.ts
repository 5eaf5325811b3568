/** The order of clients within a round: a random permutation, so that a drift of the machine is not taken for a client's. */
import { uniform } from '../../measure/random.ts';

/** A permutation of the names, drawn from the seed and the round (Fisher–Yates). */
export function shuffled(names: readonly string[], seed: number, round: number): string[] {
  const u = uniform(seed, 0xe17e, round);
  const order = [...names];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(u() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
