/** What limits trust in a fit, in words. */
import { isSound, looksPoisson } from './observations.ts';
import { predict } from './predict.ts';
import type { CurvePoint, Estimate, FittedModel, Residual } from './types.ts';

/** Below this utilization at the highest steady rate a curve shows λ(1 + CV²)/2μ² and hardly more: not μ and CV² apart. */
const FAR_BELOW = 0.6;
/** A CV² below this is at its bound. */
const AT_BOUND = 1e-3;
/** Ends of an interval that lie farther apart than this factor hold no parameter. */
const WIDE = 2;

const fixed = (value: number): string => String(Number(value.toPrecision(3)));
const wide = ({ low, high }: Estimate): boolean => low === null || high === null || high > WIDE * low;

export function notesOf(
  all: readonly CurvePoint[],
  fitted: readonly CurvePoint[],
  models: readonly FittedModel[],
  loops: number,
): string[] {
  const notes: string[] = [];
  const unsound = all.filter((point) => !isSound(point)).length;
  if (unsound > 0)
    notes.push(
      `${unsound} ${unsound === 1 ? 'point is' : 'points are'} left out of the fit: a rate that is not above 0, or a mean or error that is no number`,
    );
  const saturated = all.filter((point) => point.saturated);
  if (saturated.length > 0) {
    const most = Math.max(...saturated.map(({ rateRps }) => rateRps));
    notes.push(
      `${saturated.length} saturated ${saturated.length === 1 ? 'rate is' : 'rates are'} left out of the fit: there is no steady state, and the delay grows with the run; ${fixed(most)}/s were seen there`,
    );
  }
  if (fitted.length > 0 && fitted.length < 6)
    notes.push(
      `${fitted.length} rates were fitted: intervals are those of errors at the rates only, not of drawn rates`,
    );
  if (fitted.some(({ ttftBias, e2eBias }) => ttftBias?.se === null || e2eBias?.se === null))
    notes.push(
      'some means have no standard error: their weight is that of a usual relative error, and intervals are as good as that is',
    );
  const odd = fitted.filter(({ gapCv2 }) => !looksPoisson(gapCv2));
  if (odd.length > 0)
    notes.push(
      `arrivals were no Poisson process at ${odd.length} of ${fitted.length} rates (CV² of the gaps ${fixed(Math.min(...odd.map(({ gapCv2 }) => gapCv2!)))} to ${fixed(Math.max(...odd.map(({ gapCv2 }) => gapCv2!)))}): M/G/1 takes it into account by the Allen–Cunneen approximation, the gated loop does not`,
    );
  if (loops > 1)
    notes.push(
      `${loops} loops are assumed to get the arrivals by chance, a ${loops}th each; in turn, waits at the same cost would be shorter`,
    );
  for (const model of models) notes.push(...notesOfModel(model));
  return notes;
}

function notesOfModel(model: FittedModel): string[] {
  const { parameters } = model;
  const top = predict(model, model.fittedRps.high);
  const notes: string[] = [];
  if (parameters.kind === 'mg1') {
    if (wide(parameters.muRps))
      notes.push(
        `M/G/1: μ is only known to ${ends(parameters.muRps, '/s')}: the steady rates, to ${fixed(model.fittedRps.high)}/s, hardly show where the loop saturates`,
      );
    if (parameters.cv2.value < AT_BOUND)
      notes.push(
        'M/G/1: CV² comes out at 0, the least there is: requests wait less than M/G/1 says, or no more than at equal services; the intervals of the other parameters are too narrow then',
      );
    else if (wide(parameters.cv2))
      notes.push(
        top.rho < FAR_BELOW
          ? `M/G/1: CV² is only known to ${ends(parameters.cv2, '')}: it shows near saturation, and the highest steady rate is at ρ = ${fixed(top.rho)}`
          : `M/G/1: CV² is only known to ${ends(parameters.cv2, '')}`,
      );
  } else if (wide(parameters.turnMs) || wide(parameters.requestMs))
    notes.push(
      `gated loop: a turn is only known to ${ends(parameters.turnMs, ' ms')} and a request in it to ${ends(parameters.requestMs, ' ms')}`,
    );
  const { residuals } = model;
  const worst = [...residuals].sort((a, b) => distance(b) - distance(a))[0];
  if (worst !== undefined && worst.predictedMs === null)
    notes.push(
      `${model.kind === 'mg1' ? 'M/G/1' : 'gated loop'}: without ${fixed(worst.rateRps)}/s in the fit it says that there is no steady state there, and there was`,
    );
  return notes;
}

const distance = ({ measuredMs, predictedMs }: Residual): number =>
  predictedMs === null ? Number.POSITIVE_INFINITY : Math.abs(predictedMs - measuredMs);

const ends = ({ low, high }: Estimate, unit: string): string => {
  if (low === null) return high === null ? 'no interval at all' : `${fixed(high)}${unit} or less`;
  return high === null ? `${fixed(low)}${unit} or more` : `${fixed(low)} to ${fixed(high)}${unit}`;
};
