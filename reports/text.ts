/**
 * Text that came from outside (names, versions, reasons, command lines) made fit for one line of a report. What is dangerous in a
 * particular format (markup, formulas) is escaped where that format is written; here goes what is dangerous or unreadable everywhere.
 */

/** Control characters, and the marks that reorder, join or hide text on a screen, or show nothing at all. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]+/gu;
/** Whole escape sequences of terminals, so that their letters do not stay behind. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is removed.
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** One line of printable text: no control characters, escape sequences, direction marks or halves of characters. */
export const oneLine = (text: string): string =>
  text
    .replace(ANSI, '')
    .replace(UNPRINTABLE, ' ')
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(/ {2,}/g, ' ')
    .trim();

/** At most `length` characters, the last one an ellipsis where something was cut. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/** Room for what `oneLine` takes out of a text before it is cut. */
const UNCUT = 16;

/** Outside text as one line of at most `length` characters; a very long one is not even looked at to its end. */
export function clipped(text: string, length: number): string {
  const looked = text.length > length * UNCUT ? text.slice(0, length * UNCUT) : text;
  const line = shorten(oneLine(looked), length);
  return looked === text || line.endsWith('…') ? line : `${line}…`;
}

/** `1 process`, `2 processes`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${grouped(n)} ${n === 1 ? one : many}`;

/** Thousands separated by commas; digits after the point as they are. */
export function grouped(value: number | string): string {
  const [whole, fraction] = String(value).split('.') as [string, string?];
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** `a, b and c`. */
export function listed(items: readonly string[], last = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}
