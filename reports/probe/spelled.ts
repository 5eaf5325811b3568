/** Bytes as people can read them: what cannot be seen is spelled out, nothing is dropped. */

/** Characters that show nothing or move others about; the byte order mark is one. */
const UNSEEN = /[\u0080-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is spelled.
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Decodes UTF-8; a byte that is not part of a valid character becomes `\xNN`. */
function decoded(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes);
  } catch {
    // Below: character by character.
  }
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    try {
      text += strict.decode(bytes.subarray(at, at + length));
      at += length;
    } catch {
      text += `\\x${first.toString(16).padStart(2, '0').toUpperCase()}`;
      at += 1;
    }
  }
  return text;
}

/**
 * Control characters as their pictures (␍␊␉␀), unseen characters as `\u{feff}`, bytes that are not UTF-8 as `\xNN`. A backslash of
 * the text itself stays as it is.
 */
export const spelledOut = (bytes: Uint8Array): string =>
  decoded(bytes)
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replace(CONTROL, (character) => {
      const code = character.charCodeAt(0);
      return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
    });
