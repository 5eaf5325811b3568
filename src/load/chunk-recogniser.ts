/**
 * Reads the meaning of a chunk (see chunk-parse.ts) from its bytes, in one pass, without building a string or an object. It follows
 * the JSON grammar exactly, so `"content":""` inside a string is a string and not a delta. What it does not know (escapes in a
 * key, a key given twice, line ends between tokens, deep nesting, an end before the object's end) it declines: the caller
 * then takes JSON.parse. It never guesses.
 */
import { EVENT } from './event-kind.ts';

/** What `recognise` says when it declines. */
export const DECLINED = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const SPACE = 0x20;
const TAB = 0x09;
/** Objects nested deeper than this are left to JSON.parse. */
const MAX_DEPTH = 32;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const TRUE = bytes('true');
const FALSE = bytes('false');
const NULL = bytes('null');

/** Keys that matter, and two values, by their length, so that most others fall out at once. */
const KEYS = {
  id: bytes('id'),
  text: bytes('text'),
  error: bytes('error'),
  abort: bytes('abort'),
  usage: bytes('usage'),
  delta: bytes('delta'),
  object: bytes('object'),
  choices: bytes('choices'),
  content: bytes('content'),
  message: bytes('message'),
  reasoning: bytes('reasoning'),
  finishReason: bytes('finish_reason'),
  promptTokens: bytes('prompt_tokens'),
  completionTokens: bytes('completion_tokens'),
  reasoningContent: bytes('reasoning_content'),
} as const;

/** One recogniser a stream; its fields hold the last chunk's meaning. */
export class ChunkRecogniser {
  /** Just after the object's closing brace, once `recognise` has not declined. */
  end = 0;
  completionTokens = -1;
  promptTokens = -1;
  /** Where the id's characters are; both 0 without one. */
  idStart = 0;
  idEnd = 0;

  #b: Uint8Array = NULL;
  #p = 0;
  #n = 0;
  #kind = 0;
  #textStart = 0;
  #textEnd = 0;
  #escaped = false;
  #number = -1;

  /** Bits of EVENT for the object that starts at `start` (its brace), or DECLINED. */
  recognise(buffer: Uint8Array, start: number, end: number): number {
    this.#b = buffer;
    this.#p = start + 1;
    this.#n = end;
    this.#kind = 0;
    this.completionTokens = -1;
    this.promptTokens = -1;
    this.idStart = 0;
    this.idEnd = 0;
    if (!this.#top()) return DECLINED;
    this.end = this.#p;
    return this.#kind;
  }

  /** The next byte that is not a blank, or −1 at the end; does not go past it. */
  #peek(): number {
    const b = this.#b;
    while (this.#p < this.#n) {
      const c = b[this.#p]!;
      if (c !== SPACE && c !== TAB) return c;
      this.#p++;
    }
    return -1;
  }

  /** Reads a string whose opening quote is next. Its span is then in #textStart … #textEnd. */
  #string(): boolean {
    const b = this.#b;
    const n = this.#n;
    let p = this.#p + 1;
    this.#textStart = p;
    this.#escaped = false;
    for (; p < n; p++) {
      const c = b[p]!;
      if (c === QUOTE) {
        this.#textEnd = p;
        this.#p = p + 1;
        return true;
      }
      if (c === BACKSLASH) {
        this.#escaped = true;
        p++;
        if (p >= n) return false;
        if (b[p] === 0x75) {
          for (let i = 0; i < 4; i++) {
            p++;
            if (p >= n || !isHex(b[p]!)) return false;
          }
        } else if (!isEscape(b[p]!)) return false;
      } else if (c < 0x20) return false;
    }
    return false;
  }

  /** Reads `"key":` and leaves the value next. The key's span is in #textStart … #textEnd. */
  #key(): boolean {
    if (this.#peek() !== QUOTE || !this.#string() || this.#escaped) return false;
    if (this.#peek() !== COLON) return false;
    this.#p++;
    return this.#peek() >= 0;
  }

  #keyIs(name: Uint8Array): boolean {
    const b = this.#b;
    const start = this.#textStart;
    const n = name.length;
    if (this.#textEnd - start !== n) return false;
    for (let i = 0; i < n; i++) if (b[start + i] !== name[i]) return false;
    return true;
  }

  /** After a value in an object: 1 another key follows, 0 the object ended, −1 neither. */
  #more(close: number): number {
    const c = this.#peek();
    if (c === COMMA) {
      this.#p++;
      return 1;
    }
    if (c !== close) return -1;
    this.#p++;
    return 0;
  }

  /** Whether the object that has just been opened is empty; goes past its brace if so. */
  #empty(close: number): boolean {
    if (this.#peek() !== close) return false;
    this.#p++;
    return true;
  }

  #top(): boolean {
    if (this.#empty(CLOSE_OBJECT)) return true;
    let seen = 0;
    for (;;) {
      if (!this.#key()) return false;
      let bit = 0;
      let ok: boolean;
      switch (this.#textEnd - this.#textStart) {
        case 2:
          if (this.#keyIs(KEYS.id)) {
            bit = 1;
            ok = this.#id();
          } else ok = this.#skip(1);
          break;
        case 5:
          if (this.#keyIs(KEYS.error)) {
            bit = 2;
            ok = this.#error();
          } else if (this.#keyIs(KEYS.usage)) {
            bit = 4;
            ok = this.#peek() === OPEN_OBJECT ? this.#usage() : this.#skip(1);
          } else ok = this.#skip(1);
          break;
        case 6:
          if (this.#keyIs(KEYS.object)) {
            bit = 8;
            ok = this.#objectName();
          } else ok = this.#skip(1);
          break;
        case 7:
          if (this.#keyIs(KEYS.choices)) {
            bit = 16;
            ok = this.#peek() === OPEN_ARRAY ? this.#choices() : this.#skip(1);
          } else ok = this.#skip(1);
          break;
        default:
          ok = this.#skip(1);
      }
      // JSON.parse takes the last of two equal keys: too rare to follow here.
      if (!ok || (seen & bit) !== 0) return false;
      seen |= bit;
      const more = this.#more(CLOSE_OBJECT);
      if (more <= 0) return more === 0;
    }
  }

  #id(): boolean {
    if (this.#peek() !== QUOTE) return this.#skip(1);
    if (!this.#string() || this.#escaped) return false;
    this.idStart = this.#textStart;
    this.idEnd = this.#textEnd;
    return true;
  }

  #objectName(): boolean {
    if (this.#peek() !== QUOTE) return this.#skip(1);
    if (!this.#string() || this.#escaped) return false;
    if (this.#keyIs(KEYS.error)) this.#kind |= EVENT.error;
    return true;
  }

  /** Any value but null, false and "" says that the request failed. */
  #error(): boolean {
    const c = this.#peek();
    if (!this.#skip(1)) return false;
    const nothing = c === 0x6e || c === 0x66 || (c === QUOTE && this.#textStart === this.#textEnd);
    if (!nothing) this.#kind |= EVENT.error;
    return true;
  }

  #usage(): boolean {
    this.#p++;
    if (this.#empty(CLOSE_OBJECT)) return true;
    for (;;) {
      if (!this.#key()) return false;
      const completion = this.#keyIs(KEYS.completionTokens);
      const prompt = !completion && this.#keyIs(KEYS.promptTokens);
      this.#number = -1;
      if (!this.#skip(2)) return false;
      if (completion) {
        if (this.completionTokens >= 0) return false;
        this.completionTokens = this.#number;
        if (this.#number >= 0) this.#kind |= EVENT.usage;
      } else if (prompt) {
        if (this.promptTokens >= 0) return false;
        this.promptTokens = this.#number;
      }
      const more = this.#more(CLOSE_OBJECT);
      if (more <= 0) return more === 0;
    }
  }

  #choices(): boolean {
    this.#p++;
    if (this.#empty(CLOSE_ARRAY)) return true;
    for (;;) {
      if (!(this.#peek() === OPEN_OBJECT ? this.#choice() : this.#skip(2))) return false;
      const more = this.#more(CLOSE_ARRAY);
      if (more <= 0) return more === 0;
    }
  }

  #choice(): boolean {
    this.#p++;
    if (this.#empty(CLOSE_OBJECT)) return true;
    let seen = 0;
    for (;;) {
      if (!this.#key()) return false;
      let bit = 0;
      let ok: boolean;
      switch (this.#textEnd - this.#textStart) {
        case 4:
          if (this.#keyIs(KEYS.text)) {
            bit = 1;
            ok = this.#text(EVENT.content);
          } else ok = this.#skip(3);
          break;
        case 5:
          if (this.#keyIs(KEYS.delta)) {
            bit = 2;
            ok = this.#peek() === OPEN_OBJECT ? this.#delta() : this.#skip(3);
          } else ok = this.#skip(3);
          break;
        case 7:
          if (this.#keyIs(KEYS.message)) {
            bit = 4;
            ok = this.#peek() === OPEN_OBJECT ? this.#delta() : this.#skip(3);
          } else ok = this.#skip(3);
          break;
        case 13:
          if (this.#keyIs(KEYS.finishReason)) {
            bit = 8;
            ok = this.#finish();
          } else ok = this.#skip(3);
          break;
        default:
          ok = this.#skip(3);
      }
      if (!ok || (seen & bit) !== 0) return false;
      seen |= bit;
      const more = this.#more(CLOSE_OBJECT);
      if (more <= 0) return more === 0;
    }
  }

  #delta(): boolean {
    this.#p++;
    if (this.#empty(CLOSE_OBJECT)) return true;
    let seen = 0;
    for (;;) {
      if (!this.#key()) return false;
      let bit = 0;
      let ok: boolean;
      switch (this.#textEnd - this.#textStart) {
        case 7:
          if (this.#keyIs(KEYS.content)) {
            bit = 1;
            ok = this.#text(EVENT.content);
          } else ok = this.#skip(4);
          break;
        case 9:
          if (this.#keyIs(KEYS.reasoning)) {
            bit = 2;
            ok = this.#text(EVENT.reasoning);
          } else ok = this.#skip(4);
          break;
        case 17:
          if (this.#keyIs(KEYS.reasoningContent)) {
            bit = 4;
            ok = this.#text(EVENT.reasoning);
          } else ok = this.#skip(4);
          break;
        default:
          ok = this.#skip(4);
      }
      if (!ok || (seen & bit) !== 0) return false;
      seen |= bit;
      const more = this.#more(CLOSE_OBJECT);
      if (more <= 0) return more === 0;
    }
  }

  #finish(): boolean {
    if (this.#peek() !== QUOTE) return this.#skip(4);
    if (!this.#string() || this.#escaped) return false;
    if (this.#textEnd > this.#textStart) this.#kind |= EVENT.finish;
    if (this.#keyIs(KEYS.error) || this.#keyIs(KEYS.abort)) this.#kind |= EVENT.error;
    return true;
  }

  /** A value that counts when it is a string with something in it. */
  #text(bit: number): boolean {
    if (this.#peek() !== QUOTE) return this.#skip(4);
    if (!this.#string()) return false;
    if (this.#textEnd > this.#textStart) this.#kind |= bit;
    return true;
  }

  /** Goes over any value, checking its grammar. A count (0 or a positive whole number) is left in #number. */
  #skip(depth: number): boolean {
    switch (this.#peek()) {
      case QUOTE:
        return this.#string();
      case OPEN_OBJECT:
        return depth < MAX_DEPTH && this.#skipObject(depth + 1);
      case OPEN_ARRAY:
        return depth < MAX_DEPTH && this.#skipArray(depth + 1);
      case 0x74:
        return this.#literal(TRUE);
      case 0x66:
        return this.#literal(FALSE);
      case 0x6e:
        return this.#literal(NULL);
      default:
        return this.#skipNumber();
    }
  }

  #skipObject(depth: number): boolean {
    this.#p++;
    if (this.#empty(CLOSE_OBJECT)) return true;
    for (;;) {
      if (!this.#key() || !this.#skip(depth)) return false;
      const more = this.#more(CLOSE_OBJECT);
      if (more <= 0) {
        this.#number = -1;
        return more === 0;
      }
    }
  }

  #skipArray(depth: number): boolean {
    this.#p++;
    if (this.#empty(CLOSE_ARRAY)) return true;
    for (;;) {
      if (!this.#skip(depth)) return false;
      const more = this.#more(CLOSE_ARRAY);
      if (more <= 0) {
        this.#number = -1;
        return more === 0;
      }
    }
  }

  #literal(word: Uint8Array): boolean {
    const b = this.#b;
    const p = this.#p;
    if (p + word.length > this.#n) return false;
    for (let i = 1; i < word.length; i++) if (b[p + i] !== word[i]) return false;
    this.#p = p + word.length;
    return true;
  }

  /** A number of the JSON grammar. Fractions and exponents are left to JSON.parse where a count was wanted (#number −1 means none). */
  #skipNumber(): boolean {
    const b = this.#b;
    const n = this.#n;
    let p = this.#p;
    const negative = b[p] === 0x2d;
    if (negative) p++;
    const first = p;
    let value = 0;
    while (p < n && isDigit(b[p]!)) value = value * 10 + (b[p++]! - 0x30);
    if (p === first || (b[first] === 0x30 && p - first > 1)) return false;
    let whole = true;
    if (p < n && b[p] === 0x2e) {
      whole = false;
      p++;
      const from = p;
      while (p < n && isDigit(b[p]!)) p++;
      if (p === from) return false;
    }
    if (p < n && (b[p] === 0x65 || b[p] === 0x45)) {
      whole = false;
      p++;
      if (p < n && (b[p] === 0x2b || b[p] === 0x2d)) p++;
      const from = p;
      while (p < n && isDigit(b[p]!)) p++;
      if (p === from) return false;
    }
    // A number that ends with the buffer may go on in the next segment.
    if (p >= n) return false;
    // 1.0, 1e2, -0 and what float64 rounds are left to JSON.parse, but only where it matters: in usage.
    if ((!whole || negative || p - first > 15) && this.#wantsCount()) return false;
    this.#number = whole && !negative ? value : -1;
    this.#p = p;
    return true;
  }

  #wantsCount(): boolean {
    return this.#textStart > 0 && (this.#keyIs(KEYS.completionTokens) || this.#keyIs(KEYS.promptTokens));
  }
}

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isHex = (c: number): boolean => isDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
/** `"` `\` `/` b f n r t, after a backslash. */
const isEscape = (c: number): boolean =>
  c === 0x22 ||
  c === 0x5c ||
  c === 0x2f ||
  c === 0x62 ||
  c === 0x66 ||
  c === 0x6e ||
  c === 0x72 ||
  c === 0x74;
