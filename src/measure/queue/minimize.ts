/**
 * The least value of a function of one or two bounded numbers: the best node of a grid, then Nelder and Mead's simplex from there (The
 * Computer Journal 7, 1965, usual coefficients), clamped to the bounds. The grid keeps it from a local minimum, the simplex follows the
 * narrow valley between a loop's service rate and its scatter. Deterministic. The linear parameters of a fit are solved exactly inside of the
 * function (least-squares.ts), so that no more than two are left: a library for general least squares is not needed.
 */
export interface Bound {
  readonly low: number;
  readonly high: number;
  /** Nodes of the grid. */
  readonly nodes: number;
}

export interface Minimum {
  readonly at: readonly number[];
  readonly value: number;
}

const STEPS = 120;
/** The search ends where the simplex is smaller than this in every parameter; those of the fits are logarithms. */
const PRECISION = 1e-5;

/** `start`: search from there, without the grid. */
export function minimize(
  f: (at: readonly number[]) => number,
  bounds: readonly Bound[],
  start?: readonly number[],
): Minimum {
  const from = start ?? bestNode(f, bounds);
  const clamp = (at: readonly number[]) =>
    at.map((x, i) => Math.min(bounds[i]!.high, Math.max(bounds[i]!.low, x)));
  const vertex = (at: readonly number[]): Minimum => {
    const inside = clamp(at);
    return { at: inside, value: f(inside) };
  };
  const simplex = [
    vertex(from),
    ...bounds.map(({ low, high, nodes }, i) => {
      const step = (high - low) / nodes;
      return vertex(from.map((x, j) => (j === i ? (x + step > high ? x - step : x + step) : x)));
    }),
  ];
  for (let step = 0; step < STEPS; step++) {
    simplex.sort((a, b) => a.value - b.value);
    const [best, worst] = [simplex[0]!, simplex.at(-1)!];
    if (simplex.every(({ at }) => at.every((x, i) => Math.abs(x - best.at[i]!) < PRECISION))) break;
    const rest = simplex.slice(0, -1);
    const centre = bounds.map((_, i) => rest.reduce((sum, { at }) => sum + at[i]!, 0) / rest.length);
    const along = (t: number) => vertex(centre.map((x, i) => x + t * (worst.at[i]! - x)));
    const reflected = along(-1);
    let next = reflected;
    if (reflected.value < best.value) {
      const expanded = along(-2);
      if (expanded.value < reflected.value) next = expanded;
    } else if (reflected.value >= rest.at(-1)!.value) {
      next = along(reflected.value < worst.value ? -0.5 : 0.5);
      if (next.value >= Math.min(reflected.value, worst.value)) {
        for (let i = 1; i < simplex.length; i++)
          simplex[i] = vertex(simplex[i]!.at.map((x, j) => (x + best.at[j]!) / 2));
        continue;
      }
    }
    simplex[simplex.length - 1] = next;
  }
  return simplex.reduce((best, each) => (each.value < best.value ? each : best));
}

function bestNode(f: (at: readonly number[]) => number, bounds: readonly Bound[]): readonly number[] {
  let nodes: number[][] = [[]];
  for (const { low, high, nodes: n } of bounds)
    nodes = nodes.flatMap((node) =>
      Array.from({ length: n }, (_, i) => [...node, low + ((high - low) * i) / (n - 1)]),
    );
  let best: Minimum = { at: nodes[0]!, value: Number.POSITIVE_INFINITY };
  for (const at of nodes) {
    const value = f(at);
    if (value < best.value) best = { at, value };
  }
  return best.at;
}
