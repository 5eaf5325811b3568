/** One answer, as its bytes pass: where it begins, where its tokens are, what it is called. */
import type { WireRequest } from './wire-request.ts';

/** A string of output text that is not empty: of a streamed event, or of an answer in one piece. */
const TOKEN = /"(?:content|reasoning_content|reasoning|text)":\s*"[^"]/;
const PAYLOAD_ID = /"id":\s*"([^"]+)"/;
const STATUS = /^HTTP\/1\.[01] (\d{3})/;
const END_OF_HEAD = '\r\n\r\n';

/** Text that is kept of what passed: enough for a match that is cut by the end of a segment. */
const OVERLAP = 64;
/** As much of a head is looked through for its end. */
const LONGEST_HEAD = 16_384;

export class Answer {
  readonly #request: WireRequest;
  #head: string | null = '';
  #tail = '';

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
    if (this.#head !== null) this.#takeHead(ns, text);
    else this.#takeBody(ns, text);
    if (this.hasBegun) request.endNs = ns;
  }

  #takeHead(ns: number, text: string): void {
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
      if (end < 0 && head.length < LONGEST_HEAD) return;
      this.#head = null;
      if (end >= 0) this.#takeBody(ns, head.slice(end + END_OF_HEAD.length));
      return;
    }
  }

  #takeBody(ns: number, text: string): void {
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
  }
}
