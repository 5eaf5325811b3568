/** A client that echoes its key: it must be nowhere in what Tare shows or keeps. */
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterFromText } from '../../adapters/custom/adapter.ts';
import { ResultsFolder } from '../../src/audit/results.ts';
import { checkPlan } from '../../src/audit/run-definition-check.ts';
import type { TargetSource } from '../../src/audit/target.ts';
import { runTrial } from '../../src/audit/trial.ts';
import { readHost } from '../../src/system/host.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { Secrets } from '../../src/system/secrets.ts';
import { MINIMAL } from '../adapters/custom-minimal.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'tare-secrets-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const KEY = 'sk-"née"/7788+99';

describe('a text', () => {
  const secrets = new Secrets([KEY, `Bearer ${KEY}`, 'abcde', '']);

  it.each([
    ['as it is', `401 for ${KEY}!`, '401 for ***!'],
    ['within a longer one', `auth: Bearer ${KEY}`, 'auth: ***'],
    ['in JSON', JSON.stringify({ key: KEY }), '{"key":"***"}'],
    ['percent-encoded', `/?key=${encodeURIComponent(KEY)}`, '/?key=***'],
    ['in base64', `${Buffer.from(KEY).toString('base64')}`.replace(/=+$/, ''), '***'],
    ['cut off at the end', `words: ${KEY.slice(0, 8)}`, 'words: ***'],
    ['cut off within brackets', `it failed (words: ${KEY.slice(0, 8)})`, 'it failed (words: ***)'],
    ['too short to be one', 'abcde 12345', 'abcde 12345'],
  ])('without a secret %s', (_, text, shown) => expect(secrets.text(text)).toBe(shown));

  it('in data is masked wherever it stands, figures untouched', () => {
    expect(secrets.data({ n: 7788, notes: [`x ${KEY}`], none: null })).toEqual({
      n: 7788,
      notes: ['x ***'],
      none: null,
    });
  });
});

describe('files', () => {
  it('keep their length, in binary ones and over the borders of what is read at once', async () => {
    const secret = Buffer.from(KEY);
    const bytes = Buffer.alloc((1 << 20) + 4096, 0xfe);
    for (const at of [0, (1 << 20) - 5, bytes.length - secret.length]) secret.copy(bytes, at);
    const file = join(base, 'results.bin');
    await writeFile(file, bytes);
    await new Secrets([KEY]).files([file]);
    const left = await readFile(file);
    expect(left.length).toBe(bytes.length);
    expect(left.includes(secret)).toBe(false);
    expect(left.filter((byte) => byte === 0x2a).length).toBe(3 * secret.length);
    expect(left.filter((byte) => byte === 0xfe).length).toBe(bytes.length - 3 * secret.length);
  });

  it('are masked in folders and in their names; the user’s own, linked there, stay as they are', async () => {
    const own = join(base, 'own.txt');
    await writeFile(own, 'plainkey');
    const dir = join(base, 'client');
    await mkdir(join(dir, 'of-plainkey'), { recursive: true });
    await writeFile(join(dir, 'of-plainkey', 'a.log'), 'x plainkey y');
    await link(own, join(dir, 'hard'));
    await symlink(own, join(dir, 'soft'));
    const secrets = new Secrets(['plainkey']);
    await secrets.files([dir, join(base, 'not there')]);
    expect(secrets.unmasked).toEqual([]);
    expect(await readFile(join(dir, 'of-***', 'a.log'), 'utf8')).toBe('x ******** y');
    expect(await readFile(join(dir, 'hard'), 'utf8')).toBe('********');
    expect(await readFile(own, 'utf8')).toBe('plainkey');
  });
});

/** The client of this test sends nothing. */
const nowhere: TargetSource = {
  start: async () => ({
    url: 'http://127.0.0.1:9',
    ledgerFile: null,
    stop: async () => ({ failure: null, exported: null }),
  }),
};

it('a trial of a client that echoes its key keeps the key nowhere, however the client ends', async () => {
  const value = 'sk-verysecret-1234';
  process.env.TARE_TEST_KEY = value;
  const script =
    "const k = process.env.K; require('fs').writeFileSync('dump.json', JSON.stringify({{ k }})); console.log(k); console.error('401 for', k); process.exit(3)";
  const text = MINIMAL.replace(
    "[x.js, '{url}/v1'",
    `['{program}', -e, ${JSON.stringify(script)}, '{url}'`,
  ).replace('arrivals:', `env: { K: 'Bearer ${['$', '{TARE_TEST_KEY}'].join('')}' }\narrivals:`);
  const adapter = adapterFromText(text, join(base, 'my.yaml'));
  const found = await adapter.find();
  if (found.state !== 'found') throw new Error(found.reason);
  const folder = await ResultsFolder.create(join(base, 'out'));
  const trial = await runTrial(
    {
      id: 'one',
      client: 'minimal',
      rateRps: 5,
      repetition: 1,
      order: 0,
      estimatedS: 1,
      workload: {
        rateRps: 5,
        requests: 4,
        durationS: 1,
        arrivals: { kind: 'constant' },
        promptTokens: 1,
        outputTokens: 1,
        latency: 'zero',
        seed: 1,
      },
    },
    adapter,
    found,
    {
      launcher: processGroupLauncher,
      folder,
      plan: { ...checkPlan(['minimal'], await readHost()), client_cpus: null, target_cpus: null },
      target: nowhere,
      signal: new AbortController().signal,
    },
  );
  delete process.env.TARE_TEST_KEY;
  expect(trial.outcome).toEqual({
    kind: 'clientFailed',
    reason: 'exit code 3; its last words: 401 for ***',
  });
  const kept: string[] = [];
  for (const entry of await readdir(join(base, 'out'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    kept.push(entry.name);
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes(value), entry.name).toBe(false);
  }
  expect(kept).toEqual(expect.arrayContaining(['dump.json', 'client.stdout.txt', 'trial.json']));
}, 30_000);
