/**
 * Takes interim answers (1xx) that nobody asked for out of what a socket gives, below undici: it breaks the connection at a `100 Continue`, while
 * RFC 9110 §15.2 has a client read one or more of them, expected or not. Only the first bytes after a request are looked at.
 */
import type { Socket } from 'node:net';

const PATTERN = Buffer.from('HTTP/1.x 1');
/** Where the minor version is: any digit. */
const MINOR = 7;
const END = '\r\n\r\n';
/** An interim head longer than this is left to undici, bytes. */
const MAX_HEAD = 16_384;

/** How long the interim head is that `bytes` begin with: 0 when they begin with something else, null when that cannot be said yet. */
function interimLength(bytes: Buffer): number | null {
  const n = Math.min(bytes.length, PATTERN.length);
  for (let i = 0; i < n; i++) if (i !== MINOR && bytes[i] !== PATTERN[i]) return 0;
  if (bytes.length < PATTERN.length + 2) return null;
  // 101 is no interim answer: what follows it is another protocol.
  if (bytes[10] === 0x30 && bytes[11] === 0x31) return 0;
  const end = bytes.indexOf(END);
  if (end >= 0) return end + END.length;
  return bytes.length > MAX_HEAD ? 0 : null;
}

/** One a connection, for as many sockets as it has in turn. */
export class InterimHeads {
  #looking = false;
  #held: Buffer | null = null;

  /** A request is about to be written: the next bytes are the start of its answer. */
  expectHead(): void {
    this.#looking = true;
    this.#held = null;
  }

  /** Makes `socket.read()` leave out interim answers. */
  watch(socket: Socket): void {
    const read = socket.read;
    socket.read = (size?: number): Buffer | null => {
      let bytes: Buffer | null = read.call(socket, size);
      // A size is given by Node's own calls only, and those take nothing.
      while (this.#looking && bytes !== null && size === undefined) {
        bytes = this.#without(bytes);
        if (bytes === null) bytes = read.call(socket);
      }
      return bytes;
    };
  }

  /** `bytes` from the first head on that is not interim; null when that has yet to come. */
  #without(bytes: Buffer): Buffer | null {
    let rest = this.#held === null ? bytes : Buffer.concat([this.#held, bytes]);
    for (;;) {
      const length = interimLength(rest);
      if (length === null) {
        this.#held = rest;
        return null;
      }
      if (length === 0) break;
      rest = rest.subarray(length);
    }
    this.#looking = false;
    this.#held = null;
    return rest;
  }
}
