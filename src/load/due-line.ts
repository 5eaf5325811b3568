/** What is to be done at instants that come to be known one by one, in their order. */
import { type Arrivals, Pacer, type PacerHost, type Pacing } from './pacer.ts';

export class DueLine implements Arrivals {
  readonly #pacer: Pacer;
  readonly #run: () => void;
  #due: number[] = [];
  #head = 0;
  /** The pacer waits for an instant, or is at one just now. */
  #running = false;
  #closed = false;

  constructor(host: PacerHost, pacing: Pacing, run: () => void) {
    this.#pacer = new Pacer(host, this, pacing);
    this.#run = run;
  }

  get dueNs(): number {
    return this.#closed ? Number.NaN : (this.#due[this.#head] ?? Number.NaN);
  }

  /** `dueNs`: not before the one that was added before it. */
  add(dueNs: number): void {
    this.#due.push(dueNs);
    if (this.#running || this.#closed) return;
    this.#running = true;
    this.#pacer.start();
  }

  /** Nothing is done any more. */
  close(): void {
    this.#closed = true;
    this.#pacer.stop();
  }

  /** For the pacer. */
  send(): void {
    if (++this.#head > 1024) {
      this.#due = this.#due.slice(this.#head);
      this.#head = 0;
    }
    this.#run();
    // The pacer rests when there is nothing, and must then be started again.
    if (this.#head === this.#due.length) this.#running = false;
  }
}
