/** The greatest rate of a client's loops, by the model that is shown or, where two are as good, by both. */
import type { Estimate, FittedModel } from './types.ts';

/** Of all loops together, requests/s. An end is null where there is none. */
export function capacityOf({ parameters, loops }: FittedModel): Estimate {
  if (parameters.kind === 'mg1') {
    const { value, low, high } = parameters.muRps;
    const all = (end: number | null) => (end === null ? null : end * loops);
    return { value: value * loops, low: all(low), high: all(high) };
  }
  const { value, low, high } = parameters.requestMs;
  const rate = (end: number | null) => (end === null || end <= 0 ? null : (1000 * loops) / end);
  return { value: (1000 * loops) / value, low: rate(high), high: rate(low) };
}

/** The value is that of the first model, the ends hold both models' intervals; null of none. */
export function capacityOfAll(models: readonly FittedModel[]): Estimate | null {
  const all = models.map(capacityOf);
  if (all.length === 0) return null;
  const hull = (ends: readonly (number | null)[], of: (...values: number[]) => number) =>
    ends.some((end) => end === null) ? null : of(...(ends as number[]));
  return {
    value: all[0]!.value,
    low: hull(
      all.map(({ low }) => low),
      Math.min,
    ),
    high: hull(
      all.map(({ high }) => high),
      Math.max,
    ),
  };
}
