/** Whether a model predicts better than the other one by more than chance. */
import { mixSeed, uniform } from '../random.ts';
import { drawn, errorScale } from './bootstrap.ts';
import type { FitModelOptions } from './fit-model.ts';
import { heldOutErrors, heldOutResiduals } from './held-out.ts';
import { solve } from './least-squares.ts';
import { FIGURES, observe } from './observations.ts';
import type { CurvePoint, ModelKind } from './types.ts';

/** Curves that are drawn: where one of them is as good as the one found, or none, chance gives it in a twentieth of all. */
const DRAWS = 39;

/**
 * Were `worse` the truth, how probable it would be that `better` predicts held-out rates better than it by `advantage` or more (a difference
 * of held-out errors); a probability above `enough` is not worked out to the end. The greater one of two:
 * - by curves drawn from the fit of `worse`, with errors as large as `better` leaves; both models are fitted to each;
 * - by the likelihoods of the two fits: one that is wrong is k times as likely as the true one with a probability of 1/k at most (Markov). The
 *   models have as many parameters. The two figures share their errors and count as one. Held-out errors hang on the highest rate, the extrapolated
 *   one, and there luck of one sign can favour the wrong model.
 */
export function chanceOfAdvantage(
  { better, worse, advantage }: { better: ModelKind; worse: ModelKind; advantage: number },
  points: readonly CurvePoint[],
  { loops, split, seed, holdOut }: Omit<FitModelOptions, 'resamples'>,
  enough: number,
): number {
  const setting = { loops, split };
  const observations = observe(points);
  const fitted = observations.filter(({ rateRps }) => !holdOut.includes(rateRps));
  const [truth, other] = [solve(worse, fitted, setting), solve(better, fitted, setting)];
  const scale = errorScale(other, fitted);
  const figures = FIGURES.filter((figure) => truth.bases[figure] !== undefined).length;
  const ratio = Math.exp((other.squares - truth.squares) / (2 * figures * scale ** 2));
  if (ratio > enough) return Math.min(1, ratio);
  const error = (kind: ModelKind, data: typeof observations) =>
    heldOutErrors(heldOutResiduals(kind, data, setting, holdOut, (kind === worse ? truth : other).starts))
      .heldOutError ?? 0;
  let asGood = 1;
  for (let draw = 0; draw < DRAWS && asGood <= enough * (DRAWS + 1); draw++) {
    const data = drawn(truth, observations, setting, scale, uniform(mixSeed(seed, 3), draw));
    if (error(worse, data) - error(better, data) >= advantage) asGood++;
  }
  return Math.max(ratio, asGood / (DRAWS + 1));
}
