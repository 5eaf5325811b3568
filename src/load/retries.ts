/**
 * Sends refused requests again after the server’s Retry-After, when told to (`--retry-after`). A request stays one request: its scheduled instant, number and
 * id are those of its first try, the wait is in every figure from the scheduled instant, and what is recorded is its last try. While it waits it holds no
 * connection and no place of `--max-in-flight`, but the run does not end.
 */
import { NANOS_PER_MS, NANOS_PER_S } from '../measure/time.ts';
import { copyOf, type Seen } from './faults/fault.ts';
import { OUTCOME } from './outcome.ts';
import { isRefusal, waitOf } from './retry-after.ts';

/** Tries of one request at most, the first one included. */
export const MAX_TRIES = 5;
/** Time that one request may wait for Retry-After in all, s. */
export const MAX_WAIT_S = 120;

/** What came of it. Sums over workers. */
export interface RetryCounts {
  /** Requests that were sent again at least once. */
  retried: number;
  /** Times that a request was sent again. */
  resent: number;
  /** Of `retried`: complete in the end. */
  recovered: number;
  /** Refused with a Retry-After that was not heeded: the tries were used up … */
  outOfTries: number;
  /** … or it asked for more time than there was left … */
  tooLong: number;
  /** … or it was neither whole seconds nor a date … */
  unreadable: number;
  /** … or the run ended while it waited. */
  cutOff: number;
  /** Time that requests waited for Retry-After until they were sent again, and the longest of these waits, ns. */
  waitedNs: number;
  longestNs: number;
}

export const emptyRetryCounts = (): RetryCounts => ({
  retried: 0,
  resent: 0,
  recovered: 0,
  outOfTries: 0,
  tooLong: 0,
  unreadable: 0,
  cutOff: 0,
  waitedNs: 0,
  longestNs: 0,
});

/** Sums; the longest is the longest of all. */
export function mergeRetryCounts(all: readonly RetryCounts[]): RetryCounts {
  const sum = emptyRetryCounts();
  for (const counts of all)
    for (const key of Object.keys(sum) as (keyof RetryCounts)[])
      sum[key] = key === 'longestNs' ? Math.max(sum[key], counts[key]) : sum[key] + counts[key];
  return sum;
}

/** A request as it ended, which the connection may now be told the number of its tries. */
export type Refusable = Seen & { tries: number; firstSentNs: number; failure: string };

/** What it needs of the run; a test gives its own. */
export interface RetryHost {
  /** ms since the epoch, for dates. */
  readonly wallMs: () => number;
  /** Runs `step` after so many ms. */
  readonly later: (ms: number, step: () => void) => void;
  /** Hands a request to the connections. */
  readonly send: (index: number, scheduledNs: number) => void;
}

interface State {
  tries: number;
  readonly firstSentNs: number;
  waitedNs: number;
  /** The refused try, for when the run ends before the next one; null while that is under way. */
  refused: Seen | null;
}

const seconds = (ns: number): string => `${Number((ns / NANOS_PER_S).toFixed(3))} s`;

export class Retries {
  readonly counts = emptyRetryCounts();
  readonly #host: RetryHost;
  readonly #states = new Map<number, State>();
  #waiting = 0;
  #stopped = false;

  constructor(host: RetryHost) {
    this.#host = host;
  }

  /** Requests that wait to be sent again. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether it takes a request that has ended, to send it again. Else the request has ended for good, and is told how many tries it had. */
  takes(request: Refusable): boolean {
    const state = this.#states.get(request.index);
    const waitNs = this.#waitOf(request, state);
    if (waitNs !== null) {
      this.#wait(request, state, waitNs);
      return true;
    }
    if (state !== undefined) {
      request.tries = state.tries;
      request.firstSentNs = state.firstSentNs;
      if (request.outcome === OUTCOME.complete) this.counts.recovered++;
      this.#states.delete(request.index);
    }
    return false;
  }

  /** How long this one is to wait, ns; null where it is not sent again. */
  #waitOf(request: Refusable, state: State | undefined): number | null {
    if (request.outcome !== OUTCOME.httpError || !isRefusal(request.status) || request.retryAfter === '')
      return null;
    const { counts } = this;
    const waitNs = waitOf(request.retryAfter, request.answerDate, this.#host.wallMs());
    if (waitNs === null) {
      counts.unreadable++;
      request.failure += ` (its Retry-After is neither whole seconds nor a date: "${request.retryAfter.slice(0, 60)}")`;
      return null;
    }
    if ((state?.tries ?? 1) >= MAX_TRIES) {
      counts.outOfTries++;
      request.failure += ` (refused ${MAX_TRIES} times: no further try)`;
      return null;
    }
    if ((state?.waitedNs ?? 0) + waitNs > MAX_WAIT_S * NANOS_PER_S) {
      counts.tooLong++;
      request.failure += ` (Retry-After asked for ${Number.isFinite(waitNs) ? seconds(waitNs) : 'longer than can be said'}: more than the ${MAX_WAIT_S} s that a request may wait in all)`;
      return null;
    }
    return waitNs;
  }

  #wait(request: Refusable, before: State | undefined, waitNs: number): void {
    const { counts } = this;
    const state = before ?? { tries: 1, firstSentNs: request.sentNs, waitedNs: 0, refused: null };
    if (before === undefined) this.#states.set(request.index, state);
    state.waitedNs += waitNs;
    state.refused = { ...copyOf(request), tries: state.tries, firstSentNs: state.firstSentNs };
    this.#waiting++;
    const { index, scheduledNs } = request;
    // Rounded up: never before the time that the server named.
    this.#host.later(Math.ceil(waitNs / NANOS_PER_MS), () => {
      if (this.#stopped) return;
      this.#waiting--;
      state.refused = null;
      // What the run's end cuts off was not sent again, and has not waited for so long.
      counts.waitedNs += waitNs;
      counts.longestNs = Math.max(counts.longestNs, waitNs);
      if (state.tries === 1) counts.retried++;
      state.tries++;
      counts.resent++;
      this.#host.send(index, scheduledNs);
    });
  }

  /** The run ends: those that wait have ended with the try that was refused. */
  stop(keep: (refused: Seen) => void): void {
    this.#stopped = true;
    for (const { refused } of this.#states.values()) {
      if (refused === null) continue;
      this.counts.cutOff++;
      keep({ ...refused, failure: `${refused.failure} (the run ended before it was to be sent again)` });
    }
    this.#waiting = 0;
  }

  /** Tells a request that the run’s end cut off how often it was sent. */
  tell(request: Refusable): void {
    const state = this.#states.get(request.index);
    if (state === undefined) return;
    request.tries = state.tries;
    request.firstSentNs = state.firstSentNs;
  }
}
