import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeTable, tableToIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/measure/ledger.ts';
import { UserError } from '../../src/system/user-error.ts';
import { checkLedgerFolder, readLedger, writeLedger } from '../../src/truth/ledger-file.ts';
import { sampleLedger } from './sample.ts';

const dir = mkdtempSync(join(tmpdir(), 'tare-ledger-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('a ledger written and read again', () => {
  // More than one record batch, with rows whose tokens lie in the second one.
  it.each([0, 1, 8, 65_536, 70_001])('is the same: %i rows', async (rows) => {
    const path = join(dir, `${rows}.arrow`);
    const ledger = sampleLedger(rows);
    await writeLedger(path, ledger);
    const again = await readLedger(path);
    expect(Object.keys(again).sort()).toEqual(Object.keys(ledger).sort());
    expect(again.meta).toEqual(ledger.meta);
    // Not toEqual of the whole: it takes seconds for arrays of this size.
    for (const [name, column] of Object.entries(ledger))
      if (name !== 'meta') expect(isDeepStrictEqual(again[name as keyof Ledger], column), name).toBe(true);
  });

  it('leaves no other file behind', async () => {
    const own = mkdtempSync(join(dir, 'own-'));
    await writeLedger(join(own, 'a.arrow'), sampleLedger(3));
    await writeLedger(join(own, 'a.arrow'), sampleLedger(4));
    expect(readdirSync(own)).toEqual(['a.arrow']);
    expect((await readLedger(join(own, 'a.arrow'))).rows).toBe(4);
  });
});

describe('what cannot be read or written is said', () => {
  const failure = async (promise: Promise<unknown>): Promise<UserError> => {
    const error = await promise.then(
      () => null,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(UserError);
    return error;
  };

  it('a missing file, half a file, another file', async () => {
    expect((await failure(readLedger(join(dir, 'none')))).message).toContain('ENOENT');
    writeFileSync(join(dir, 'text'), 'not arrow');
    expect((await failure(readLedger(join(dir, 'text')))).message).toContain('is not a ledger');
    writeFileSync(join(dir, 'other'), tableToIPC(makeTable({ a: new Int32Array(3) }), 'file'));
    expect((await failure(readLedger(join(dir, 'other')))).message).toContain('not a ledger of Tare');
  });

  it('a folder that is not there, before and after the run', async () => {
    const path = join(dir, 'no', 'where.arrow');
    expect((await failure(checkLedgerFolder(path))).message).toContain('ENOENT');
    expect((await failure(writeLedger(path, sampleLedger(2)))).code).toBe(5);
  });

  it('a disk that is full, of which no part of a file remains', async () => {
    // /dev/full fails every write with ENOSPC; a link beside it stands for the temporary file.
    if (statSync('/dev/full', { throwIfNoEntry: false }) === undefined) return;
    const own = mkdtempSync(join(dir, 'full-'));
    const { symlinkSync } = await import('node:fs');
    symlinkSync('/dev/full', join(own, `a.arrow.${process.pid}.tmp`));
    const error = await failure(writeLedger(join(own, 'a.arrow'), sampleLedger(100)));
    expect(error.message).toContain('ENOSPC');
    expect(readdirSync(own)).toEqual([]);
  });
});
