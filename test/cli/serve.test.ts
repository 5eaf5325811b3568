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
import { readProbeLedger } from '../../src/truth/probe-ledger.ts';
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
    [['--probe', 'plain,plane'], 'there is no probe "plane". See tare probe --list'],
    [['--probe', 'plain', '--tokens', '3'], '--tokens has no meaning with --probe'],
    [['--probe', 'plain', '--host', '0.0.0.0'], 'Add --expose'],
    [['--probe', 'plain', '--plain-first', '-1'], 'whole number from 0'],
    [['--plain-first', '2'], '--plain-first has a meaning with --probe only'],
    [['--probe', 'plain,role-frst'], 'near it: role'],
    [['--probe', ','], '--probe names no probe'],
  ])('%j is a usage error', async (flags, why) => {
    const { exit, stderr } = serve('--port', '0', ...flags);
    expect(await exit).toEqual([2, null]);
    expect(await stderr).toContain(why);
    expect((await stderr).trim().split('\n').length).toBeLessThan(3);
  });

  it('plays probes with --probe, after the warm-up, and leaves their ledger', async () => {
    const file = join(dir, 'p.json');
    const flags = ['--probe', 'plain,role-first', '--plain-first', '1', '--ledger', file, '--model', 'm'];
    const { child, exit, stderr } = serve('--port', '0', ...flags);
    const said = await ready(child);
    expect(said).toMatchObject({
      ready: true,
      pid: child.pid,
      model: 'm',
      probes: ['plain', 'role-first'],
      plain_first: 1,
    });
    const replies = await Promise.all(
      [1, 2, 3].map(() => send(`${said.url}/v1/chat/completions`, 'POST', chatBody({ stream: true }))),
    );
    expect(replies.map(({ status, text }) => [status, text.split('\n\n').length]).sort()).toEqual([
      [200, 52],
      [200, 52],
      [200, 53],
    ]);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await stderr).toContain('probe ledger of 3 requests');
    const { requests } = await readProbeLedger(file);
    expect(requests.map(({ probe, outcome }) => [probe, outcome])).toEqual([
      [null, 'complete'],
      ['plain', 'complete'],
      ['role-first', 'complete'],
    ]);
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
