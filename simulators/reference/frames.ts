/** The pieces that answers to one plan are made of, framed for HTTP/1.1 (one chunk an event) and made when first used. */
import { brokenOff, errorBody } from './api-error.ts';
import { tokensBeforeBreak } from './faults.ts';
import { answerJson, eventJson, type Position, type Stamp } from './payload.ts';
import { BLANK_ORDINAL, Piece, type Second } from './piece.ts';
import type { Kind, Plan } from './plan.ts';

/**
 * Where a streamed chat's role goes: in the first content event; in an event of its own in the same write as the first
 * token; or in an event of its own, written as soon as the request is read (as vLLM does).
 */
export const ROLE_MODES = ['merged', 'separate', 'early'] as const;
export type RoleMode = (typeof ROLE_MODES)[number];

export interface FrameOptions {
  readonly model: string;
  readonly role: RoleMode;
  /** The head is sent as soon as the request is read, instead of with the first token. */
  readonly earlyHeaders: boolean;
  /** What ends a stream is written on its own, behind the last token. */
  readonly ownTail: boolean;
  /** This target's eight hexadecimal digits in each payload id. */
  readonly tag: string;
}

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
} as const;
export const JSON_HEADERS = { 'content-type': 'application/json' } as const;

const DONE = 'data: [DONE]\n\n';
const event = (json: string): string => `data: ${json}\n\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

function head(headers: Readonly<Record<string, string>>, second: Second): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}date: ${second.httpDate}\r\nconnection: keep-alive\r\n`;
}

/** The constant start of payload ids. */
export const idStart = (kind: Kind, tag: string): string => `${kind === 'chat' ? 'chatcmpl' : 'cmpl'}-${tag}`;

/** The events of a stream before its first token, at a token, and after the last: as text, not framed. */
export function eventTexts(plan: Plan, options: FrameOptions, stamp: Stamp) {
  const merged = options.role === 'merged';
  const at = (position: Position): string => event(eventJson(plan, options.model, position, merged, stamp));
  const usage = plan.includeUsage ? [at('usage')] : [];
  const ownRole = plan.kind === 'chat' && !merged;
  return {
    role: ownRole ? [at('role')] : [],
    token(index: number): string {
      if (plan.broken) return at(index === 0 ? 'first' : 'middle');
      if (plan.outputTokens === 1) return at('only');
      if (index === 0) return at('first');
      return at(index === plan.outputTokens - 1 ? 'last' : 'middle');
    },
    end: plan.broken ? [event(errorBody(brokenOff)), DONE] : [...usage, DONE],
  };
}

type PieceName = 'opening' | 'whole' | 'first' | 'middle' | 'last' | 'tail';

export class Frames {
  readonly plan: Plan;
  readonly #options: FrameOptions;
  readonly #second: Second;
  readonly #made = new Map<string, Piece>();
  /** Told the size of each piece that is made, so that a cache can bound itself. */
  readonly #onMade: (bytes: number) => void;
  #broken: Frames | null = null;

  constructor(plan: Plan, options: FrameOptions, second: Second, onMade: (bytes: number) => void) {
    this.plan = plan;
    this.#options = options;
    this.#second = second;
    this.#onMade = onMade;
  }

  /** The same answer, broken off after half of its tokens. */
  get broken(): Frames {
    if (this.#broken === null) {
      const plan = {
        ...this.plan,
        outputTokens: tokensBeforeBreak(this.plan.outputTokens),
        broken: true,
      } as const;
      this.#broken = new Frames(plan, this.#options, this.#second, this.#onMade);
    }
    return this.#broken;
  }

  /** What is sent as soon as the request is read (head, and an early role); null when that waits for the first token. */
  get opening(): Piece | null {
    return this.#early ? this.#piece('opening') : null;
  }

  /** All that is sent, or all behind the opening. */
  get whole(): Piece {
    return this.#piece('whole');
  }

  /** Head (unless sent already), role and first token. */
  get first(): Piece {
    return this.#piece('first');
  }

  get middle(): Piece {
    return this.#piece('middle');
  }

  /** Last token; usage, [DONE] and the end of the body unless they are written on their own. */
  get last(): Piece {
    return this.#piece('last');
  }

  /** Usage, [DONE] and the end of the body, where they are written on their own; else null. */
  get tail(): Piece | null {
    return this.#ownTail ? this.#piece('tail') : null;
  }

  get #ownTail(): boolean {
    return this.plan.stream && this.#options.ownTail;
  }

  get #early(): boolean {
    return this.plan.stream && (this.#options.earlyHeaders || this.#roleEarly);
  }

  get #roleEarly(): boolean {
    return this.plan.kind === 'chat' && this.#options.role === 'early';
  }

  #piece(name: PieceName): Piece {
    let piece = this.#made.get(name);
    if (piece === undefined) {
      const start = idStart(this.plan.kind, this.#options.tag);
      const stamp = { id: start + BLANK_ORDINAL, created: this.#second.created };
      piece = new Piece(
        this.plan.stream ? this.#stream(name, stamp) : this.#json(stamp),
        start,
        this.#second,
      );
      this.#made.set(name, piece);
      this.#onMade(piece.length);
    }
    return piece;
  }

  #stream(name: PieceName, stamp: Stamp): string {
    const texts = eventTexts(this.plan, this.#options, stamp);
    const top = `${head(STREAM_HEADERS, this.#second)}transfer-encoding: chunked\r\n\r\n`;
    const role = texts.role.map(chunk).join('');
    const before = this.#early ? (this.#roleEarly ? '' : role) : top + role;
    const tail = texts.end.map(chunk).join('') + LAST_CHUNK;
    const end = this.#ownTail ? '' : tail;
    const count = this.plan.outputTokens;
    switch (name) {
      case 'opening':
        return top + (this.#roleEarly ? role : '');
      case 'tail':
        return tail;
      case 'first':
        return before + chunk(texts.token(0));
      case 'middle':
        return chunk(texts.token(1));
      case 'last':
        return chunk(texts.token(count - 1)) + end;
      case 'whole': {
        const middle = count > 2 ? chunk(texts.token(1)).repeat(count - 2) : '';
        return (
          before + chunk(texts.token(0)) + middle + (count > 1 ? chunk(texts.token(count - 1)) : '') + end
        );
      }
    }
  }

  #json(stamp: Stamp): string {
    const body = answerJson(this.plan, this.#options.model, stamp);
    return `${head(JSON_HEADERS, this.#second)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }
}
