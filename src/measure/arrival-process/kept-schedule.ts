/** Is a constant schedule kept, though the machine makes many arrivals late? Then lateness comes and goes, and n/R stays. */

/** Arrivals this near to their instant are on time, ms. */
const ON_TIME_MS = 3;
/** At least this share is on time, and no more than that is early. */
const LEAST_ON_TIME = 0.25;
const MOST_EARLY = 0.02;

/**
 * Ascending instants (ms) of a schedule of equal gaps, the late ones put where they were due; null where too few were on time, or some
 * were early: a random process wanders off its mean rate, and waits for nobody.
 */
export function keptSchedule(at: Float64Array, gapMs: number): Float64Array | null {
  const n = at.length;
  const lateness = Float64Array.from(at, (t, i) => t - i * gapMs);
  const sorted = Float64Array.from(lateness).sort();
  // Far narrower than what a random process wanders by, gap·√n.
  const width = Math.min(ON_TIME_MS, (gapMs * Math.sqrt(n)) / 20);
  let most = 0;
  let start = 0;
  for (let low = 0, high = 0; low < n; low++) {
    while (high < n && sorted[high]! <= sorted[low]! + width) high++;
    if (high - low > most) {
      most = high - low;
      start = low;
    }
  }
  if (most < LEAST_ON_TIME * n || start > MOST_EARLY * n) return null;
  const due = sorted[start]!;
  return lateness.map((late, i) => (late > due + width ? due : late) + i * gapMs).sort();
}
