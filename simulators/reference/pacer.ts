/**
 * Lets tokens leave at their instants. Every answer under way stands once in a heap, at the instant of its next token; an
 * alarm rings when the earliest is due. Instants are absolute: what leaves late does not move what comes after it.
 */
import { DueHeap } from './due-heap.ts';

/** An answer under way. */
export interface Paced {
  /** Writes the token that is due and returns when the next one is; Infinity when there is none. */
  step(): number;
}

/** Rings once, at or soon after the instant that was last set; an earlier instant replaces a later one. */
export interface Alarm {
  /** Where it rings; set once, before the first instant. */
  onRing: () => void;
  set(dueNs: number): void;
  stop(): void;
}

/** Tokens written in one go before the loop looks at its sockets again: a backlog must not deafen the server. */
const MOST_PER_RING = 256;

export class Pacer {
  readonly #heap = new DueHeap<Paced>();
  readonly #alarm: Alarm;
  readonly #now: () => number;

  constructor(alarm: Alarm, now: () => number) {
    this.#alarm = alarm;
    this.#now = now;
    alarm.onRing = () => this.#ring();
  }

  /** Answers that wait for an instant. */
  get waiting(): number {
    return this.#heap.size;
  }

  schedule(dueNs: number, item: Paced): void {
    const before = this.#heap.earliest;
    this.#heap.push(dueNs, item);
    if (dueNs < before) this.#alarm.set(dueNs);
  }

  stop(): void {
    this.#alarm.stop();
  }

  /** Has everything happen now that was due by this instant. Not to be called from a step. */
  catchUp(untilNs: number): void {
    const heap = this.#heap;
    while (heap.earliest <= untilNs) this.#stepFirst();
  }

  #ring(): void {
    const heap = this.#heap;
    for (let i = 0; i < MOST_PER_RING && heap.earliest <= this.#now(); i++) this.#stepFirst();
    if (heap.size > 0) this.#alarm.set(heap.earliest);
  }

  #stepFirst(): void {
    const heap = this.#heap;
    // A step schedules nothing, or what is due no earlier than itself: the heap's first item stays this one while it runs.
    const next = heap.peek()!.step();
    if (next === Number.POSITIVE_INFINITY) heap.pop();
    else heap.replace(next);
  }
}
