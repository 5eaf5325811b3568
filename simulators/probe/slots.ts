/** Which request is for which probe. */
import type { Answer, Asked } from '../../src/measure/probe/answer.ts';

/** A probe as its target needs it. */
export interface Script {
  readonly id: string;
  /** Output tokens where a request does not say; 50 unless given. */
  readonly tokens?: number;
  readonly answer: (asked: Asked) => Answer;
}

/** What one request gets. */
export interface Slot {
  /** null: the plain base profile. */
  readonly script: Script | null;
  readonly place: number;
  readonly warmUp: boolean;
}

/**
 * The first `plainFirst` requests are the client's own warm-up and get the base profile. Those that ask for no stream get it
 * too, at any time, and take no slot. Of the others the k-th gets `scripts[k % scripts.length]`.
 */
export class Slots {
  readonly #scripts: readonly Script[];
  readonly #plainFirst: number;
  /** Requests so far: all, those with a probe, those without; and by probe. */
  #seen = 0;
  #counted = 0;
  #plain = 0;
  readonly #places = new Map<string, number>();

  constructor(scripts: readonly Script[], plainFirst: number) {
    this.#scripts = scripts;
    this.#plainFirst = plainFirst;
  }

  /** What the next request gets, if it is one that asks for a stream or not. */
  peek(streamed: boolean): Slot {
    const warmUp = this.#seen < this.#plainFirst;
    if (warmUp || !streamed) return { script: null, place: this.#plain, warmUp };
    const script = this.#scripts[this.#counted % this.#scripts.length]!;
    return { script, place: this.#places.get(script.id) ?? 0, warmUp };
  }

  /** Counts a request that got this slot. */
  take({ script, place }: Slot): void {
    this.#seen++;
    if (script === null) {
      this.#plain++;
      return;
    }
    this.#counted++;
    this.#places.set(script.id, place + 1);
  }
}
