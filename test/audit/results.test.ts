import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditDocument, Trial } from '../../src/audit/document.ts';
import { ResultsFolder, writeError } from '../../src/audit/results.ts';
import { UserError } from '../../src/system/user-error.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'tare-results-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const trial = (id: string, order: number) => ({ id, order }) as unknown as Trial;
const document = { schema: 'tare-audit/1', trials: [] } as unknown as AuditDocument;

describe('a results folder', () => {
  it('keeps whole trials, in their order, and forgets half ones; the floor’s is none of the plan', async () => {
    const folder = await ResultsFolder.create(join(base, 'a'));
    await folder.write(document);
    for (const [id, order] of [
      ['late', 2],
      ['early', 1],
      ['floor', -1],
    ] as const) {
      await folder.begin(id);
      await folder.keep(trial(id, order));
    }
    await folder.begin('under-way');
    const again = await ResultsFolder.open(join(base, 'a'));
    expect((await again.finished()).map((t) => t.id)).toEqual(['early', 'late']);
    expect((await readdir(join(base, 'a', 'trials'))).sort()).toEqual(['early', 'floor', 'late']);
  });
  it('counts a trial with a damaged trial.json as not done', async () => {
    const folder = await ResultsFolder.create(join(base, 'a'));
    await folder.begin('x');
    await folder.keep(trial('x', 0));
    await writeFile(join(folder.final('x'), 'trial.json'), '{"id": "x"');
    expect(await folder.finished()).toEqual([]);
  });
  it('refuses a folder of somebody else’s, and one that holds an audit', async () => {
    await mkdir(join(base, 'theirs'));
    await writeFile(join(base, 'theirs', 'thesis.tex'), 'do not delete');
    await expect(ResultsFolder.create(join(base, 'theirs'))).rejects.toThrow(
      /not empty and not a results folder/,
    );
    const folder = await ResultsFolder.create(join(base, 'ours'));
    await folder.write(document);
    await expect(ResultsFolder.create(join(base, 'ours'))).rejects.toThrow(/--resume/);
    await expect(ResultsFolder.open(join(base, 'theirs'))).rejects.toThrow(/not a results folder/);
  });
  it('says what is wrong with a file in the way, damaged JSON and a later schema', async () => {
    await writeFile(join(base, 'file'), '');
    await expect(ResultsFolder.create(join(base, 'file'))).rejects.toThrow(/a file is in the way/);
    const folder = await ResultsFolder.create(join(base, 'a'));
    await writeFile(join(base, 'a', 'audit.json'), '{"schema":');
    await expect(folder.read()).rejects.toThrow(/damaged/);
    await writeFile(join(base, 'a', 'audit.json'), '{"schema":"tare-audit/9"}');
    await expect(folder.read()).rejects.toThrow(/tare-audit\/9/);
  });
  it.each([
    ['ENOSPC', /disk is full.*Finished trials are kept.*--resume/],
    ['EROFS', /read-only.*--resume/],
    ['EACCES', /permission denied.*--out/],
  ])('turns %s into words', (code, words) => {
    const error = writeError(Object.assign(new Error(code), { code }), '/results', 'under way');
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toMatch(words);
  });
  it('comes back with words from a folder in which nothing can be made', async () => {
    await expect(ResultsFolder.create('/proc/tare/results')).rejects.toThrow(/\/proc/);
  });
  it('leaves other errors as they are', () => {
    const error = new Error('a fault');
    expect(writeError(error, '/results', 'under way')).toBe(error);
  });
  it.skipIf(process.getuid?.() === 0)('says it where it may not write', async () => {
    await chmod(base, 0o500);
    await expect(ResultsFolder.create(join(base, 'a'))).rejects.toThrow(/permission denied/);
  });
});
