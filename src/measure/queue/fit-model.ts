/** One model fitted to a curve: parameters with intervals, residuals of the fit and of held-out rates. */
import { bootstrap } from './bootstrap.ts';
import { heldOutErrors, heldOutResiduals } from './held-out.ts';
import { leastGapMs, MAX_CV2, MOST_TURN_GAPS, solve } from './least-squares.ts';
import { observe } from './observations.ts';
import { percentiles } from './predict.ts';
import { residual } from './residual.ts';
import type { Setting } from './shape.ts';
import { valuesOfSolution } from './solution-values.ts';
import { refuted, unsound } from './sound.ts';
import type {
  CurvePoint,
  Estimate,
  FittedModel,
  GatedParameters,
  Mg1Parameters,
  ModelKind,
  ParameterValues,
} from './types.ts';

export interface FitModelOptions extends Setting {
  readonly seed: number;
  readonly resamples: number;
  /** Rates that are not fitted but predicted, requests/s; empty: each rate is predicted by a fit without it. */
  readonly holdOut: readonly number[];
}

/** A service rate this many times the highest rate shows in no delay: μ is then not bounded from above. */
const UNBOUNDED = 100;

/** `points`: steady ones, in the order of their rates; at least two of them are to be fitted. */
export function fitModel(
  kind: ModelKind,
  points: readonly CurvePoint[],
  { loops, split, seed, resamples, holdOut }: FitModelOptions,
): FittedModel {
  const setting = { loops, split };
  const fitted = points.filter(({ rateRps }) => !holdOut.includes(rateRps));
  const observations = observe(fitted);
  const solution = solve(kind, observations, setting);
  const values = valuesOfSolution(solution);
  const draws = bootstrap(solution, observations, setting, { seed, resamples }).map(valuesOfSolution);
  const inSample = observations.map((each) => residual(values, setting, each, false));
  const heldOut = heldOutResiduals(kind, observe(points), setting, holdOut);
  const parameters = withIntervals(values, draws, resamples, leastGapMs(observations, setting));
  return {
    kind,
    parameters,
    loops,
    split,
    ...heldOutErrors(heldOut),
    refuted: refuted(solution, observations),
    unsound: unsound(solution, observations, setting, {
      ttft: parameters.ttftBaseMs,
      e2e: parameters.e2eBaseMs,
    }),
    fittedRps: { low: fitted[0]!.rateRps, high: fitted.at(-1)!.rateRps },
    draws,
    parametricDraws: resamples,
    residuals: [...inSample, ...heldOut],
  };
}

function withIntervals(
  values: ParameterValues,
  draws: readonly ParameterValues[],
  parametric: number,
  /** Time between arrivals of one loop at the highest rate. */
  gapMs: number,
) {
  const mostRps = (1000 * UNBOUNDED) / gapMs;
  const interval = <T extends ParameterValues>(value: T, of: (each: T) => number | null): Estimate | null => {
    const centre = of(value);
    return centre === null ? null : percentiles(centre, (draws as readonly T[]).map(of), parametric);
  };
  type Mg1 = Extract<ParameterValues, { kind: 'mg1' }>;
  const bounded = (value: number, of: (each: Mg1) => number | null) =>
    percentiles(value, (draws as readonly Mg1[]).map(of), parametric);
  const bases = {
    ttftBaseMs: interval(values, ({ ttftBaseMs }) => ttftBaseMs),
    e2eBaseMs: interval(values, ({ e2eBaseMs }) => e2eBaseMs),
  };
  if (values.kind === 'mg1')
    return {
      kind: 'mg1',
      // At the bounds of the search a parameter has no bound of its own.
      muRps: bounded(values.muRps, ({ muRps }) => (muRps > mostRps ? null : muRps)),
      cv2: bounded(values.cv2, ({ cv2 }) => (cv2 > 0.99 * MAX_CV2 ? null : cv2)),
      batchEvents: interval(values, batchEvents),
      ...bases,
    } satisfies Mg1Parameters;
  type Gated = Extract<ParameterValues, { kind: 'gated' }>;
  const gated = (value: number, of: (each: Gated) => number | null) =>
    percentiles(value, (draws as readonly Gated[]).map(of), parametric);
  return {
    kind: 'gated',
    turnMs: gated(values.turnMs, ({ turnMs }) => (turnMs > 0.99 * MOST_TURN_GAPS * gapMs ? null : turnMs)),
    // A cost that shows in no delay may as well be 0.
    requestMs: gated(values.requestMs, ({ requestMs }) => (requestMs < gapMs / UNBOUNDED ? 0 : requestMs)),
    ...bases,
  } satisfies GatedParameters;
}

/** Of X equal events the last one ends D = (X − 1)/X of the service time after the first: X = 1/(1 − μD). */
function batchEvents(values: Extract<ParameterValues, { kind: 'mg1' }>): number | null {
  if (values.ttftBaseMs === null || values.e2eBaseMs === null) return null;
  const share = ((values.e2eBaseMs - values.ttftBaseMs) * values.muRps) / 1000;
  return share < 1 ? 1 / (1 - share) : null;
}
