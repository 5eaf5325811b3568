/**
 * One direction of a TCP connection, its bytes in order and each once. Retransmitted bytes are left out; what overtook others is held
 * until they come; what the peer acknowledged without our having seen it was lost by the capture, not by the network, and is
 * passed on as bytes without content.
 */

/** Bytes in order. `payload` may be shorter than `length`, or empty: the rest was not captured. */
export type OnBytes = (ns: number, payload: Buffer, length: number) => void;

interface Held {
  readonly sequence: number;
  readonly length: number;
  readonly payload: Buffer;
}

/** Sequence numbers wrap at 2³²: the distance from b to a, signed. */
const distance = (a: number, b: number): number => (a - b) | 0;
const NOTHING = Buffer.alloc(0);

export class ByteStream {
  /** Bytes that the peer got and the capture did not. */
  unseen = 0;
  readonly #onBytes: OnBytes;
  /** null until the first segment. */
  #next: number | null = null;
  #held: Held[] = [];
  /** Where the stream ends, once that is known: the sequence number of its FIN. */
  #finAt: number | null = null;

  constructor(onBytes: OnBytes) {
    this.#onBytes = onBytes;
  }

  /** A SYN: its successor is the first byte. */
  begin(sequence: number): void {
    this.#next ??= (sequence + 1) >>> 0;
  }

  /** A segment at `ns`. `fin`: it ends the stream; that is acknowledged as one more byte. */
  push(ns: number, sequence: number, length: number, payload: Buffer, fin: boolean): void {
    this.#next ??= sequence;
    if (length > 0) {
      if (distance(sequence, this.#next) > 0) {
        // Its bytes belong to a buffer that is used again.
        this.#held.push({ sequence, length, payload: Buffer.from(payload) });
        this.#held.sort((a, b) => distance(a.sequence, b.sequence));
      } else this.#pass(ns, sequence, length, payload);
      this.#release(ns);
    }
    if (fin) this.#finAt = (sequence + length) >>> 0;
  }

  /** The peer said that it has everything before `sequence`. */
  acknowledged(ns: number, sequence: number): void {
    if (this.#next === null) return;
    while (distance(sequence, this.#next) > 0 && this.#next !== this.#finAt) {
      const upTo = this.#held[0]?.sequence ?? sequence;
      const ends = [sequence, upTo, ...(this.#finAt === null ? [] : [this.#finAt])];
      const missing = Math.min(...ends.map((end) => distance(end, this.#next!)));
      this.unseen += missing;
      this.#next = (this.#next + missing) >>> 0;
      this.#onBytes(ns, NOTHING, missing);
      this.#release(ns);
    }
  }

  #pass(ns: number, sequence: number, length: number, payload: Buffer): void {
    const known = distance(this.#next!, sequence);
    if (known >= length) return;
    this.#next = (sequence + length) >>> 0;
    this.#onBytes(ns, payload.subarray(Math.min(known, payload.length)), length - known);
  }

  #release(ns: number): void {
    while (this.#held.length > 0 && distance(this.#held[0]!.sequence, this.#next!) <= 0) {
      const { sequence, length, payload } = this.#held.shift()!;
      this.#pass(ns, sequence, length, payload);
    }
  }
}
