/** The file of records: JSON lines, one a request, made from the workers' spools. */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { UserError } from '../system/user-error.ts';
import { type KeyMask, maskedRecords } from './key-mask.ts';
import { readSpool } from './spool.ts';

const CHUNK = 1 << 16;

/**
 * Writes the records of all spools that exist, each in the order in which its requests ended; `askedOf` gives the fields about what request i asked for, `mask` takes the
 * API key out of what the server sent. Throws a UserError when it cannot.
 */
export function writeRecords(
  path: string,
  spools: readonly string[],
  idPrefix: string,
  askedOf: (index: number) => object = () => ({}),
  mask: KeyMask | null = null,
): void {
  let file: number | null = null;
  try {
    file = openSync(path, 'w');
    let text = '';
    for (const spool of spools) {
      if (!existsSync(spool)) continue;
      for (const record of maskedRecords(readSpool(spool, idPrefix), mask)) {
        text += `${JSON.stringify({ ...record, ...askedOf(record.index) })}\n`;
        if (text.length < CHUNK) continue;
        writeSync(file, text);
        text = '';
      }
    }
    writeSync(file, text);
  } catch (error) {
    throw new UserError(`the records could not be written to ${path}: ${(error as Error).message}`);
  } finally {
    if (file !== null) closeSync(file);
  }
}
