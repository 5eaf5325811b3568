/**
 * How far a fit's parameters can be off: fits to data like those measured. Two kinds of data are drawn, since each alone says too little:
 * what the model predicts plus errors as large as those found (parametric), and the measured points drawn with replacement, which also
 * shows what hangs on one point. TTFT and E2E of a point share their queue and so their error: taken as independent they would count twice.
 */
import { normal, uniform } from '../random.ts';
import { type Solution, solve } from './least-squares.ts';
import type { Observation } from './observations.ts';
import { type Setting, waitAt } from './shape.ts';

/** Points are drawn with replacement from this many on; of fewer, too many draws could not be fitted. */
const POINTS = 6;
/** A draw of points with fewer distinct ones than this is drawn again: it would not hold the parameters. */
const DISTINCT = 4;

export interface BootstrapOptions {
  readonly seed: number;
  /** Parametric fits; half as many again are of drawn points where there are enough. */
  readonly resamples: number;
}

export function bootstrap(
  solution: Solution,
  observations: readonly Observation[],
  setting: Setting,
  { seed, resamples }: BootstrapOptions,
): Solution[] {
  const { kind } = solution.shape;
  const points = [...new Set(observations.map(({ point }) => point))];
  const refit = (data: readonly Observation[]) => solve(kind, data, setting, solution.at);

  // Where the model is off by more than the standard errors say, errors are as large as it is off.
  const parameters = 2 + Object.keys(solution.bases).length;
  const spare = observations.length - parameters;
  const inflation = spare > 0 ? Math.sqrt(Math.max(1, solution.squares / spare)) : 1;
  const parametric = Array.from({ length: resamples }, (_, draw) => {
    const u = uniform(seed, 1, draw);
    const errors = new Map(points.map((point) => [point, normal(u) * inflation]));
    return refit(
      observations.map((each) => {
        const wait = waitAt(solution.shape, setting, each.rateRps, each.gapCv2)?.waitMs ?? 0;
        return { ...each, y: solution.bases[each.figure]! + wait + errors.get(each.point)! * each.sigma };
      }),
    );
  });
  if (points.length < POINTS) return parametric;

  const byPoint = Array.from({ length: Math.floor(resamples / 2) }, (_, draw) => {
    const u = uniform(seed, 2, draw);
    let drawn: number[];
    do drawn = points.map(() => points[Math.floor(u() * points.length)]!);
    while (new Set(drawn).size < DISTINCT);
    return refit(drawn.flatMap((point) => observations.filter((each) => each.point === point)));
  });
  return [...parametric, ...byPoint];
}
