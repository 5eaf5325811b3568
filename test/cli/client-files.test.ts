/** Client files at the command line: --dry-run, an audit that is gone on with, tare doctor. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { tareBlockingAdapter } from '../../adapters/tare/adapter.ts';
import { runAudit } from '../../src/audit/audit.ts';
import type { AuditDocument, AuditPlan, Floor } from '../../src/audit/document.ts';
import { ResultsFolder } from '../../src/audit/results.ts';
import {
  type ClientChoice,
  chooseClients,
  keepClientFiles,
  keptChoice,
} from '../../src/cli/client-choice.ts';
import { shellWord } from '../../src/cli/dry-run.ts';
import { METRICS, STATISTICS } from '../../src/measure/metrics.ts';
import { readHost } from '../../src/system/host.ts';
import { entry, packageRoot } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { EXIT } from '../../src/system/user-error.ts';
import { REFERENCE_TARGET } from '../reports/sample.ts';

const EXAMPLE = join(packageRoot, 'docs/examples/bench.yaml');

const tare = async (args: readonly string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [entry('src/cli/main.js'), ...args], {
    reject: false,
    env,
  });
  return { exitCode, stdout, stderr };
};

const folder = () => mkdtempSync(join(tmpdir(), 'tare-client-file-'));

/** The example of the docs under another name, in a folder of its own, with more in it. */
function copy(name: string, change: (text: string) => string = (text) => text): string {
  const here = folder();
  const text = readFileSync(EXAMPLE, 'utf8')
    .replace('name: bench', `name: ${name}`)
    .replaceAll('{here}', join(packageRoot, 'docs/examples'));
  const file = join(here, `${name}.yaml`);
  writeFileSync(file, change(text));
  return file;
}

/** A floor that is there already, so that none is measured. */
const FLOOR: Floor = {
  how: 'given',
  rate_rps: 10,
  requests: 10,
  clock_resolution_ns: 1,
  floor_ms: Object.fromEntries(
    METRICS.map((metric) => [metric, Object.fromEntries(STATISTICS.map((name) => [name, 1]))]),
  ) as Floor['floor_ms'],
};

/** One trial of ten requests of the client `mine`. */
async function audit(choice: ClientChoice, out: ResultsFolder): Promise<AuditDocument> {
  const adapter = choice.byName('mine');
  const { name, title, facts } = adapter;
  const plan: AuditPlan = {
    target: REFERENCE_TARGET,
    clients: [name],
    rates_rps: [20],
    repetitions: 1,
    duration_s: 0.5,
    arrivals: 'constant',
    arrivals_otherwise: {},
    latency: 'ttft=5ms,itl=1ms',
    prompt_tokens: 1,
    output_tokens: 4,
    seed: 1,
    workers: null,
    target_cpus: null,
    client_cpus: null,
    pinning_note: 'not pinned in a test',
    estimated_s: 1,
  };
  return runAudit({
    version: 'test',
    startedAt: '2026-01-01T00:00:00.000Z',
    plan,
    host: await readHost(),
    clients: [{ name, title, facts, found: await adapter.find() }],
    adapters: new Map([[name, adapter]]),
    floorAdapter: tareBlockingAdapter,
    folder: out,
    launcher: processGroupLauncher,
    signal: new AbortController().signal,
    done: [],
    floor: FLOOR,
    warnings: [],
    onEvent() {},
  });
}

describe('tare audit --dry-run', () => {
  it('shows the exact command of every trial of one repetition, and masks what came from the user', async () => {
    const secret = 'Zq9-not-to-be-seen';
    const key = ['$', '{BENCH_KEY}'].join('');
    const mine = copy('mine', (text) =>
      text.replace(
        'arrivals:',
        `env: { TOKEN: 'Bearer ${key}', RATE: '{rate}' }\nfiles: { body.json: '{body}' }\narrivals:`,
      ),
    );
    const args = [
      'audit',
      '--client',
      mine,
      '--client',
      `tare,${EXAMPLE}`,
      '--rate',
      '5,7.5',
      '--duration',
      '2s',
      '--repeat',
      '3',
      '--dry-run',
      '--json',
    ];
    const { exitCode, stdout, stderr } = await tare(args, { BENCH_KEY: secret });
    expect(exitCode, stderr).toBe(EXIT.fine);
    expect(stdout + stderr).not.toContain(secret);
    const { schema, trials } = JSON.parse(stdout);
    expect(schema).toBe('tare-dry-run/1');
    expect(trials.map((trial: { id: string }) => trial.id).sort()).toEqual(
      ['bench', 'mine', 'tare'].flatMap((name) => [`${name}-5rps-r1`, `${name}-7p5rps-r1`]),
    );
    const trial = trials.find((one: { id: string }) => one.id === 'mine-7p5rps-r1');
    expect(trial.command.slice(1)).toEqual([
      join(packageRoot, 'docs/examples/bench.mjs'),
      ...['http://127.0.0.1:8100', 'tare-reference', '7.5', '15', '16', 'records.jsonl'],
    ]);
    expect(trial.env).toMatchObject({ TOKEN: '***', RATE: '7.5', OPENAI_API_KEY: null });
    expect(trial.files).toEqual([
      { name: 'body.json', bytes: expect.any(Number), begins: expect.stringContaining('"tare-reference"') },
    ]);
    // Left for the user to look at.
    expect(readdirSync(trial.dir)).toEqual(['body.json']);
    rmSync(join(trial.dir, '..'), { recursive: true });
  });

  it('shows every fault of a file, and ends with a usage error', async () => {
    const file = copy('bad', (text) =>
      text.replace('"{rate}"', '"{rat}"').replace('t0: sent', 't0: sometime'),
    );
    const { exitCode, stderr } = await tare(['audit', '--client', file, '--dry-run']);
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toMatch(
      /bad\.yaml:13:6 {2}command\[4\]: \{rat\} is no placeholder; did you mean \{rate\}\?/,
    );
    expect(stderr).toMatch(/bad\.yaml:\d+:\d+ {2}definitions\.t0: it must be one of scheduled, sent/);
  });

  it.each([
    ['a name that Tare knows', () => [copy('k6')], /`name: k6` is the name of a client that Tare knows/],
    ['one name for two files', () => [copy('twice'), copy('twice')], /both have `name: twice`/],
  ])('refuses %s', async (_, files, words) => {
    const { exitCode, stderr } = await tare([
      'audit',
      ...files().flatMap((file) => ['--client', file]),
      '--dry-run',
    ]);
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toMatch(words);
  });

  it('spells words so that a shell takes them as they are', () => {
    expect(['a-b=/c', '', 'a b', "it's", '$X'].map(shellWord)).toEqual([
      'a-b=/c',
      "''",
      "'a b'",
      `'it'\\''s'`,
      "'$X'",
    ]);
  });
});

describe('an audit of a client file', () => {
  it('keeps the file, and is gone on with from what it kept though the file is gone', async () => {
    const file = copy('mine');
    const out = await ResultsFolder.create(join(folder(), 'results'));
    const choice = chooseClients([file]);
    await keepClientFiles(out.path, choice);
    const text = readFileSync(file, 'utf8');
    expect(readFileSync(join(out.path, 'clients/mine.yaml'), 'utf8')).toBe(text);
    const first = await audit(choice, out);
    const [trial] = first.trials;
    expect(trial).toMatchObject({ client: 'mine', exit_code: 0, reported: { completed: 10, failed: 0 } });
    expect(trial!.joined).toMatchObject({ by: 'requestId', joined: 10 });
    const [client] = first.clients;
    expect(client!.facts).toMatchObject({
      runtime: 'libuv',
      joins: 'requestId',
      definitions: { ttft: 'firstChunk' },
    });
    expect(client!.found).toMatchObject({ state: 'found', version: '0.3', handle: { client_file: file } });

    // As if it had been cut short: the trial is lost, and so is the user's file.
    rmSync(out.final(trial!.id), { recursive: true });
    rmSync(file);
    const kept = await keptChoice(out.path, (await out.read()).clients);
    expect(kept.byName('mine').facts).toEqual(client!.facts);
    expect((await audit(kept, out)).trials[0]!.reported?.completed).toBe(10);
    expect(kept.byName('tare').name).toBe('tare');
  }, 60_000);

  it('whose copy is gone cannot be gone on with, and says so', async () => {
    const adapter = chooseClients([copy('mine')]).fromFiles[0]!;
    const found = await adapter.find();
    const entry = { name: 'mine', title: 'mine', facts: adapter.facts, found };
    await expect(keptChoice(folder(), [entry])).rejects.toThrow(
      /cannot read .*clients\/mine.yaml: it does not exist.*start a new audit/,
    );
  });
});

describe('tare doctor --client', () => {
  it('shows a client file like any other client, and only what was named', async () => {
    const { exitCode, stdout } = await tare(['doctor', '--client', EXAMPLE, '--json']);
    expect(exitCode).toBe(EXIT.fine);
    expect(JSON.parse(stdout).clients).toEqual([
      expect.objectContaining({
        name: 'bench',
        state: 'found',
        version: '0.3',
        origin: expect.stringContaining('bench.yaml'),
      }),
    ]);
  });

  it('says what is missing, and the remedy that the file gives', async () => {
    const file = copy('gone', (text) =>
      text.replace('program: node', 'program: no-such-program\nremedy: build it with make'),
    );
    const { stdout } = await tare(['doctor', '--client', file, '--json']);
    expect(JSON.parse(stdout).clients).toEqual([
      {
        name: 'gone',
        title: expect.any(String),
        state: 'missing',
        reason: 'there is no no-such-program',
        remedy: 'build it with make',
      },
    ]);
  });
});
