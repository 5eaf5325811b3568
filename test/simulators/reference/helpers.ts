/** Talking to a target in tests: raw sockets where bytes and segments matter, undici elsewhere. */
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { request } from 'undici';
import { vi } from 'vitest';
import type { ReferenceOptions } from '../../../simulators/reference/options.ts';
import { type ReferenceTarget, serveReference } from '../../../simulators/reference/server.ts';

/** A target on a free port, without warm-up and with a small ledger, unless said otherwise. */
export const startTarget = (options: Partial<ReferenceOptions> = {}): Promise<ReferenceTarget> =>
  serveReference({
    port: 0,
    warmUpMs: 0,
    pacing: 'spin',
    capacity: { requests: 1000, tokens: 100_000 },
    ...options,
  });

export const CHAT = '/v1/chat/completions';
export const TEXT = '/v1/completions';

export const chatBody = (more: object = {}): object => ({
  messages: [{ role: 'user', content: 'one two three' }],
  ...more,
});

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export async function send(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  body?: object | string,
  headers = {},
) {
  const answer = await request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() } as Reply;
}

export const post = (
  target: ReferenceTarget,
  path: string,
  body: object | string,
  headers = {},
): Promise<Reply> => send(target.url + path, 'POST', body, headers);

/** The JSON of each event of a stream; its [DONE] must be the last. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of a server, taken apart by tests
export function events(stream: string): any[] {
  const lines = stream.split('\n\n').filter((event) => event !== '');
  if (lines.pop() !== 'data: [DONE]') throw new Error(`no [DONE] at the end of ${stream}`);
  return lines.map((line) => JSON.parse(line.replace(/^data: /, '')));
}

/** A request as bytes. */
export function rawRequest(
  path: string,
  body: object,
  version = '1.1',
  headers: readonly string[] = [],
): string {
  const json = JSON.stringify(body);
  const lines = [
    `POST ${path} HTTP/${version}`,
    'host: test',
    `content-length: ${Buffer.byteLength(json)}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}

/** Sends bytes and collects the segments that come back, until `isEnd` holds of all of them or the server closes. */
export async function segments(
  port: number,
  bytes: string,
  isEnd: (all: string) => boolean,
): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const parts: string[] = [];
  for await (const part of socket) {
    parts.push(part.toString());
    if (isEnd(parts.join(''))) break;
  }
  socket.destroy();
  return parts;
}

/** Waits until a condition holds, a turn of the loop at a time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** What the server wrote, a write at a time, while `during` ran: from inside, since segments at a client depend on its speed. */
export async function serverWrites(port: number, during: () => Promise<unknown>): Promise<string[]> {
  const writes: string[] = [];
  const original = Socket.prototype.write;
  const spy = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    if (this.localPort === port) writes.push(String(args[0]));
    return Reflect.apply(original, this, args) as boolean;
  });
  await during().finally(() => spy.mockRestore());
  return writes;
}
