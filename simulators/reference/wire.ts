/**
 * How an answer's bytes reach its client. The fast way writes finished pieces, head included, straight to the socket: one
 * system call a write, and a third less CPU time a request than through the response object. It serves what nearly every client
 * sends: HTTP/1.1 with keep-alive. All else (HTTP/1.0, `connection: close`, a pipelined request whose turn has not come)
 * goes the plain way, through Node's public interface.
 *
 * Writing is in two steps, so that the instant can be stamped between them: `ready` does all the work that needs no
 * system call, `send` writes.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import {
  eventTexts,
  type FrameOptions,
  type Frames,
  idStart,
  JSON_HEADERS,
  STREAM_HEADERS,
} from './frames.ts';
import { answerJson } from './payload.ts';
import type { Piece, Second } from './piece.ts';

export interface Answer {
  /** Sends the head before any token, and the role where that is early. */
  open(): void;
  /** Prepares tokens `from` … `to − 1` with what stands before the first and behind the last. All at once, or one. */
  ready(from: number, to: number): void;
  /** Writes what was prepared; ends the response behind the last token, unless its end is written on its own. */
  send(): void;
  /** Writes usage, [DONE] and the end on their own. */
  finish(): void;
}

/**
 * What the fast way needs to tell a response object that its head is sent already, since no public call says that. Not
 * documented by Node: where a future version lacks them, every answer goes the plain way.
 */
interface HeadState {
  _header: string | null;
  _headerSent: boolean;
}

function probe(): boolean {
  const request = { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as IncomingMessage;
  const state = new ServerResponse(request) as unknown as Partial<HeadState>;
  return state._header === null && state._headerSent === false;
}

const fastWayExists = probe();

/** Whether this request can be answered the fast way. */
export const canGoFast = (req: IncomingMessage, res: ServerResponse): boolean =>
  fastWayExists && res.shouldKeepAlive && req.httpVersion === '1.1' && res.socket !== null;

export class FastAnswer implements Answer {
  readonly #res: ServerResponse;
  readonly #frames: Frames;
  readonly #ordinal: number;
  readonly #second: () => Second;
  #piece: Piece | null = null;
  #bytes: Buffer | null = null;
  #isLast = false;

  constructor(res: ServerResponse, frames: Frames, ordinal: number, second: () => Second) {
    this.#res = res;
    this.#frames = frames;
    this.#ordinal = ordinal;
    this.#second = second;
  }

  open(): void {
    this.#prepare(this.#frames.opening!);
    this.send();
  }

  ready(from: number, to: number): void {
    const frames = this.#frames;
    const count = frames.plan.outputTokens;
    const isLast = to === count;
    this.#isLast = isLast && frames.tail === null;
    if (to - from === count) this.#prepare(frames.whole);
    else this.#prepare(from === 0 ? frames.first : isLast ? frames.last : frames.middle);
  }

  send(): void {
    const socket = this.#res.socket!;
    socket.write(this.#bytes!);
    // The kernel did not take everything at once: the socket keeps the bytes, so nobody else may change them.
    if (socket.writableLength > 0) this.#piece!.release();
    if (this.#isLast) this.#end();
  }

  finish(): void {
    this.#prepare(this.#frames.tail!);
    this.#isLast = true;
    this.send();
  }

  #prepare(piece: Piece): void {
    this.#piece = piece;
    this.#bytes = piece.bytesFor(this.#ordinal, this.#second());
  }

  #end(): void {
    const state = this.#res as unknown as HeadState;
    state._header = 'written';
    state._headerSent = true;
    this.#res.end();
  }
}

export class PlainAnswer implements Answer {
  readonly #res: ServerResponse;
  readonly #frames: Frames;
  readonly #options: FrameOptions;
  readonly #id: string;
  readonly #created: number;
  #texts: string[] = [];
  #isLast = false;

  constructor(res: ServerResponse, frames: Frames, options: FrameOptions, ordinal: number, second: Second) {
    this.#res = res;
    this.#frames = frames;
    this.#options = options;
    this.#id = idStart(frames.plan.kind, options.tag) + ordinal.toString(16).padStart(8, '0');
    this.#created = second.created;
  }

  open(): void {
    this.#res.writeHead(200, STREAM_HEADERS);
    this.#res.flushHeaders();
    if (this.#options.role === 'early') for (const text of this.#events().role) this.#res.write(text);
  }

  ready(from: number, to: number): void {
    const { plan } = this.#frames;
    const isLast = to === plan.outputTokens;
    const ownTail = plan.stream && this.#options.ownTail;
    this.#isLast = isLast && !ownTail;
    if (!plan.stream) {
      this.#texts = [answerJson(plan, this.#options.model, { id: this.#id, created: this.#created })];
      return;
    }
    const events = this.#events();
    this.#texts = from === 0 && this.#options.role !== 'early' ? [...events.role] : [];
    for (let index = from; index < to; index++) this.#texts.push(events.token(index));
    if (this.#isLast) this.#texts.push(...events.end);
  }

  send(): void {
    const res = this.#res;
    const text = this.#texts.join('');
    if (!res.headersSent) {
      if (this.#frames.plan.stream) res.writeHead(200, STREAM_HEADERS);
      else res.writeHead(200, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(text) });
    }
    if (this.#isLast) res.end(text);
    else res.write(text);
  }

  finish(): void {
    this.#res.end(this.#events().end.join(''));
  }

  #events() {
    return eventTexts(this.#frames.plan, this.#options, { id: this.#id, created: this.#created });
  }
}
