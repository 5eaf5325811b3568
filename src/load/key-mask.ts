/**
 * Keeps the API key out of all that a load run says and writes. It is in no option that is reported; but a server may echo it, in an error, in an id or in the name of a
 * model, cut off at either end where an answer came in pieces.
 */
import { Secrets, SHORTEST_SECRET, spellings } from '../system/secrets.ts';
import type { LoadReport } from './report.ts';
import type { RequestRecord } from './spool.ts';

const MASK = '***';
/** What stands after it is a credential, however short, and whether it is ours or not. */
const BEARER = /\b(bearer|basic)(\s+|%20|\+)[^\s"'\\,;<>)}\]]+/gi;

/** Masks the key in a text. */
export type KeyMask = (text: string) => string;

/** The longest ending of `secret`, of at least six characters, that a text begins with. */
function beginsWithEnding(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST_SECRET; length--)
    if (text.startsWith(secret.slice(-length))) return length;
  return 0;
}

/** Without any beginning of `secret` of at least six characters, wherever it stands: a server may show only so much of a key, or cut a text off in the midst of it. */
function withoutBeginnings(text: string, secret: string): string {
  const least = secret.slice(0, SHORTEST_SECRET);
  let shown = '';
  let from = 0;
  for (let at = text.indexOf(least); at >= 0; at = text.indexOf(least, from)) {
    let length = SHORTEST_SECRET;
    while (length < secret.length && text[at + length] === secret[length]) length++;
    shown += text.slice(from, at) + MASK;
    from = at + length;
  }
  return shown + text.slice(from);
}

/**
 * A mask for a key; null without one. Keys of fewer than six characters are masked only behind "Bearer": one such as "x" or "EMPTY" is none, and masking it wherever it
 * stands would spoil other words.
 */
export function keyMask(apiKey: string | null): KeyMask | null {
  if (apiKey === null) return null;
  const secrets = new Secrets([apiKey]);
  const long = apiKey.length >= SHORTEST_SECRET;
  const spelled = long ? spellings(apiKey) : [];
  return (text) => {
    let shown = secrets.text(text);
    for (const one of spelled) shown = withoutBeginnings(shown, one);
    // An event that came in two segments begins here in the middle of the key.
    const from = /^(?:in the stream: |status \d+: )?\s*/.exec(shown)![0].length;
    const cut = long ? beginsWithEnding(shown.slice(from), apiKey) : 0;
    if (cut > 0) shown = shown.slice(0, from) + MASK + shown.slice(from + cut);
    return shown.replace(BEARER, `$1$2${MASK}`);
  };
}

function deep<T>(value: T, mask: KeyMask): T {
  if (typeof value === 'string') return mask(value) as T;
  if (Array.isArray(value)) return value.map((one) => deep(one, mask)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(one, mask)])) as T;
}

/** The report without the key in any text. Words of our own that others read as codes stay, whatever the key is. */
export function maskedReport(report: LoadReport, mask: KeyMask | null): LoadReport {
  if (mask === null) return report;
  const masked = deep(report, mask);
  const codes = <T extends { code: string }>(shown: readonly T[], own: readonly T[]): T[] =>
    shown.map((one, i) => ({ ...one, code: own[i]!.code }));
  return {
    ...masked,
    schema: report.schema,
    state: report.state,
    workers: masked.workers.map((worker, i) => ({ ...worker, state: report.workers[i]!.state })),
    warnings: codes(masked.warnings, report.warnings),
    notes: codes(masked.notes, report.notes),
    failures: masked.failures.map((one, i) => ({ ...one, outcome: report.failures[i]!.outcome })),
  };
}

/** The records without the key in the one text that comes from the server, its id. */
export function* maskedRecords(
  records: Iterable<RequestRecord>,
  mask: KeyMask | null,
): Generator<RequestRecord> {
  for (const record of records)
    yield mask === null || record.response_id === null
      ? record
      : { ...record, response_id: mask(record.response_id) };
}
