import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type ProbeTarget, serveProbe } from '../../../simulators/probe/server.ts';
import type { Script } from '../../../simulators/probe/slots.ts';
import { PROBE_LEDGER_SCHEMA, readProbeLedger } from '../../../src/truth/probe-ledger.ts';
import { serverWrites, until } from '../reference/helpers.ts';
import { ask, script } from './bench.ts';

const dir = mkdtempSync(join(tmpdir(), 'tare-probe-'));
afterAll(() => rmSync(dir, { recursive: true }));

let target: ProbeTarget;
afterEach(() => target?.stop());

async function start(...scripts: Script[]): Promise<void> {
  target = await serveProbe({ scripts, pacing: 'spin' });
}

async function client(bytes: string): Promise<Socket> {
  const socket = connect(target.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n';

describe('on a socket', () => {
  it('the bytes are those of the script, and FIN is the end', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const bytes = [all.subarray(0, 100), all.subarray(100, 101), all.subarray(101)];
    const answer = () => ({
      writes: bytes.map((part) => ({ atMs: 0, bytes: part })),
      ending: { kind: 'close', atMs: 1 } as const,
    });
    await start({ id: 'p', answer });
    const writes = await serverWrites(target.port, async () => {
      const socket = await client(ask());
      expect(await buffer(socket)).toEqual(all);
    });
    expect(writes).toEqual(bytes.map(String));
  });

  it('a reset is ECONNRESET, behind the bytes before it', async () => {
    await start(script('p', [[0, 'half']], { kind: 'reset', atMs: 20 }));
    const socket = await client(ask());
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    const [error] = await once(socket, 'error');
    expect(error.code).toBe('ECONNRESET');
    expect(String(Buffer.concat(parts))).toBe('half');
  });

  it('a connection is used again, by a client of HTTP with chunked request bodies too', async () => {
    await start(
      script('p', [
        [0, OK],
        [1, 'ok'],
      ]),
    );
    const pool = new Client(target.url);
    const body = ask().split('\r\n\r\n')[1]!;
    for (let i = 0; i < 3; i++) {
      const parts = Readable.from([body.slice(0, 9), body.slice(9)]);
      const reply = await pool.request({ method: 'POST', path: '/v1/chat/completions', body: parts });
      expect(await reply.body.text()).toBe('ok');
    }
    await pool.close();
    const rows = target.ledger().requests;
    expect(rows.map((row) => [row.connection, row.on_connection])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
  });

  it.each(['end', 'destroy', 'resetAndDestroy'] as const)('a client that goes by %s is seen', async (how) => {
    await start(
      script('p', [
        [0, 'a'],
        [60_000, 'b'],
      ]),
    );
    const socket = await client(ask());
    await once(socket, 'data');
    socket[how]();
    await until(() => target.ledger().requests[0]!.outcome === 'clientClosed');
    expect(target.ledger().requests[0]!.writes).toHaveLength(1);
  });

  it('the end of the target cuts what is under way, and its ledger says so', async () => {
    const ledgerFile = join(dir, 'cut.json');
    target = await serveProbe({
      scripts: [
        script('p', [
          [0, 'a'],
          [60_000, 'b'],
        ]),
      ],
      pacing: 'spin',
      ledgerFile,
    });
    const socket = await client(ask());
    await once(socket, 'data');
    socket.on('error', () => {});
    const ledger = await target.stop();
    expect(await readProbeLedger(ledgerFile)).toEqual(ledger);
    expect(ledger).toMatchObject({ schema: PROBE_LEDGER_SCHEMA, probes: ['p'], plain_first: 0 });
    expect(ledger.requests).toMatchObject([{ outcome: 'unfinished', end_ns: null, client_closed_ns: null }]);
  });

  it('a port in use is a usage error', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(serveProbe({ scripts: [], port, pacing: 'spin' })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use`,
    );
    other.close();
  });
});

describe('a probe ledger', () => {
  it.each([
    ['is missing', null, 'no probe ledger can be read'],
    ['is cut', '{"schema":', 'it is not JSON'],
    ['is another document', '{"schema":"tare-probe/1"}', 'is no probe ledger: schema'],
  ])('that %s is a usage error', async (_, text, why) => {
    const file = join(dir, 'broken.json');
    rmSync(file, { force: true });
    if (text !== null) writeFileSync(file, text);
    await expect(readProbeLedger(file)).rejects.toThrow(why);
  });
});
