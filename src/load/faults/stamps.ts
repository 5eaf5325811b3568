/** Faults of which instants are taken, or of what is made of them. Each gives a request as the faulty client sees it. */
import { copyOf, type Seen, withInstants } from './fault.ts';

type See = (ended: Seen) => Seen;

/** Latencies count from the send, not from the schedule: the wait before it is left out. */
export const fromSend: See = (ended) => {
  const copy = copyOf(ended);
  if (!Number.isNaN(ended.sentNs)) copy.scheduledNs = ended.sentNs;
  return copy;
};

/** `chunk-itl`: of `size` token events one stamp is kept. */
export const chunkGaps =
  (size: number): See =>
  (ended) => {
    const copy = copyOf(ended);
    copy.stamps = copy.stamps.filter((_, i) => i % size === 0);
    copy.stampCount = copy.stamps.length;
    return copy;
  };

/** `ttft-in-itl`: the list of gaps begins at t0. */
export const ttftAsGap: See = (ended) => {
  const copy = copyOf(ended);
  if (ended.stampCount === 0) return copy;
  copy.stamps = Float64Array.of(ended.scheduledNs, ...copy.stamps);
  copy.stampCount++;
  return copy;
};

/** `end-at-done`: the last token's instant is that of the response's end. */
export const endAtDone: See = (ended) => {
  const copy = copyOf(ended);
  if (!Number.isNaN(ended.lastNs)) copy.lastNs = ended.endNs;
  return copy;
};

/** `coarse-clock`: every stamp, the scheduled one too, is cut down to a multiple of `stepNs`. */
export const coarse = (stepNs: number): See => {
  const cut = (ns: number): number => Math.floor(ns / stepNs) * stepNs;
  return (ended) => {
    const copy = withInstants(ended, cut);
    copy.scheduledNs = cut(ended.scheduledNs);
    return copy;
  };
};

/** `clock-scale`: every duration from the scheduled instant is longer by `share`; that instant itself is as it is. */
export const scaled =
  (share: number): See =>
  (ended) =>
    withInstants(ended, (ns) => ended.scheduledNs + (ns - ended.scheduledNs) * (1 + share));
