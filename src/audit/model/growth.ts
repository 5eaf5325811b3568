/** Beyond its capacity a queue has no steady state: the delay grows for as long as requests come. Pure. */
import type { Growth } from './document.ts';

/**
 * The fluid limit of a queue that gets λ and serves μ < λ, empty at first: an answer that is read at time t waited (1 − μ/λ)·t, and a request that
 * was due at time t waits (λ/μ − 1)·t, half of that at the end on the mean. `dueS` is the clock of the second: in which the requests were due at
 * λ, not the longer time in which a late client sent them. Times in s, rates in requests/s. null at or below capacity.
 * Source: G. F. Newell, "Applications of Queueing Theory", 2nd ed. 1982, ch. 2 (cumulative arrivals and departures as a fluid).
 */
export function growthOf(
  askedRps: number,
  capacityRps: number,
  dueS: number,
  capacityBy: Growth['capacity_by'],
  measuredMs: number | null,
): Growth | null {
  if (!(capacityRps > 0) || askedRps <= capacityRps) return null;
  const meanMs = (1000 * (askedRps / capacityRps - 1) * dueS) / 2;
  return {
    duration_s: dueS,
    growth_ms_per_s: 1000 * (1 - capacityRps / askedRps),
    mean_of_run_ms: meanMs,
    measured_over_predicted: measuredMs === null ? null : measuredMs / meanMs,
    capacity_rps: capacityRps,
    capacity_by: capacityBy,
  };
}
