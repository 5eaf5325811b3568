/** Sockets for connections of the engine, which knows none. */
import { createServer, type Server, type Socket } from 'node:net';
import { ProbeConnection } from './connection.ts';
import type { ProbeEngine } from './engine.ts';

/** A socket's bytes to a connection of the engine, and back. */
function attach(engine: ProbeEngine, socket: Socket): void {
  const connection = new ProbeConnection(engine, {
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  });
  socket.on('data', (chunk) => connection.receive(chunk));
  socket.on('end', () => connection.hungUp());
  // What a client does to its connection is its own affair: `close` follows.
  socket.on('error', () => connection.hungUp());
  socket.on('close', () => connection.gone());
}

export interface SocketServer {
  readonly server: Server;
  /** Cuts every connection and stops listening. */
  stop(): Promise<void>;
}

/** A TCP server, not yet listening, whose connections are the engine's. */
export function socketServer(engine: ProbeEngine): SocketServer {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    attach(engine, socket);
  });
  return {
    server,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
