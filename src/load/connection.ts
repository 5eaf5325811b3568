/**
 * One connection to the target and the request that is under way on it. It is its own undici handler, so that a request allocates nothing of ours. The
 * classic handler methods are used: undici 7 wraps the newer ones, which costs more.
 */
import { buildConnector, Client, type Dispatcher } from 'undici';
import { parseChunk } from './chunk-parse.ts';
import { EVENT, TOKEN } from './event-kind.ts';
import { InterimHeads } from './interim-heads.ts';
import { OUTCOME } from './outcome.ts';
import { type BodyTemplate, patchBody } from './request-body.ts';
import type { ShapedBody } from './requests/bodies.ts';
import { headerOf, isRefusal } from './retry-after.ts';
import { type EventSink, SseScanner } from './sse-scanner.ts';

/** What all connections of a worker share. */
export interface ConnectionSettings {
  readonly url: URL;
  readonly path: string;
  readonly stream: boolean;
  readonly template: BodyTemplate;
  /** Bodies that are not alike; null: they are all the template. */
  readonly shaped: ShapedBody | null;
  /** Header names and values in turn; the request id comes last. */
  readonly headers: readonly string[];
  /** The request id of request `index`. */
  readonly requestId: (index: number) => string;
  readonly connectTimeoutMs: number;
  /** CPU time burned on the event loop for each token event, ns: the control with a stated cost. */
  readonly burnNs: number;
  readonly now: () => number;
  /** Takes the API key out of what the server said, before that is cut or anything is added to it; absent: there is none. */
  readonly mask?: ((text: string) => string) | undefined;
  /** The request has ended, whichever way; its fields hold until the next `start`. */
  readonly onEnd: (connection: Connection) => void;
}

const KEEP_ALIVE_MS = 600_000;
/** How much of a body that is no answer is kept for the error's text. */
const MAX_SAMPLE = 2048;

/** What ends a connection's first dispatch before anything is written. */
const OPENED = new Error('opened');

/**
 * Has undici open the connection and make its parser, and then send nothing: the request ends itself at the last step before it
 * would be written, which leaves the socket open. So a connection is wholly ready before its first request, and the server is not asked anything.
 */
class Opening {
  readonly #onSettled: (error: Error | null) => void;
  constructor(onSettled: (error: Error | null) => void) {
    this.#onSettled = onSettled;
  }
  onConnect(): void {
    throw OPENED;
  }
  onHeaders(): boolean {
    return true;
  }
  onData(): boolean {
    return true;
  }
  onComplete(): void {}
  onError(error: Error): void {
    this.#onSettled(error === OPENED ? null : error);
  }
}

/** What a failure without words of its own is. */
const WORDS: Readonly<Record<number, string>> = {
  [OUTCOME.errorInStream]: 'the answer held an error',
  [OUTCOME.malformed]: 'the stream held data that is not JSON',
  [OUTCOME.truncated]: 'the stream ended with neither [DONE] nor a finish_reason',
  [OUTCOME.noTokens]: 'the answer held no token',
  [OUTCOME.timedOut]: 'no end within the time limit',
};

/** The server's words about an error in the stream: the segment that brought it, from the error on. */
function errorText(text: string): string {
  const at = Math.max(0, text.search(/"finish_reason"\s*:\s*"(?:error|abort)"|"?error/));
  return `in the stream: ${text.slice(at, at + 300).trim()}`;
}

const inWords = (error: Error): string => {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${code}: ${error.message}`;
};

export class Connection implements EventSink {
  index = -1;
  scheduledNs = 0;
  /** Handed to the connection; the request's own time limit runs from here. */
  startedNs = 0;
  /** Just before the request was written to the socket; NaN before. */
  sentNs = Number.NaN;
  headersNs = Number.NaN;
  firstNs = Number.NaN;
  /** First content that is not reasoning. */
  firstAnswerNs = Number.NaN;
  lastNs = Number.NaN;
  endNs = Number.NaN;
  status = 0;
  /** All EVENT bits seen. */
  kinds = 0;
  completionTokens = -1;
  promptTokens = -1;
  /** Token events so far; their instants are the first ones of `stamps`. */
  tokens = 0;
  stamps = new Float64Array(64);
  outcome = 0;
  /** What went wrong, in words; empty when nothing did. */
  failure = '';
  /** Retry-After and Date of an answer that refuses; empty where it has none. */
  retryAfter = '';
  answerDate = '';
  /** How often the request was sent; above 1 only where Retry-After is heeded. */
  tries = 1;
  /** When it was sent first; holds only where there were several tries. */
  firstSentNs = Number.NaN;
  busy = false;
  timedOut = false;
  /** The request ended by an error of its connection: undici is still in the midst of it, and must be let finish before the next one. */
  broken = false;
  /** Of no more use. */
  destroyed = false;
  /** When the segment came that is being read. */
  segmentNs = 0;

  readonly scanner = new SseScanner(this);
  readonly #settings: ConnectionSettings;
  readonly #client: Client;
  readonly #options: Dispatcher.DispatchOptions & { body: Buffer };
  readonly #headers: string[];
  #body: Buffer;
  readonly #idAt: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #interim = new InterimHeads();
  #kept = 0;
  #abort: ((error?: Error) => void) | null = null;

  /** Starts to open its connection at once; `onSettled` when that has ended: with null, or with the error. */
  constructor(settings: ConnectionSettings, onSettled: (error: Error | null) => void) {
    this.#settings = settings;
    this.#client = new Client(settings.url.origin, {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // Our own limits: undici's timers are off by up to half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.#connector(),
    });
    this.#headers = [...settings.headers, 'x-request-id', ''];
    this.#idAt = this.#headers.length - 1;
    this.#body = Buffer.from(settings.template.bytes);
    this.#options = {
      path: settings.path,
      method: 'POST',
      headers: this.#headers,
      body: this.#body,
    };
    this.#client.dispatch({ path: '/', method: 'GET' }, new Opening(onSettled));
  }

  /** undici's own, with interim answers taken out of what the socket gives. */
  #connector(): buildConnector.connector {
    const options = { timeout: this.#settings.connectTimeoutMs, noDelay: true };
    const connect = buildConnector(options as buildConnector.BuildOptions);
    return (to, callback) =>
      connect(to, (...result) => {
        const [error, socket] = result;
        if (error === null) this.#interim.watch(socket);
        callback(...result);
      });
  }

  /** Sends request `index`, due at `scheduledNs`. Only when not busy. */
  start(index: number, scheduledNs: number, nowNs: number): void {
    this.#begin(index, scheduledNs, nowNs);
    this.#headers[this.#idAt] = this.#settings.requestId(index);
    if (this.#settings.shaped !== null) this.#shape(index, this.#settings.shaped);
    else if (this.#settings.template.digits > 0)
      patchBody(this.#body, this.#settings.template, this.promptNumber(index));
    this.#client.dispatch(this.#options, this);
  }

  /** Puts the body of request `index` together, in a buffer that only grows. */
  #shape(index: number, shaped: ShapedBody): void {
    const size = shaped.begin(index);
    if (size > this.#body.length) this.#body = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(size)));
    shaped.write(this.#body, this.promptNumber(index));
    this.#options.body = this.#body.subarray(0, size);
  }

  /** The number that stands in the prompt of request `index`. */
  protected promptNumber(index: number): number {
    return index;
  }

  /** How many of `stamps` hold. */
  get stampCount(): number {
    return this.tokens;
  }

  /** Ends request `index` unsent: it waited for this connection, which could not be opened. */
  fail(index: number, scheduledNs: number, nowNs: number, error: Error): void {
    this.#begin(index, scheduledNs, nowNs);
    this.endNs = nowNs;
    this.broken = true;
    this.#end(OUTCOME.connectError, inWords(error));
  }

  #begin(index: number, scheduledNs: number, nowNs: number): void {
    this.index = index;
    this.scheduledNs = scheduledNs;
    this.startedNs = nowNs;
    this.sentNs = Number.NaN;
    this.headersNs = Number.NaN;
    this.firstNs = Number.NaN;
    this.firstAnswerNs = Number.NaN;
    this.lastNs = Number.NaN;
    this.endNs = Number.NaN;
    this.status = 0;
    this.kinds = 0;
    this.completionTokens = -1;
    this.promptTokens = -1;
    this.tokens = 0;
    this.failure = '';
    this.retryAfter = '';
    this.tries = 1;
    this.busy = true;
    this.timedOut = false;
    this.broken = false;
    this.#abort = null;
    this.#kept = 0;
    this.#chunks.length = 0;
    this.scanner.reset();
  }

  /** Ends the request that is under way: its outcome is `timedOut`. */
  expire(): void {
    this.timedOut = true;
    if (this.#abort !== null) this.#abort(new Error('time limit reached'));
    else this.destroy();
  }

  /** Closes the connection for good; a request under way fails. */
  destroy(): void {
    this.destroyed = true;
    this.#client.destroy().catch(() => {});
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    this.#interim.expectHead();
    this.sentNs = this.#settings.now();
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    this.headersNs = this.#settings.now();
    this.status = status;
    if (isRefusal(status)) {
      this.retryAfter = this.#masked(headerOf(headers, 'retry-after'));
      this.answerDate = headerOf(headers, 'date');
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.segmentNs = this.#settings.now();
    if (this.#settings.stream && this.status < 300) {
      this.scanner.push(chunk);
      if ((this.kinds & EVENT.error) !== 0 && this.failure === '')
        this.failure = errorText(this.#masked(chunk.toString('utf8')));
    } else if (this.status < 300 || this.#kept < MAX_SAMPLE) {
      this.#chunks.push(chunk);
      this.#kept += chunk.length;
    }
    return true;
  }

  /** From the scanner, for the segment that arrived at segmentNs. */
  onEvent(kind: number, completionTokens: number, promptTokens: number): void {
    this.kinds |= kind;
    if (completionTokens >= 0) this.completionTokens = completionTokens;
    if (promptTokens >= 0) this.promptTokens = promptTokens;
    if ((kind & TOKEN) === 0) return;
    const { burnNs, now } = this.#settings;
    // A client that works on each token sees the next one only when it is done with this one.
    const at = burnNs > 0 ? now() : this.segmentNs;
    if (this.tokens === this.stamps.length) {
      const grown = new Float64Array(this.stamps.length * 2);
      grown.set(this.stamps);
      this.stamps = grown;
    }
    if (this.tokens === 0) this.firstNs = at;
    if ((kind & EVENT.content) !== 0 && Number.isNaN(this.firstAnswerNs)) this.firstAnswerNs = at;
    this.stamps[this.tokens++] = at;
    this.lastNs = at;
    if (burnNs > 0) {
      const until = at + burnNs;
      while (now() < until);
    }
  }

  onComplete(): void {
    this.endNs = this.#settings.now();
    if (this.status >= 300) {
      const text = this.#masked(Buffer.concat(this.#chunks).toString('utf8')).slice(0, MAX_SAMPLE);
      this.#end(OUTCOME.httpError, `status ${this.status}: ${text}`);
      return;
    }
    if (!this.#settings.stream) this.#readWhole();
    const outcome = this.#judge();
    this.#end(outcome, this.failure === '' ? (WORDS[outcome] ?? '') : this.failure);
  }

  onError(error: Error): void {
    if (!this.busy) return;
    this.broken = true;
    this.endNs = this.#settings.now();
    const text = inWords(error);
    if (this.timedOut) this.#end(OUTCOME.timedOut, WORDS[OUTCOME.timedOut]!);
    else if (Number.isNaN(this.sentNs)) this.#end(OUTCOME.connectError, text);
    else this.#end(OUTCOME.connectionLost, text);
  }

  /** An answer in one piece has no instants of tokens: only its end, where its last token is. */
  #readWhole(): void {
    const meaning = parseChunk(Buffer.concat(this.#chunks).toString('utf8'));
    this.kinds = meaning.kind;
    this.completionTokens = meaning.completionTokens;
    this.promptTokens = meaning.promptTokens;
    if ((meaning.kind & TOKEN) !== 0) this.lastNs = this.endNs;
    if (meaning.id !== null)
      this.scanner.idLength = new TextEncoder().encodeInto(meaning.id, this.scanner.id).written;
  }

  #judge(): number {
    const { kinds } = this;
    if ((kinds & EVENT.error) !== 0) return OUTCOME.errorInStream;
    if ((kinds & EVENT.malformed) !== 0) return OUTCOME.malformed;
    if (this.#settings.stream && (kinds & (EVENT.done | EVENT.finish)) === 0) return OUTCOME.truncated;
    return Number.isNaN(this.lastNs) ? OUTCOME.noTokens : OUTCOME.complete;
  }

  #masked(text: string): string {
    const { mask } = this.#settings;
    return mask === undefined ? text : mask(text);
  }

  #end(outcome: number, failure: string): void {
    this.outcome = outcome;
    this.failure = failure;
    this.busy = false;
    this.#abort = null;
    this.#chunks.length = 0;
    this.#settings.onEnd(this);
  }
}
