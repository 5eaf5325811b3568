/** Reads measured delays out of a CSV, for `empirical` latency models. */
import { readFileSync } from 'node:fs';

const UNITS_NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** The unit that a column's name ends in; ms where it names none. */
const unitOf = (name: string): number => UNITS_NS[/_(ns|us|ms|s)$/.exec(name)?.[1] ?? 'ms'] as number;

const cells = (line: string): string[] =>
  line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

const isNumber = (cell: string | undefined): cell is string =>
  cell !== undefined && cell !== '' && Number.isFinite(Number(cell));

/**
 * One column's values in ns. The first line may be a header; a name's ending is the unit (`ttft_ms`, `_us`, `_s`, `_ns`),
 * milliseconds without one. Without `column` the file's first column is read. Throws an Error that names file and line.
 */
export function readColumn(file: string, column: string | null): number[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`"${file}" cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = cells(lines[0] ?? '');
  const hasHeader = !first.every(isNumber);
  const at = column === null ? 0 : first.indexOf(column);
  if (column !== null && (!hasHeader || at < 0))
    throw new Error(`"${file}" has no column "${column}"; its first line is: ${lines[0]}`);
  const unit = hasHeader ? unitOf(first[at]!) : UNITS_NS.ms!;
  const values: number[] = [];
  lines.forEach((line, index) => {
    if ((index === 0 && hasHeader) || line.trim() === '') return;
    const cell = cells(line)[at];
    if (!isNumber(cell) || Number(cell) < 0)
      throw new Error(`"${file}", line ${index + 1}: "${cell ?? ''}" is not a delay of 0 or more`);
    values.push(Number(cell) * unit);
  });
  if (values.length === 0) throw new Error(`"${file}" holds no values`);
  return values;
}
