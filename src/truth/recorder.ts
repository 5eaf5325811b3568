/**
 * The ledger while load runs: columns in memory taken once at the start, one row a request. Nothing here allocates or
 * grows afterwards, so writing down a request costs the same for the first and the millionth. A request without room left
 * writes into one spare row that is never read, and is counted.
 *
 * Size: 190 bytes a request, 8 a token that leaves on its own. Pages that no request reached are never touched.
 */
import { LEDGER_OUTCOMES, type LedgerOutcome } from '../measure/ledger.ts';

/** Longest request id that is kept, in bytes. */
export const ID_BYTES = 96;

export const OUTCOME_INDEX = Object.fromEntries(
  LEDGER_OUTCOMES.map((outcome, index) => [outcome, index]),
) as Readonly<Record<LedgerOutcome, number>>;

/** Which payload id a row's answer had. */
export const ID_KIND = { none: 0, chat: 1, text: 2 } as const;

export interface Capacity {
  readonly requests: number;
  readonly tokens: number;
}

export class Recorder {
  readonly capacity: Capacity;
  readonly arrivalNs: Float64Array;
  readonly headersNs: Float64Array;
  /** Wait for a slot, ns; NaN until it has one, and where there are none. */
  readonly queuedNs: Float64Array;
  readonly firstDueNs: Float64Array;
  readonly firstNs: Float64Array;
  readonly lastDueNs: Float64Array;
  readonly lastNs: Float64Array;
  readonly endNs: Float64Array;
  readonly promptTokens: Int32Array;
  readonly askedTokens: Int32Array;
  readonly deliveredTokens: Int32Array;
  readonly connection: Int32Array;
  /** Where the row's token stamps begin in tokenNs; −1 for a row that has none. */
  readonly tokenBase: Int32Array;
  readonly status: Uint16Array;
  readonly outcome: Uint8Array;
  readonly streamed: Uint8Array;
  readonly idKind: Uint8Array;
  readonly idLength: Uint8Array;
  readonly idBytes: Buffer;
  readonly tokenNs: Float64Array;

  /** Requests seen, those without room included. */
  seen = 0;
  lostTokens = 0;
  /** Request ids longer than ID_BYTES: kept as absent, since half an id would join with the wrong request. */
  lostIds = 0;
  #tokensUsed = 0;

  constructor(capacity: Capacity) {
    this.capacity = capacity;
    const rows = capacity.requests + 1;
    this.arrivalNs = new Float64Array(rows);
    this.headersNs = new Float64Array(rows);
    this.queuedNs = new Float64Array(rows);
    this.firstDueNs = new Float64Array(rows);
    this.firstNs = new Float64Array(rows);
    this.lastDueNs = new Float64Array(rows);
    this.lastNs = new Float64Array(rows);
    this.endNs = new Float64Array(rows);
    this.promptTokens = new Int32Array(rows);
    this.askedTokens = new Int32Array(rows);
    this.deliveredTokens = new Int32Array(rows);
    this.connection = new Int32Array(rows);
    this.tokenBase = new Int32Array(rows);
    this.status = new Uint16Array(rows);
    this.outcome = new Uint8Array(rows);
    this.streamed = new Uint8Array(rows);
    this.idKind = new Uint8Array(rows);
    this.idLength = new Uint8Array(rows);
    this.idBytes = Buffer.alloc(rows * ID_BYTES);
    this.tokenNs = new Float64Array(capacity.tokens);
  }

  /** Rows that hold a request. */
  get rows(): number {
    return Math.min(this.seen, this.capacity.requests);
  }

  get lostRows(): number {
    return this.seen - this.rows;
  }

  /** Bytes of the columns that have been written to so far. */
  get usedBytes(): number {
    return this.rows * (8 * 8 + 5 * 4 + 2 + 4 + ID_BYTES) + this.#tokensUsed * 8;
  }

  /**
   * Takes the row of a request that has just arrived and returns its ordinal; `row(ordinal)` is where its columns are.
   * Every column is set, since the row may hold what was there before `clear`.
   */
  open(arrivalNs: number, connection: number): number {
    const ordinal = this.seen++;
    const row = this.row(ordinal);
    this.arrivalNs[row] = arrivalNs;
    this.headersNs[row] = Number.NaN;
    this.queuedNs[row] = Number.NaN;
    this.firstDueNs[row] = Number.NaN;
    this.firstNs[row] = Number.NaN;
    this.lastDueNs[row] = Number.NaN;
    this.lastNs[row] = Number.NaN;
    this.endNs[row] = Number.NaN;
    this.promptTokens[row] = 0;
    this.askedTokens[row] = 0;
    this.deliveredTokens[row] = 0;
    this.connection[row] = connection;
    this.tokenBase[row] = -1;
    this.status[row] = 0;
    this.outcome[row] = OUTCOME_INDEX.unfinished;
    this.streamed[row] = 0;
    this.idKind[row] = ID_KIND.none;
    this.idLength[row] = 0;
    return ordinal;
  }

  /** Where the columns of a request are: its ordinal, or the spare row. */
  row(ordinal: number): number {
    return Math.min(ordinal, this.capacity.requests);
  }

  /** Keeps the id that the client sent. */
  setRequestId(row: number, id: string): void {
    if (id.length > ID_BYTES) {
      this.lostIds++;
      return;
    }
    // Header values are Latin-1 in Node: one byte a character.
    this.idBytes.write(id, row * ID_BYTES, ID_BYTES, 'latin1');
    this.idLength[row] = id.length;
  }

  /** Takes room for the stamps of `tokens` tokens that leave one by one. Without room they are counted as lost. */
  openTokens(row: number, tokens: number): void {
    if (row === this.capacity.requests || this.#tokensUsed + tokens > this.capacity.tokens) {
      this.lostTokens += tokens;
      return;
    }
    this.tokenBase[row] = this.#tokensUsed;
    this.#tokensUsed += tokens;
  }

  /** The id that the client sent, or null. */
  requestId(row: number): string | null {
    const length = this.idLength[row]!;
    return length === 0 ? null : this.idBytes.toString('latin1', row * ID_BYTES, row * ID_BYTES + length);
  }

  /** Forgets every request: done once, after the warm-up. */
  clear(): void {
    this.seen = 0;
    this.lostTokens = 0;
    this.lostIds = 0;
    this.#tokensUsed = 0;
  }
}
