/**
 * A server that can do so many requests at once: each takes a slot from its start to the instant at which its last token is due; the others
 * wait, first come, first served. Starts are computed, not observed: max(arrival, instant at which the earliest slot came free), where a slot
 * comes free when its last token was *due*. So the target's own lateness moves no start, and the capacity is exactly
 * slots / mean service time.
 */
import { DueHeap } from './due-heap.ts';

/** A request that takes a slot. */
export interface Served {
  /** It has a slot from this instant on; called once. */
  start(startNs: number): void;
  /** Its client hung up while it waited: it is passed over. */
  readonly over: boolean;
}

export interface SlotLimits {
  /** Requests in service at once. */
  readonly slots: number;
  /** Requests that may wait; null: any number. */
  readonly queueLimit: number | null;
}

/** Places at the queue's front that are done with are dropped when there are so many, and as many as are left. */
const COMPACT_AT = 4096;

export class Slots {
  readonly limits: SlotLimits;
  /** Slots that nobody has, by the instant at which they came free. */
  readonly #idle = new DueHeap<null>();
  /** Who waits and when they arrived, from `#head` on. */
  #queue: Served[] = [];
  #arrivals: number[] = [];
  #head = 0;
  /** Requests that wait. */
  waiting = 0;
  peakWaiting = 0;
  readonly #catchUp: (untilNs: number) => void;

  /** `catchUp`: has everything happen that was due by an instant, so that a slot which should be free is. */
  constructor(limits: SlotLimits, catchUp: (untilNs: number) => void = () => {}) {
    this.limits = limits;
    this.#catchUp = catchUp;
    for (let i = 0; i < limits.slots; i++) this.#idle.push(Number.NEGATIVE_INFINITY, null);
  }

  get inUse(): number {
    return this.limits.slots - this.#idle.size;
  }

  /** Whether a request that arrived at this instant may start or wait. */
  admits(arrivalNs: number): boolean {
    if (this.#isFull()) this.#catchUp(arrivalNs);
    return !this.#isFull();
  }

  /** A request that arrived at this instant, and was admitted: it starts, or waits. */
  enter(item: Served, arrivalNs: number): void {
    if (this.#idle.size > 0) {
      item.start(this.#take(arrivalNs));
      return;
    }
    this.#queue.push(item);
    this.#arrivals.push(arrivalNs);
    this.waiting++;
    if (this.waiting > this.peakWaiting) this.peakWaiting = this.waiting;
  }

  /** A slot comes free at this instant: the first one that waits has it. */
  release(freeNs: number): void {
    this.#idle.push(freeNs, null);
    while (this.#head < this.#queue.length) {
      const item = this.#queue[this.#head]!;
      const arrivalNs = this.#arrivals[this.#head]!;
      this.#head++;
      if (this.#head >= COMPACT_AT && this.#head * 2 >= this.#queue.length) this.#compact();
      if (item.over) continue;
      this.waiting--;
      item.start(this.#take(arrivalNs));
      return;
    }
  }

  /** One that waited is over. */
  leave(): void {
    this.waiting--;
  }

  #isFull(): boolean {
    const { queueLimit } = this.limits;
    return queueLimit !== null && this.#idle.size === 0 && this.waiting >= queueLimit;
  }

  /** Takes the slot that came free first, for a request that arrived then; returns when it starts. */
  #take(arrivalNs: number): number {
    const startNs = Math.max(arrivalNs, this.#idle.earliest);
    this.#idle.pop();
    return startNs;
  }

  #compact(): void {
    this.#queue = this.#queue.slice(this.#head);
    this.#arrivals = this.#arrivals.slice(this.#head);
    this.#head = 0;
  }
}
