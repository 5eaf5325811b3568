/** `install` of a client that ships with Tare as a client file. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { adapterFromText } from '../../adapters/custom/adapter.ts';
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
    const { adapter, file } = client("require('fs').writeFileSync(process.env.WHERE, '')");
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

  it('ends with the last words of a command that fails', async () => {
    const { adapter } = client("console.error('no such version'); process.exit(3)");
    await expect(adapter.setup?.(() => {})).rejects.toThrow(
      /node could not install minimal \(exit code 3\); its last words:\n {2}no such version/,
    );
  });
});
