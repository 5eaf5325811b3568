/** From a client file to a command: placeholders, files, environment, arrivals. */
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Found } from '../../adapters/contract.ts';
import { adapterFromText } from '../../adapters/custom/adapter.ts';
import { environmentOf } from '../../adapters/custom/environment.ts';
import { readSpec } from '../../adapters/custom/read.ts';
import { fill } from '../../adapters/custom/template.ts';
import type { Arrivals, Workload } from '../../src/measure/workload.ts';
import { MINIMAL } from './custom-minimal.ts';

const workload = (change: Partial<Workload> = {}): Workload => ({
  rateRps: 50,
  requests: 200,
  durationS: 4,
  arrivals: { kind: 'constant' },
  promptTokens: 3,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 7,
  ...change,
});

const found: Found = {
  state: 'found',
  version: '1',
  path: '/bin/x',
  origin: '',
  notes: [],
  handle: { program: '/bin/x' },
};

/** MINIMAL with its command and other lines replaced. */
const withCommand = (command: string, more = '', arrivals = 'constant: []') =>
  MINIMAL.replace(/command: .*/, `command: ${command}\n${more}`).replace('constant: []', arrivals);

async function prepare(text: string, change: Partial<Workload> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'tare-custom-'));
  const adapter = adapterFromText(text, '/home/me/bench/my.yaml');
  const request = { url: 'http://127.0.0.1:8150', model: 'm', dir, found, workers: null, cpus: [1] };
  return { dir, command: await adapter.prepare({ ...request, workload: workload(change) }) };
}

describe('a template', () => {
  it.each([
    ['{rate}', { rate: 50 }, '50'],
    ['{rate}', { rate: 0.0000001 }, '0.0000001'],
    ['{rate:2}', { rate: 1 / 3 }, '0.33'],
    ['{rate:0}', { rate: 2.5 }, '3'],
    ['a{{b}}c', {}, 'a{b}c'],
    ['{{{rate}}}', { rate: 5 }, '{5}'],
    ['{{rate}}', { rate: 5 }, '{rate}'],
    ['{prompt:json}', { prompt: 'say "x"\n' }, '"say \\"x\\"\\n"'],
    ['{prompt:base64}', { prompt: 'é{rate}' }, 'w6l7cmF0ZX0='],
    ['q={prompt:url}', { prompt: 'a b&c' }, 'q=a%20b%26c'],
    ['{prompt}', { prompt: '{rate}' }, '{rate}'],
  ])('%s with %j is %s', (template, values, text) => {
    expect(fill(template, values)).toBe(text);
  });
});

describe('a command', () => {
  it('has every value in its unit, and the words of the arrivals in their place', async () => {
    const text = withCommand(
      "['{program}', '{url}', '{host}:{port}', '{here}/x', '{rate}', '{duration}s', '{duration_ms}', '{interval_us}', '{arrivals}', '{seed}', '{concurrency}', '{workers}', '{cores}']",
      '',
      "constant: []\n  gamma: [--gamma, '{cv2}', '{burstiness}']\n  trace: ['--replay={trace}']",
    );
    const constant = await prepare(text);
    expect(constant.command.argv).toEqual([
      ...[
        '/bin/x',
        'http://127.0.0.1:8150',
        '127.0.0.1:8150',
        '/home/me/bench/x',
        '50',
        '4s',
        '4000',
        '20000',
      ],
      // 1.5 × 50/s × 200 ms, and 20.
      ...['7', '35', '1', '1'],
    ]);
    expect(constant.command.cwd).toBe(constant.dir);
    const gamma = await prepare(text, { arrivals: { kind: 'gamma', cv2: 4 } });
    expect(gamma.command.argv.slice(8, 11)).toEqual(['--gamma', '4', '0.25']);
    const trace = await prepare(text, { arrivals: { kind: 'trace', file: '/t/a.csv' } });
    expect(trace.command.argv[8]).toBe('--replay=/t/a.csv');
  });

  it('keeps the rate where the number of requests was rounded', async () => {
    const { command } = await prepare(withCommand("['{url}', '{requests}/{duration}s']"), {
      rateRps: 2.5,
      requests: 8,
      durationS: 3,
    });
    expect(command.argv[1]).toBe('8/3.2s');
  });

  it.each([
    [{ kind: 'poisson' }, /no poisson arrivals; it has constant/],
    [{ kind: 'constant' }, null],
  ] as [Arrivals, RegExp | null][])(
    'refuses arrivals that the file does not spell: %j',
    (arrivals, reason) => {
      const refused = adapterFromText(MINIMAL, '/x/my.yaml').refuses?.(workload({ arrivals })) ?? null;
      if (reason === null) expect(refused).toBeNull();
      else expect(refused).toMatch(reason);
    },
  );

  it('refuses a fractional rate where the client takes whole ones, rather than rounding it', async () => {
    const text = withCommand("['{url}', '{rate_int}', '{requests}']");
    expect(adapterFromText(text, '/x/my.yaml').refuses?.(workload())).toBeNull();
    expect(adapterFromText(text, '/x/my.yaml').refuses?.(workload({ rateRps: 2.5 }))).toMatch(
      /minimal takes whole rates only, not 2.5/,
    );
    await expect(prepare(text, { rateRps: 2.5 })).rejects.toThrow(/whole rates only/);
  });
});

describe('files', () => {
  it('are written before the launch: one text, or one line a request with its own id and prompt', async () => {
    const { dir } = await prepare(
      withCommand(
        "['{url}', '{rate}', '{requests}']",
        "files:\n  body.json: '{body}'\n  list.txt: { each_request: '{index} {request_id} {prompt:json} {body:base64}' }",
      ),
      { requests: 3 },
    );
    expect((await readdir(dir)).sort()).toEqual(['body.json', 'list.txt']);
    const body = JSON.parse(await readFile(join(dir, 'body.json'), 'utf8'));
    expect(body).toMatchObject({ model: 'm', stream: true, max_tokens: 16 });
    const lines = (await readFile(join(dir, 'list.txt'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    const prompts = lines.map((line, i) => {
      const match = new RegExp(`^${i} minimal-7-${i} ("w\\d+ w\\d+ w\\d+") (\\S+)$`).exec(line)!;
      const sent = JSON.parse(Buffer.from(match[2]!, 'base64').toString()).messages[0].content;
      expect(sent).toBe(JSON.parse(match[1]!));
      return sent;
    });
    expect(new Set(prompts).size).toBe(3);
    expect(prompts[0]).toBe(body.messages[0].content);
  });
});

describe('the environment', () => {
  const spec = (env: string) => {
    const read = readSpec(withCommand("['{url}', '{rate}', '{requests}']", `env: ${env}`));
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    return read.spec;
  };
  const key = ['$', '{MY_KEY}'].join('');

  it('takes what the file names from the user, keeps it as secret, and removes what is null', () => {
    const env = `{ A: '{rate}', B: 'Bearer ${key}', C: null, OPENAI_API_KEY: '${key}' }`;
    const { env: made, secrets } = environmentOf(spec(env), { rate: 50 }, { MY_KEY: 's{rate}t' });
    expect(made).toMatchObject({ A: '50', B: 'Bearer s{rate}t', C: null, OPENAI_API_KEY: 's{rate}t' });
    // The longest first, so that masking one does not break another up.
    expect(secrets).toEqual(['Bearer s{rate}t', 's{rate}t']);
  });

  it('gives a client no key of the user’s unless its file asks for it', () => {
    expect(environmentOf(spec('{}'), {}, { OPENAI_API_KEY: 'x' }).env).toMatchObject({
      OPENAI_API_KEY: null,
    });
  });

  it('that lacks what the file asks for makes the client missing, with what to do', async () => {
    const text = withCommand(
      "['{url}', '{rate}', '{requests}']",
      `env: { A: '${['$', '{TARE_NO_SUCH_KEY}'].join('')}' }`,
    );
    expect(await adapterFromText(text, '/x/my.yaml').find()).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('TARE_NO_SUCH_KEY is not set'),
      remedy: 'export TARE_NO_SUCH_KEY=…',
    });
  });
});

describe('looking for the program', () => {
  const find = (program: string, version = '') =>
    adapterFromText(
      MINIMAL.replace('program: node', `program: ${program}\n${version}`),
      join(import.meta.dirname, 'my.yaml'),
    ).find();

  it('takes the first candidate that is there, and asks it for its version', async () => {
    const asked = await find(
      '[no-such-program, node]',
      "version: { command: ['{program}', --version], pattern: 'v(\\S+)' }",
    );
    expect(asked).toMatchObject({ state: 'found', version: process.version.slice(1) });
    if (asked.state !== 'found') return;
    expect(asked.origin).toContain('described by');
    expect(asked.handle.client_file_sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('counts paths from the client file', async () => {
    expect(await find('../clients/sheds-marks.sh')).toMatchObject({ state: 'found', version: 'unknown' });
    expect(await find("'{here}/../clients/nothing'")).toMatchObject({
      state: 'missing',
      reason: expect.stringMatching(/there is no .*test\/adapters\/..\/clients\/nothing/),
    });
  });

  it('does not find what cannot be executed, nor a folder; the next candidate is taken', async () => {
    expect(await find('[../fixtures, ./custom-minimal.ts, no-such-program]')).toMatchObject({
      state: 'missing',
      reason: expect.stringMatching(
        /fixtures is no file; .*custom-minimal.ts may not be executed; there is no no-such-program$/,
      ),
    });
    expect(await find('[../fixtures, node]')).toMatchObject({ state: 'found' });
  });

  it('does not take a program for the client that answers as another', async () => {
    const asked = await find(
      'node',
      "version: { command: ['{program}', --version], pattern: 'bench (\\S+)' }",
    );
    expect(asked).toMatchObject({
      state: 'missing',
      reason: expect.stringMatching(/does not answer as minimal does .*: v\d+/),
    });
  });
});
