/** The rows of a trace that states lengths, taken one by one: their instants, lengths and kinds. */
import type { Column, TraceFormat } from './trace-format.ts';
import { secondsBetween, type TracePoint } from './trace-time.ts';

/** What is wanted of a trace. */
export interface TraceWish {
  /** Only the rows from `fromS` to before `toS`, s after the first row of the file; null: all. */
  readonly slice: { readonly fromS: number; readonly toS: number } | null;
  /** Only the rows of this model, as the trace spells it, in either case; null: all. */
  readonly model: string | null;
  /** Rows of requests without output, which had failed: left out, or sent with 1 output token. */
  readonly failed: 'skip' | 'send';
}

/** What a trace came to. */
export interface TraceRead {
  /** s after the slice's beginning; without a slice after the first row that is used. */
  readonly offsetsS: Float64Array;
  readonly promptTokens: Int32Array;
  readonly outputTokens: Int32Array;
  /** Kinds of requests (model and type of log), and which one each is; null: the trace states none. */
  readonly kinds: { readonly names: readonly string[]; readonly of: Uint16Array } | null;
  readonly counts: TraceCounts;
  /** All times that were used are whole seconds: the requests of a second leave together. */
  readonly wholeSeconds: boolean;
}

export interface TraceCounts {
  /** Rows that were read: up to the end of the slice. */
  rows: number;
  beforeSlice: number;
  otherModel: number;
  /** Rows without output within the slice and of the model. */
  failed: number;
  /** Requests whose prompt has no token in the trace: they are sent with 1. */
  promptRaised: number;
}

/** No prompt and no answer is longer. */
const MAX_TOKENS = 10_000_000;
/** Kinds that are told apart. */
const MAX_KINDS = 64;

export class TraceRows {
  readonly #format: TraceFormat;
  readonly #wish: TraceWish;
  readonly #offsets: number[] = [];
  readonly #prompts: number[] = [];
  readonly #outputs: number[] = [];
  readonly #kinds: number[] = [];
  readonly #kindOf = new Map<string, number>();
  readonly #models = new Set<string>();
  readonly #counts: TraceCounts = { rows: 0, beforeSlice: 0, otherModel: 0, failed: 0, promptRaised: 0 };
  /** First row of the file; the row before; what offsets count from. */
  #first: TracePoint | null = null;
  #before: TracePoint | null = null;
  #zero: TracePoint | null = null;
  #wholeSeconds = true;

  /** Throws an Error where the wish is about a column that the trace has not. */
  constructor(format: TraceFormat, wish: TraceWish) {
    if (wish.model !== null && format.model === null)
      throw new Error('it has no column Model, so that there is nothing to filter by');
    this.#format = format;
    this.#wish = wish;
  }

  /** Takes a row; false: the slice is over, no more is wanted. Throws an Error that names the line. */
  take(cells: readonly string[], line: number): boolean {
    const { time, point, times } = this.#format;
    const at = point(this.#cell(cells, time, line));
    if (at === null) throw new Error(`line ${line}: ${time.name} "${cells[time.at]}" is not ${times}`);
    if (this.#before !== null && secondsBetween(this.#before, at) < 0)
      throw new Error(
        `line ${line} goes back in time (${cells[time.at]}): sort the rows by ${time.name} first`,
      );
    this.#before = at;
    this.#first ??= at;
    this.#counts.rows++;
    const prompt = this.#tokens(cells, this.#format.prompt, line);
    const output = this.#tokens(cells, this.#format.output, line);
    const sinceS = secondsBetween(this.#first, at);
    const { slice } = this.#wish;
    if (slice !== null && sinceS >= slice.toS) {
      this.#counts.rows--;
      return false;
    }
    if (slice !== null && sinceS < slice.fromS) this.#counts.beforeSlice++;
    else if (this.#isWanted(cells, output, line)) this.#use(at, sinceS, prompt, output, cells, line);
    return true;
  }

  /** Throws an Error where no row was left. */
  end(): TraceRead {
    if (this.#offsets.length === 0) throw new Error(this.#whyNone());
    return {
      offsetsS: Float64Array.from(this.#offsets),
      promptTokens: Int32Array.from(this.#prompts),
      outputTokens: Int32Array.from(this.#outputs),
      kinds:
        this.#kindOf.size === 0
          ? null
          : { names: [...this.#kindOf.keys()], of: Uint16Array.from(this.#kinds) },
      counts: { ...this.#counts },
      wholeSeconds: this.#wholeSeconds,
    };
  }

  #isWanted(cells: readonly string[], output: number, line: number): boolean {
    const { model } = this.#wish;
    if (model !== null) {
      const its = this.#cell(cells, this.#format.model!, line);
      this.#models.add(its);
      if (its.toLowerCase() !== model.toLowerCase()) {
        this.#counts.otherModel++;
        return false;
      }
    }
    if (output > 0) return true;
    this.#counts.failed++;
    return this.#wish.failed === 'send';
  }

  #use(
    at: TracePoint,
    sinceS: number,
    prompt: number,
    output: number,
    cells: readonly string[],
    line: number,
  ): void {
    this.#zero ??= at;
    const { slice } = this.#wish;
    this.#offsets.push(slice === null ? secondsBetween(this.#zero, at) : sinceS - slice.fromS);
    this.#prompts.push(Math.max(1, prompt));
    this.#outputs.push(Math.max(1, output));
    if (prompt === 0) this.#counts.promptRaised++;
    if (at.partS !== 0) this.#wholeSeconds = false;
    const { model, kind } = this.#format;
    const columns = [model, kind].filter((column) => column !== null);
    if (columns.length === 0) return;
    const name = columns.map((column) => this.#cell(cells, column, line)).join(', ');
    let number = this.#kindOf.get(name);
    if (number === undefined) {
      number = this.#kindOf.size;
      if (number === MAX_KINDS)
        throw new Error(`line ${line}: "${name}" is one kind more than the ${MAX_KINDS} that are told apart`);
      this.#kindOf.set(name, number);
    }
    this.#kinds.push(number);
  }

  #cell(cells: readonly string[], { at, name }: Column, line: number): string {
    const cell = cells[at]?.trim();
    if (cell === undefined || cell === '') throw new Error(`line ${line} has no ${name}`);
    return cell;
  }

  #tokens(cells: readonly string[], column: Column, line: number): number {
    const cell = this.#cell(cells, column, line);
    const value = /^\d+(?:\.0*)?$/.test(cell) ? Number(cell) : Number.NaN;
    if (!(value <= MAX_TOKENS))
      throw new Error(`line ${line}: ${column.name} "${cell}" is not a whole number of tokens`);
    return value;
  }

  #whyNone(): string {
    const { rows, beforeSlice, otherModel, failed } = this.#counts;
    if (rows === 0) return 'it holds no requests';
    if (beforeSlice === rows) return 'no row lies in the slice';
    if (otherModel > 0 && beforeSlice + otherModel === rows)
      return `no row is of the model ${this.#wish.model}; there are ${[...this.#models].join(', ')}`;
    return `no row is left: ${beforeSlice} lie before the slice, ${otherModel} are of other models, ${failed} have no output`;
  }
}
