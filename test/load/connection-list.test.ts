import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Connection } from '../../src/load/connection.ts';
import { ConnectionList, type ListSettings } from '../../src/load/connection-list.ts';
import { OUTCOMES } from '../../src/load/outcome.ts';
import { bodyTemplate } from '../../src/load/request-body.ts';
import { nowNs } from '../../src/system/clock.ts';

const EVENTS = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${EVENTS.length}\r\n\r\n${EVENTS}`;

let server: Server | null = null;
let list: ConnectionList | null = null;

afterEach(() => {
  list?.close(() => {});
  server?.close();
  list = null;
  server = null;
});

/** A server that calls `onRequest` for each segment that comes (every request here fits in one). */
async function serve(onRequest: (socket: Socket, text: string) => void) {
  const sockets = new Set<Socket>();
  const own = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => onRequest(socket, data.toString('latin1')));
  });
  server = own;
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  return { url: new URL(`http://127.0.0.1:${(own.address() as AddressInfo).port}`), sockets };
}

const idOf = (text: string): string => /x-request-id: (\S+)/.exec(text)?.[1] ?? '';

interface End {
  readonly index: number;
  readonly outcome: string;
  readonly failure: string;
}

/** A list to `url`; `all(n)` settles when n requests have ended. */
function open(url: URL, settings: Partial<ListSettings> = {}) {
  const ends: End[] = [];
  let check = (): void => {};
  const own = new ConnectionList({
    url,
    path: '/v1/chat/completions',
    stream: true,
    shaped: null,
    template: bodyTemplate({
      endpoint: 'chat',
      model: 'm',
      stream: true,
      promptTokens: 1,
      outputTokens: 1,
      seed: 1,
      extra: {},
    }),
    headers: ['content-type', 'application/json'],
    requestId: (index) => `r${index}`,
    connectTimeoutMs: 5000,
    burnNs: 0,
    now: nowNs,
    maxInFlight: Number.POSITIVE_INFINITY,
    connections: 1,
    timeoutNs: 1e9,
    onEnd: ({ index, outcome, failure }: Connection) => {
      ends.push({ index, outcome: OUTCOMES[outcome]!, failure });
      check();
    },
    ...settings,
  });
  list = own;
  const all = (n: number) =>
    new Promise<readonly End[]>((resolve) => {
      check = () => ends.length >= n && setImmediate(() => resolve(ends));
      check();
    });
  return { list: own, all };
}

it('opens connections wholly, and sends nothing over them', async () => {
  const seen: string[] = [];
  const { url, sockets } = await serve((socket, text) => {
    seen.push(idOf(text));
    socket.write(ANSWER);
  });
  const { list: own, all } = open(url, { connections: 5 });
  await own.openAll();
  own.send(7, nowNs());
  await all(1);
  expect(seen).toEqual(['r7']);
  expect(sockets.size).toBeGreaterThanOrEqual(5);
});

it('has no cap of its own: what is due is sent, on as many connections as it takes', async () => {
  const waiting: Socket[] = [];
  const { url } = await serve((socket) => {
    waiting.push(socket);
    // Nobody is answered before all are there.
    if (waiting.length === 150) for (const one of waiting) one.write(ANSWER);
  });
  const { list: own, all } = open(url);
  await own.openAll();
  for (let i = 0; i < 150; i++) own.send(i, nowNs());
  const ends = await all(150);
  expect(new Set(ends.map((e) => e.outcome))).toEqual(new Set(['complete']));
  expect(new Set(ends.map((e) => e.index)).size).toBe(150);
  expect(own.peakInFlight).toBe(150);
  expect(own.delayed).toBe(0);
});

it('does not open a connection for each request of a burst that a few can carry', async () => {
  const { url, sockets } = await serve((socket) => socket.write(ANSWER));
  const { list: own, all } = open(url, { connections: 8 });
  await own.openAll();
  for (let i = 0; i < 400; i++) own.send(i, nowNs());
  const ends = await all(400);
  expect(ends.every((e) => e.outcome === 'complete')).toBe(true);
  expect(sockets.size).toBeLessThan(200);
});

it('fails each request by itself where no connection can be opened, and loses none', async () => {
  const { url } = await serve(() => {});
  server!.close();
  await once(server!, 'close');
  const { list: own, all } = open(url);
  await own.openAll();
  for (let i = 0; i < 20; i++) own.send(i, nowNs());
  const ends = await all(20);
  expect(new Set(ends.map((e) => e.index)).size).toBe(20);
  for (const end of ends) expect(end).toMatchObject({ outcome: 'connectError', failure: /ECONNREFUSED/ });
  expect(own.inFlight + own.waiting).toBe(0);
});

it('gives the place of a request that ran out of time to the next one', async () => {
  let requests = 0;
  const { url } = await serve((socket) => {
    if (requests++ > 0) socket.write(ANSWER);
    else setImmediate(() => list!.expire(nowNs() + 2e9));
  });
  const { list: own, all } = open(url, { maxInFlight: 1 });
  await own.openAll();
  own.send(0, nowNs());
  own.send(1, nowNs());
  expect(await all(2)).toMatchObject([
    { index: 0, outcome: 'timedOut' },
    { index: 1, outcome: 'complete' },
  ]);
  expect(own.delayed).toBe(1);
});
