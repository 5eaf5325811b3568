/** Beyond its capacity a queue has no steady state: the delay grows for as long as requests come. Pure. */
import type { Growth } from './document.ts';

/**
 * The fluid limit of a queue that gets λ and serves μ < λ, empty at first: an answer that is read at time t waited (1 − μ/λ)·t, and a request that
 * came at time t waits (λ/μ − 1)·t, half of that at the run's end on the mean. Times in s, rates in requests/s. null at or below capacity.
 * Source: G. F. Newell, "Applications of Queueing Theory", 2nd ed. 1982, ch. 2 (cumulative arrivals and departures as a fluid).
 */
export function growthOf(
  askedRps: number,
  capacityRps: number,
  durationS: number,
  capacityBy: Growth['capacity_by'],
): Growth | null {
  if (!(capacityRps > 0) || askedRps <= capacityRps) return null;
  return {
    duration_s: durationS,
    growth_ms_per_s: 1000 * (1 - capacityRps / askedRps),
    mean_of_run_ms: (1000 * (askedRps / capacityRps - 1) * durationS) / 2,
    capacity_rps: capacityRps,
    capacity_by: capacityBy,
  };
}
