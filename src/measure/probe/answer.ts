/** What a probe's target does with one request: bytes at instants, and what becomes of the connection. Nothing else leaves it. */

/** One write of its own: a segment, as far as a server can decide that. Writes at one instant are still separate calls. */
export interface Write {
  /** ms since the target had read the whole request. Never before the write in front of it. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** `keep`: the connection waits for the next request as soon as the last write is out; `close`: FIN; `reset`: RST. */
export type Ending = { readonly kind: 'keep' } | { readonly kind: 'close' | 'reset'; readonly atMs: number };

export interface Answer {
  readonly writes: readonly Write[];
  readonly ending: Ending;
}

/** What a request asked for, as the target understood it. */
export interface Asked {
  readonly kind: 'chat' | 'text';
  readonly model: string;
  /** Output tokens: `max_tokens`, `max_completion_tokens`, or the probe's own number where neither is given. */
  readonly tokens: number;
  readonly includeUsage: boolean;
  readonly ignoreEos: boolean;
  readonly promptTokens: number;
  /** The prompt's words, for probes that remember prompts. */
  readonly prompt: string;
  /** The id that the answer's payload is to have. */
  readonly id: string;
  /** Second of its making, Unix time. */
  readonly created: number;
  readonly httpVersion: '1.0' | '1.1';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its place among the requests that this probe has answered, from 0. */
  readonly place: number;
  /** Its place among the requests on its connection, from 0. */
  readonly onConnection: number;
}
