/**
 * An alarm for a process with a core of its own: a timer until shortly before the instant (timers are good to a
 * millisecond or so), then the event loop is turned without sleeping until it is due, which keeps serving its sockets.
 */
import type { Alarm } from './pacer.ts';

/** Timers of the event loop, handed in so that tests need not wait. */
export interface LoopTimers {
  /** Calls back after whole milliseconds; the function returned cancels it. */
  after(ms: number, call: () => void): () => void;
  /** Calls back on the loop's next turn, after its sockets. */
  nextTurn(call: () => void): void;
}

export const loopTimers: LoopTimers = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  nextTurn: (call) => void setImmediate(call),
};

/** A timer of d ms may ring after d + 1.x ms; so it is set to end 1 ms early, and under 2 ms there is none. */
const SPIN_NS = 2e6;

export class SpinAlarm implements Alarm {
  onRing: () => void = () => {};
  readonly #now: () => number;
  readonly #timers: LoopTimers;
  #dueNs = Number.POSITIVE_INFINITY;
  #spinning = false;
  #cancel: (() => void) | null = null;

  constructor(now: () => number, timers: LoopTimers = loopTimers) {
    this.#now = now;
    this.#timers = timers;
  }

  set(dueNs: number): void {
    if (dueNs >= this.#dueNs) return;
    this.#dueNs = dueNs;
    if (!this.#spinning) this.#wait();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#dueNs = Number.POSITIVE_INFINITY;
  }

  /** Sleeps or turns, by how far the instant is. */
  #wait(): void {
    this.#cancel?.();
    this.#cancel = null;
    const gapNs = this.#dueNs - this.#now();
    if (gapNs <= SPIN_NS) {
      this.#spinning = true;
      this.#timers.nextTurn(this.#turn);
    } else {
      this.#cancel = this.#timers.after(Math.floor((gapNs - SPIN_NS) / 1e6) + 1, () => {
        this.#cancel = null;
        this.#wait();
      });
    }
  }

  readonly #turn = (): void => {
    if (this.#now() >= this.#dueNs) {
      this.#spinning = false;
      this.#dueNs = Number.POSITIVE_INFINITY;
      this.onRing();
    } else if (this.#dueNs - this.#now() > SPIN_NS) {
      this.#spinning = false;
      if (this.#dueNs !== Number.POSITIVE_INFINITY) this.#wait();
    } else {
      this.#timers.nextTurn(this.#turn);
    }
  };
}
