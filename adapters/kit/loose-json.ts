/**
 * Reading JSON as clients really write it: Python's and Rust's writers may put bare NaN, Infinity and -Infinity where a number
 * belongs. Those become null, and are counted, so that no NaN enters Tare and nobody takes the file for clean.
 */
import { readFile } from 'node:fs/promises';

export type LooseJson =
  | { readonly ok: true; readonly value: unknown; readonly nonFinite: number }
  | { readonly ok: false; readonly reason: string };

/** Copies `text` with bare NaN and ±Infinity outside strings replaced by null. */
function replaceNonFinite(text: string): { text: string; count: number } {
  const parts: string[] = [];
  let from = 0;
  let count = 0;
  const token = /"|-?Infinity|NaN/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '"') {
      let end = match.index + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      token.lastIndex = end + 1;
    } else {
      parts.push(text.slice(from, match.index), 'null');
      from = token.lastIndex;
      count++;
    }
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), count };
}

/** Parses JSON text; bare non-finite numbers become null. */
export function parseLooseJson(text: string): LooseJson {
  if (text.trim() === '') return { ok: false, reason: 'it is empty' };
  try {
    return { ok: true, value: JSON.parse(text), nonFinite: 0 };
  } catch (strict) {
    const replaced = replaceNonFinite(text);
    if (replaced.count === 0) return { ok: false, reason: (strict as Error).message };
    try {
      return { ok: true, value: JSON.parse(replaced.text), nonFinite: replaced.count };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }
}

/** Reads and parses a file; a missing or unreadable one is a reason, not an exception. */
export async function readLooseJson(file: string): Promise<LooseJson> {
  try {
    return parseLooseJson(await readFile(file, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return { ok: false, reason: code === 'ENOENT' ? 'it is not there' : (error as Error).message };
  }
}
