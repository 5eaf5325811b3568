/** Faults of how answers are read: connections that stamp another event, or read late. */
import { Connection, type ConnectionSettings } from '../connection.ts';
import { type Arrivals, Pacer, type PacerHost, type Pacing } from '../pacer.ts';
import { copyOf, type Fault, type Seen } from './fault.ts';

/** Stamps the first event of any kind, too. */
class FirstEventConnection extends Connection {
  firstEventNs = Number.NaN;

  override start(index: number, scheduledNs: number, nowNs: number): void {
    this.firstEventNs = Number.NaN;
    super.start(index, scheduledNs, nowNs);
  }
  override onEvent(kind: number, completionTokens: number, promptTokens: number): void {
    if (Number.isNaN(this.firstEventNs)) this.firstEventNs = this.segmentNs;
    super.onEvent(kind, completionTokens, promptTokens);
  }
}

/** `role-first`. Only the first token's instant is another; an answer without a token has none. */
export const firstEvent: Fault = {
  connect: (settings, onSettled) => new FirstEventConnection(settings, onSettled),
  see(ended) {
    if (Number.isNaN(ended.firstNs)) return ended;
    const copy = copyOf(ended);
    copy.firstNs = (ended as Seen & { readonly firstEventNs: number }).firstEventNs;
    return copy;
  },
};

/** What is done the same time after it was handed in, in order: a consumer behind a queue. */
export class DelayLine implements Arrivals {
  readonly #pacer: Pacer;
  readonly #lateNs: number;
  readonly #now: () => number;
  #waiting: { dueNs: number; run: () => void }[] = [];
  #head = 0;
  #running = false;

  constructor(lateNs: number, pacing: Pacing, host: PacerHost) {
    this.#lateNs = lateNs;
    this.#now = host.now;
    this.#pacer = new Pacer(host, this, pacing);
  }

  get dueNs(): number {
    return this.#waiting[this.#head]?.dueNs ?? Number.NaN;
  }

  add(run: () => void): void {
    this.#waiting.push({ dueNs: this.#now() + this.#lateNs, run });
    if (this.#running) return;
    this.#running = true;
    this.#pacer.start();
  }

  send(): void {
    const { run } = this.#waiting[this.#head++]!;
    if (this.#head > 1024) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    run();
    // The pacer rests when there is nothing, and must then be started again.
    if (this.#head === this.#waiting.length) this.#running = false;
  }
}

/** Reads everything of an answer late. What ends it has to be late too, or it would be read before what came earlier. */
class LateConnection extends Connection {
  readonly #line: DelayLine;

  constructor(settings: ConnectionSettings, onSettled: (error: Error | null) => void, line: DelayLine) {
    super(settings, onSettled);
    this.#line = line;
  }
  override onHeaders(status: number, headers: Buffer[]): boolean {
    this.#line.add(() => super.onHeaders(status, headers));
    return true;
  }
  override onData(chunk: Buffer): boolean {
    this.#line.add(() => super.onData(chunk));
    return true;
  }
  override onComplete(): void {
    this.#line.add(() => {
      if (this.busy) super.onComplete();
    });
  }
  override onError(error: Error): void {
    this.#line.add(() => super.onError(error));
  }
}

/** `late-read`: one queue for all connections of a worker, as a single consumer has. */
export function lateReading(
  lateNs: number,
  { pacing, host }: { readonly pacing: Pacing; readonly host: () => PacerHost },
): Fault {
  const line = new DelayLine(lateNs, pacing, host());
  return { connect: (settings, onSettled) => new LateConnection(settings, onSettled, line) };
}
