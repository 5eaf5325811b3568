import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditJsonSchema } from '../../reports/json-schema.ts';
import { readDocument } from '../../reports/read-document.ts';
import { writeReports } from '../../reports/write.ts';
import { UserError } from '../../src/system/user-error.ts';
import { sampleDocument } from './sample.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-reports-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const document = sampleDocument({
  clients: ['asyncio', 'drifter', 'vllm-bench'],
  rates: [100, 800],
  repetitions: 2,
});
const put = (text: string) => writeFile(join(dir, 'audit.json'), text);
const contents = async () => {
  const names = (await readdir(dir, { recursive: true })).sort();
  return Promise.all(
    names
      .filter((name) => /\./.test(name))
      .map(async (name) => [name, (await readFile(join(dir, name))).toString('base64')] as const),
  );
};

describe('writeReports', () => {
  it('gives the same bytes when the folder is read again', async () => {
    await put(JSON.stringify(document));
    const paths = await writeReports(document, dir);
    const first = await contents();
    expect(first.map(([name]) => name)).toEqual(expect.arrayContaining([...paths]));
    await writeReports(await readDocument(dir), dir);
    expect(await contents()).toEqual(first);
  }, 120_000);

  it('leaves no temporary file and no chart of an earlier report', async () => {
    await writeReports(document, dir);
    await writeFile(join(dir, 'charts', 'mine.svg'), 'kept');
    const without = { ...document, findings: document.findings.filter((f) => f.metric !== 'tpot') };
    const paths = await writeReports(without, dir);
    const names = await readdir(join(dir, 'charts'));
    expect(names.filter((name) => name.includes('tpot') || name.endsWith('.tmp'))).toEqual([]);
    expect(names).toContain('mine.svg');
    expect(paths.some((path) => path.includes('tpot'))).toBe(false);
  }, 120_000);

  it('reports an audit in which nothing was measured', async () => {
    const empty = sampleDocument({ clients: ['vllm-bench'] });
    expect(await writeReports(empty, dir)).toEqual(['bias.csv', 'trials.csv', 'report.html']);
    expect(await readFile(join(dir, 'report.html'), 'utf8')).toContain('tare setup vllm-bench');
  });

  it('says what to do when the folder cannot be written', async () => {
    await put('');
    await expect(writeReports(document, join(dir, 'audit.json'))).rejects.toThrow(
      /cannot write the reports .*(ENOTDIR|EEXIST)/,
    );
  });
});

describe('readDocument', () => {
  it('reads back what was written, fields of later versions included', async () => {
    await put(JSON.stringify({ ...document, later: { field: 1 } }));
    expect(await readDocument(dir)).toEqual({ ...document, later: { field: 1 } });
  });

  it.each([
    ['no audit.json', null, /not a Tare results folder: it has no audit\.json/],
    ['half a file', '{"schema":"tare-au', /not JSON, or was cut short/],
    ['another program’s file', '{"findings":[]}', /of another program/],
    ['a list', '[]', /of another program/],
    [
      'a newer schema',
      '{"schema":"tare-audit/2"}',
      /another version of Tare \(schema tare-audit\/2; this one reads tare-audit\/1\)/,
    ],
    ['a damaged file', '{"schema":"tare-audit/1"}', /damaged: tare_version: /],
  ])('%s: a UserError that says so', async (_, text, message) => {
    if (text !== null) await put(text);
    const error = await readDocument(dir).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toMatch(message);
  });

  it('names the place of a damage', async () => {
    const [first, ...others] = document.findings;
    await put(JSON.stringify({ ...document, findings: [{ ...first, low_ms: 'x' }, ...others] }));
    await expect(readDocument(dir)).rejects.toThrow(/damaged: findings\.0\.low_ms: /);
  });

  it('tells a file given for a folder', async () => {
    await mkdir(join(dir, 'x'));
    await put('{}');
    await expect(readDocument(join(dir, 'audit.json'))).rejects.toThrow(/not a Tare results folder/);
  });
});

describe('schema/audit.schema.json', () => {
  const published = new URL('../../schema/audit.schema.json', import.meta.url);

  it('is the schema that reading checks (scripts/write-schema.mjs writes it)', async () => {
    expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(JSON.parse(auditJsonSchema()));
  });

  it('accepts an audit and refuses a damaged one', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    const plain = JSON.parse(JSON.stringify(document));
    expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...plain, trials: [{}] })).toBe(false);
  });
});
