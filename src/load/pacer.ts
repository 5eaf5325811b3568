/**
 * Sends each request at its instant. Spinning: sleep until about 2 ms before, then turn the event loop until it is due: tens of microseconds
 * where a core is free for it, since a timer alone is late by up to a millisecond. Blocking: wait in the kernel, for when cores are shared. The instants are
 * absolute, so lateness does not add up.
 */
import { NANOS_PER_MS } from '../measure/time.ts';

/** What pacing needs of the world; a test gives its own. */
export interface PacerHost {
  /** ns of CLOCK_MONOTONIC. */
  now(): number;
  /** Runs `step` in the next turn of the event loop. */
  immediate(step: () => void): void;
  /** Runs `step` at about the instant: not much earlier, and late by what the kernel takes. */
  wakeAt(instantNs: number, step: () => void): void;
}

export interface Arrivals {
  /** The next arrival's instant; NaN when there is none. */
  readonly dueNs: number;
  /** Sends it and moves on to the one after. */
  send(): void;
}

export type Pacing = 'spin' | 'block';

/** Before this the loop is turned instead of sleeping. */
export const SPIN_NS = 2 * NANOS_PER_MS;
/** Requests sent in one turn of the loop: when behind, answers are read in between, or their waiting would be taken for the server's. */
export const MAX_BURST = 4;

/** Runs until there are no arrivals left, or `stop` is called. */
export class Pacer {
  /** Turns of the loop so far. */
  turns = 0;
  #stopped = false;
  readonly #host: PacerHost;
  readonly #arrivals: Arrivals;
  readonly #pacing: Pacing;
  readonly #step: () => void;

  constructor(host: PacerHost, arrivals: Arrivals, pacing: Pacing) {
    this.#host = host;
    this.#arrivals = arrivals;
    this.#pacing = pacing;
    this.#step = () => this.#turn();
  }

  start(): void {
    this.#turn();
  }

  stop(): void {
    this.#stopped = true;
  }

  #turn(): void {
    if (this.#stopped) return;
    this.turns++;
    const arrivals = this.#arrivals;
    const host = this.#host;
    let now = host.now();
    for (let sent = 0; arrivals.dueNs <= now; now = host.now()) {
      if (sent++ === MAX_BURST) {
        host.immediate(this.#step);
        return;
      }
      arrivals.send();
    }
    const gap = arrivals.dueNs - now;
    if (Number.isNaN(gap)) return;
    if (this.#pacing === 'block') host.wakeAt(arrivals.dueNs, this.#step);
    else if (gap > SPIN_NS) host.wakeAt(arrivals.dueNs - SPIN_NS, this.#step);
    else host.immediate(this.#step);
  }
}
