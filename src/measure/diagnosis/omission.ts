/**
 * What requests waited before they were sent and no latency holds. For a client that says its t0 is the scheduled instant, under equal
 * gaps: t0 of the i-th request must then be i/R after the first; where it is later, the clock was started late by that.
 */
import { type Estimate, estimate, meanOf } from './estimate.ts';
import type { Evidence, Pairs } from './evidence.ts';

/** Of the mean wait this share must be missing, so that a wait that is on the books is not taken for an omitted one. */
const LEAST_SHARE = 0.2;

export interface Omission {
  /** Mean of what is in no latency, ms a request; positive. */
  readonly omitted: Estimate;
  /** Longest wait, ms. */
  readonly longestMs: number;
}

/** Waits against i/R from their least one on, ms. */
function behind(instants: Float64Array, place: Int32Array, gapMs: number): Float64Array {
  const late = instants.map((at, k) => at - place[k]! * gapMs);
  const least = late.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  return late.map((value) => value - least);
}

/**
 * The omitted wait, or null where there is none above the tolerance, or where it cannot be told: other arrivals than equal gaps, another t0
 * stated, or a number of requests that was not the planned one, so that which was due when is not known.
 */
export function omissionOf(evidence: Evidence, pairs: Pairs): Omission | null {
  const { stated, workload, toleranceMs, ledger, first } = evidence;
  if (stated.definitions.t0 !== 'scheduled' || stated.constantIsPoisson) return null;
  if (workload.arrivals.kind !== 'constant' || pairs.n < 30 || ledger.rows - first !== workload.requests)
    return null;
  const gapMs = 1000 / workload.rateRps;
  const { place } = pairs;
  const stamped = !pairs.start.some(Number.isNaN);
  const wait = behind(pairs.arrival.toSorted(), place, gapMs);
  // With a t0 of its own it shows directly; else as a wait that the latencies lack.
  const omitted = stamped
    ? behind(pairs.start, place, gapMs)
    : wait.map((value, k) => Math.max(0, value - Math.max(0, pairs.ttft[k]!)));
  const size = estimate(omitted, meanOf);
  const longestMs = omitted.reduce((high, value) => Math.max(high, value), 0);
  // Senders that share a schedule may each have a grid of their own: within a gap that is no wait.
  if (longestMs <= Math.max(toleranceMs, 1.5 * gapMs)) return null;
  // Of this trial's requests it is measured, not estimated: a stall or two in a run make any interval wide.
  if (!(size.size > toleranceMs) || size.size < LEAST_SHARE * meanOf(wait)) return null;
  return { omitted: size, longestMs };
}
