/** Faults of when a request leaves. */
import type { Arrivals } from '../pacer.ts';
import type { Share } from '../share.ts';
import type { FaultRun } from './fault.ts';

/** Each arrival leaves at another instant than it is due, in the same order. */
class Moved implements Arrivals {
  readonly #share: Share;
  readonly #leaves: (dueNs: number) => number;

  constructor(share: Share, leaves: (dueNs: number) => number) {
    this.#share = share;
    this.#leaves = leaves;
  }
  get dueNs(): number {
    return this.#leaves(this.#share.dueNs);
  }
  send(): void {
    this.#share.send();
  }
}

/** `late-send`: `lateNs` after its instant. */
export const lateSend =
  (lateNs: number) =>
  (share: Share): Arrivals =>
    new Moved(share, (dueNs) => dueNs + lateNs);

/** Instants that are sums of gaps are off by less than this share of a tick: such a one is on it. */
const ROUNDING = 1e-6;

/** `tick`: at the first multiple of `tickNs` after the start that is not before it. */
export const onTicks =
  (tickNs: number) =>
  (share: Share, { startNs }: FaultRun): Arrivals =>
    new Moved(share, (dueNs) => startNs + Math.ceil((dueNs - startNs) / tickNs - ROUNDING) * tickNs);

class Drifting implements Arrivals {
  dueNs: number;
  readonly #share: Share;
  readonly #extraNs: number;

  constructor(share: Share, extraNs: number) {
    this.#share = share;
    this.#extraNs = extraNs;
    this.dueNs = share.dueNs;
  }
  send(): void {
    const share = this.#share;
    const before = share.dueNs;
    share.send();
    this.dueNs += share.dueNs - before + this.#extraNs;
  }
}

/**
 * `sleep-drift`: the gap and `extraNs` after the one before. What our own sending is late by does not add up with it, so that the drift is
 * the dose whatever the machine does.
 */
export const sleepDrift =
  (extraNs: number) =>
  (share: Share): Arrivals =>
    new Drifting(share, extraNs);
