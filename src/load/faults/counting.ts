/** Faults of what is counted. */
import { OUTCOME } from '../outcome.ts';
import { copyOf, type Seen } from './fault.ts';

/** `drop-failures`: a request that failed has never been. */
export const withoutFailures = (ended: Seen): Seen | null =>
  ended.outcome === OUTCOME.complete ? ended : null;

/** `error-as-success`: an error in the stream is passed over; without a token the answer is still none. */
export function errorAsSuccess(ended: Seen): Seen {
  if (ended.outcome !== OUTCOME.errorInStream) return ended;
  const copy = copyOf(ended);
  copy.outcome = Number.isNaN(ended.lastNs) ? OUTCOME.noTokens : OUTCOME.complete;
  copy.failure = '';
  return copy;
}

/** `count-plus`: `more` events that hold no token are counted as tokens, by either source. */
export const countMore =
  (more: number) =>
  (ended: Seen): Seen => {
    if (ended.outcome !== OUTCOME.complete) return ended;
    const copy = copyOf(ended);
    copy.tokens += more;
    if (copy.completionTokens >= 0) copy.completionTokens += more;
    return copy;
  };
