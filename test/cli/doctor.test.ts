import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import type { Adapter, Found, Missing } from '../../adapters/contract.ts';
import { allAdapters } from '../../adapters/registry.ts';
import { describeReport, examine } from '../../src/cli/doctor.ts';
import { listClients, setUp, setUpAll } from '../../src/cli/setup.ts';
import { entry } from '../../src/system/package-root.ts';
import { UserError } from '../../src/system/user-error.ts';

const found: Found = {
  state: 'found',
  version: '1.2',
  path: '/opt/x',
  origin: "the user's own",
  notes: ['a note'],
  handle: { secret: 'path' },
};
const missing: Missing = { state: 'missing', reason: 'no x on PATH', remedy: 'tare setup x' };

/** A client whose state is what `states` says, in turn. */
function client(states: readonly (Found | Missing | Error)[], setup?: Adapter['setup']): Adapter {
  let turn = 0;
  return {
    ...allAdapters[0]!,
    name: 'x',
    title: 'The X',
    find: async () => {
      const state = states[Math.min(turn++, states.length - 1)]!;
      if (state instanceof Error) throw state;
      return state;
    },
    setup,
  };
}

const tare = async (args: readonly string[], env: Record<string, string> = {}) => {
  const result = await execa(process.execPath, [entry('src/cli/main.js'), ...args], { reject: false, env });
  return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
};
const emptyCache = async () => ({ TARE_CACHE: await mkdtemp(join(tmpdir(), 'tare-doctor-')) });

describe('examine', () => {
  it('keeps the handle to itself, and an adapter that throws is missing with the reason', async () => {
    expect(await examine(client([found]))).not.toHaveProperty('handle');
    expect(await examine(client([found]))).toMatchObject({ name: 'x', state: 'found', version: '1.2' });
    expect(await examine(client([new Error('boom')]))).toMatchObject({
      state: 'missing',
      reason: 'looking for it failed: boom',
    });
  });
});

describe('setUp', () => {
  const run = async (adapter: Adapter, force = false) => {
    const said: string[] = [];
    await setUp(adapter, force, (line) => said.push(line));
    return said;
  };

  it('leaves alone what is there, and makes it anew when forced', async () => {
    let made = 0;
    const setup = async () => {
      made++;
    };
    expect(await run(client([found], setup))).toEqual([expect.stringContaining('there already')]);
    expect(made).toBe(0);
    await run(client([found], setup), true);
    expect(made).toBe(1);
  });

  it('passes progress on and says what is ready', async () => {
    const said = await run(client([missing, found], async (say) => say('step')));
    expect(said[0]).toBe('x: step');
    expect(said[1]).toMatch(/^x: 1\.2 is ready after \d+ s \(\/opt\/x\)$/);
  });

  it('a client that Tare cannot install names its remedy; one not found after set-up is an error', async () => {
    await expect(run(client([missing]))).rejects.toThrow(/cannot be installed by Tare: tare setup x/);
    await expect(run(client([missing], async () => {}))).rejects.toThrow(UserError);
  });

  it('what the user has to add himself is told, and does not keep other clients from being set up', async () => {
    const own: Missing = { state: 'missing', reason: 'no checkout', remedy: 'clone it' };
    expect(await run(client([own], async () => {}))).toEqual([
      'x: its part is installed; still missing: no checkout. clone it',
    ]);
  });
});

describe('tare doctor', () => {
  it('prints one JSON document with the machine and every client, and nothing else', async () => {
    const { exitCode, stdout, stderr } = await tare(['doctor', '--json'], await emptyCache());
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report.clients.map((one: { name: string }) => one.name)).toEqual(allAdapters.map((a) => a.name));
    expect(report.host.cores).toBeGreaterThan(0);
    const asyncio = report.clients.find((one: { name: string }) => one.name === 'asyncio');
    expect(asyncio).toMatchObject({ state: 'missing', remedy: 'tare setup asyncio' });
  });

  it('says the same to people on stderr', async () => {
    const { exitCode, stdout, stderr } = await tare(['doctor'], await emptyCache());
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toMatch(/asyncio +missing .*\n +→ tare setup asyncio/);
    expect(stderr).toContain('open files');
  });

  it('shows a found client with version, path, origin and notes', async () => {
    const text = describeReport({
      schema: 'tare-doctor/1',
      tare_version: '9',
      host: { ...(JSON.parse((await tare(['doctor', '--json'])).stdout).host as object) } as never,
      cache: '/c',
      clients: [await examine(client([found]))],
      advice: [{ code: 'c', evidence: 'too few', remedy: 'get more' }],
    });
    expect(text).toMatch(/x +found +The X 1\.2\n +\/opt\/x\n +the user's own\n +note: a note/);
    expect(text).toContain('! too few\n    → get more');
  });
});

describe('lists of clients', () => {
  const long = { ...client([found]), name: 'a-name-longer-than-the-others' };
  it('doctor’s column is as wide as the longest name', async () => {
    const text = describeReport({
      schema: 'tare-doctor/1',
      tare_version: '9',
      host: { allowed_cpus: [] } as never,
      cache: '/c',
      clients: [await examine(client([found])), await examine(long)],
      advice: [],
    } as never);
    const at = text.split('\n').filter((line) => /^ {2}\S+ +found /.test(line));
    expect(at).toHaveLength(2);
    expect(new Set(at.map((line) => line.indexOf('found'))).size).toBe(1);
  });
  it('so is that of setup --list', async () => {
    const said: string[] = [];
    await listClients([client([found]), long], (line) => said.push(line));
    expect(new Set(said.map((line) => line.indexOf('The X'))).size).toBe(1);
    expect(said[1]).toMatch(/^a-name-longer-than-the-others {2}The X: found/);
  });
});

describe('setUpAll', () => {
  it('installs the others where one fails, and names it at the end', async () => {
    const said: string[] = [];
    const broken = client([missing], async () => {
      throw new UserError('no network');
    });
    const adapters = [
      { ...broken, name: 'a' },
      { ...client([missing, found], async () => {}), name: 'b' },
    ];
    await expect(setUpAll(adapters, false, (line) => said.push(line))).rejects.toThrow(/1 of 2 .*: a /);
    expect(said).toEqual(['a: no network', expect.stringMatching(/^b: 1\.2 is ready/)]);
  });
  it('makes an environment that two clients share anew only once', async () => {
    let made = 0;
    const setup = async () => void made++;
    await setUpAll([client([found], setup), client([found], setup)], true, () => {});
    expect(made).toBe(1);
  });
});

describe('tare setup', () => {
  it.each([
    [['setup'], /name the clients to install/],
    [['setup', 'asincio'], /no client "asincio"; did you mean asyncio\?/],
    [['setup', 'asyncio', 'nonsense-client'], /no client "nonsense-client"/],
    [['setup', '--fast'], /unknown option/],
  ])('%j is a usage error that installs nothing', async (args, message) => {
    const { exitCode, stdout, stderr } = await tare(args, await emptyCache());
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('without a usable Python says which were tried and what to do', async () => {
    const env = { ...(await emptyCache()), TARE_PYTHON: '/nonexistent/python3' };
    const { exitCode, stderr } = await tare(['setup', 'asyncio'], env);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/no Python 3\.10 to 3\.14 .*\/nonexistent\/python3/);
    expect(stderr).toContain('TARE_PYTHON');
  });

  it('with a cache folder that cannot be made says so', async () => {
    const { exitCode, stderr } = await tare(['setup', 'asyncio'], {
      TARE_CACHE: join(entry('package.json'), 'cache'),
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('set $TARE_CACHE to a folder that you may write');
  });

  it('--list shows every client', async () => {
    const { exitCode, stderr } = await tare(['setup', '--list'], await emptyCache());
    expect(exitCode).toBe(0);
    for (const adapter of allAdapters) expect(stderr).toContain(adapter.title);
  });
});
