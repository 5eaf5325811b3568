/**
 * Reads an event stream as bytes, however it is cut into segments, and says what each event means for the request. Grammar:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation. An event that lies whole in one segment
 * in the usual spelling (`data: {…}` and an empty line) is recognised where it lies; any other goes line by line through a small buffer.
 */

import { parseChunk } from './chunk-parse.ts';
import { ChunkRecogniser, DECLINED } from './chunk-recogniser.ts';
import { EVENT } from './event-kind.ts';

/** Is told of every event that the grammar dispatches, in order. */
export interface EventSink {
  /** `kind`: bits of EVENT. Token counts are −1 where the event has none. */
  onEvent(kind: number, completionTokens: number, promptTokens: number): void;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BRACE = 0x7b;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const BOM = [0xef, 0xbb, 0xbf];
const DATA = bytes('data');
const EVENT_FIELD = bytes('event');
const DONE_LINES = bytes('data: [DONE]\n\n');
/** The longest id that is kept, bytes. */
const MAX_ID = 64;

/** A byte buffer that grows and is used again. */
class Bytes {
  data = new Uint8Array(256);
  length = 0;
  append(source: Uint8Array, start: number, end: number): void {
    const needed = this.length + (end - start);
    if (needed > this.data.length) {
      const grown = new Uint8Array(Math.max(needed, this.data.length * 2));
      grown.set(this.data.subarray(0, this.length));
      this.data = grown;
    }
    this.data.set(source.subarray(start, end), this.length);
    this.length = needed;
  }
  push(byte: number): void {
    if (this.length === this.data.length) {
      const grown = new Uint8Array(this.data.length * 2);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[this.length++] = byte;
  }
}

function startsWith(buffer: Uint8Array, at: number, end: number, word: Uint8Array): boolean {
  const n = word.length;
  if (end - at < n) return false;
  for (let i = 0; i < n; i++) if (buffer[at + i] !== word[i]) return false;
  return true;
}

export class SseScanner {
  /** The `id` of the first chunk that had one: its first `idLength` bytes. */
  readonly id = new Uint8Array(MAX_ID);
  idLength = 0;

  readonly #sink: EventSink;
  readonly #recogniser = new ChunkRecogniser();
  /** A line that began in an earlier segment. */
  readonly #line = new Bytes();
  /** Values of the event's data fields, each with a line feed behind it. */
  readonly #data = new Bytes();
  /** How many bytes of a byte order mark have been seen; 3 once that is settled. */
  #bom = 0;
  #afterCr = false;
  /** Nothing of an event has been read yet: the fast path may begin here. */
  #fresh = true;
  #errorEvent = false;
  #done = false;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  /** Makes ready for another stream. */
  reset(): void {
    this.#line.length = 0;
    this.#data.length = 0;
    this.#bom = 0;
    this.#afterCr = false;
    this.#fresh = true;
    this.#errorEvent = false;
    this.#done = false;
    this.idLength = 0;
  }

  /** Reads a segment. Keeps nothing of it. What comes after `[DONE]` is ignored. */
  push(segment: Uint8Array): void {
    const n = segment.length;
    let p = this.#bom < 3 ? this.#skipBom(segment) : 0;
    while (p < n && !this.#done) {
      if (this.#afterCr) {
        this.#afterCr = false;
        if (segment[p] === LF && ++p === n) return;
      }
      const next = this.#fresh ? this.#fast(segment, p, n) : p;
      // The fast path declines by not moving; then this one event goes line by line.
      p = next === p ? this.#slow(segment, p, n) : next;
    }
  }

  /** A byte order mark at the stream's very start is not part of it, even when cut. */
  #skipBom(segment: Uint8Array): number {
    let p = 0;
    while (p < segment.length && this.#bom < 3) {
      if (segment[p] !== BOM[this.#bom]) {
        // What looked like a mark was text: it is the start of a line.
        for (let i = 0; i < this.#bom; i++) this.#line.push(BOM[i]!);
        if (this.#bom > 0) this.#fresh = false;
        this.#bom = 3;
        return p;
      }
      this.#bom++;
      p++;
    }
    return p;
  }

  /** Reads one event that lies whole at `p`; gives the position behind it, or `p` when it is not of the usual shape. */
  #fast(b: Uint8Array, p: number, n: number): number {
    // "data:" and at most one space, then an object.
    if (n - p < 8 || b[p] !== 0x64 || b[p + 1] !== 0x61 || b[p + 2] !== 0x74 || b[p + 3] !== 0x61) return p;
    if (b[p + 4] !== COLON) return p;
    const from = b[p + 5] === SPACE ? p + 6 : p + 5;
    if (b[from] !== BRACE) {
      if (!startsWith(b, p, n, DONE_LINES)) return p;
      this.#dispatch(EVENT.done, -1, -1);
      return p + DONE_LINES.length;
    }
    const recogniser = this.#recogniser;
    const kind = recogniser.recognise(b, from, n);
    if (kind === DECLINED) return p;
    const end = recogniser.end;
    let next: number;
    if (end + 2 <= n && b[end] === LF && b[end + 1] === LF) next = end + 2;
    else if (end + 4 <= n && b[end] === CR && b[end + 1] === LF && b[end + 2] === CR && b[end + 3] === LF)
      next = end + 4;
    else return p;
    if (this.idLength === 0) this.#keepId(b);
    this.#dispatch(kind, recogniser.completionTokens, recogniser.promptTokens);
    return next;
  }

  #keepId(b: Uint8Array): void {
    const { idStart, idEnd } = this.#recogniser;
    let length = Math.min(idEnd - idStart, MAX_ID);
    // Cut at a character, not within one.
    if (length < idEnd - idStart) while (length > 0 && (b[idStart + length]! & 0xc0) === 0x80) length--;
    for (let i = 0; i < length; i++) this.id[i] = b[idStart + i]!;
    this.idLength = length;
  }

  /** Reads lines from `p` until an event has been dispatched or dropped, or the segment ends; gives the position reached. */
  #slow(b: Uint8Array, p: number, n: number): number {
    this.#fresh = false;
    let start = p;
    for (let at = p; at < n; at++) {
      const c = b[at];
      if (c !== LF && c !== CR) continue;
      if (c === CR) this.#afterCr = true;
      let ended: boolean;
      if (this.#line.length > 0) {
        this.#line.append(b, start, at);
        ended = this.#takeLine(this.#line.data, 0, this.#line.length);
        this.#line.length = 0;
      } else ended = this.#takeLine(b, start, at);
      if (c === CR && at + 1 < n) {
        this.#afterCr = false;
        if (b[at + 1] === LF) at++;
      }
      if (ended) return at + 1;
      start = at + 1;
    }
    this.#line.append(b, start, n);
    return n;
  }

  /** Takes a line without its end; true when it was the empty line that closes an event. */
  #takeLine(b: Uint8Array, start: number, end: number): boolean {
    if (start === end) {
      this.#close();
      return true;
    }
    let colon = start;
    while (colon < end && b[colon] !== COLON) colon++;
    if (colon === start) return false; // a comment
    let value = Math.min(colon + 1, end);
    if (value < end && b[value] === SPACE) value++;
    const nameLength = colon - start;
    if (nameLength === DATA.length && startsWith(b, start, end, DATA)) {
      this.#data.append(b, value, end);
      this.#data.push(LF);
    } else if (nameLength === EVENT_FIELD.length && startsWith(b, start, end, EVENT_FIELD)) {
      this.#errorEvent = end - value === 5 && startsWith(b, value, end, ERROR_NAME);
    }
    return false;
  }

  /** The empty line: dispatches the event if it has data. */
  #close(): void {
    const data = this.#data;
    const isError = this.#errorEvent;
    this.#errorEvent = false;
    this.#fresh = true;
    if (data.length === 0) return;
    const end = data.length - 1; // without the last line feed
    data.length = 0;
    const recogniser = this.#recogniser;
    let kind: number = DECLINED;
    if (data.data[0] === BRACE) {
      kind = recogniser.recognise(data.data, 0, end);
      if (kind !== DECLINED && recogniser.end !== end) kind = DECLINED;
    }
    if (kind !== DECLINED) {
      if (this.idLength === 0) this.#keepId(data.data);
      this.#dispatch(
        isError ? kind | EVENT.error : kind,
        recogniser.completionTokens,
        recogniser.promptTokens,
      );
      return;
    }
    const meaning = parseChunk(Buffer.from(data.data.buffer, 0, end).toString('utf8'));
    if (this.idLength === 0 && meaning.id !== null)
      this.idLength = new TextEncoder().encodeInto(meaning.id, this.id).written;
    // An event called `error` is one, whatever its data look like.
    kind = isError ? (meaning.kind & ~EVENT.malformed) | EVENT.error : meaning.kind;
    this.#dispatch(kind, meaning.completionTokens, meaning.promptTokens);
  }

  #dispatch(kind: number, completionTokens: number, promptTokens: number): void {
    if ((kind & EVENT.done) !== 0) this.#done = true;
    this.#sink.onEvent(kind, completionTokens, promptTokens);
  }
}

const ERROR_NAME = bytes('error');
