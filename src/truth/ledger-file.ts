/**
 * The ledger as a file: Arrow IPC (the file format, "Feather v2"), which pandas, polars, DuckDB and pyarrow open as it is.
 * One column a field, instants in float64 ns (exact up to 104 days of uptime), null where the event did not happen; tokens
 * as list columns; LedgerMeta as JSON under the key `tare` of the schema's metadata.
 */
import { createWriteStream } from 'node:fs';
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type RecordBatch, RecordBatchFileWriter, type Table, tableFromIPC } from 'apache-arrow';
import type { Ledger, LedgerMeta } from '../measure/ledger.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { fromTable, ledgerBatch, ledgerSchema, META_KEY } from './ledger-columns.ts';

/** Rows a record batch: bounds what is held twice while a file is written. */
const BATCH_ROWS = 65_536;

function* batches(ledger: Ledger): Generator<RecordBatch> {
  const schema = ledgerSchema(ledger.meta);
  for (let from = 0; from < ledger.rows || from === 0; from += BATCH_ROWS)
    yield ledgerBatch(schema, ledger, from, Math.min(ledger.rows, from + BATCH_ROWS));
}

/** Throws a UserError where no file can be made beside `path`: better known before a run than after it. */
export async function checkLedgerFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await access(folder, constants.W_OK);
    // Permission bits are not all: a file of /proc or a read-only mount shows only when one is made.
    const probe = `${path}.${process.pid}.probe`;
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new UserError(
      `no ledger can be written to ${folder} (${(error as NodeJS.ErrnoException).code}); make the folder, or choose another`,
    );
  }
}

/**
 * Writes a ledger to `path`: under a temporary name first, then renamed, so that a file of that name is always whole.
 * Throws a UserError where the disk is full or the folder cannot be written.
 */
export async function writeLedger(path: string, ledger: Ledger): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const writer = RecordBatchFileWriter.writeAll(batches(ledger));
    await pipeline(writer.toNodeStream(), createWriteStream(temporary));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason === undefined) throw error;
    throw new UserError(
      `the ledger could not be written to ${path} (${reason}); the truth of this run is lost`,
      EXIT.harnessInvalid,
    );
  }
}

/** Reads a ledger. Throws a UserError for a file that is missing or is not a ledger. */
export async function readLedger(path: string): Promise<Ledger> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new UserError(`no ledger can be read from ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
  let table: Table;
  try {
    table = tableFromIPC(bytes);
  } catch (error) {
    throw new UserError(`${path} is not a ledger: it is no Arrow file (${(error as Error).message})`);
  }
  const meta = table.schema.metadata.get(META_KEY);
  if (meta === undefined) throw new UserError(`${path} is an Arrow file, but not a ledger of Tare's`);
  return fromTable(table, JSON.parse(meta) as LedgerMeta, path);
}
