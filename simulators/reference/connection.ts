/** A TCP connection: its place in order, and the requests on it that are not over. */
import type { Socket } from 'node:net';
import type { Counters } from './counters.ts';

/** What must hear that its connection is gone. */
export interface Closable {
  closed(): void;
}

export interface Connection {
  /** From 0, in order of acceptance. */
  readonly ordinal: number;
  readonly active: Set<Closable>;
}

const CONNECTION = Symbol('connection');
type Marked = Socket & { [CONNECTION]?: Connection };

/** Begins to watch a connection that was just accepted. */
export function watchConnection(socket: Socket, counters: Counters): void {
  const connection: Connection = { ordinal: counters.connections++, active: new Set() };
  counters.openConnections++;
  (socket as Marked)[CONNECTION] = connection;
  socket.once('close', () => {
    counters.openConnections--;
    for (const exchange of [...connection.active]) exchange.closed();
  });
}

export const connectionOf = (socket: Socket): Connection => (socket as Marked)[CONNECTION]!;
