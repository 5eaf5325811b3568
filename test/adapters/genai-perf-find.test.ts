import { access, chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { genaiPerfAdapter, refusal } from '../../adapters/genai-perf/adapter.ts';
import {
  analyzerFault,
  findGenaiPerf,
  run,
  type Said,
  type Surroundings,
} from '../../adapters/genai-perf/find.ts';
import { atLeast } from '../../adapters/genai-perf/glibc.ts';
import { commandThere, pathThere, placeFrom, splitWords } from '../../adapters/genai-perf/prefix.ts';
import { requireGlibc } from '../../adapters/genai-perf/setup.ts';
import type { Workload } from '../../src/measure/workload.ts';
import { UserError } from '../../src/system/user-error.ts';

const GENAI_PERF: Said = { failed: false, text: 'genai-perf 0.0.16' };
const ANALYZER: Said = { failed: false, text: 'Perf Analyzer Version 0.0.0 (commit 3a49a23)' };
/** As execa and env(1) say it. */
const ABSENT: Said = { failed: true, text: 'env: ‘perf_analyzer’: No such file or directory' };
/** The dynamic loader's words; the wrapper ends with 0 all the same. */
const OLD_LIBC: Said = {
  failed: false,
  text: "perf_analyzer: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by perf_analyzer)",
};

/** Surroundings in which programs answer by the last word of their path. */
function surroundings(
  answers: Record<string, Said>,
  over: Partial<Surroundings> = {},
): Surroundings & { asked: string[] } {
  const asked: string[] = [];
  return {
    env: { PATH: '' },
    installed: null,
    glibc: async () => '2.36',
    run: async (argv) => {
      asked.push(argv.join(' '));
      const program = argv.at(-2)!.split('/').at(-1)!;
      return answers[program] ?? { failed: true, text: `spawn ${program} ENOENT` };
    },
    ...over,
    asked,
  };
}

describe('finding GenAI-Perf', () => {
  it('takes one behind a prefix, with the folder of a program given by path on its PATH', async () => {
    const around = surroundings(
      { 'genai-perf': GENAI_PERF, perf_analyzer: ANALYZER },
      {
        env: {
          TARE_GENAI_PERF_PREFIX: 'chroot /srv/trixie',
          TARE_GENAI_PERF_ROOT: '/srv/trixie/',
          TARE_GENAI_PERF_BIN: '/opt/gp/bin/genai-perf',
        },
      },
    );
    expect(await findGenaiPerf(around)).toMatchObject({
      state: 'found',
      version: '0.0.16',
      path: 'chroot /srv/trixie /opt/gp/bin/genai-perf',
      notes: [],
      handle: {
        program: '/opt/gp/bin/genai-perf',
        prefix: '["chroot","/srv/trixie"]',
        root: '/srv/trixie',
      },
    });
    expect(around.asked[1]).toBe(
      'chroot /srv/trixie env PATH=/opt/gp/bin:/usr/local/bin:/usr/bin:/bin /opt/gp/bin/perf_analyzer --version',
    );
  });

  it('tells a genai-perf whose perf_analyzer is pip’s empty placeholder from one that runs', async () => {
    const around = surroundings(
      { 'genai-perf': GENAI_PERF, perf_analyzer: ABSENT },
      { env: { PATH: '', TARE_GENAI_PERF_BIN: '/home/user/venv/bin/genai-perf' } },
    );
    const missing = await findGenaiPerf(around);
    expect(missing).toMatchObject({ state: 'missing', reason: expect.stringContaining('empty placeholder') });
    expect(missing).toMatchObject({ reason: expect.stringContaining('glibc 2.38 and here it is 2.36') });
    expect(missing).toMatchObject({ remedy: expect.stringContaining('TARE_GENAI_PERF_PREFIX') });
  });

  it('sees a loader’s complaint behind an exit code of 0', async () => {
    const around = surroundings(
      { 'genai-perf': GENAI_PERF, perf_analyzer: OLD_LIBC },
      { env: { TARE_GENAI_PERF_PREFIX: 'docker exec old' } },
    );
    const missing = await findGenaiPerf(around);
    expect(missing).toMatchObject({ state: 'missing', reason: expect.stringContaining('does not load') });
    // What the C library here is does not matter there.
    expect(missing).not.toMatchObject({ reason: expect.stringContaining('2.36') });
  });

  it('offers tare setup only where the C library allows it', async () => {
    const old = await findGenaiPerf(surroundings({}));
    expect(old).toMatchObject({ state: 'missing', reason: expect.stringContaining('2.38') });
    expect(old).toMatchObject({ remedy: expect.stringContaining('tare setup aiperf') });
    const musl = await findGenaiPerf(surroundings({}, { glibc: async () => null }));
    expect(musl).toMatchObject({ reason: expect.stringContaining('not glibc') });
    const recent = await findGenaiPerf(surroundings({}, { glibc: async () => '2.41' }));
    expect(recent).toMatchObject({ state: 'missing', remedy: 'tare setup genai-perf' });
  });

  it('prefers the user’s own on PATH to the one that tare setup installed', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'tare-gp-bin-'));
    await writeFile(join(bin, 'genai-perf'), '#!/bin/sh\n');
    await chmod(join(bin, 'genai-perf'), 0o755);
    const installed = { program: '/cache/genai-perf/venv/bin/genai-perf', version: '0.0.16' };
    const answers = { 'genai-perf': GENAI_PERF, perf_analyzer: ANALYZER };
    const own = await findGenaiPerf(surroundings(answers, { env: { PATH: bin }, installed }));
    expect(own).toMatchObject({ state: 'found', path: join(bin, 'genai-perf'), origin: "the user's own" });
    const ours = await findGenaiPerf(surroundings(answers, { installed }));
    expect(ours).toMatchObject({ path: installed.program, origin: 'installed by tare setup' });
  });

  it('says what a broken prefix answered', async () => {
    const around = surroundings({}, { env: { TARE_GENAI_PERF_PREFIX: 'ssh nowhere' } });
    expect(await findGenaiPerf(around)).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('"ssh nowhere env genai-perf --version" did not give a version'),
    });
    const open = surroundings({}, { env: { TARE_GENAI_PERF_PREFIX: "chroot '/srv" } });
    expect(await findGenaiPerf(open)).toMatchObject({ reason: expect.stringContaining('not closed') });
  });

  it('notes another version than the one that the facts are of', async () => {
    const answers = { 'genai-perf': { failed: false, text: 'genai-perf 0.0.15' }, perf_analyzer: ANALYZER };
    const found = await findGenaiPerf(
      surroundings(answers, { env: { TARE_GENAI_PERF_BIN: '/x/genai-perf' } }),
    );
    expect(found).toMatchObject({ notes: [expect.stringContaining('this is GenAI-Perf 0.0.15')] });
  });

  it('runs a real program and keeps both of its streams', async () => {
    expect(await run(['sh', '-c', 'echo out; echo err >&2'], {})).toEqual({
      failed: false,
      text: 'out\nerr',
    });
    expect(await run(['/nowhere/genai-perf'], {})).toMatchObject({
      failed: true,
      text: expect.stringMatching(/ENOENT/),
    });
  });
});

describe('the C library', () => {
  it.each([
    ['2.38', true],
    ['2.41', true],
    ['3.0', true],
    ['2.4', false],
    ['2.36', false],
    [null, false],
  ])('%s is new enough: %s', (version, enough) => {
    expect(atLeast(version)).toBe(enough);
    if (enough) requireGlibc(version);
    else expect(() => requireGlibc(version)).toThrow(UserError);
  });

  it('is judged by what perf_analyzer says of it', () => {
    expect([ANALYZER, ABSENT, OLD_LIBC, { failed: true, text: 'Killed' }].map(analyzerFault)).toEqual([
      null,
      'placeholder',
      'glibc',
      'other',
    ]);
  });
});

describe('a command prefix', () => {
  it.each([
    ['', []],
    ['  chroot  /srv/trixie ', ['chroot', '/srv/trixie']],
    [`ssh -o 'User=a b' host`, ['ssh', '-o', 'User=a b', 'host']],
    [`env A="x \\"y\\"" ''`, ['env', 'A=x "y"', '']],
    ['a\\ b c', ['a b', 'c']],
  ])('%j is split as a shell would', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('gets back any words that were quoted', () => {
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitWords(words.map(quoted).join(' '))).toEqual(words);
      }),
    );
  });

  it('translates paths into the other tree, and not those outside it', () => {
    expect(pathThere({ root: null }, '/home/u/t')).toBe('/home/u/t');
    expect(pathThere({ root: '/srv/trixie' }, '/srv/trixie/tmp/t')).toBe('/tmp/t');
    expect(pathThere({ root: '/srv/trixie' }, '/srv/trixie-2/t')).toBeNull();
    expect(pathThere({ root: '/srv/trixie' }, '/home/u/t')).toBeNull();
    expect(placeFrom({ TARE_GENAI_PERF_ROOT: '/' })).toMatchObject({ prefix: [], root: null, program: null });
  });

  it('sends the environment along in words only where there is a prefix', () => {
    const place = { root: null, program: null };
    expect(
      commandThere({ ...place, prefix: [] }, '/v/bin/genai-perf', ['x'], { A: '1' }, '/usr/bin'),
    ).toEqual({
      argv: ['/v/bin/genai-perf', 'x'],
      env: { A: '1', PATH: '/v/bin:/usr/bin' },
    });
    expect(commandThere({ ...place, prefix: ['ssh', 'h'] }, 'genai-perf', ['x'], { A: '1' })).toEqual({
      argv: ['ssh', 'h', 'env', 'A=1', 'genai-perf', 'x'],
      env: {},
    });
  });
});

describe('the command of a trial', () => {
  const workload = (over: Partial<Workload> = {}): Workload => ({
    rateRps: 20,
    requests: 40,
    durationS: 2,
    arrivals: { kind: 'poisson' },
    promptTokens: 8,
    outputTokens: 16,
    latency: 'ttft=50ms,itl=10ms',
    seed: 7,
    ...over,
  });
  const request = (dir: string, prefix: string[], root?: string) => ({
    workload: workload(),
    url: 'http://127.0.0.1:8150',
    model: 'mock',
    dir,
    found: {
      state: 'found' as const,
      version: '0.0.16',
      path: 'genai-perf',
      origin: '',
      notes: [],
      handle: { program: 'genai-perf', prefix: JSON.stringify(prefix), ...(root ? { root } : {}) },
    },
    workers: null,
    cpus: null,
  });
  const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tare-gp-'));

  it('names only files that exist, with prompts of the asked length and the asked arrivals', async () => {
    const dir = await folder();
    const { argv, env } = await genaiPerfAdapter.prepare(request(dir, []));
    const given = (flag: string) => argv[argv.indexOf(flag) + 1]!;
    await access(join(given('--tokenizer'), 'tokenizer.json'));
    await access(given('--artifact-dir'));
    const lines = (await readFile(given('--input-file'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(40);
    for (const line of lines) expect(JSON.parse(line).text.split(' ')).toHaveLength(8);
    expect(argv.slice(argv.indexOf('--'))).toEqual(['--', '--request-distribution', 'poisson']);
    expect(given('--request-rate')).toBe('20');
    expect(env).toMatchObject({ HF_HUB_OFFLINE: '1', OPENAI_API_KEY: null });
  });

  it('names paths as the other side sees them', async () => {
    const root = await folder();
    const dir = await folder();
    // `env` runs `test -d`, which is false for a path of the other side: the check must ask for it and fail.
    await expect(genaiPerfAdapter.prepare(request(dir, ['env'], root))).rejects.toThrow(
      'TARE_GENAI_PERF_ROOT',
    );
    const seen = await genaiPerfAdapter.prepare(request(dir, ['env']));
    expect(seen.argv).toContain(join(dir, 'artifacts'));
    expect(seen.argv[0]).toBe('env');
  });

  it('refuses what perf_analyzer cannot do', () => {
    expect(refusal(workload())).toBeNull();
    expect(refusal(workload({ arrivals: { kind: 'gamma', cv2: 4 } }))).toContain('gamma:4');
    expect(refusal(workload({ requests: 19 }))).toContain('one second');
  });
});
