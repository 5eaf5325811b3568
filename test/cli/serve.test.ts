import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { entry } from '../../src/system/package-root.ts';
import { readLedger } from '../../src/truth/ledger-file.ts';
import { chatBody, send } from '../simulators/reference/helpers.ts';

const dir = mkdtempSync(join(tmpdir(), 'tare-serve-'));
afterAll(() => rmSync(dir, { recursive: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** `tare serve` with a short warm-up, from the built package. */
function serve(...flags: string[]) {
  const argv = [entry('src/cli/main.js'), 'serve', '--warm-up', '20', ...flags];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return { child, stderr: text(child.stderr), exit: once(child, 'exit') };
}

async function ready(child: ChildProcess) {
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return JSON.parse(String(line)) as Record<string, unknown>;
}

describe('tare serve', () => {
  it('says when it is ready, in one line, and leaves its ledger at SIGTERM', async () => {
    const file = join(dir, 'a.arrow');
    const flags = ['--port', '0', '--ledger', file, '--latency', 'ttft=2ms,itl=1ms', '--pacing', 'block'];
    const { child, exit, stderr } = serve(...flags, '--model', 'm', '--seed', '5');
    const said = await ready(child);
    expect(said).toMatchObject({ ready: true, pid: child.pid, model: 'm', pacing: 'block' });
    expect(said.url).toBe(`http://127.0.0.1:${said.port}`);
    const reply = await send(
      `${said.url}/v1/chat/completions`,
      'POST',
      chatBody({ stream: true, max_tokens: 4 }),
    );
    expect(reply.status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await stderr).toContain('ledger of 1 requests');
    const ledger = await readLedger(file);
    expect(ledger.meta).toMatchObject({ seed: 5, pacing: 'block', pid: child.pid });
    expect(ledger.tokenNs).toHaveLength(4);
    expect(ledger.tokenNs.every((at, i) => at >= ledger.tokenDueNs[i]!)).toBe(true);
  });

  it('ends at SIGINT too, and says when the ledger was too small', async () => {
    const { child, exit, stderr } = serve(
      '--port',
      '0',
      '--ledger',
      join(dir, 'b.arrow'),
      '--capacity-requests',
      '1',
    );
    const { url } = await ready(child);
    for (let i = 0; i < 3; i++) await send(`${url}/v1/completions`, 'POST', { prompt: 'a' });
    child.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
    expect(await stderr).toContain('2 requests and 0 token stamps are missing');
  });

  it('ends with the process that it was given as its parent', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    children.push(parent);
    const { child, exit } = serve('--port', '0', '--parent-pid', String(parent.pid));
    await ready(child);
    parent.kill('SIGKILL');
    expect(await exit).toEqual([0, null]);
  });

  it.each([
    [['--port', '70000'], 'whole number from 0 to 65535'],
    [['--host', '0.0.0.0'], 'Add --expose'],
    [['--latency', 'ttft=soon'], 'latency "ttft=soon" is not understood'],
    [['--ledger', '/nowhere/a.arrow'], 'no ledger can be written to /nowhere'],
    [['--pacing', 'nap'], 'Allowed choices are auto, spin, block'],
    [['--eos', '0'], 'whole number from 1'],
    [['--colour'], 'unknown option'],
  ])('%j is a usage error', async (flags, why) => {
    const { exit, stderr } = serve('--port', '0', ...flags);
    expect(await exit).toEqual([2, null]);
    expect(await stderr).toContain(why);
    expect((await stderr).trim().split('\n').length).toBeLessThan(3);
  });

  it('a port in use is a usage error', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { exit, stderr } = serve('--port', String(port));
    expect(await exit).toEqual([2, null]);
    expect(await stderr).toContain(`port ${port} on 127.0.0.1 is in use`);
    other.close();
  });
});
