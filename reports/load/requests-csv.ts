/** requests.csv: a row a request, in the order in which they ended. Instants are ms after the common start, to the nanosecond; what did not happen is empty. */
import { stringify } from 'csv-stringify/sync';
import { figuresOf, tokensOf } from '../../src/load/record-figures.ts';
import type { AskedRecord } from '../../src/load/requests/asked-fields.ts';
import { type CsvCell, textCell } from '../csv.ts';

export const REQUEST_COLUMNS = [
  'index',
  'request_id',
  'response_id',
  'task',
  'outcome',
  'status',
  'tries',
  'excluded',
  'scheduled_ms',
  'first_sent_ms',
  'sent_ms',
  'headers_ms',
  'first_token_ms',
  'first_answer_ms',
  'last_token_ms',
  'end_ms',
  'asked_prompt_tokens',
  'asked_output_tokens',
  'prefix_group',
  'tokens',
  'tokens_by_usage',
  'tokens_by_event',
  'prompt_tokens_by_usage',
  'ttft_from_scheduled_ms',
  'ttft_from_sent_ms',
  'e2e_from_scheduled_ms',
  'e2e_from_sent_ms',
  'tpot_ms',
  'schedule_lag_ms',
] as const;

/** ms of whole ns: exact decimals, six at most. */
const ms = (ns: number | null): number | null => (ns === null ? null : Math.round(ns) / 1e6);

/** What every request asked for, where all are alike; null where they are not. */
export interface Alike {
  readonly prompt: number | null;
  readonly output: number | null;
}

/** The cells of a row. */
export function requestRow(r: AskedRecord, startNs: number, alike: Alike): CsvCell[] {
  const after = (ns: number | null): number | null => ms(ns === null ? null : ns - startNs);
  const f = figuresOf(r);
  return [
    r.index,
    textCell(r.request_id),
    r.response_id === null ? null : textCell(r.response_id),
    r.task == null ? null : textCell(r.task),
    r.outcome,
    r.status,
    r.tries,
    r.excluded ? 1 : 0,
    after(r.scheduled_ns),
    after(r.first_sent_ns),
    after(r.sent_ns),
    after(r.headers_ns),
    after(r.first_token_ns),
    after(r.first_answer_ns),
    after(r.last_token_ns),
    after(r.end_ns),
    r.asked_prompt_tokens ?? alike.prompt,
    r.asked_output_tokens ?? alike.output,
    r.prefix_group ?? null,
    tokensOf(r),
    r.tokens_by_usage,
    r.tokens_by_event,
    r.prompt_tokens_by_usage,
    ms(f.ttft_scheduled_ns),
    ms(f.ttft_sent_ns),
    ms(f.e2e_scheduled_ns),
    ms(f.e2e_sent_ns),
    ms(f.tpot_ns),
    ms(f.lag_ns),
  ];
}

const BATCH = 500;

/** Writes rows as they come; `write` gets text in pieces. */
export class RequestsCsv {
  #rows: CsvCell[][] = [[...REQUEST_COLUMNS]];
  readonly #write: (text: string) => void;
  readonly #startNs: number;
  readonly #alike: Alike;

  constructor(write: (text: string) => void, startNs: number, alike: Alike) {
    this.#alike = alike;
    this.#write = write;
    this.#startNs = startNs;
  }

  add(record: AskedRecord): void {
    this.#rows.push(requestRow(record, this.#startNs, this.#alike));
    if (this.#rows.length >= BATCH) this.finish();
  }

  finish(): void {
    if (this.#rows.length > 0) this.#write(stringify(this.#rows, { record_delimiter: '\n' }));
    this.#rows = [];
  }
}
