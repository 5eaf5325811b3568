/** `tare setup` that is ended while a tool of it is at work: nothing of the tool is left, and the client is not installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asyncioAdapter } from '../../adapters/asyncio/adapter.ts';
import { entry } from '../../src/system/package-root.ts';
import { withEnvironment } from '../system/process-table.ts';

/** Every process of the set-up carries it in its environment. */
let tag: string;
let folder: string;

beforeEach(() => {
  tag = randomUUID();
  folder = mkdtempSync(join(tmpdir(), 'tare-setup-end-'));
});
afterEach(() => {
  for (const pid of withEnvironment(tag)) process.kill(pid, 'SIGKILL');
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A Python that answers what it is, and whose `-m venv` starts another program, as ensurepip does, and waits for it. */
function fakePython(): string {
  const file = join(folder, 'python3');
  const answer = JSON.stringify({ executable: file, version: '3.12.0', venv: true });
  const lines = ['#!/bin/sh', `if [ "$1 $2" = "-m venv" ]; then sleep 600 & wait; fi`, `echo '${answer}'`];
  writeFileSync(file, `${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function setUpUnderWay(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [entry('src/cli/main.js'), 'setup', 'asyncio'], {
    env: { ...process.env, TARE_TEST: tag, TARE_CACHE: join(folder, 'cache'), TARE_PYTHON: fakePython() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Tare itself, the fake Python and its child.
  await vi.waitFor(() => expect(withEnvironment(tag).length).toBeGreaterThanOrEqual(3), 10_000);
  return child;
}

describe('tare setup, ended from outside', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by %s to its own process alone: nothing is left, and the client is not installed',
    async (signal) => {
      const child = await setUpUnderWay();
      let said = '';
      child.stderr!.on('data', (chunk) => {
        said += chunk;
      });
      child.kill(signal);
      const [code] = await once(child, 'close');
      if (signal !== 'SIGKILL') {
        expect(code).toBe(1);
        expect(said).toMatch(
          new RegExp(`${signal}: the set-up ends here; .* the same command makes it anew\n$`),
        );
        expect(withEnvironment(tag)).toEqual([]);
      }
      await vi.waitFor(() => expect(withEnvironment(tag)).toEqual([]), 10_000);
      vi.stubEnv('TARE_CACHE', join(folder, 'cache'));
      expect(await asyncioAdapter.find()).toMatchObject({
        state: 'missing',
        reason: expect.stringContaining('an unfinished set-up is in '),
      });
    },
  );
});
