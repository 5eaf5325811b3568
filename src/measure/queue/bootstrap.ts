/**
 * How far a fit's parameters can be off: fits to data like those measured. Two kinds of data are drawn, since each alone says too little:
 * what the model predicts plus errors as large as those found (parametric), and the measured points drawn with replacement, which also
 * shows what hangs on one point. TTFT and E2E of a point share their queue and so their error: taken as independent they would count twice.
 */
import { exponential, normal, type Uniform, uniform } from '../random.ts';
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
  const refit = (data: readonly Observation[]) => solve(kind, data, setting, solution.starts);

  const errors = errorScale(solution, observations);
  const parametric = Array.from({ length: resamples }, (_, draw) =>
    refit(drawn(solution, observations, setting, errors, uniform(seed, 1, draw), student4)),
  );
  if (points.length < POINTS) return parametric;

  const byPoint = Array.from({ length: Math.floor(resamples / 2) }, (_, draw) => {
    const u = uniform(seed, 2, draw);
    let chosen: number[];
    do chosen = points.map(() => points[Math.floor(u() * points.length)]!);
    while (new Set(chosen).size < DISTINCT);
    return refit(chosen.flatMap((point) => observations.filter((each) => each.point === point)));
  });
  return [...parametric, ...byPoint];
}

/** How many times as large as their sigmas the errors are: more than 1 where the model is off by more than the sigmas say. */
export function errorScale(solution: Solution, observations: readonly Observation[]): number {
  const spare = observations.length - 2 - Object.keys(solution.bases).length;
  return spare > 0 ? Math.sqrt(Math.max(1, solution.squares / spare)) : 1;
}

/**
 * A Student's t variate of four degrees of freedom. A standard error of a few trials is itself not well known, and waits of requests that follow one
 * another hang together, so that blocks of them tell too little: with normal errors, 95 % intervals held the truth of simulated clients in 80 to
 * 93 % of all cases (scripts/queue-choice.ts).
 */
const student4 = (u: Uniform): number => normal(u) / Math.sqrt((exponential(u) + exponential(u)) / 2);

/** Data as the model would give, with errors of `scale` sigmas, one for all figures of a point. `error`: draws one of them. */
export function drawn(
  { shape, bases }: Solution,
  observations: readonly Observation[],
  setting: Setting,
  scale: number,
  u: Uniform,
  error: (u: Uniform) => number = normal,
): Observation[] {
  const points = [...new Set(observations.map(({ point }) => point))];
  const errors = new Map(points.map((point) => [point, error(u) * scale]));
  return observations.map((each) => {
    const wait = waitAt(shape, setting, each.rateRps, each.gapCv2)?.waitMs ?? 0;
    return { ...each, y: bases[each.figure]! + wait + errors.get(each.point)! * each.sigma };
  });
}
