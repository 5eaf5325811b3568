/** Reads what a client left, in any of the formats that a client file may name, as plain data for its expressions. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import type { ParseRequest } from '../contract.ts';
import { parseLooseJson } from '../kit/loose-json.ts';
import type { Source } from './schema.ts';

export type Output =
  /** `note`: what was odd in it, in words. */
  | { readonly ok: true; readonly data: unknown; readonly note?: string }
  | { readonly ok: false; readonly reason: string };

const no = (reason: string): Output => ({ ok: false, reason });

/** One JSON value a line. A last line that was cut off is left out, and that is said; any other that is no JSON is a fault. */
function jsonLines(text: string): Output {
  const lines = text.split('\n');
  const rows: unknown[] = [];
  let note: string | undefined;
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const parsed = parseLooseJson(line);
    if (parsed.ok) rows.push(parsed.value);
    else if (i === lines.length - 1) note = `its last line (${i + 1}) is cut off, and was left out`;
    else return no(`line ${i + 1} is no JSON: ${parsed.reason}`);
  }
  return { ok: true, data: rows, ...(note === undefined ? {} : { note }) };
}

function csv(text: string, columns: readonly string[] | undefined): Output {
  try {
    const rows: unknown[] = parseCsv(text, {
      columns: columns === undefined ? true : [...columns],
      skip_empty_lines: true,
      bom: true,
      trim: true,
    });
    return { ok: true, data: rows };
  } catch (error) {
    return no(`it is no CSV: ${(error as Error).message}`);
  }
}

/** The named groups of the patterns' first matches, as one object; a group that matched nothing is not in it. */
function groups(text: string, patterns: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pattern of patterns) {
    const match = new RegExp(pattern, 'm').exec(text);
    for (const [name, value] of Object.entries(match?.groups ?? {}))
      if (value !== undefined) found[name] = value;
  }
  return found;
}

/** `each`: a text is one record a line (lines without a match are passed over), not one document. */
export function decode(text: string, source: Source, each: boolean): Output {
  if (source.format === 'json') {
    const json = parseLooseJson(text);
    return json.ok ? { ok: true, data: json.value } : no(json.reason);
  }
  if (source.format === 'jsonl') return jsonLines(text);
  if (source.format === 'csv') return csv(text, source.columns);
  const patterns = source.patterns ?? [];
  if (!each) return { ok: true, data: groups(text, patterns) };
  const rows = text.split('\n').map((line) => groups(line, patterns));
  return { ok: true, data: rows.filter((row) => Object.keys(row).length > 0) };
}

/** Bytes that a client wrote to a stream of which only a part was kept; null where it was kept whole, or is a file. */
function cutFrom(from: string, kept: number, request: ParseRequest): number | null {
  const wrote = from === 'stdout' ? request.stdoutBytes : from === 'stderr' ? request.stderrBytes : undefined;
  return wrote !== undefined && wrote > kept ? wrote : null;
}

const bytes = new Intl.NumberFormat('en');

/** Reads a source of a trial. A missing or unreadable file, and output of which a part is lost, is a reason, not an exception. */
export async function readOutput(source: Source, request: ParseRequest, each: boolean): Promise<Output> {
  const { from } = source;
  const file =
    from === 'stdout' ? request.stdoutFile : from === 'stderr' ? request.stderrFile : join(request.dir, from);
  const label = from === 'stdout' || from === 'stderr' ? `its ${from}` : from;
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return no(gone ? `it left no ${from}` : `${label} cannot be read: ${(error as Error).message}`);
  }
  const wrote = cutFrom(from, content.length, request);
  if (wrote !== null)
    return no(
      `${label} is ${bytes.format(wrote)} bytes, of which the first ${bytes.format(content.length)} were kept: figures of a part would be false; let it write to a file, and name that in \`from\``,
    );
  const output = decode(content.toString('utf8'), source, each);
  if (!output.ok) return no(`${label} cannot be read as ${source.format}: ${output.reason}`);
  return output.note === undefined ? output : { ...output, note: `${label}: ${output.note}` };
}
