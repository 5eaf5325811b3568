/**
 * A worker's virtual users: each sends when its former request has ended and its think time is over. No request has a scheduled instant. At the end nothing
 * more is begun; what is under way ends by itself.
 */
import { DueLine } from './due-line.ts';
import type { PacerHost, Pacing } from './pacer.ts';

/** A worker's part of a closed loop. Times in ns, from the start. */
export interface ClosedShare {
  readonly users: number;
  readonly thinkNs: number;
  /** User k begins at `firstNs` + k × `apartNs`. */
  readonly firstNs: number;
  readonly apartNs: number;
  /** When the last user of all workers begins: the loop is watched from then on. */
  readonly allNs: number;
  /** Nothing is sent from this time on; Infinity: no limit. */
  readonly durationNs: number;
  /** Requests of the whole run; Infinity: no limit. */
  readonly requests: number;
  /** Users of the whole run, and its workers: this one's are `first`, `first` + `step` and so on. */
  readonly allUsers: number;
  readonly first: number;
  readonly step: number;
}

/** What a worker saw of its loop, from when all users had begun to its last send. */
export interface ClosedWatch {
  readonly elapsedNs: number;
  /** Requests under way × time. */
  readonly busyNs: number;
  /** Requests that ended, whichever way. */
  readonly ended: number;
}

export interface ClosedHooks {
  /** Makes a host; each line of instants needs one of its own. */
  readonly host: () => PacerHost;
  readonly pacing: Pacing;
  readonly now: () => number;
  readonly send: (index: number, scheduledNs: number) => void;
  /** Nothing more will be begun, and this was not said by a request's end. */
  readonly onOver: () => void;
}

/**
 * The number of a worker's n-th request. Request i falls to the worker of user i mod users, so that each worker's part of the requests is that of its users, and all of
 * them are busy to the end where answers take equally long. In the worker it goes to whichever user is free.
 */
const indexOf = ({ users, allUsers, first, step }: ClosedShare, n: number): number =>
  Math.floor(n / users) * allUsers + first + (n % users) * step;

export class ClosedLoop {
  /** Requests begun. */
  dispatched = 0;
  inFlightAtLastSend = 0;
  /** As of the last send. */
  watch: ClosedWatch = { elapsedNs: 0, busyNs: 0, ended: 0 };
  readonly #share: ClosedShare;
  readonly #hooks: ClosedHooks;
  readonly #startNs: number;
  readonly #starting: DueLine;
  readonly #thinking: DueLine | null;
  /** Users that will send again. */
  #active: number;
  #index: number;
  #inFlight = 0;
  #lastNs: number;
  #busyNs = 0;
  #endedSince = 0;

  constructor(share: ClosedShare, startNs: number, hooks: ClosedHooks) {
    this.#share = share;
    this.#hooks = hooks;
    this.#startNs = startNs;
    this.#lastNs = startNs + share.allNs;
    this.#index = indexOf(share, 0);
    this.#active = share.users;
    const turn = (): void => {
      this.#begin(hooks.now());
      if (this.over) hooks.onOver();
    };
    this.#starting = new DueLine(hooks.host(), hooks.pacing, turn);
    this.#thinking = share.thinkNs > 0 ? new DueLine(hooks.host(), hooks.pacing, turn) : null;
  }

  /** Whether nothing will be begun any more. */
  get over(): boolean {
    return this.#active === 0 || this.#index >= this.#share.requests;
  }

  start(): void {
    const { users, firstNs, apartNs, durationNs } = this.#share;
    for (let k = 0; k < users; k++) {
      const atNs = firstNs + k * apartNs;
      if (atNs < durationNs) this.#starting.add(this.#startNs + atNs);
      else this.#active--;
    }
    if (this.over) this.#hooks.onOver();
  }

  stop(): void {
    this.#active = 0;
    this.#starting.close();
    this.#thinking?.close();
  }

  /** A user's request has ended, whichever way. */
  ended(): void {
    const nowNs = this.#hooks.now();
    this.#sum(nowNs);
    this.#inFlight--;
    if (nowNs >= this.#lastNs) this.#endedSince++;
    if (this.over) return;
    if (this.#thinking === null) {
      this.#begin(nowNs);
      return;
    }
    const nextNs = nowNs + this.#share.thinkNs;
    // A user that would think beyond the end never sends again.
    if (nextNs - this.#startNs < this.#share.durationNs) this.#thinking.add(nextNs);
    else this.#active--;
  }

  #begin(nowNs: number): void {
    if (this.over) return;
    const { durationNs } = this.#share;
    if (nowNs - this.#startNs >= durationNs) {
      this.#active--;
      return;
    }
    const index = this.#index;
    this.#index = indexOf(this.#share, ++this.dispatched);
    this.#sum(nowNs);
    this.#inFlight++;
    this.inFlightAtLastSend = this.#inFlight;
    this.watch = {
      elapsedNs: Math.max(0, nowNs - this.#startNs - this.#share.allNs),
      busyNs: this.#busyNs,
      ended: this.#endedSince,
    };
    // No instant was due: NaN, so that nothing is measured from one.
    this.#hooks.send(index, Number.NaN);
  }

  /** Adds up what was under way until now. */
  #sum(nowNs: number): void {
    if (nowNs <= this.#lastNs) return;
    this.#busyNs += this.#inFlight * (nowNs - this.#lastNs);
    this.#lastNs = nowNs;
  }
}
