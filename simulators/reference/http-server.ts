/** The target's HTTP/1.1 server below Fastify, and what its failure to listen means. */
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { UserError } from '../../src/system/user-error.ts';
import { type ApiError, badRequest, errorBody } from './api-error.ts';
import { stampArrival } from './arrival.ts';
import { watchConnection } from './connection.ts';
import type { Engine } from './engine.ts';

/** The listening queue: a burst of new connections must not be refused by the kernel. */
export const BACKLOG = 4096;

/** A server that stamps each request's arrival before `listener` sees it. */
export function httpServer(engine: Engine, listener: RequestListener): Server {
  // No timeouts at all: a client may pause for as long as its schedule says, on a connection that it keeps.
  const timeouts = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
  const server = createServer({ noDelay: true, ...timeouts }, (req, res) => {
    stampArrival(req, engine.now());
    listener(req, res);
  });
  server.timeout = 0;
  server.on('connection', (socket) => watchConnection(socket, engine.counters));
  return server;
}

/** What bytes that are no request are refused with; `code` as Node's parser names it. */
export const malformed = (code: string | undefined): ApiError =>
  code === 'HPE_HEADER_OVERFLOW'
    ? { ...badRequest('The request headers are too large.'), status: 431 }
    : badRequest('This is not a well-formed HTTP/1.1 request.');

/** What cannot be parsed as HTTP is refused as OpenAI-compatible servers do, in JSON, and its connection is closed. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = malformed(error.code);
  const body = errorBody(refusal);
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** The error of `listen` in words that help; others as they are. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new UserError(
        `port ${port} on ${host} is in use; choose another with --port (0 takes a free one)`,
      );
    case 'EACCES':
      return new UserError(`no permission to listen on port ${port}; choose one above 1023 with --port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UserError(`${host} is not an address of this machine (${error.code}); see --host`);
    default:
      return error;
  }
}
