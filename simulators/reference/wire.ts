/**
 * How bytes reach a client. The fast way writes finished pieces, head included, straight to the socket: one system call a
 * write, a third less CPU time a request than through the response object. It serves what nearly every client sends:
 * HTTP/1.1 with keep-alive. All else (HTTP/1.0, `connection: close`, a pipelined request whose turn has not come) goes the
 * plain way, through Node's public interface.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { eventTexts, type FrameOptions, idStart, JSON_HEADERS, STREAM_HEADERS } from './frames.ts';
import { answerJson } from './payload.ts';
import type { Piece, Second } from './piece.ts';
import type { Plan } from './plan.ts';

/**
 * What the fast way needs to tell a response object that its head is sent already, since no public call says that. Not
 * documented by Node: where a future version lacks them, `fastWayExists` is false and every answer goes the plain way.
 */
interface HeadState {
  _header: string | null;
  _headerSent: boolean;
}

function probe(): boolean {
  const response = new ServerResponse({
    method: 'GET',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  } as IncomingMessage);
  const state = response as unknown as Partial<HeadState>;
  return state._header === null && state._headerSent === false;
}

export const fastWayExists: boolean = probe();

/** Whether this request can be answered the fast way. */
export const canGoFast = (req: IncomingMessage, res: ServerResponse): boolean =>
  fastWayExists &&
  res.shouldKeepAlive &&
  req.httpVersionMinor === 1 &&
  req.httpVersionMajor === 1 &&
  res.socket !== null;

/** Writes a piece to the response's socket. */
export function writePiece(res: ServerResponse, piece: Piece, bytes: Buffer): void {
  const socket = res.socket!;
  socket.write(bytes);
  if (socket.writableLength > 0) piece.release();
}

/** Ends a response whose bytes, the end of its body included, are all written. */
export function endWritten(res: ServerResponse): void {
  const state = res as unknown as HeadState;
  state._header = 'written';
  state._headerSent = true;
  res.end();
}

/** The plain way: the same events, made for this request alone. */
export class PlainAnswer {
  readonly #res: ServerResponse;
  readonly #plan: Plan;
  readonly #model: string;
  readonly #id: string;
  readonly #second: Second;
  readonly #texts: ReturnType<typeof eventTexts>;

  constructor(res: ServerResponse, plan: Plan, options: FrameOptions, ordinal: number, second: Second) {
    this.#res = res;
    this.#plan = plan;
    this.#model = options.model;
    this.#id = idStart(plan.kind, options.tag) + ordinal.toString(16).padStart(8, '0');
    this.#second = second;
    this.#texts = eventTexts(plan, options, { id: this.#id, created: second.created });
  }

  /** Head alone, or with the role where that is early. */
  open(role: boolean): void {
    this.#res.writeHead(200, STREAM_HEADERS);
    this.#res.flushHeaders();
    if (role) for (const text of this.#texts.role) this.#res.write(text);
  }

  /** Tokens `from` … `to − 1`, with what stands before the first and behind the last. */
  write(from: number, to: number, role: boolean): void {
    const res = this.#res;
    res.cork();
    if (!res.headersSent) res.writeHead(200, STREAM_HEADERS);
    if (from === 0 && role) for (const text of this.#texts.role) res.write(text);
    for (let index = from; index < to; index++) res.write(this.#texts.token(index));
    if (to === this.#plan.outputTokens) {
      for (const text of this.#texts.end) res.write(text);
      res.end();
    }
    res.uncork();
  }

  /** An answer that is not streamed. */
  json(): void {
    const body = answerJson(this.#plan, this.#model, { id: this.#id, created: this.#second.created });
    this.#res.writeHead(200, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
    this.#res.end(body);
  }
}
