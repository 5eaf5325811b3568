/** Compiles what a request goes through, with requests of its own to a second listener: the first one of a client must not be late. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import plain from '../../probes/chunks/plain.ts';
import type { Answer, Asked } from '../../src/measure/probe/answer.ts';
import { socketServer } from './attach.ts';
import { type EngineOptions, ProbeEngine } from './engine.ts';

/** Answers at once, and how much faster than M they are: 1,180 ms would be long to wait for. */
const AT_ONCE = 4;
const FASTER = 40;

const BODY = JSON.stringify({
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'warm up' }],
});
const REQUEST = `POST /v1/chat/completions HTTP/1.1\r\nhost: tare\r\ncontent-length: ${BODY.length}\r\nconnection: close\r\n\r\n${BODY}`;

function hasty(asked: Asked): Answer {
  const { writes, ending } = plain.answer(asked);
  return { writes: writes.map(({ atMs, bytes }) => ({ atMs: atMs / FASTER, bytes })), ending };
}

async function one(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.resume();
  socket.write(REQUEST);
  await once(socket, 'close');
}

/** Takes up to `forMs` and as long as one round takes. Nothing of it is in the target's ledger; its alarm is stopped at the end. */
export async function warmUp(options: EngineOptions, forMs: number): Promise<void> {
  const engine = new ProbeEngine({ ...options, scripts: [{ id: 'warm-up', answer: hasty }], plainFirst: 0 });
  const { server, stop } = socketServer(engine);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const until = performance.now() + forMs; performance.now() < until; )
    await Promise.all(Array.from({ length: AT_ONCE }, () => one(port)));
  engine.pacer.stop();
  await stop();
}
