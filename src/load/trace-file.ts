/** Reads a trace from its file: of the Azure or BurstGPT columns as a stream, however long it is, any other one as a list of offsets. */
import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { type TraceFormat, traceFormat } from '../measure/load/trace-format.ts';
import { type TraceRead, TraceRows, type TraceWish } from '../measure/load/trace-rows.ts';
import { parseTrace } from '../measure/schedule.ts';

export interface TraceFile {
  readonly format: TraceFormat['name'] | 'offsets';
  /** Of offsets only these. */
  readonly offsetsS: ArrayLike<number>;
  /** null: the file states only when requests were sent. */
  readonly read: TraceRead | null;
  /** Of offsets: what was taken off all of them, s; 0 where they begin within a day. */
  readonly shiftedS: number;
  /** Columns that no request of ours can follow. */
  readonly ignored: readonly string[];
}

/** Looked at for the header. */
const HEAD_BYTES = 65_536;

function firstLine(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString('utf8', 0, readSync(handle, head, 0, HEAD_BYTES, 0));
    return (
      text
        .replace(/^\uFEFF/, '')
        .split(/\r\n|\n|\r/)
        .find((line) => line.trim() !== '') ?? ''
    );
  } finally {
    closeSync(handle);
  }
}

/** Throws an Error that names the line, where there is one. */
export async function readTraceFile(file: string, wish: TraceWish): Promise<TraceFile> {
  const header = firstLine(file)
    .split(/[,;\t]/)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const format = traceFormat(header);
  if (format === null) return offsets(file, wish);
  const rows = new TraceRows(format, wish);
  const source = createReadStream(file);
  const records = source.pipe(
    parse({
      bom: true,
      delimiter: [',', ';', '\t'],
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
    }),
  );
  source.on('error', (error) => records.destroy(error));
  let isHeader = true;
  try {
    for await (const { record, info } of records as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const isEmpty = record.length === 1 && record[0] === '';
      if (isEmpty) continue;
      if (isHeader) isHeader = false;
      else if (!rows.take(record, info.lines)) break;
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new Error(`line ${(error as CsvError & { lines?: number }).lines ?? '?'}: ${error.message}`);
    throw error;
  } finally {
    source.destroy();
  }
  const read = rows.end();
  return { format: format.name, offsetsS: read.offsetsS, read, shiftedS: 0, ignored: format.ignored };
}

/** Offsets that begin later than this are times of a clock: nobody waits so long for the first request. */
const DAY_S = 86_400;
/** Seconds since the epoch come to this in the year 5138; milliseconds did in 1973. */
const MILLISECONDS_FROM = 1e11;

/** A list of offsets has no models and no lengths. Times of a clock are counted from the first one, as in traces of the other formats. */
function offsets(file: string, { slice, model }: TraceWish): TraceFile {
  if (model !== null)
    throw new Error('it is a list of offsets, without a column Model: there is nothing to filter by');
  const read = parseTrace(readFileSync(file, 'utf8'));
  const first = read[0]!;
  if (first >= MILLISECONDS_FROM)
    throw new Error(
      `it begins at ${first}: these seem to be milliseconds, or finer, since 1970; divide them, so that they are seconds`,
    );
  const shiftedS = first > DAY_S ? first : 0;
  const all = shiftedS === 0 ? read : read.map((at) => at - shiftedS);
  const within =
    slice === null
      ? all
      : all.filter((at) => at >= slice.fromS && at < slice.toS).map((at) => at - slice.fromS);
  if (within.length === 0) throw new Error('no offset lies in the slice');
  return { format: 'offsets', offsetsS: within, read: null, shiftedS, ignored: [] };
}
