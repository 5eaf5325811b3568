import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDocumentSchema } from '../../src/claims/document-schema.ts';
import { registerClaim } from '../../src/cli/claim.ts';
import { claimExitCode, folderNames } from '../../src/cli/claim-run.ts';
import { UserError } from '../../src/system/user-error.ts';
import { changed, STATED } from '../claims/sample.ts';

let dir: string;
const out: string[] = [];
const err: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-claim-'));
  await writeFile(join(dir, 'sample.yaml'), STATED);
  await writeFile(join(dir, 'open.yaml'), changed(['t0: sent', 't0: not stated']));
  await writeFile(join(dir, 'faulty.yaml'), changed(['t0: sent', 't0: send'], ['620 ms', '620']));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
beforeEach(() => {
  out.length = 0;
  err.length = 0;
  process.exitCode = undefined;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function run(...argv: string[]): Promise<void> {
  const program = new Command('tare').exitOverride();
  registerClaim(program);
  await program.parseAsync(['node', 'tare', 'claim', ...argv]);
}

describe('tare claim check', () => {
  it('tells in prose on stderr, and writes the three files', async () => {
    await run('check', join(dir, 'open.yaml'), '--out', join(dir, 'out'), '--plain');
    expect(out).toEqual([]);
    expect(err.join('')).toMatch(/^undetermined: Engine A under sixteen users/);
    expect(err.join('')).toMatch(/not stated: .*Where the clock of a request starts/s);
    expect(err.join('')).not.toMatch(/Not stated: where the clock/);
    expect(err.join('')).toMatch(/--full/);
    expect((await readdir(join(dir, 'out'))).sort()).toEqual(['claim.html', 'claim.json', 'claim.md']);
    const document = claimDocumentSchema.parse(
      JSON.parse(await readFile(join(dir, 'out', 'claim.json'), 'utf8')),
    );
    expect(document.verdict).toBe('undetermined');
    expect(process.exitCode).toBe(4);
  });

  it('tells everything with --full, and several claims in a line each without', async () => {
    await run('check', join(dir, 'open.yaml'), '--full', '--plain');
    expect(err.join('')).toMatch(/Not stated: where the clock/);
    err.length = 0;
    await run('check', join(dir, 'open.yaml'), join(dir, 'sample.yaml'), '--plain');
    const said = err.join('').split(/\n\n/);
    expect(said).toHaveLength(2);
    for (const one of said) expect(one).toMatch(/\.yaml\n(un|contra|supp)\w+: Engine A/);
    expect(err.join('')).not.toMatch(/Checklist/);
  });

  it('prints one document on stdout, of several claims a list, and nothing else there', async () => {
    await run('check', join(dir, 'open.yaml'), '--json');
    expect(JSON.parse(out.join('')).schema).toBe('tare-claim/1');
    out.length = 0;
    await run('check', join(dir, 'open.yaml'), join(dir, 'sample.yaml'), '--json', '--out', join(dir, 'two'));
    expect(JSON.parse(out.join('')).map(({ file }: { file: string }) => file)).toEqual([
      join(dir, 'open.yaml'),
      join(dir, 'sample.yaml'),
    ]);
    expect((await readdir(join(dir, 'two'))).sort()).toEqual(['open', 'sample']);
  });

  it('tells every fault with file, line and column, checks the sound ones, and ends with 2', async () => {
    await run('check', join(dir, 'faulty.yaml'), join(dir, 'open.yaml'));
    const lines = err.join('').split('\n');
    expect(lines[0]).toMatch(/faulty\.yaml:12:7: measurement\.t0: "send" is none of/);
    expect(lines[1]).toMatch(/faulty\.yaml:38:17: rows\[0\]\.figures\.ttft_p99: "620" has no unit/);
    expect(lines[2]).toMatch(/^2 faults in .*faulty\.yaml, so it was not checked\.$/);
    expect(err.join('')).toContain('undetermined: Engine A');
    expect(process.exitCode).toBe(2);
  });

  it('tells no more than fifty faults of a file, and how many more there are', async () => {
    const lines = Array.from({ length: 70 }, (_, i) => `key-${i}: x\n`).join('');
    await writeFile(join(dir, 'many.yaml'), STATED + lines);
    await run('check', join(dir, 'many.yaml'));
    const said = err.join('').trim().split('\n');
    expect(said).toHaveLength(52);
    expect(said[50]).toBe('… and 20 more');
    expect(said[51]).toMatch(/^70 faults in/);
  });

  it('tells a file of another encoding as that', async () => {
    await writeFile(join(dir, 'wide.yaml'), Buffer.from(`\ufeff${STATED}`, 'utf16le'));
    await run('check', join(dir, 'wide.yaml'));
    expect(err.join('')).toMatch(/wide\.yaml:1:1: it is not UTF-8.*\n1 fault in/);
    expect(process.exitCode).toBe(2);
  });

  it.each([
    ['a file that is not there', ['nope.yaml'], /there is no such file\. Give a claim as YAML/],
    ['a folder', ['.'], /it is a folder/],
    ['an audit that is none', ['sample.yaml', '--audit', 'nope'], /is not a Tare results folder/],
  ])('says of %s what to do', async (_, args, words) => {
    const paths = args.map((arg) => (arg.startsWith('--') ? arg : join(dir, arg)));
    await expect(run('check', ...paths)).rejects.toThrow(words);
    await expect(run('check', ...paths)).rejects.toThrow(UserError);
  });

  it.each([
    [['supported', 'supported'], false, 0],
    [['supported', 'undetermined'], false, 4],
    [['undetermined', 'contradicted'], false, 3],
    [['contradicted'], true, 2],
    [[], true, 2],
  ] as const)('ends of %j (a faulty file: %s) with %i', (verdicts, faulty, code) => {
    expect(
      claimExitCode(
        verdicts.map((verdict) => ({ verdict })),
        faulty,
      ),
    ).toBe(code);
  });

  it('gives claims of one name folders of their own', () => {
    expect(folderNames(['a/x.yaml', 'b/x.yaml', 'y.yml'])).toEqual(['x', 'x-2', 'y']);
  });
});

describe('tare claim new', () => {
  it('prints a claim, or writes it, and never over what is there; the claim has no faults', async () => {
    const file = join(dir, 'new.yaml');
    await run('new');
    await run('new', file);
    expect(await readFile(file, 'utf8')).toBe(out.join(''));
    await writeFile(file, 'mine');
    await expect(run('new', file)).rejects.toThrow(/exists already and was left as it is/);
    expect(await readFile(file, 'utf8')).toBe('mine');
    await expect(run('new', join(dir, 'no', 'folder.yaml'))).rejects.toThrow(/cannot write .*ENOENT/);
  });
});
