/** A worker's arrivals, sent over its connections. */
import type { ConnectionList } from './connection-list.ts';
import type { Arrivals } from './pacer.ts';

/** Every m-th arrival of a schedule; the warm-up's too, so that it runs the very code that is measured. */
export class Share implements Arrivals {
  dueNs = Number.NaN;
  /** Arrivals handed to the connections. */
  dispatched = 0;
  inFlightAtLastSend = 0;
  /** The next arrival's place in the schedule. */
  index: number;
  readonly #step: number;
  readonly #list: ConnectionList;
  readonly #next: () => number;
  readonly #startNs: number;

  /** `next`: offsets of the whole schedule from `startNs`, ns; NaN when there are no more. This share is `first` and every `step`-th after it. */
  constructor(list: ConnectionList, next: () => number, startNs: number, first: number, step: number) {
    this.#list = list;
    this.#next = next;
    this.#startNs = startNs;
    this.index = -1;
    this.#step = step;
    this.#move(first + 1);
  }

  send(): void {
    this.dispatched++;
    const { dueNs } = this;
    const { index } = this;
    this.#move(this.#step);
    const list = this.#list;
    list.send(index, dueNs);
    if (Number.isNaN(this.dueNs)) this.inFlightAtLastSend = list.inFlight + list.waiting;
  }

  /** Passes over the next arrival. */
  skip(): void {
    this.#move(this.#step);
  }

  #move(steps: number): void {
    let offset = Number.NaN;
    for (let i = 0; i < steps; i++) offset = this.#next();
    this.index += steps;
    this.dueNs = this.#startNs + offset;
  }
}
