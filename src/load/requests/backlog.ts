/** Whether a backlog grew in a run whose requests are of unlike lengths. */

/** Requests under way at the last send, above this multiple of what Little's law has for a steady run … */
export const MAX_OVER_LITTLE = 1.25;
/** … and this many standard deviations of a Poisson count more. */
const DEVIATIONS = 3;

/**
 * The window of completions is of no use there: the longest answer draws it out, though nothing waits. In a steady run L = λ·W requests are under way (Little), W
 * being the mean E2E from sent. Where the delay grows along a line, the last ones wait up to twice as long as the mean one, and as many more are under way.
 * `ratePerS`: λ; `meanS`: W. A run shorter than its answers has fewer under way, and passes.
 */
export function backlogGrew(underWay: number, ratePerS: number, meanS: number): boolean {
  const steady = ratePerS * meanS;
  return underWay > MAX_OVER_LITTLE * steady + DEVIATIONS * Math.sqrt(steady);
}
