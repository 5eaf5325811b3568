import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { entry, packageRoot } from '../../src/system/package-root.ts';
import { withEnvironment } from './process-table.ts';

/** Every process of the harness and of what it launched carries this; the watchdog does not. */
let tag: string;
let folder: string;

beforeEach(() => {
  tag = randomUUID();
  folder = mkdtempSync(join(tmpdir(), 'tare-harness-'));
});

afterEach(() => {
  for (const pid of withEnvironment(tag)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

async function harness(end: 'wait' | 'exit' | 'throw' | 'stop', client: string): Promise<ChildProcess> {
  const path = (name: string): string => join(packageRoot, 'test', name);
  const child = spawn(
    process.execPath,
    [
      path('system/harness.mjs'),
      entry('src/system/process-group.js'),
      folder,
      end,
      process.execPath,
      path(`clients/${client}`),
    ],
    { env: { ...process.env, TARE_TEST: tag }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const [launched] = await once(child.stdout!, 'data');
  expect(Number.parseInt(String(launched), 10)).toBeGreaterThan(0);
  return child;
}

const nothingLeft = () => vi.waitFor(() => expect(withEnvironment(tag)).toEqual([]), 10_000);

it.each(['ignores-sigterm.mjs', 'leaves-daemon.mjs', 'many-threads.mjs'])(
  'killed by SIGKILL, the harness leaves nothing of %s',
  async (client) => {
    const child = await harness('wait', client);
    child.kill('SIGKILL');
    await nothingLeft();
  },
);

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'ended by %s without a handler, it leaves nothing',
  async (signal) => {
    const child = await harness('wait', 'ignores-sigterm.mjs');
    child.kill(signal);
    await nothingLeft();
  },
);

it.each(['exit', 'throw'] as const)(
  'at its own end (%s), nothing is left once it has exited',
  async (end) => {
    const child = await harness(end, 'ignores-sigterm.mjs');
    child.stdin!.write('go\n');
    await once(child, 'exit');
    expect(withEnvironment(tag)).toEqual([]);
  },
);

it('Ctrl-C with stopAll: ended in order, with a result', async () => {
  const child = await harness('stop', 'ignores-sigterm.mjs');
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ end: 'interrupted' });
  expect(withEnvironment(tag)).toEqual([]);
});
