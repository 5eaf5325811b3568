/**
 * Outside texts cut to a length that a report can bear. A version of megabytes would stand in every row of every table and be wrapped into the
 * footer of every chart; audit.json keeps it whole.
 */
import { createHash } from 'node:crypto';
import { grouped } from './text.ts';

/** Characters (UTF-16 units) that no text of an honest client comes near. */
const MOST = 2_000;

/** Cut texts that differ stay different (names join the parts of a document), so each ends with its length and a part of its hash. */
function bounded(text: string): string {
  if (text.length <= MOST) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${text.slice(0, MOST / 2)}… (${grouped(text.length)} characters, SHA-256 ${hash}…)`;
}

function changed(value: unknown): unknown {
  if (typeof value === 'string') return bounded(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(changed);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([key, one]) => [bounded(key), changed(one)] as const);
  return after.some(([key, one], i) => key !== before[i]![0] || one !== before[i]![1])
    ? Object.fromEntries(after)
    : value;
}

/** The same document with every text of at most 2,000 characters; itself where no text is longer. */
export const boundedTexts = <T>(document: T): T => changed(document) as T;
