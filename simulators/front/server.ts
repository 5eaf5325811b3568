/** A front: TLS, with HTTP/1.1 or HTTP/2 in it, before a target that speaks plain HTTP/1.1. In a process of its own. */
import { Agent } from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Certificate, makeCertificate } from './certificate.ts';
import { forward } from './forward.ts';
import { FrontCounts, type FrontProtocol, type FrontRecord } from './record.ts';

export interface Front {
  /** https://127.0.0.1:port */
  readonly url: string;
  readonly caFile: string;
  record(): FrontRecord;
  /** Cuts what is open. */
  stop(): Promise<void>;
}

const BACKLOG = 4096;

/** With `tls`, HTTP/1.1 is all that is offered; with `http2` a client chooses, and one that says nothing gets HTTP/1.1. */
function serverFor(protocol: FrontProtocol, { key, cert }: Certificate): Http2SecureServer {
  // Sessions of HTTP/2 hold a client's every stream: the default of 10 MB is soon used up by long prompts.
  return protocol === 'http2'
    ? createSecureServer({ key, cert, allowHTTP1: true, maxSessionMemory: 1000 })
    : // Its events and arguments are the same but for the classes' names.
      (createServer({
        key,
        cert,
        keepAliveTimeout: 0,
        requestTimeout: 0,
      } as ServerOptions) as unknown as Http2SecureServer);
}

/** Starts one on a free port of loopback; its authority's certificate goes to `dir`. */
export async function serveFront(upstream: string, protocol: FrontProtocol, dir: string): Promise<Front> {
  const certificate = await makeCertificate(dir);
  const counts = new FrontCounts();
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, noDelay: true });
  const target = new URL(upstream);
  const server = serverFor(protocol, certificate);
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket: TLSSocket) => {
    const { alpnProtocol } = socket;
    FrontCounts.add(counts.connections, `${socket.getProtocol()} ${alpnProtocol || 'none'}`);
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException) =>
    FrontCounts.add(counts.failed, error.code ?? error.message),
  );
  server.on('request', (req, res) => {
    FrontCounts.add(counts.requests, req.httpVersion);
    forward(target, agent, counts, req, res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caFile: certificate.caFile,
    record: () => counts.record(protocol),
    async stop() {
      agent.destroy();
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
