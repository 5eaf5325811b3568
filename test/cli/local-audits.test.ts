import { mkdir, mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditsBelow, givenAudits, LOOKED_AT } from '../../src/cli/local-audits.ts';
import { sampleDocument } from '../reports/sample.ts';

const document = sampleDocument({ clients: ['asyncio'], rates: [50], repetitions: 1 });
const here = document.host;
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tare-claim-audits-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A results folder, `age` seconds old. */
async function folder(name: string, text: string, age = 0): Promise<string> {
  await mkdir(join(root, name));
  const file = join(root, name, 'audit.json');
  await writeFile(file, text);
  await utimes(file, 1e9 - age, 1e9 - age);
  return join(root, name);
}

describe('audits of this machine', () => {
  it('are those below the folder, newest first', async () => {
    await folder('old', JSON.stringify(document), 60);
    await folder('new', JSON.stringify(document));
    await mkdir(join(root, 'envelope-1'));
    await writeFile(join(root, 'notes.txt'), 'x');
    const { audits, skipped } = await auditsBelow(root, here);
    expect(audits.map((one) => one.folder)).toEqual([join(root, 'new'), join(root, 'old')]);
    expect(audits[0]!.document).toEqual(document);
    expect(audits[0]!.given).toBeUndefined();
    expect(skipped).toEqual([]);
  });

  it('are none, without a word, where there is no such folder', async () => {
    expect(await auditsBelow(join(root, 'none'), here)).toEqual({ audits: [], skipped: [] });
  });

  it('are not those of another machine, nor faulty ones, and each is named', async () => {
    await folder('other', JSON.stringify({ ...document, host: { ...here, cores: 64 } }));
    await folder('cut', JSON.stringify(document).slice(0, 500));
    await folder('strange', '{"schema":"x"}');
    const large = await folder('large', '');
    await truncate(join(large, 'audit.json'), LOOKED_AT.bytes + 1);
    const { audits, skipped } = await auditsBelow(root, here);
    expect(audits).toEqual([]);
    expect(skipped.length).toBe(4);
    for (const [name, words] of [
      ['other', 'another machine'],
      ['cut', 'cut short'],
      ['strange', 'another program'],
      ['large', 'larger than 64 MB'],
    ] as const)
      expect(skipped.find((line) => line.includes(join(root, name)))).toContain(words);
  });

  it('are a bounded number, and it says so', async () => {
    for (let i = 0; i < LOOKED_AT.audits + 2; i++) await folder(`audit-${i}`, JSON.stringify(document), i);
    const { audits, skipped } = await auditsBelow(root, here);
    expect(audits.length).toBe(LOOKED_AT.audits);
    expect(audits.map((one) => one.folder)).not.toContain(join(root, 'audit-13'));
    expect(skipped.join()).toContain(`newest ${LOOKED_AT.audits}`);
  });

  it('that the user gives are of the claim’s machine by the user’s word, and are not passed over', async () => {
    const other = await folder('other', JSON.stringify({ ...document, host: { ...here, cores: 64 } }));
    expect(await givenAudits([other])).toMatchObject([{ folder: other, given: true }]);
    await expect(givenAudits([join(root, 'none')])).rejects.toThrow('not a Tare results folder');
  });
});
