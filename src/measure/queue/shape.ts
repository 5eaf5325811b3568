/**
 * The wait that a model adds to both TTFT and E2E at a rate, by the model's two shape parameters; the bases come on top. ms throughout.
 *
 * At a target without latency a request's events arrive together, so that a request is served as one piece: both figures wait for the same
 * queue, and differ by a constant, the time that the request's other events take (mg1.ts, `batchWaits`; gated.ts says the same of turns).
 */
import { growthPerSecond } from './fluid.ts';
import { gatedLoop } from './gated.ts';
import { loopArrivals, type Split } from './loops.ts';
import { waitGg1 } from './mg1.ts';
import type { ModelKind } from './types.ts';

/** How requests come to the loops. */
export interface Setting {
  readonly loops: number;
  readonly split: Split;
}

/** `mg1`: service time of a request, ms, and its CV². `gated`: cost of a turn and of a request in it, ms. */
export type Shape =
  | { readonly kind: 'mg1'; readonly serviceMs: number; readonly cv2: number }
  | { readonly kind: 'gated'; readonly turnMs: number; readonly requestMs: number };

/** Time that a request costs a loop when there is always another one, ms: the inverse of the loop's greatest rate. */
export const leastCostMs = (shape: Shape): number =>
  shape.kind === 'mg1' ? shape.serviceMs : shape.requestMs;

export const shapeOf = (kind: ModelKind, costMs: number, second: number): Shape =>
  kind === 'mg1' ? { kind, serviceMs: costMs, cv2: second } : { kind, requestMs: costMs, turnMs: second };

/** Mean wait at a rate, ms, and what share of the time a loop works; null without a steady state. */
export function waitAt(
  shape: Shape,
  { loops, split }: Setting,
  rateRps: number,
  gapCv2 = 1,
): { readonly waitMs: number; readonly busyShare: number } | null {
  const at = loopArrivals(rateRps, loops, split, gapCv2);
  if (shape.kind === 'mg1') {
    const mu = 1000 / shape.serviceMs;
    const wait = waitGg1(at.lambda, mu, shape.cv2, at.gapCv2);
    return wait === null ? null : { waitMs: 1000 * wait, busyShare: at.lambda / mu };
  }
  const state = gatedLoop(at.lambda, shape.turnMs / 1000, shape.requestMs / 1000);
  return state === null ? null : { waitMs: 1000 * state.wait, busyShare: state.busyShare };
}

/** Beyond saturation: growth of the delay of what is handled, ms for each second of the run; null where there is a steady state. */
export function growthMsPerS(shape: Shape, loops: number, rateRps: number): number | null {
  const [lambda, mu] = [rateRps / loops, 1000 / leastCostMs(shape)];
  return lambda < mu ? null : 1000 * growthPerSecond(lambda, mu);
}
