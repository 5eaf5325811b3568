import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAdapter } from '../../adapters/registry.ts';
import { profileJsonSchema } from '../../reports/json-schema.ts';
import { partsChart, tokensChart } from '../../reports/profile/charts.ts';
import { profileCsv } from '../../reports/profile/csv.ts';
import { profilePage } from '../../reports/profile/page.ts';
import { profileTable } from '../../reports/profile/table.ts';
import { byteWords, costWords, digits, goodToWords } from '../../reports/profile/words.ts';
import { PROFILE_SCHEMA, type ProfileDocument } from '../../src/audit/profile/document.ts';
import { parseProfileDocument } from '../../src/audit/profile/document-schema.ts';
import { known, profile, simulated } from '../audit/profile/simulated.ts';

const host = {
  os: 'Debian',
  kernel: '6',
  arch: 'x64',
  cpu_model: 'Model',
  cores: 2,
  allowed_cpus: [0, 1],
  memory_mb: 8000,
  swap_used_mb: 0,
  cpu_governor: null,
  load_1m: 0.1,
  open_files_limit: 1024,
  ephemeral_ports: 28_000,
  glibc: '2.36',
  node: '20.20.2',
  python: null,
  taskset: '/usr/bin/taskset',
};

let document: ProfileDocument;
beforeAll(async () => {
  const asyncio = await profile(simulated(known), []);
  const stubborn = simulated(known, () => 'no request of it reached the target: =2+2');
  const k6 = await profile(stubborn, ['http2'], findAdapter('k6'));
  document = {
    schema: PROFILE_SCHEMA,
    tare_version: '0.1.0',
    started_at: '2026-01-01T00:00:00.000Z',
    elapsed_s: 9,
    state: 'finished',
    host,
    pinning_note: 'target on CPU 0, clients on 1',
    target_pacing: 'block',
    client_cores: 1,
    seed: 1,
    clients: [
      { ...asyncio, kept_in: null },
      { ...k6, kept_in: null },
    ],
  };
});

describe('schema/profile.schema.json', () => {
  const published = new URL('../../schema/profile.schema.json', import.meta.url);

  it('is the schema that reading checks (scripts/write-schema.mjs writes it)', async () => {
    expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(JSON.parse(profileJsonSchema()));
  });

  it('accepts a profile and refuses a damaged one', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    const plain = JSON.parse(JSON.stringify(document));
    expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
    expect(parseProfileDocument(plain)).toEqual(plain);
    expect(validate({ ...plain, schema: 'tare-profile/2' })).toBe(false);
    const [client] = plain.clients;
    expect(validate({ ...plain, clients: [{ ...client, bound_by: 'luck' }] })).toBe(false);
  });
});

describe('the words', () => {
  it.each([
    [0, '0'],
    [0.0123456, '0.0123'],
    [1.23456, '1.23'],
    [45.678, '45.7'],
    [456.7, '457'],
    [4567, '4,570'],
    [-12.34, '-12.3'],
  ])('%d is %s', (value, text) => expect(digits(value)).toBe(text));

  it('give costs and rates with their intervals, and say what is not known', () => {
    expect(costWords({ us: 62.06, low_us: 60.31, high_us: 63.9 })).toBe('62.1 (60.3 to 63.9)');
    expect(byteWords({ us: 0.01234, low_us: 0.01, high_us: 0.0145 })).toBe('12.3 (10.0 to 14.5)');
    expect(costWords(null)).toBe('–');
    const rate = { rps: 640, low_rps: 610, high_rps: null, bound_by: 'all threads' } as const;
    expect(goodToWords(rate)).toBe('640/s (610 to not known)');
    expect(goodToWords(null)).toBe('not known');
  });
});

describe('the reports', () => {
  it('show each layer with its costs, or why it has none', () => {
    const text = profileTable(document);
    expect(text).toContain('SSE, token by token, TLS');
    expect(text).toMatch(/cannot: aiohttp has HTTP\/1\.1 only/);
    expect(text).toMatch(/failed: no request of it reached the target/);
    expect(text).toContain('512 tokens (beyond what was run)');
    expect(text).toContain('by the ledger; 1/cost is');
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('have a row a run, in which nothing is a formula', () => {
    const rows = parse(profileCsv(document), { columns: true }) as Record<string, string>[];
    const points = document.clients.flatMap(({ layers }) => layers.flatMap((layer) => layer.points));
    expect(rows).toHaveLength(points.length);
    expect(rows.filter(({ used }) => used === '1').length).toBe(
      points.filter(({ purpose, why }) => purpose === 'usual' && why === null).length,
    );
    const failed = rows.find(({ client }) => client === 'k6')!;
    expect([failed.busiest_us, failed.used]).toEqual(['', '0']);
    expect(Number(rows[0]!.busiest_us)).toBe(points[0]!.cost!.busiest_us);
    expect(Object.values(rows[0]!).some((cell) => /NaN|undefined/.test(cell))).toBe(false);
  });

  it('are one page that needs nothing else, the same each time', async () => {
    const page = await profilePage(document);
    // Not by matchers of text: their messages would hold the whole page.
    expect((await profilePage(document)) === page).toBe(true);
    expect(page.split('<svg')).toHaveLength(3);
    expect(/src="http|href="http/.test(page)).toBe(false);
    const words = page.replace(/<script>[\s\S]*?<\/script>|base64,[^"]*/g, '');
    expect(words.match(/.{0,40}(?:NaN|undefined|Infinity).{0,40}/g)).toBeNull();
    expect(page.includes('id="client-asyncio"')).toBe(true);
    const evil = { ...document.clients[0]!, title: '<script>x</script>' };
    expect((await profilePage({ ...document, clients: [evil] })).includes('<script>x')).toBe(false);
  });

  it('draw no chart where nothing was measured', () => {
    expect(tokensChart(document.clients[1]!)).toBeNull();
    expect(partsChart(document.clients[1]!)).toBeNull();
  });
});
