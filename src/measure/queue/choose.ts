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

/** `rates`: how many there are to fit. */
export function choose(models: readonly FittedModel[], rates: number, chance: Chance): Choice {
  const scored = models
    .flatMap((model) => (model.heldOutError === null ? [] : [{ ...model, error: model.heldOutError }]))
    .sort((a, b) => a.error - b.error);
  const [best, other] = scored;
  if (best === undefined)
    return {
      chosen: null,
      tie: false,
      why: `too little to choose a model by: ${rates} steady ${rates === 1 ? 'rate' : 'rates'}, and predicting one from the others needs ${RATES_FOR_HELD_OUT}`,
    };
  const limit = Math.max(EXPLAINS, 2 * (best.heldOutNoise ?? 0));
  if (best.error > limit)
    return {
      chosen: null,
      tie: false,
      why: `the model does not explain this client: the better one, ${NAMES[best.kind]}, is ${percent(best.error)} off at rates it was not fitted to, and the limit is ${percent(limit)}`,
    };
  if (other === undefined)
    return {
      chosen: best.kind,
      tie: false,
      why: `${NAMES[best.kind]}, held-out error ${percent(best.error)}`,
    };
  const tie =
    other.error < MARGIN * best.error ||
    chance({ better: best.kind, worse: other.kind, advantage: other.error - best.error }) > BY_CHANCE;
  const errors = `held-out error ${percent(best.error)}, of the other model ${percent(other.error)}`;
  return tie
    ? {
        chosen: 'mg1',
        tie,
        why: `both models predict held-out rates about as well, or differ by no more than chance; the simpler one is shown, ${NAMES.mg1} (M/G/1 ${percent(errorOf(scored, 'mg1'))}, gated ${percent(errorOf(scored, 'gated'))})`,
      }
    : { chosen: best.kind, tie, why: `${NAMES[best.kind]}: ${errors}` };
}

const errorOf = (scored: readonly { kind: ModelKind; error: number }[], kind: ModelKind): number =>
  scored.find((model) => model.kind === kind)!.error;
