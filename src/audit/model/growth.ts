/** Beyond its capacity a queue has no steady state: the delay grows for as long as requests come. Pure. */
import { growthPerSecond, meanDelayOfRun } from '../../measure/queue/fluid.ts';
import type { Growth } from './document.ts';

/**
 * How the delay grows at a rate, by the fluid limit of src/measure/queue/fluid.ts. `dueS` is the clock of the mean: in which the requests were due at
 * the asked rate, not the longer time in which a late client sent them. Times in s, rates in requests/s. null at or below capacity.
 */
export function growthOf(
  askedRps: number,
  capacityRps: number,
  dueS: number,
  capacityBy: Growth['capacity_by'],
  measuredMs: number | null,
): Growth | null {
  if (!(capacityRps > 0) || askedRps <= capacityRps) return null;
  const meanMs = 1000 * meanDelayOfRun(askedRps, capacityRps, dueS);
  return {
    duration_s: dueS,
    growth_ms_per_s: 1000 * growthPerSecond(askedRps, capacityRps),
    mean_of_run_ms: meanMs,
    measured_over_predicted: measuredMs === null ? null : measuredMs / meanMs,
    capacity_rps: capacityRps,
    capacity_by: capacityBy,
  };
}
