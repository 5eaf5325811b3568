/** Which model is shown: the one that predicts rates it has not seen, not the one that looks better. */
import { RATES_FOR_HELD_OUT } from './held-out.ts';
import type { FittedModel, ModelKind } from './types.ts';

/** The better model must predict held-out rates this many times as well as the other one, or they are as good. */
export const MARGIN = 1.25;
/** A model whose held-out error is greater than this, and than twice what the standard errors alone give, explains nothing. */
export const EXPLAINS = 0.25;

export interface Choice {
  readonly chosen: ModelKind | null;
  readonly tie: boolean;
  readonly why: string;
}

const NAMES: Readonly<Record<ModelKind, string>> = {
  mg1: 'the queue with a constant cost of a request (M/G/1)',
  gated: 'the gated loop (a turn with n requests costs a + b·n)',
};

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

/** A difference that chance gives more often than this, were the other model the truth, decides nothing. */
export const BY_CHANCE = 0.05;

/** What `chanceOfAdvantage` says of two models. */
export type Chance = (found: { better: ModelKind; worse: ModelKind; advantage: number }) => number;

type Scored = FittedModel & { readonly error: number };

const limitOf = ({ heldOutNoise }: FittedModel): number => Math.max(EXPLAINS, 2 * (heldOutNoise ?? 0));

/**
 * Why a model is out of the question; null where it is not. Each model is held to its own limit, and not only the better one. A refuted one is out
 * where the other is not refuted: its parameters are those of a curve that was not measured, whatever luck it has at one extrapolated rate.
 */
function fault(model: Scored, models: readonly Scored[]): string | null {
  if (model.unsound !== null) return model.unsound;
  const limit = limitOf(model);
  if (model.error > limit)
    return `it is ${percent(model.error)} off at rates it was not fitted to, and the limit is ${percent(limit)}`;
  const isFit = (other: Scored) =>
    other !== model && !other.refuted && other.unsound === null && other.error <= limitOf(other);
  return model.refuted && models.some(isFit)
    ? 'the rates that it was fitted to are farther off than their errors allow (χ², 1 %)'
    : null;
}

/** `rates`: how many distinct ones there are to fit. */
export function choose(models: readonly FittedModel[], rates: number, chance: Chance): Choice {
  const scored = models
    .flatMap((model): Scored[] =>
      model.heldOutError === null ? [] : [{ ...model, error: model.heldOutError }],
    )
    .sort((a, b) => a.error - b.error);
  const [first] = scored;
  if (first === undefined) return { chosen: null, tie: false, why: tooFewWords(rates) };
  const faults = new Map(scored.map((model) => [model, fault(model, scored)]));
  const [best, other] = scored.filter((model) => faults.get(model) === null);
  if (best === undefined)
    return {
      chosen: null,
      tie: false,
      why: `the model does not explain this client: ${scored.map((model) => `${NAMES[model.kind]}: ${faults.get(model)}`).join('; ')}`,
    };
  const errors = `held-out error ${percent(best.error)}`;
  if (other === undefined) {
    const left = scored.find((model) => model !== best);
    const rest = left === undefined ? '' : `; not ${NAMES[left.kind]}: ${faults.get(left)}`;
    return { chosen: best.kind, tie: false, why: `${NAMES[best.kind]}: ${errors}${rest}` };
  }
  const isNear = other.error < MARGIN * best.error;
  const tie =
    isNear ||
    chance({ better: best.kind, worse: other.kind, advantage: other.error - best.error }) > BY_CHANCE;
  if (!tie)
    return {
      chosen: best.kind,
      tie,
      why: `${NAMES[best.kind]}: ${errors}, of the other model ${percent(other.error)}`,
    };
  const shown = isNear ? 'mg1' : best.kind;
  return {
    chosen: shown,
    tie,
    why: `both models are in question: they predict held-out rates about as well, or differ by no more than chance (M/G/1 ${percent(errorOf(scored, 'mg1'))}, gated ${percent(errorOf(scored, 'gated'))}). Shown is ${isNear ? 'the simpler one' : 'the one that predicts better'}, ${NAMES[shown]}, and the truth may be the other: the greatest rate is given as the range of both`,
  };
}

/** Of a curve with too few rates to fit and to predict one. */
export const tooFewWords = (rates: number): string =>
  `too few steady rates: ${rates}, and a model needs ${RATES_FOR_HELD_OUT} of them (more than 2 % apart), one of which is predicted from the others`;

const errorOf = (scored: readonly Scored[], kind: ModelKind): number =>
  scored.find((model) => model.kind === kind)!.error;
