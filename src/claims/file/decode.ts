/** From the bytes of a claim's file to its text. Pure. */

/** null: it is not UTF-8. Text of 16 bits a character is none, nor is it where all of it is ASCII: every second byte is then zero. */
export function decodeClaim(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch {
    return null;
  }
}
