/**
 * Warms the target up through its own handlers, so that the first measured request meets compiled code. It happens on a
 * listener of its own, before the real one is opened: no client can get in between.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { latencyModel } from '../../src/measure/latency.ts';
import { parseLatencySpec } from '../../src/measure/latency-spec.ts';
import type { Engine } from './engine.ts';

/** Requests of each kind at most: enough for the optimizing compiler. */
const REQUESTS = 3000;
const CONNECTIONS = 4;

const message = (path: string, body: object): Buffer => {
  const json = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: warm-up\r\nx-request-id: warm-up\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
};

/** Sends requests one after another on one connection until `more` says no. */
async function drive(
  port: number,
  messages: readonly Buffer[],
  isEnd: (tail: Buffer) => boolean,
  more: () => boolean,
) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const failed = once(socket, 'close');
  let turn = 0;
  const done = new Promise<void>((resolve) => {
    const next = (): void => {
      if (more()) socket.write(messages[turn++ % messages.length]!);
      else resolve();
    };
    socket.on('connect', next);
    socket.on('data', (part: Buffer) => isEnd(part) && next());
  });
  await Promise.race([done, failed]);
  socket.destroy();
}

const endsStream = (tail: Buffer): boolean => tail.subarray(-7).equals(Buffer.from('\r\n0\r\n\r\n'));

async function phase(engine: Engine, port: number, latency: string, untilMs: number): Promise<void> {
  engine.model = latencyModel(parseLatencySpec(latency));
  const base = { model: engine.options.model.name, stream: true, max_tokens: 16 };
  const messages = [
    message('/v1/chat/completions', { ...base, messages: [{ role: 'user', content: 'one two three' }] }),
    message('/v1/chat/completions', {
      ...base,
      messages: [{ role: 'user', content: 'one two' }],
      stream_options: { include_usage: true },
    }),
    message('/v1/completions', { ...base, prompt: 'one two three' }),
  ];
  let left = REQUESTS;
  const more = (): boolean => left-- > 0 && performance.now() < untilMs;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, messages, endsStream, more)));
}

/** Serves itself a few thousand requests, for at most `mostMs`; closes `server`. What it wrote down is for the caller to clear. */
export async function warmUp(engine: Engine, server: Server, mostMs: number): Promise<void> {
  const model = engine.model;
  const start = performance.now();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await phase(engine, port, 'zero', start + mostMs / 2);
  if (!model.zero) await phase(engine, port, 'ttft=200us,itl=20us', start + mostMs);
  engine.model = model;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
