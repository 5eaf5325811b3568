/** A solution of the fit in the words and units of its parameters. */
import type { Solution } from './least-squares.ts';
import type { ParameterValues } from './types.ts';

export function valuesOfSolution({ shape, bases }: Solution): ParameterValues {
  const both = { ttftBaseMs: bases.ttft ?? null, e2eBaseMs: bases.e2e ?? null };
  return shape.kind === 'mg1'
    ? { kind: 'mg1', muRps: 1000 / shape.serviceMs, cv2: shape.cv2, ...both }
    : { kind: 'gated', turnMs: shape.turnMs, requestMs: shape.requestMs, ...both };
}
