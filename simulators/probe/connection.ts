/** One connection: its requests in order, one answer at a time. Knows no socket: bytes come in, a wire takes what goes out. */
import type { ApiError } from '../reference/api-error.ts';
import type { Kind } from '../reference/plan.ts';
import type { ProbeEngine } from './engine.ts';
import type { Playing, Wire } from './playing.ts';
import { type Message, RequestParser } from './request-parser.ts';
import { refusal, replyBytes, smallReply } from './small-replies.ts';

const COMPLETIONS: Readonly<Record<string, Kind>> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'text',
};

const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

type Item = { readonly message: Message } | { readonly failure: ApiError };

export class ProbeConnection {
  readonly #engine: ProbeEngine;
  readonly #wire: Wire;
  readonly #ordinal: number;
  readonly #parser: RequestParser;
  /** Read, and not yet taken up: a client need not wait for an answer before it sends its next request. */
  readonly #waiting: Item[] = [];
  #playing: Playing | null = null;
  #taken = 0;
  #owesContinue = false;
  /** Nothing is read or written any more. */
  #over = false;

  constructor(engine: ProbeEngine, wire: Wire) {
    this.#engine = engine;
    this.#wire = wire;
    this.#ordinal = engine.counters.connections++;
    engine.counters.openConnections++;
    const events = {
      expectsContinue: () => {
        this.#owesContinue = true;
      },
      message: (message: Message) => {
        this.#owesContinue = false;
        this.#waiting.push({ message });
      },
      failed: (failure: ApiError) => void this.#waiting.push({ failure }),
    };
    this.#parser = new RequestParser(events, engine.now, engine.options.maxBodyBytes);
  }

  receive(chunk: Buffer): void {
    if (this.#over) return;
    this.#parser.receive(chunk);
    this.#goOn();
  }

  /** The client hung up: it sent FIN or RST. */
  hungUp(): void {
    this.#over = true;
    this.#waiting.length = 0;
    if (!this.#engine.ended) this.#playing?.closed();
  }

  /** The connection is no more. */
  gone(): void {
    this.#engine.counters.openConnections--;
    this.hungUp();
  }

  #goOn(): void {
    while (!this.#over && this.#playing === null && this.#waiting.length > 0)
      this.#takeUp(this.#waiting.shift()!);
    if (this.#over || this.#playing !== null || !this.#owesContinue) return;
    this.#owesContinue = false;
    this.#wire.write(CONTINUE);
  }

  #takeUp(item: Item): void {
    if ('failure' in item) {
      this.#wire.write(replyBytes(refusal(item.failure), false));
      this.#end();
      return;
    }
    const { message } = item;
    const standing = { connection: this.#ordinal, onConnection: this.#taken++ };
    const kind = message.method === 'POST' ? COMPLETIONS[message.path] : undefined;
    if (kind === undefined) {
      this.#reply(
        message,
        replyBytes(smallReply(this.#engine, message), message.keepAlive, message.method === 'HEAD'),
      );
      return;
    }
    const begun = this.#engine.begin(kind, message, standing, this.#wire, () => this.#played(message));
    if (begun.ok) this.#playing = begun.playing;
    else {
      const { counters } = this.#engine;
      counters.refused++;
      counters.unserved.note(message.method, `${message.path} (refused: ${begun.error.message})`);
      this.#reply(message, replyBytes(refusal(begun.error), message.keepAlive));
    }
  }

  #reply(message: Message, bytes: Buffer): void {
    this.#wire.write(bytes);
    if (!message.keepAlive) this.#end();
  }

  /** An answer is over. The next one begins later: this is called by the pacer, which must not be given more meanwhile. */
  #played(message: Message): void {
    const keeps = this.#playing?.keeps ?? false;
    this.#playing = null;
    if (!keeps) this.#over = true;
    queueMicrotask(() => {
      if (this.#over) return;
      if (message.keepAlive) this.#goOn();
      else this.#end();
    });
  }

  #end(): void {
    this.#over = true;
    this.#wire.end();
  }
}
