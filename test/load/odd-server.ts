/** A server whose answer depends on the request's number (from its x-request-id): each with one peculiarity. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Seen {
  readonly id: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

export interface OddServer {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage, socket: Socket) => void;

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const token = (content: string, finish: string | null = null): string =>
  event({ id: 'chatcmpl-7', choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
export const usage = (n: number): string =>
  event({ id: 'chatcmpl-7', choices: [], usage: { prompt_tokens: 5, completion_tokens: n } });
export const DONE = 'data: [DONE]\n\n';

/** A stream of these parts, each its own write. */
export const stream =
  (...parts: string[]): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };

export async function oddServer(behaviour: (index: number) => Behaviour): Promise<OddServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const id = String(request.headers['x-request-id']);
      seen.push({ id, path: request.url ?? '', body, authorization: request.headers.authorization });
      behaviour(Number(/\d+$/.exec(id)?.[0]))(response, request, request.socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
