/** A world without waiting: steps happen in the order of their instants, and the clock stands at each one's. */
import type { PacerHost } from '../../src/load/pacer.ts';

/** A turn of the loop. */
const TURN_NS = 10_000;

export class FakeTime implements PacerHost {
  at: number;
  readonly #steps: { at: number; step: () => void }[] = [];

  constructor(at = 0) {
    this.at = at;
  }
  /** An arrow, since it is handed on alone; each look takes a nanosecond, so that a busy loop comes to its end. */
  readonly now = (): number => this.at++;

  immediate(step: () => void): void {
    this.#steps.push({ at: this.at + TURN_NS, step });
  }
  wakeAt(instant: number, step: () => void): void {
    this.#steps.push({ at: Math.max(this.at, instant), step });
  }
  /** Until nothing is pending, or `untilNs`. */
  run(untilNs = Number.POSITIVE_INFINITY): void {
    for (;;) {
      this.#steps.sort((a, b) => a.at - b.at);
      const next = this.#steps[0];
      if (next === undefined || next.at > untilNs) return;
      this.#steps.shift();
      this.at = Math.max(this.at, next.at);
      next.step();
    }
  }
}
