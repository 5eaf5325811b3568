/** From a connection's bytes to its requests. http-parser-js, and what it lets pass checked. */
import { HTTPParser } from 'http-parser-js';
import { type ApiError, bodyTooLarge } from '../reference/api-error.ts';
import { malformed } from '../reference/http-server.ts';

// As Node's own parser reads header values; `ascii` would drop each byte's eighth bit.
HTTPParser.encoding = 'latin1';

/** A request that was wholly read. */
export interface Message {
  readonly method: string;
  /** Without query and trailing slash. */
  readonly path: string;
  readonly httpVersion: '1.0' | '1.1';
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** The client will use the connection again. */
  readonly keepAlive: boolean;
  /** Its head was parsed, ns. */
  readonly arrivalNs: number;
  readonly body: Buffer;
}

type Head = Omit<Message, 'body'>;

export interface ParserEvents {
  /** A client waits for leave to send its body (`Expect: 100-continue`). */
  expectsContinue(): void;
  message(message: Message): void;
  /** What comes next on this connection cannot be read; nothing is called any more. */
  failed(error: ApiError): void;
}

/** The value of the last header of this name (lower case), or null. */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
    if (rawHeaders[i]!.toLowerCase() === name) return rawHeaders[i + 1]!;
  return null;
}

/** The path of a request's target, which may be a whole URL. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0]!;
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** An error of ours, thrown through the parser. */
class Refused extends Error {
  readonly refusal: ApiError;
  constructor(refusal: ApiError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export class RequestParser {
  readonly #parser = new HTTPParser(HTTPParser.REQUEST);
  readonly #events: ParserEvents;
  readonly #now: () => number;
  readonly #maxBodyBytes: number;
  #head: Head | null = null;
  #parts: Buffer[] = [];
  #bytes = 0;
  #failed = false;

  constructor(events: ParserEvents, now: () => number, maxBodyBytes: number) {
    this.#events = events;
    this.#now = now;
    this.#maxBodyBytes = maxBodyBytes;
    this.#parser[HTTPParser.kOnHeadersComplete] = (info) => {
      const version = `${info.versionMajor}.${info.versionMinor}`;
      const { headers } = info;
      if (version !== '1.0' && version !== '1.1') throw new Refused(malformed(undefined));
      const length = headerOf(headers, 'content-length');
      if (length !== null && !/^\d+$/.test(length)) throw new Refused(malformed(undefined));
      this.#head = {
        method: HTTPParser.methods[info.method]!,
        path: pathOf(info.url),
        httpVersion: version,
        rawHeaders: headers,
        keepAlive: info.shouldKeepAlive,
        arrivalNs: this.#now(),
      };
      if (Number(length) > maxBodyBytes) throw new Refused(bodyTooLarge(maxBodyBytes));
      const expects = headerOf(headers, 'expect')?.toLowerCase() === '100-continue';
      if (expects && version === '1.1') this.#events.expectsContinue();
    };
    this.#parser[HTTPParser.kOnBody] = (part) => this.#take(part);
    this.#parser[HTTPParser.kOnMessageComplete] = () => this.#complete();
  }

  /** More bytes. Calls back, in order, for each request that they complete. */
  receive(chunk: Buffer): void {
    let offset = 0;
    // An ignored offer to upgrade ends the parser's loop early: the rest is given to it again.
    while (offset < chunk.length && !this.#failed) {
      let read: number | Error;
      try {
        read = this.#parser.execute(chunk, offset, chunk.length - offset);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.#fail(error.refusal);
        return;
      }
      if (typeof read === 'number' && read > 0) offset += read;
      else
        this.#fail(malformed(String(read).includes('max header size') ? 'HPE_HEADER_OVERFLOW' : undefined));
    }
  }

  #take(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBodyBytes) throw new Refused(bodyTooLarge(this.#maxBodyBytes));
    this.#parts.push(part);
  }

  #complete(): void {
    const message = { ...this.#head!, body: Buffer.concat(this.#parts) };
    this.#head = null;
    this.#parts = [];
    this.#bytes = 0;
    this.#events.message(message);
  }

  #fail(error: ApiError): void {
    this.#failed = true;
    this.#parts = [];
    this.#events.failed(error);
  }
}
