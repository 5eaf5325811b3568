/**
 * A worker's connections: our own list, since undici's Pool costs more a request. The one that was used last is used next; a few spare ones are
 * opened ahead, so that a request seldom waits for a handshake. There is no cap but `maxInFlight`; what waits for it waits on the books: latency runs
 * from the scheduled instant.
 */
import { Connection, type ConnectionSettings } from './connection.ts';

export interface ListSettings extends Omit<ConnectionSettings, 'onEnd'> {
  /** Requests under way at once; Infinity for no limit. */
  readonly maxInFlight: number;
  /** Connections opened before the start. */
  readonly connections: number;
  /** A request's time limit, ns, from when a connection took it. */
  readonly timeoutNs: number;
  /** A request has ended; read the connection now, it is used again at once. */
  readonly onEnd: (connection: Connection) => void;
}

/** Idle connections kept ready above those in use. */
const SPARE = 8;

export class ConnectionList {
  inFlight = 0;
  peakInFlight = 0;
  /** Requests that had to wait for `maxInFlight`. */
  delayed = 0;
  readonly #settings: ListSettings;
  readonly #connectionSettings: ConnectionSettings;
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  /** Requests that wait for a connection: index and instant in turn, from #head on. */
  #waiting: number[] = [];
  #head = 0;
  #opening = 0;

  constructor(settings: ListSettings) {
    this.#settings = settings;
    this.#connectionSettings = { ...settings, onEnd: (connection) => this.#ended(connection) };
  }

  get open(): number {
    return this.#all.size;
  }

  /** Requests that were due and wait for a connection. */
  get waiting(): number {
    return (this.#waiting.length - this.#head) / 2;
  }

  /** Opens the first connections; settles when each has opened or failed (a failure shows in the first request). */
  async openAll(): Promise<void> {
    const count = Math.min(this.#settings.connections, this.#settings.maxInFlight);
    await Promise.all(
      Array.from(
        { length: count },
        () => new Promise<void>((resolve) => this.#idle.push(this.#add(resolve))),
      ),
    );
  }

  /** Sends a request, or queues it when the limit is reached. */
  send(index: number, scheduledNs: number): void {
    if (this.inFlight >= this.#settings.maxInFlight) {
      this.delayed++;
      this.#waiting.push(index, scheduledNs);
      return;
    }
    this.#start(this.#idle.pop() ?? this.#add(() => {}), index, scheduledNs);
    if (this.#idle.length + this.#opening < SPARE && this.#all.size < this.#settings.maxInFlight)
      this.#openSpare();
  }

  /** Ends requests that are over their time limit. To be called every now and then. */
  expire(nowNs: number): void {
    const before = nowNs - this.#settings.timeoutNs;
    for (const connection of this.#all)
      if (connection.busy && !connection.timedOut && connection.startedNs < before) {
        const connected = !Number.isNaN(connection.sentNs);
        connection.expire();
        // Without a connection the whole client was ended.
        if (!connected) this.#forget(connection);
      }
  }

  /** Closes everything and reports what was under way or waiting to `left`. */
  close(left: (connection: Connection) => void): { waiting: number } {
    const { waiting } = this;
    for (const connection of this.#all) {
      if (connection.busy) left(connection);
      connection.busy = false;
      connection.destroy();
    }
    this.#all.clear();
    this.#idle.length = 0;
    this.#waiting = [];
    this.#head = 0;
    this.inFlight = 0;
    return { waiting };
  }

  #add(onSettled: () => void): Connection {
    const connection = new Connection(this.#connectionSettings, onSettled);
    this.#all.add(connection);
    return connection;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #openSpare(): void {
    this.#opening++;
    const connection = this.#add(() => {
      if (this.#opening > 0) this.#opening--;
      // Below those that have been used: they are warm.
      if (this.#all.has(connection)) this.#idle.unshift(connection);
    });
  }

  #start(connection: Connection, index: number, scheduledNs: number): void {
    this.inFlight++;
    if (this.inFlight > this.peakInFlight) this.peakInFlight = this.inFlight;
    connection.start(index, scheduledNs, this.#settings.now());
  }

  #ended(connection: Connection): void {
    this.inFlight--;
    this.#settings.onEnd(connection);
    if (this.#head < this.#waiting.length) {
      const index = this.#waiting[this.#head]!;
      const scheduledNs = this.#waiting[this.#head + 1]!;
      this.#head += 2;
      if (this.#head >= 4096 && this.#head * 2 >= this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#head);
        this.#head = 0;
      }
      this.#start(connection, index, scheduledNs);
    } else this.#idle.push(connection);
  }
}
