/** Faults of how often a request is sent: not at all, or twice. */
import { uniform } from '../../measure/random.ts';
import { OUTCOME } from '../outcome.ts';
import { copyOf, type Fault, type Seen, withInstants } from './fault.ts';

/** Random streams of the choice of requests. */
const LOST_STREAM = 12;
const TWICE_STREAM = 13;

/**
 * Chooses a share of the numbers: one at random in each stretch of 1 / share of them. So a short run has the share that was asked to within
 * one request, which independent draws would miss by a quarter of it now and then.
 */
export const chooser = (share: number, seed: number, stream: number) => {
  const isOf = (stretch: number, index: number): boolean =>
    Math.floor((stretch + uniform(seed, stream, stretch)()) / share) === index;
  return (index: number): boolean => {
    const first = Math.floor(index * share);
    const last = Math.floor((index + 1) * share);
    // A stretch that begins within this number may choose it, too.
    return isOf(first, index) || (last > first && isOf(last, index));
  };
};

/** The record of a request that was never sent: the figures of another one, moved to its own instant. */
export function repeated(like: Seen, index: number, scheduledNs: number): Seen {
  const later = scheduledNs - like.scheduledNs;
  const copy = withInstants(like, (ns) => ns + later);
  copy.index = index;
  copy.scheduledNs = scheduledNs;
  copy.scanner = { id: like.scanner.id, idLength: 0 };
  return copy;
}

/** `lost-requests`: a share is never sent. Its records are made when there is a request before them that was complete. */
export function losing(share: number, seed: number): Fault {
  const isLost = chooser(share, seed, LOST_STREAM);
  let last: Seen | null = null;
  let waiting: { index: number; scheduledNs: number }[] = [];
  let keep: (seen: Seen) => void = () => {};
  const make = (): void => {
    if (last === null) return;
    const due = waiting;
    waiting = [];
    for (const { index, scheduledNs } of due) keep(repeated(last, index, scheduledNs));
  };
  return {
    arrivals(inner, run) {
      keep = run.keep;
      return {
        get dueNs() {
          return inner.dueNs;
        },
        send() {
          if (!isLost(inner.index)) return inner.send();
          waiting.push({ index: inner.index, scheduledNs: inner.dueNs });
          inner.skip();
          make();
          run.settle();
        },
      };
    },
    see(ended) {
      if (ended.outcome !== OUTCOME.complete) return ended;
      last = copyOf(ended);
      make();
      return ended;
    },
  };
}

/** Second sendings have this added to their number: their ids differ, and their bodies (nine digits of it) do not. */
const AGAIN = 1e9;

/** `duplicate`: a share is sent twice at once, and the second one is not looked at. */
export function duplicated(share: number, seed: number): Fault {
  const isDouble = chooser(share, seed, TWICE_STREAM);
  return {
    arrivals: (inner, run) => ({
      get dueNs() {
        return inner.dueNs;
      },
      send() {
        const { index, dueNs } = inner;
        inner.send();
        if (isDouble(index)) run.send(AGAIN + index, dueNs);
      },
    }),
    see: (ended) => (ended.index >= AGAIN ? null : ended),
  };
}
