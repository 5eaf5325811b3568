/** One answer, as its bytes pass: where it begins, where its tokens are, what it is called, whether it was seen to its end. */
import type { WireRequest } from './wire-request.ts';

/** A string of output text that is not empty: of a streamed event, or of an answer in one piece. */
const TOKEN = /"(?:content|reasoning_content|reasoning|text)":\s*"[^"]/;
/** What may be the beginning of one, at the end of what was captured. */
const TOKEN_TO_COME = /"(?:content|reasoning_content|reasoning|text)":\s*"?$/;
const PAYLOAD_ID = /"id":\s*"([^"]+)"/;
const STATUS = /^HTTP\/1\.[01] (\d{3})/;
const CONTENT_LENGTH = /\r\ncontent-length:[ \t]*(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding:[^\r\n]*chunked/i;
const END_OF_HEAD = '\r\n\r\n';
/** The chunk that ends a body, behind the end of the one before. An answer's text has no bare CR: JSON writes it as \r. */
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Text that is kept of what passed: enough for a match that is cut by the end of a segment. */
const OVERLAP = 64;
/** As much of a head is looked through for its end. */
const LONGEST_HEAD = 16_384;

export class Answer {
  readonly #request: WireRequest;
  #head: string | null = '';
  #tail = '';
  /** The last bytes of the body, for the last chunk. */
  #last = '';
  #isChunked = false;
  /** Bytes of the body to come; null where the head does not say, or was not wholly captured. */
  #left: number | null = null;
  /** The body's latest bytes were cut off by snaplen: its end may be among them. */
  #isCut = false;

  constructor(request: WireRequest) {
    this.#request = request;
  }

  /** Whether the answer proper has begun. */
  get hasBegun(): boolean {
    return !Number.isNaN(this.#request.headNs);
  }

  take(ns: number, payload: Buffer, length: number): void {
    const request = this.#request;
    if (payload.length === 0 && length > 0) request.hasGap = true;
    const text = payload.toString('latin1');
    const hidden = length - payload.length;
    if (this.#head !== null) this.#takeHead(ns, text, hidden);
    else this.#takeBody(ns, text, hidden);
    if (this.hasBegun) request.endNs = ns;
  }

  /** It was whole. */
  finish(): void {
    if (this.hasBegun) this.#request.ending = 'seen';
  }

  /** Its connection ended; `orderly`: the target ended it, which may be how it ends the answer. */
  close(orderly: boolean): void {
    if (this.#request.ending === 'seen') return;
    const endsByClose = orderly && !this.#isChunked && this.#left === null && this.#head === null;
    if (this.#isCut || endsByClose) this.finish();
    else this.#request.ending = 'closed';
  }

  #takeHead(ns: number, text: string, hidden: number): void {
    const request = this.#request;
    this.#head += text;
    for (;;) {
      const head: string = this.#head!;
      const status = Number(STATUS.exec(head)?.[1] ?? 0);
      const end = head.indexOf(END_OF_HEAD);
      if (status >= 100 && status < 200 && status !== 101) {
        if (end < 0) return;
        this.#head = head.slice(end + END_OF_HEAD.length);
        if (this.#head === '') return;
        continue;
      }
      if (Number.isNaN(request.headNs)) request.headNs = ns;
      if (status !== 0) request.status = status;
      if (end < 0 && hidden === 0 && head.length < LONGEST_HEAD) return;
      this.#head = null;
      this.#isCut = hidden > 0;
      if (end < 0) return;
      this.#isChunked = CHUNKED.test(head.slice(0, end));
      const length = CONTENT_LENGTH.exec(head.slice(0, end))?.[1];
      this.#left = this.#isChunked || length === undefined ? null : Number(length);
      // The head's own end stands for that of a chunk.
      this.#last = '\r\n';
      this.#takeBody(ns, head.slice(end + END_OF_HEAD.length), hidden);
      return;
    }
  }

  #takeBody(ns: number, text: string, hidden: number): void {
    const request = this.#request;
    const seen = this.#tail + text;
    request.responseId ??= PAYLOAD_ID.exec(seen)?.[1] ?? null;
    if (TOKEN.test(seen)) {
      if (Number.isNaN(request.firstNs)) request.firstNs = ns;
      request.lastNs = ns;
      // What was matched is not to be matched again with the next segment.
      this.#tail = '';
      const rest = text.slice(-OVERLAP);
      if (!TOKEN.test(rest)) this.#tail = rest;
    } else this.#tail = seen.slice(-OVERLAP);
    this.#isCut = hidden > 0;
    if (hidden > 0) {
      // What follows does not join what was seen; and whether a token began there, nobody can say.
      if (TOKEN_TO_COME.test(this.#tail)) request.hasGap = true;
      this.#tail = '';
    }
    this.#findEnd(text, hidden);
  }

  #findEnd(text: string, hidden: number): void {
    if (this.#left !== null) {
      this.#left -= text.length + hidden;
      if (this.#left <= 0) this.finish();
      return;
    }
    this.#last = hidden > 0 ? '' : (this.#last + text).slice(-LAST_CHUNK.length);
    if (this.#last === LAST_CHUNK) this.finish();
  }
}
