/**
 * Bytes of an answer, made beforehand and used for every request that asks the same. Only the last eight digits of the
 * payload id, the second of creation and the date header differ between requests; these are written over in place, at known
 * offsets. The bytes may be reused as soon as the kernel has them all; `release` gives them away otherwise.
 */

/** The instant that pieces are made out to: changes once a second. */
export interface Second {
  readonly created: number;
  /** 29 characters, as the date header has it. */
  readonly httpDate: string;
}

export const secondOf = (epochSeconds: number): Second => ({
  created: epochSeconds,
  httpDate: new Date(epochSeconds * 1000).toUTCString(),
});

/** Stands for the digits of the ordinal while a piece is made. */
export const BLANK_ORDINAL = '00000000';

/** The eight hexadecimal digits of an ordinal, as bytes. */
const digits = new Uint8Array(8);
let digitsOf = -1;

function setDigits(ordinal: number): void {
  if (ordinal === digitsOf) return;
  digitsOf = ordinal;
  let rest = ordinal;
  for (let i = 7; i >= 0; i--) {
    const nibble = rest & 15;
    digits[i] = nibble < 10 ? 48 + nibble : 87 + nibble;
    rest >>>= 4;
  }
}

/** Offsets just behind each occurrence of `needle`. */
function offsetsBehind(bytes: Buffer, needle: string): Int32Array {
  const found: number[] = [];
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length))
    found.push(at + Buffer.byteLength(needle));
  return Int32Array.from(found);
}

export class Piece {
  #bytes: Buffer;
  #second: Second;
  readonly #ordinalAt: Int32Array;
  readonly #createdAt: Int32Array;
  readonly #dateAt: Int32Array;

  /**
   * `idStart` is the constant part of the id. The needles begin with a bare quotation mark, which cannot stand inside a
   * JSON text, so that a model's name cannot be taken for one.
   */
  constructor(text: string, idStart: string, second: Second) {
    this.#bytes = Buffer.from(text);
    this.#second = second;
    this.#ordinalAt = offsetsBehind(this.#bytes, `{"id":"${idStart}`);
    this.#createdAt = offsetsBehind(this.#bytes, '","created":').filter(
      (at) => this.#bytes.toString('latin1', at, at + 10) === String(second.created),
    );
    this.#dateAt = offsetsBehind(this.#bytes, '\r\ndate: ').filter((at) => at < 400);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The bytes, made out to a request. To be written at once: the next call changes them. */
  bytesFor(ordinal: number, second: Second): Buffer {
    const bytes = this.#bytes;
    setDigits(ordinal);
    const at = this.#ordinalAt;
    for (let i = 0; i < at.length; i++) {
      const from = at[i]!;
      for (let digit = 0; digit < 8; digit++) bytes[from + digit] = digits[digit]!;
    }
    if (second !== this.#second) this.#renew(second);
    return bytes;
  }

  /** The socket still holds the bytes that were written last: others are used from now on. */
  release(): void {
    this.#bytes = Buffer.from(this.#bytes);
  }

  #renew(second: Second): void {
    this.#second = second;
    for (const at of this.#createdAt) this.#bytes.write(String(second.created), at, 'latin1');
    for (const at of this.#dateAt) this.#bytes.write(second.httpDate, at, 'latin1');
  }
}
