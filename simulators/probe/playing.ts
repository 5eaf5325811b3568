/** One answer under way: its writes at their instants, then what becomes of the connection. */
import type { Answer } from '../../src/measure/probe/answer.ts';
import { NANOS_PER_MS } from '../../src/measure/time.ts';
import type { ProbeLedgerRow } from '../../src/truth/probe-ledger.ts';
import type { Paced } from '../reference/pacer.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** A connection's own end, as far as an answer is concerned. */
export interface Wire {
  /** One system call. */
  write(bytes: Uint8Array): void;
  /** FIN. */
  end(): void;
  /** RST. */
  reset(): void;
}

export class Playing implements Paced {
  readonly row: ProbeLedgerRow;
  readonly #answer: Answer;
  readonly #wire: Wire;
  readonly #now: () => number;
  readonly #onOver: (playing: Playing) => void;
  #next = 0;
  #over = false;

  constructor(
    row: ProbeLedgerRow,
    answer: Answer,
    wire: Wire,
    now: () => number,
    onOver: (playing: Playing) => void,
  ) {
    this.row = row;
    this.#answer = answer;
    this.#wire = wire;
    this.#now = now;
    this.#onOver = onOver;
  }

  /** The connection is the client's to use again. */
  get keeps(): boolean {
    return this.#answer.ending.kind === 'keep';
  }

  /** When what comes next is due, ns; Infinity when nothing does. */
  get dueNs(): number {
    if (this.#over) return NEVER;
    const { writes, ending } = this.#answer;
    const next = writes[this.#next];
    if (next !== undefined) return this.row.read_ns + next.atMs * NANOS_PER_MS;
    return ending.kind === 'keep' ? NEVER : this.row.read_ns + ending.atMs * NANOS_PER_MS;
  }

  step(): number {
    if (this.#over) return NEVER;
    const { writes, ending } = this.#answer;
    const write = writes[this.#next];
    if (write !== undefined) {
      this.row.writes.push({ due_ns: this.dueNs, at_ns: this.#now() });
      this.#wire.write(write.bytes);
      this.#next++;
    } else if (ending.kind === 'close') this.#wire.end();
    else if (ending.kind === 'reset') this.#wire.reset();
    const isLast = write === undefined || (this.#next === writes.length && this.keeps);
    if (!isLast) return this.dueNs;
    this.#finish('complete');
    return NEVER;
  }

  /** The client is gone. What was not written yet never will be. */
  closed(): void {
    if (this.#over) return;
    this.row.client_closed_ns = this.#now();
    this.#finish(this.#next < this.#answer.writes.length ? 'clientClosed' : 'complete');
  }

  #finish(outcome: ProbeLedgerRow['outcome']): void {
    this.#over = true;
    this.row.outcome = outcome;
    this.row.end_ns = this.#now();
    this.#onOver(this);
  }
}
