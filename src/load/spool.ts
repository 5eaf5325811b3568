/**
 * Records on their way to the file: during the run a worker appends them in binary (a record costs well under a microsecond), afterwards they become
 * JSON lines. A spool that breaks off, because its worker died, is read as far as it goes.
 */
import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs';
import type { Ended } from './ended.ts';
import { EVENT } from './event-kind.ts';
import { OUTCOMES } from './outcome.ts';

/** What a record holds of a request; see connection.ts. */
export interface Spooled {
  readonly index: number;
  readonly scheduledNs: number;
  readonly sentNs: number;
  readonly headersNs: number;
  readonly firstNs: number;
  readonly firstAnswerNs: number;
  readonly lastNs: number;
  readonly endNs: number;
  readonly status: number;
  readonly outcome: number;
  readonly kinds: number;
  readonly completionTokens: number;
  readonly promptTokens: number;
  readonly tokens: number;
  /** How often it was sent, and when first (holds only with several tries). */
  readonly tries: number;
  readonly firstSentNs: number;
  readonly stamps: Float64Array;
  readonly stampCount: number;
  readonly scanner: { readonly id: Uint8Array; readonly idLength: number };
}

const FIELDS = 17;
/** Every record begins with this, so that a torn one is noticed. */
const MARK = 7.25e-301;
const FLUSH_AT = 1 << 18;
/** Kinds are below this; tries above the first stand over them. */
const KIND_BITS = 1 << 16;

export class SpoolWriter {
  readonly #file: number;
  #floats = new Float64Array(FLUSH_AT / 4);
  #bytes = new Uint8Array(this.#floats.buffer);
  #length = 0;

  /** Throws the system's error when the file cannot be made. */
  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600);
  }

  append(r: Spooled): void {
    const idWords = (r.scanner.idLength + 7) >> 3;
    const needed = FIELDS + idWords + r.stampCount;
    if (this.#length + needed > this.#floats.length) this.#grow(needed);
    const f = this.#floats;
    let at = this.#length;
    f[at++] = MARK;
    f[at++] = r.index;
    f[at++] = r.scheduledNs;
    f[at++] = r.sentNs;
    f[at++] = r.headersNs;
    f[at++] = r.firstNs;
    f[at++] = r.firstAnswerNs;
    f[at++] = r.lastNs;
    f[at++] = r.endNs;
    f[at++] = r.status * 256 + r.outcome;
    f[at++] = r.kinds + (r.tries - 1) * KIND_BITS;
    f[at++] = r.completionTokens;
    f[at++] = r.promptTokens;
    f[at++] = r.tokens;
    f[at++] = r.stampCount;
    f[at++] = r.scanner.idLength;
    f[at++] = r.tries === 1 ? r.sentNs : r.firstSentNs;
    const from = at * 8;
    for (let i = 0; i < r.scanner.idLength; i++) this.#bytes[from + i] = r.scanner.id[i]!;
    at += idWords;
    const { stamps, stampCount } = r;
    for (let i = 0; i < stampCount; i++) f[at + i] = stamps[i]!;
    this.#length = at + stampCount;
    if (this.#length * 8 >= FLUSH_AT) this.flush();
  }

  /** Hands what there is to the kernel: from then on it outlives this process. */
  flush(): void {
    const bytes = Buffer.from(this.#floats.buffer, 0, this.#length * 8);
    this.#length = 0;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #grow(needed: number): void {
    const grown = new Float64Array(Math.max(this.#length + needed, this.#floats.length * 2));
    grown.set(this.#floats.subarray(0, this.#length));
    this.#floats = grown;
    this.#bytes = new Uint8Array(grown.buffer);
  }
}

/** A request's record in the file of records. Instants are ns of CLOCK_MONOTONIC; null where the event did not happen. */
export interface RequestRecord {
  readonly index: number;
  readonly request_id: string;
  /** `id` of the answer's chunks. */
  readonly response_id: string | null;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly status: number | null;
  /** How often it was sent: above 1 only with --retry-after. From `sent_ns` on, instants are those of the last try. */
  readonly tries: number;
  /** null in a closed loop: it was never due. */
  readonly scheduled_ns: number | null;
  /** Of the first try; the same as `sent_ns` where there was one. */
  readonly first_sent_ns: number | null;
  readonly sent_ns: number | null;
  readonly headers_ns: number | null;
  readonly first_token_ns: number | null;
  /** First content that is not reasoning. */
  readonly first_answer_ns: number | null;
  readonly last_token_ns: number | null;
  readonly end_ns: number | null;
  readonly tokens_by_event: number;
  readonly tokens_by_usage: number | null;
  readonly prompt_tokens_by_usage: number | null;
  /** Whether `[DONE]` came. */
  readonly done: boolean;
  /** Gaps between token events, ns. */
  readonly itl_ns: readonly number[];
}

const instant = (ns: number): number | null => (Number.isNaN(ns) ? null : Math.round(ns));
const count = (n: number): number | null => (n < 0 ? null : n);

/** What of a spool is not text: enough to take figures anew. Stamps are those of the buffer, until the next one is read. */
function toSeen(f: Float64Array, _bytes: Buffer, at: number): Ended {
  const code = f[at + 9]!;
  const stampsFrom = at + FIELDS + ((f[at + 15]! + 7) >> 3);
  return {
    index: f[at + 1]!,
    scheduledNs: f[at + 2]!,
    sentNs: f[at + 3]!,
    headersNs: f[at + 4]!,
    firstNs: f[at + 5]!,
    firstAnswerNs: f[at + 6]!,
    lastNs: f[at + 7]!,
    endNs: f[at + 8]!,
    outcome: code % 256,
    kinds: f[at + 10]! % KIND_BITS,
    tries: 1 + Math.floor(f[at + 10]! / KIND_BITS),
    firstSentNs: f[at + 16]!,
    completionTokens: f[at + 11]!,
    promptTokens: f[at + 12]!,
    tokens: f[at + 13]!,
    stampCount: f[at + 14]!,
    stamps: f.subarray(stampsFrom, stampsFrom + f[at + 14]!),
    failure: '',
    retryAfter: '',
    answerDate: '',
  };
}

function toRecord(f: Float64Array, bytes: Buffer, at: number, idPrefix: string): RequestRecord {
  const tokens = f[at + 13]!;
  const stampCount = f[at + 14]!;
  const idLength = f[at + 15]!;
  const idFrom = (at + FIELDS) * 8;
  const stampsFrom = at + FIELDS + ((idLength + 7) >> 3);
  const gaps: number[] = [];
  for (let i = 1; i < stampCount; i++) gaps.push(Math.round(f[stampsFrom + i]! - f[stampsFrom + i - 1]!));
  const code = f[at + 9]!;
  return {
    index: f[at + 1]!,
    request_id: idPrefix + f[at + 1]!,
    response_id: idLength > 0 ? bytes.toString('utf8', idFrom, idFrom + idLength) : null,
    outcome: OUTCOMES[code % 256]!,
    status: code >= 256 ? Math.floor(code / 256) : null,
    tries: 1 + Math.floor(f[at + 10]! / KIND_BITS),
    scheduled_ns: instant(f[at + 2]!),
    first_sent_ns: instant(f[at + 16]!),
    sent_ns: instant(f[at + 3]!),
    headers_ns: instant(f[at + 4]!),
    first_token_ns: instant(f[at + 5]!),
    first_answer_ns: instant(f[at + 6]!),
    last_token_ns: instant(f[at + 7]!),
    end_ns: instant(f[at + 8]!),
    tokens_by_event: tokens,
    tokens_by_usage: count(f[at + 11]!),
    prompt_tokens_by_usage: count(f[at + 12]!),
    done: ((f[at + 10]! % KIND_BITS) & EVENT.done) !== 0,
    itl_ns: gaps,
  };
}

/** The records of a spool, in the order in which the requests ended. Stops without an error where the spool breaks off. */
export const readSpool = (path: string, idPrefix: string): Generator<RequestRecord> =>
  walk(path, (f, bytes, at) => toRecord(f, bytes, at, idPrefix));

/** The same as figures are taken of it; nothing where there is no such file. Each one holds until the next. */
export function* readSeen(path: string): Generator<Ended> {
  if (existsSync(path)) yield* walk(path, toSeen);
}

function* walk<T>(path: string, make: (floats: Float64Array, bytes: Buffer, at: number) => T): Generator<T> {
  const file = openSync(path, 'r');
  try {
    let floats = new Float64Array(1 << 17);
    let filled = 0;
    for (;;) {
      const bytes = Buffer.from(floats.buffer);
      const read = readSync(file, bytes, filled, bytes.length - filled, null);
      filled += read;
      const words = filled >> 3;
      let at = 0;
      for (;;) {
        if (at + FIELDS > words) break;
        if (floats[at] !== MARK) return;
        const size = FIELDS + ((floats[at + 15]! + 7) >> 3) + floats[at + 14]!;
        if (at + size > words) break;
        yield make(floats, bytes, at);
        at += size;
      }
      if (read === 0) return;
      if (at === 0 && filled === bytes.length) {
        const grown = new Float64Array(floats.length * 2);
        grown.set(floats);
        floats = grown;
      } else if (at > 0) {
        bytes.copyWithin(0, at * 8, filled);
        filled -= at * 8;
      }
    }
  } finally {
    closeSync(file);
  }
}
