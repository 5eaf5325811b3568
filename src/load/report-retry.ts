/** What a load report says of answers that asked to wait (Retry-After). */
import type { WorkerVitals } from './messages.ts';
import { MAX_TRIES, MAX_WAIT_S, mergeRetryCounts } from './retries.ts';

export interface RetryReport {
  /** Whether Retry-After was heeded (`--retry-after`). */
  readonly followed: boolean;
  /** Tries of a request at most, and s that it may wait in all; null where it was not heeded. */
  readonly limits: { readonly tries: number; readonly wait_s: number } | null;
  /** Requests that ended refused (429 or 503) with a Retry-After. */
  readonly refused_with_header: number;
  /** Requests that were sent again at least once, and how often that was in all. */
  readonly retried: number;
  readonly resent: number;
  /** Of `retried`: complete in the end. */
  readonly recovered: number;
  /** Why it was not heeded (any more): tries used up, too long a wait, neither seconds nor a date, the run’s end. */
  readonly given_up: {
    readonly tries: number;
    readonly wait: number;
    readonly unreadable: number;
    readonly cut_off: number;
  };
  /** Time that requests waited for it in all, and the longest wait; in the figures from the scheduled instant. */
  readonly waited_s: number;
  readonly longest_wait_s: number;
}

/** Sums over workers. */
export function retryReport(
  followed: boolean,
  refusedWithHeader: number,
  vitals: readonly WorkerVitals[],
): RetryReport {
  const sum = mergeRetryCounts(vitals.flatMap(({ retries }) => retries ?? []));
  return {
    followed,
    limits: followed ? { tries: MAX_TRIES, wait_s: MAX_WAIT_S } : null,
    refused_with_header: refusedWithHeader,
    retried: sum.retried,
    resent: sum.resent,
    recovered: sum.recovered,
    given_up: {
      tries: sum.outOfTries,
      wait: sum.tooLong,
      unreadable: sum.unreadable,
      cut_off: sum.cutOff,
    },
    waited_s: sum.waitedNs / 1e9,
    longest_wait_s: sum.longestNs / 1e9,
  };
}
