/** What the audit's side of the model needs of the mathematics (src/measure/queue): handed in, so that tests see what is asked of it. */
import { fitQueue } from '../../measure/queue/fit.ts';
import { predict } from '../../measure/queue/predict.ts';
import type { CurvePoint, FittedModel, Prediction, QueueFit } from '../../measure/queue/types.ts';

export interface QueueTools {
  readonly fit: (
    points: readonly CurvePoint[],
    options: { readonly loops: number; readonly seed: number; readonly holdOut?: readonly number[] },
  ) => QueueFit;
  readonly predict: (model: FittedModel, rateRps: number) => Prediction;
}

/** The real ones. */
export const queueTools: QueueTools = { fit: fitQueue, predict };
