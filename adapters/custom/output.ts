/** Reads what a client left, in any of the formats that a client file may name, as plain data for its expressions. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import type { ParseRequest } from '../contract.ts';
import { parseLooseJson } from '../kit/loose-json.ts';
import type { Source } from './schema.ts';

export type Output =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly reason: string };

const no = (reason: string): Output => ({ ok: false, reason });

/** One JSON value a line. A last line that was cut off is left out; any other that is no JSON is a fault. */
function jsonLines(text: string): Output {
  const lines = text.split('\n');
  const rows: unknown[] = [];
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const parsed = parseLooseJson(line);
    if (parsed.ok) rows.push(parsed.value);
    else if (i === lines.length - 1) break;
    else return no(`line ${i + 1} is no JSON: ${parsed.reason}`);
  }
  return { ok: true, data: rows };
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

/** Reads a source of a trial. A missing or unreadable file is a reason, not an exception. */
export async function readOutput(source: Source, request: ParseRequest, each: boolean): Promise<Output> {
  const { from } = source;
  const file =
    from === 'stdout' ? request.stdoutFile : from === 'stderr' ? request.stderrFile : join(request.dir, from);
  const label = from === 'stdout' || from === 'stderr' ? `its ${from}` : from;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return no(gone ? `it left no ${from}` : `${label} cannot be read: ${(error as Error).message}`);
  }
  const output = decode(text, source, each);
  return output.ok ? output : no(`${label} cannot be read as ${source.format}: ${output.reason}`);
}
