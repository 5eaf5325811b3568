/**
 * One TCP connection to the target as HTTP/1.1: requests that follow one another, each answered before the next begins. What does not keep
 * to that (HTTP/2, TLS, pipelining) is not understood, and said to be.
 */
import { Answer } from './answer.ts';
import { ByteStream } from './byte-stream.ts';
import { beginsHttp2, beginsRequest, requestHead } from './request-head.ts';
import { FLAG, type Segment } from './segment.ts';
import { newRequest, type WireRequest } from './wire-request.ts';

export type NotUnderstood = 'HTTP/2' | 'pipelining' | 'not HTTP';

const END_OF_HEAD = '\r\n\r\n';

export class Conversation {
  readonly requests: WireRequest[] = [];
  /** Requests for something else than a completion. */
  others = 0;
  notUnderstood: NotUnderstood | null = null;
  readonly #ordinal: number;
  readonly #fromClient = new ByteStream((ns, payload, length) => this.#client(ns, payload, length));
  readonly #fromTarget = new ByteStream((ns, payload, length) =>
    this.#open?.answer.take(ns, payload, length),
  );
  /** The head under way, as far as it was captured. */
  #head = '';
  #headHasGap = false;
  /** The request that is sent or answered; null before the first. */
  #open: { readonly request: WireRequest; readonly answer: Answer } | null = null;
  /** Bytes of its body to come; null where the head does not say: until the answer begins, then. */
  #bodyLeft: number | null = 0;

  constructor(ordinal: number) {
    this.#ordinal = ordinal;
  }

  /** Bytes that were lost by the capture. */
  get unseen(): number {
    return this.#fromClient.unseen + this.#fromTarget.unseen;
  }

  take(ns: number, { toTarget, sequence, acknowledged, flags, length, payload }: Segment): void {
    const [own, peer] = toTarget
      ? [this.#fromClient, this.#fromTarget]
      : [this.#fromTarget, this.#fromClient];
    if ((flags & FLAG.syn) !== 0) own.begin(sequence);
    else if ((flags & FLAG.rst) !== 0) this.#open?.answer.close(false);
    else {
      // What it acknowledges came before it.
      if ((flags & FLAG.ack) !== 0) peer.acknowledged(ns, acknowledged);
      own.push(ns, sequence, length, payload, (flags & FLAG.fin) !== 0);
      // A client's FIN alone ends nothing: it may have said all it has to say, and wait for the answer.
      if (!toTarget && (flags & FLAG.fin) !== 0) this.#open?.answer.close(true);
    }
  }

  #client(ns: number, payload: Buffer, length: number): void {
    if (this.notUnderstood !== null) return;
    if (this.#bodyLeft === null) {
      // The body's length is not known. Once the answer has begun, what looks like a request is one.
      if (this.#open!.answer.hasBegun && beginsRequest(payload.toString('latin1', 0, 16))) this.#bodyLeft = 0;
      else return;
    }
    if (this.#bodyLeft > 0) {
      if (payload.length === 0) this.#open!.request.hasGap = true;
      this.#bodyLeft -= length;
      if (this.#bodyLeft < 0) this.notUnderstood = 'pipelining';
      return;
    }
    this.#takeHead(ns, payload, length);
  }

  #takeHead(ns: number, payload: Buffer, length: number): void {
    if (this.#head === '' && !this.#headHasGap) {
      const start = payload.toString('latin1', 0, 16);
      if (beginsHttp2(start)) this.notUnderstood = 'HTTP/2';
      else if (payload.length > 0 && !beginsRequest(start)) this.notUnderstood = 'not HTTP';
      else if (this.#open !== null && !this.#open.answer.hasBegun) this.notUnderstood = 'pipelining';
      if (this.notUnderstood !== null) return;
    }
    // Whoever sends the next request has the whole answer to the one before.
    this.#open?.answer.finish();
    if (payload.length === 0) this.#headHasGap = true;
    const before = this.#head.length;
    this.#head += payload.toString('latin1');
    const end = this.#head.indexOf(END_OF_HEAD);
    // A segment that was cut short hides the rest of the head.
    const isCut = payload.length < length;
    if (end < 0 && !isCut) return;
    const { isCompletion, requestId, contentLength, isChunked } = requestHead(
      end < 0 ? this.#head : this.#head.slice(0, end + END_OF_HEAD.length),
    );
    const request = newRequest(this.#ordinal);
    request.requestNs = ns;
    request.requestId = requestId;
    request.hasGap = this.#headHasGap;
    this.#open = { request, answer: new Answer(request) };
    if (isCompletion) this.requests.push(request);
    else this.others++;
    const bodySoFar = before + length - (end + END_OF_HEAD.length);
    // A head that names neither a length nor chunks has no body. Where a body ends that is sent in chunks is not looked for.
    this.#bodyLeft = end < 0 || isChunked ? null : (contentLength ?? 0) - bodySoFar;
    this.#head = '';
    this.#headHasGap = false;
    if (this.#bodyLeft !== null && this.#bodyLeft < 0) this.notUnderstood = 'pipelining';
  }
}
