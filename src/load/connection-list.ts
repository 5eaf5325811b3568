/**
 * A worker's connections: our own list, since undici's Pool costs more a request. The one that was used last is used next; a few spare ones are
 * opened ahead, so that a request seldom waits for a handshake. One that finds no idle connection waits for the first that opens or comes free, and one more is
 * opened for it, a few a turn of the loop: opening them all at once would hold up the answers that set others free, and a stall would feed itself. There
 * is no cap but `maxInFlight`. All waiting is on the books: latency runs from the scheduled instant.
 */
import { Connection, type ConnectionSettings } from './connection.ts';

/** Makes a connection: another kind of it, where a fault wants one. */
export type MakeConnection = (
  settings: ConnectionSettings,
  onSettled: (error: Error | null) => void,
) => Connection;

export interface ListSettings extends Omit<ConnectionSettings, 'onEnd'> {
  /** Requests under way at once; Infinity for no limit. */
  readonly maxInFlight: number;
  /** Connections opened before the start. */
  readonly connections: number;
  /** A request's time limit, ns, from when a connection took it. */
  readonly timeoutNs: number;
  /** A request has ended; read the connection now, it is used again at once. */
  readonly onEnd: (connection: Connection) => void;
  readonly connect?: MakeConnection | undefined;
  /** A connection is opened for each request when it is due, and closed after it. */
  readonly fresh?: boolean | undefined;
}

const connectPlainly: MakeConnection = (settings, onSettled) => new Connection(settings, onSettled);

/** Idle connections kept ready above those in use. */
const SPARE = 8;
/** Connections that are begun in one turn of the loop: it costs several times what a request does. */
const OPEN_A_TURN = 1;

export class ConnectionList {
  inFlight = 0;
  peakInFlight = 0;
  /** Requests that had to wait for `maxInFlight`. */
  delayed = 0;
  readonly #settings: ListSettings;
  readonly #connectionSettings: ConnectionSettings;
  readonly #connect: MakeConnection;
  readonly #fresh: boolean;
  readonly #spare: number;
  /** With fewer idle ones than this, more are opened. */
  readonly #openBelow: number;
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  /** Requests that wait for a connection: index and instant in turn, from #head on. */
  #waiting: number[] = [];
  #head = 0;
  #opening = 0;
  /** A turn's share has been begun; more follow in the next. */
  #paused = false;
  readonly #nextTurn = (): void => {
    this.#paused = false;
    this.#openMore();
  };

  constructor(settings: ListSettings) {
    this.#settings = settings;
    this.#connect = settings.connect ?? connectPlainly;
    this.#fresh = settings.fresh ?? false;
    this.#spare = this.#fresh ? 0 : SPARE;
    this.#openBelow = Math.max(1, this.#spare);
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
    const count = this.#fresh ? 0 : Math.min(this.#settings.connections, this.#settings.maxInFlight);
    await Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<void>((resolve) => {
            const connection: Connection = this.#connect(this.#connectionSettings, () => {
              this.#idle.push(connection);
              resolve();
            });
            this.#all.add(connection);
          }),
      ),
    );
  }

  /** Sends a request, or queues it when no connection is free. */
  send(index: number, scheduledNs: number): void {
    const connection = this.waiting === 0 ? this.#idle.pop() : undefined;
    if (connection !== undefined) this.#start(connection, index, scheduledNs);
    else {
      if (this.inFlight + this.waiting >= this.#settings.maxInFlight) this.delayed++;
      this.#waiting.push(index, scheduledNs);
    }
    if (this.#idle.length < this.#openBelow) this.#openMore();
  }

  /** Ends requests that are over their time limit. To be called every now and then. */
  expire(nowNs: number): void {
    const before = nowNs - this.#settings.timeoutNs;
    for (const connection of this.#all)
      if (connection.busy && !connection.timedOut && connection.startedNs < before) connection.expire();
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

  /** Begins to open what is wanting: one for each request that waits, and the spare ones. */
  #openMore(): void {
    if (this.#paused) return;
    for (let begun = 0; begun < OPEN_A_TURN; begun++) {
      const wanting = this.waiting + this.#spare - this.#idle.length - this.#opening;
      if (wanting <= 0 || this.#all.size >= this.#settings.maxInFlight) return;
      this.#opening++;
      const connection: Connection = this.#connect(this.#connectionSettings, (error) =>
        this.#opened(connection, error),
      );
      this.#all.add(connection);
    }
    this.#paused = true;
    setImmediate(this.#nextTurn);
  }

  #opened(connection: Connection, error: Error | null): void {
    this.#opening--;
    if (!this.#all.has(connection)) return;
    if (this.waiting === 0) {
      // Below those that have been used: they are warm. One that failed opens again when it is needed.
      this.#idle.unshift(connection);
      return;
    }
    if (error === null) this.#startWaiting(connection);
    else {
      const at = this.#takeWaiting();
      this.inFlight++;
      connection.fail(this.#waiting[at]!, this.#waiting[at + 1]!, this.#settings.now(), error);
    }
  }

  #start(connection: Connection, index: number, scheduledNs: number): void {
    this.inFlight++;
    if (this.inFlight > this.peakInFlight) this.peakInFlight = this.inFlight;
    connection.start(index, scheduledNs, this.#settings.now());
  }

  /** Place of the request that has waited longest, which no longer waits. */
  #takeWaiting(): number {
    if (this.#head >= 4096 && this.#head * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    const at = this.#head;
    this.#head += 2;
    return at;
  }

  #startWaiting(connection: Connection): void {
    const at = this.#takeWaiting();
    this.#start(connection, this.#waiting[at]!, this.#waiting[at + 1]!);
  }

  #ended(connection: Connection): void {
    this.inFlight--;
    this.#settings.onEnd(connection);
    if (connection.broken || this.#fresh) setImmediate(() => this.#free(connection));
    else this.#free(connection);
  }

  #free(connection: Connection): void {
    if (!this.#all.has(connection)) return;
    if (this.#fresh) connection.destroy();
    if (connection.destroyed) {
      this.#all.delete(connection);
      if (this.waiting > 0) this.#openMore();
    } else if (this.waiting > 0) this.#startWaiting(connection);
    else this.#idle.push(connection);
  }
}
