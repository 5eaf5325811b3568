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

/** Requests of each kind at most: enough for the optimizing compiler, also for the paths that only many connections take. */
const REQUESTS = 20_000;
const FIRST_REQUESTS = 500;
const CONNECTIONS = 64;
/** The engine takes no notes of a function's types in its first few calls. */
const OTHER_ROUNDS = 20;

const message = (path: string, body: object): Buffer => {
  const json = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:8150\r\nconnection: keep-alive\r\ncontent-type: application/json\r\n` +
      `accept: text/event-stream\r\nx-request-id: warm-up\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
};

/** First word of every other prompt while warming up, so that bodies that were never seen are read too: clients seldom repeat theirs. */
const SLOT = 'word00000';

/** Messages in turn; each second one with a prompt of its own. */
function messageSource(messages: readonly Buffer[]): () => Buffer {
  let turn = 0;
  return () => {
    const message = messages[turn % messages.length]!;
    const own = turn++ % 2 === 0;
    const at = own ? message.lastIndexOf(SLOT) : -1;
    if (at < 0) return message;
    const changed = Buffer.from(message);
    changed.write(String(turn).padStart(5, '0'), at + SLOT.length - 5, 'latin1');
    return changed;
  };
}

const OK = Buffer.from('HTTP/1.1 200 ');
const END = Buffer.from('\r\n0\r\n\r\n');

/** Sends requests one after another on one connection until `more` says no. Rejects if one is not answered with 200. */
function drive(port: number, nextMessage: () => Buffer, more: () => boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let opens = true;
  let tail: Buffer = END;
  const ended = new Promise<void>((resolve, reject) => {
    const next = (): void => {
      opens = true;
      if (more()) socket.write(nextMessage());
      else resolve();
    };
    socket.on('connect', next);
    socket.on('data', (part: Buffer) => {
      if (opens && part.indexOf(OK) !== 0)
        reject(new Error(`the warm-up was refused: ${part.toString('latin1')}`));
      opens = false;
      tail = Buffer.concat([tail, part]).subarray(-END.length);
      if (tail.equals(END)) next();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the warm-up lost its connection')));
  });
  return ended.finally(() => socket.destroy());
}

const head = (line: string): string =>
  `${line} HTTP/1.1\r\nhost: warm-up\r\nconnection: close\r\naccept: */*\r\naccept-language: *\r\nauthorization: Bearer none\r\n` +
  'sec-fetch-mode: cors\r\nuser-agent: warm-up\r\naccept-encoding: gzip, deflate\r\n';

/** One request on a connection of its own; whatever is answered is right. */
function ask(port: number, request: string): Promise<void> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request)).resume();
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

/**
 * The answers that are not streams, some of each. They give the HTTP objects other shapes than streams do (a content length, a
 * body): were the first of them seen after the warm-up, say a client's look at the models, all compiled code would be thrown away.
 */
async function otherAnswers(port: number, model: string): Promise<void> {
  const gets = ['/v1/models', '/health', '/metrics', '/tare/stats', '/no-such-path'].map(
    (path) => `${head(`GET ${path}`)}\r\n`,
  );
  const whole = { model, max_tokens: 2, messages: [{ role: 'user', content: 'one' }] };
  const posts = [
    ['/v1/chat/completions', JSON.stringify(whole)],
    ['/v1/chat/completions', '{'],
    ['/tokenize', JSON.stringify({ model, prompt: 'one two' })],
  ].map(
    ([path, body]) =>
      `${head(`POST ${path}`)}content-type: application/json\r\ncontent-length: ${body!.length}\r\n\r\n${body}`,
  );
  for (let i = 0; i < OTHER_ROUNDS; i++) for (const request of [...gets, ...posts]) await ask(port, request);
}

async function phase(
  engine: Engine,
  port: number,
  latency: string,
  requests: number,
  untilMs: number,
): Promise<void> {
  engine.model = latencyModel(parseLatencySpec(latency));
  const base = { model: engine.options.model.name, stream: true, max_tokens: 16 };
  const messages = [
    message('/v1/chat/completions', { ...base, messages: [{ role: 'user', content: `${SLOT} two three` }] }),
    message('/v1/chat/completions', {
      ...base,
      messages: [{ role: 'user', content: `${SLOT} two` }],
      stream_options: { include_usage: true },
    }),
    message('/v1/completions', { ...base, prompt: `${SLOT} two three` }),
  ];
  const nextMessage = messageSource(messages);
  let left = requests;
  const more = (): boolean => left-- > 0 && performance.now() < untilMs;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, nextMessage, more)));
}

/** Serves itself a few thousand requests, for at most `mostMs`; closes `server`. What it wrote down is for the caller to clear. */
export async function warmUp(engine: Engine, server: Server, mostMs: number): Promise<void> {
  const model = engine.model;
  const start = performance.now();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    await otherAnswers(port, engine.options.model.name);
    // A few first, to the end of their connections: what closing changes in the objects would throw compiled code away, were it seen only later.
    await phase(engine, port, 'zero', FIRST_REQUESTS, start + mostMs);
    server.closeAllConnections();
    // As after the warm-up: the first request of a window is another path, too.
    engine.clear();
    await phase(engine, port, 'zero', REQUESTS, start + (model.zero ? mostMs : mostMs / 2));
    if (!model.zero) await phase(engine, port, 'ttft=200us,itl=20us', REQUESTS, start + mostMs);
  } finally {
    engine.model = model;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}
