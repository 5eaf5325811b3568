/** Whether a model predicts better than the other one by more than chance. */
import { mixSeed, uniform } from '../random.ts';
import { drawn, errorScale } from './bootstrap.ts';
import type { FitModelOptions } from './fit-model.ts';
import { heldOutErrors, heldOutResiduals } from './held-out.ts';
import { solve } from './least-squares.ts';
import { observe } from './observations.ts';
import type { CurvePoint, ModelKind } from './types.ts';

/** Curves that are drawn: with one as good as the one found, or none, chance gives it in a twentieth of all. */
const DRAWS = 39;

/**
 * Were `worse` the truth, how probable it would be that `better` predicts held-out rates better than it by `advantage` or more (a difference
 * of held-out errors). By curves drawn from the fit of `worse`, with errors as large as `better` leaves; both models are fitted to each.
 */
export function chanceOfAdvantage(
  { better, worse, advantage }: { better: ModelKind; worse: ModelKind; advantage: number },
  points: readonly CurvePoint[],
  { loops, split, seed, holdOut }: Omit<FitModelOptions, 'resamples'>,
): number {
  const setting = { loops, split };
  const observations = observe(points);
  const fitted = observations.filter(({ rateRps }) => !holdOut.includes(rateRps));
  const [truth, other] = [solve(worse, fitted, setting), solve(better, fitted, setting)];
  const scale = errorScale(other, fitted);
  const error = (kind: ModelKind, data: typeof observations) =>
    heldOutErrors(heldOutResiduals(kind, data, setting, holdOut, (kind === worse ? truth : other).at))
      .heldOutError ?? 0;
  let asGood = 1;
  for (let draw = 0; draw < DRAWS; draw++) {
    const data = drawn(truth, observations, setting, scale, uniform(mixSeed(seed, 3), draw));
    if (error(worse, data) - error(better, data) >= advantage) asGood++;
  }
  return asGood / (DRAWS + 1);
}
