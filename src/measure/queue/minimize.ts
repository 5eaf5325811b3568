/**
 * The least value of a function of one or two bounded numbers: the local minima of a grid, then Nelder and Mead's simplex from each (The
 * Computer Journal 7, 1965, usual coefficients), clamped to the bounds. A fit of few rates has several valleys, and the best node of a grid may
 * lie in a wrong one that is wide, where the right one is narrow: so all are followed. Deterministic. The linear parameters of a fit are solved
 * exactly inside of the function (least-squares.ts), so that no more than two are left: a library for general least squares is not needed.
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
/** Local minima of the grid that are followed, the lowest ones. */
const STARTS = 8;
/** Minima nearer than this in every parameter are one. */
const SAME = 0.02;

type Of = (at: readonly number[]) => number;

/** Local minima, the least one first. `starts`: search from these, without the grid. */
export function minimize(
  f: Of,
  bounds: readonly Bound[],
  starts?: readonly (readonly number[])[],
): Minimum[] {
  const found = (starts ?? gridMinima(f, bounds))
    // Twice: a simplex that has collapsed in a bent valley goes on with a fresh one.
    .map((start) => descend(f, bounds, descend(f, bounds, start, 1).at, 0.25))
    .sort((a, b) => a.value - b.value);
  return found.filter(
    ({ at }, i) => !found.slice(0, i).some((other) => other.at.every((x, j) => Math.abs(x - at[j]!) < SAME)),
  );
}

/** Nelder and Mead from `from`; the first simplex is as large as `size` steps of the grid. */
function descend(f: Of, bounds: readonly Bound[], from: readonly number[], size: number): Minimum {
  const clamp = (at: readonly number[]) =>
    at.map((x, i) => Math.min(bounds[i]!.high, Math.max(bounds[i]!.low, x)));
  const vertex = (at: readonly number[]): Minimum => {
    const inside = clamp(at);
    return { at: inside, value: f(inside) };
  };
  const simplex = [
    vertex(from),
    ...bounds.map(({ low, high, nodes }, i) => {
      const step = (size * (high - low)) / nodes;
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

/** Nodes that are no higher than any neighbour, the lowest first. */
function gridMinima(f: Of, bounds: readonly Bound[]): (readonly number[])[] {
  const [first, second = { low: 0, high: 0, nodes: 1 }] = bounds;
  const node = ({ low, high, nodes }: Bound, i: number) =>
    nodes === 1 ? low : low + ((high - low) * i) / (nodes - 1);
  const grid = Array.from({ length: first!.nodes }, (_, i) =>
    Array.from({ length: second.nodes }, (_, j): Minimum => {
      const at = [node(first!, i), node(second, j)].slice(0, bounds.length);
      return { at, value: f(at) };
    }),
  );
  const around = (i: number, j: number) =>
    [-1, 0, 1].flatMap((di) => [-1, 0, 1].flatMap((dj) => grid[i + di]?.[j + dj] ?? []));
  return grid
    .flatMap((row, i) => row.filter(({ value }, j) => around(i, j).every((other) => other.value >= value)))
    .sort((a, b) => a.value - b.value)
    .slice(0, STARTS)
    .map(({ at }) => at);
}
