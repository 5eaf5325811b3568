/** `install` of a client that ships with Tare as a client file. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { adapterFromText } from '../../adapters/custom/adapter.ts';
import { causeLines } from '../../adapters/kit/cause-lines.ts';
import { stopAll } from '../../src/system/live-groups.ts';
import { isAlive, Procfs } from '../../src/system/procfs.ts';
import { Interrupted } from '../../src/system/user-error.ts';
import { MINIMAL } from './custom-minimal.ts';

afterEach(() => vi.unstubAllEnvs());

/** MINIMAL, installed by a line of Node code into a cache folder of its own. */
function client(code: string, needs = 'node') {
  const cache = mkdtempSync(join(tmpdir(), 'tare-install-'));
  vi.stubEnv('TARE_CACHE', cache);
  const install = `install: { needs: ${needs}, needs_remedy: get it, command: [node, -e, ${JSON.stringify(code)}], env: { WHERE: '{cache}/it' } }`;
  const text = MINIMAL.replace('program: node', () => `program: '{cache}/it'\n${install}`);
  return { adapter: adapterFromText(text, '/x/client.yaml', true), file: join(cache, 'minimal/it') };
}

describe('install', () => {
  it('runs the command with its environment in the client’s own folder, where it is found then', async () => {
    const { adapter, file } = client(
      "require('fs').writeFileSync(process.env.WHERE, ''); require('fs').chmodSync(process.env.WHERE, 0o755)",
    );
    expect(await adapter.find()).toMatchObject({
      state: 'missing',
      reason: `there is no ${file}`,
      remedy: 'tare setup minimal',
    });
    const said: string[] = [];
    await adapter.setup?.((line) => said.push(line));
    expect(said[0]).toContain(`WHERE=${file}`);
    expect(existsSync(file)).toBe(true);
    expect(await adapter.find()).toMatchObject({ state: 'found', origin: 'by tare setup' });
  });

  it('says what it takes where that is not there, and runs nothing', async () => {
    const { adapter, file } = client("require('fs').writeFileSync(process.env.WHERE, '')", 'no-such-tool');
    await expect(adapter.setup?.(() => {})).rejects.toThrow(
      'minimal is installed with no-such-tool, which is not on PATH: get it',
    );
    expect(existsSync(file)).toBe(false);
  });

  it('ends with what a command that fails said of the cause', async () => {
    const { adapter } = client("console.error('no such version'); process.exit(3)");
    await expect(adapter.setup?.(() => {})).rejects.toThrow(
      /node could not install minimal \(exit code 3\); it said:\n {2}no such version/,
    );
  });

  it('stopped, ends the command’s own children too; what it made counts as unfinished until it is made anew', async () => {
    const { adapter, file } = client(`
      require('fs').writeFileSync(process.env.WHERE, '');
      require('fs').chmodSync(process.env.WHERE, 0o755);
      const child = require('child_process').spawn('sleep', ['600']);
      if (process.env.TARE_TEST_HANGS) console.log('child ' + child.pid);
      else child.kill();`);
    vi.stubEnv('TARE_TEST_HANGS', '1');
    let pid = 0;
    const stopped = adapter.setup?.((line) => {
      if (!line.startsWith('child ')) return;
      pid = Number(line.slice('child '.length));
      void stopAll();
    });
    await expect(stopped).rejects.toBeInstanceOf(Interrupted);
    expect(pid).toBeGreaterThan(0);
    const left = new Procfs().stat(pid);
    expect(left === null || !isAlive(left)).toBe(true);
    expect(existsSync(file)).toBe(true);
    expect(await adapter.find()).toMatchObject({
      state: 'missing',
      reason: expect.stringMatching(/^an unfinished set-up is in /),
    });
    vi.stubEnv('TARE_TEST_HANGS', '');
    await adapter.setup?.(() => {});
    expect(await adapter.find()).toMatchObject({ state: 'found' });
  });
});

/** npm 10 with a registry where nothing listens. */
const NPM = `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/autocannon failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/node_modules/minipass-fetch/lib/index.js:130:14)
npm error     at process.processTicksAndRejections (node:internal/process/task_queues:83:21) {
npm error   code: 'ECONNREFUSED',
npm error   errno: 'ECONNREFUSED',
npm error   syscall: 'connect',
npm error   address: '127.0.0.1',
npm error   port: 9,
npm error   type: 'system',
npm error   requiredBy: '.'
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'
npm error A complete log of this run can be found in: /root/.npm/_logs/2026-11-29T22_38_46_158Z-debug-0.log
`;

describe('causeLines', () => {
  it('shows what npm failed of, not the end of its dump', () =>
    expect(causeLines(NPM)).toEqual([
      'code ECONNREFUSED',
      'errno ECONNREFUSED',
      'FetchError: request to http://127.0.0.1:9/autocannon failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    ]));

  it('keeps the first and the last of many, and without any the last lines', () => {
    const errors = Array.from({ length: 20 }, (_, i) => `error: ${i}`).join('\n');
    expect(causeLines(errors, 3)).toEqual(['error: 0', 'error: 18', 'error: 19']);
    expect(causeLines('one\n\ntwo\nthree\n', 2)).toEqual(['two', 'three']);
    expect(causeLines('')).toEqual([]);
  });
});
