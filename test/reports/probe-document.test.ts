import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { probeJsonSchema } from '../../reports/json-schema.ts';
import { probeFiguresCsv, probesCsv } from '../../reports/probe/csv.ts';
import { writeProbeReports } from '../../reports/probe/write.ts';
import { PROBE_VERDICTS } from '../../src/audit/probe/document.ts';
import { parseProbeDocument } from '../../src/audit/probe/document-schema.ts';
import { probeSample } from './probe-sample.ts';

const document = probeSample();
const rows = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

describe('schema/probe.schema.json', () => {
  const published = new URL('../../schema/probe.schema.json', import.meta.url);

  it('is the schema that reading checks (scripts/write-schema.mjs writes it)', async () => {
    expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(JSON.parse(probeJsonSchema()));
  });

  it('accepts a result and refuses a damaged one', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    const plain = JSON.parse(JSON.stringify(document));
    expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...plain, cells: [{ ...plain.cells[0], verdict: 'fine' }] })).toBe(false);
    expect(validate({ ...plain, schema: 'tare-probe/2' })).toBe(false);
  });

  it('keeps fields of later versions', () => {
    const later = { ...document, later: { field: 1 } };
    expect(parseProbeDocument(JSON.parse(JSON.stringify(later)))).toEqual(later);
  });
});

describe('the sample', () => {
  it('has every verdict, and is the same each time', () => {
    expect(new Set(document.cells.map(({ verdict }) => verdict))).toEqual(new Set(PROBE_VERDICTS));
    expect(probeSample()).toEqual(document);
  });
});

describe('probes.csv and probe-figures.csv', () => {
  it('have a row a cell, and a row a figure', () => {
    const cells = rows(probesCsv(document));
    const figures = rows(probeFiguresCsv(document));
    expect(cells).toHaveLength(document.cells.length);
    expect(figures).toHaveLength(document.cells.flatMap((cell) => cell.figures).length);
    const index = document.cells.findIndex(({ verdict }) => verdict === 'faulty');
    const cell = document.cells[index]!;
    expect(cells[index]).toMatchObject({
      client: cell.client,
      version: '0.1.0',
      probe: cell.probe,
      kind: cell.kind,
      unit: 'ms',
    });
    expect(Number(cells[index]!.size)).toBe(-194.6);
    expect(Number(cells[index]!.percent)).toBe(-97.3);
  });

  it('keep negative numbers numbers, absent ones empty, and text from being a formula', () => {
    const hostile = '\n=1+1,"x"';
    const odd = probeSample({ clients: 2, hostile });
    const [first] = odd.clients;
    const cells = rows(
      probesCsv({ ...odd, cells: [{ ...odd.cells[0]!, words: '=1+1', size: null, client: first!.client }] }),
    );
    expect(cells[0]).toMatchObject({ words: "'=1+1", size: '', percent: '', client: 'vllm =1+1,"x"' });
    expect(rows(probeFiguresCsv(odd)).some(({ got }) => got === '')).toBe(true);
  });
});

describe('writeProbeReports', () => {
  it('writes the document and its reports, the same bytes when read again', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tare-probe-'));
    try {
      const to = join(dir, 'new', 'folder');
      const names = await writeProbeReports(document, to);
      const contents = () => Promise.all(names.map((name) => readFile(join(to, name), 'utf8')));
      const first = await contents();
      const back = parseProbeDocument(JSON.parse(await readFile(join(to, 'probe.json'), 'utf8')));
      await writeProbeReports(back, to);
      expect(await contents()).toEqual(first);
      await writeFile(join(dir, 'file'), '');
      await expect(writeProbeReports(document, join(dir, 'file'))).rejects.toThrow(
        /cannot write the result of the probes .*(ENOTDIR|EEXIST)/,
      );
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
