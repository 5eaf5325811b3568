import { describe, expect, it } from 'vitest';
import { type Arrivals, MAX_BURST, Pacer, type PacerHost, SPIN_NS } from '../../src/load/pacer.ts';

const TURN_NS = 10_000;

/** A world without waiting: a turn of the loop takes 10 µs, a wake-up is late by `lateNs`. */
class FakeHost implements PacerHost {
  at = 0;
  sleeps = 0;
  lateNs = 0;
  #next: (() => void) | null = null;
  now(): number {
    return this.at;
  }
  immediate(step: () => void): void {
    this.#next = () => {
      this.at += TURN_NS;
      step();
    };
  }
  wakeAt(instant: number, step: () => void): void {
    this.sleeps++;
    this.#next = () => {
      this.at = Math.max(this.at, instant) + this.lateNs;
      step();
    };
  }
  /** Until nothing is pending. */
  run(): void {
    for (let next = this.#next; next !== null; next = this.#next) {
      this.#next = null;
      next();
    }
  }
}

/** Arrivals at the instants given; each send takes `costNs`. */
class FakeArrivals implements Arrivals {
  readonly sentAt: number[] = [];
  #i = 0;
  readonly #due: readonly number[];
  readonly #host: FakeHost;
  readonly #costNs: number;
  constructor(due: readonly number[], host: FakeHost, costNs = 0) {
    this.#due = due;
    this.#host = host;
    this.#costNs = costNs;
  }
  get dueNs(): number {
    return this.#due[this.#i] ?? Number.NaN;
  }
  send(): void {
    this.sentAt.push(this.#host.at);
    this.#i++;
    this.#host.at += this.#costNs;
  }
}

describe('Pacer', () => {
  it('spinning, sleeps until about 2 ms before and then turns the loop: never early, late by at most a turn', () => {
    const host = new FakeHost();
    const due = [0, 10e6, 10.003e6, 50e6];
    const arrivals = new FakeArrivals(due, host);
    new Pacer(host, arrivals, 'spin').start();
    host.run();
    const lateness = arrivals.sentAt.map((at, i) => at - due[i]!);
    expect(lateness).toHaveLength(4);
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...lateness)).toBeLessThanOrEqual(TURN_NS);
    expect(host.sleeps).toBe(2);
  });

  it('spinning, does not sleep where the gap is shorter than the margin', () => {
    const host = new FakeHost();
    new Pacer(host, new FakeArrivals([SPIN_NS, 2 * SPIN_NS], host), 'spin').start();
    host.run();
    expect(host.sleeps).toBe(0);
  });

  it('is late by one wake-up, not by the sum of them: the instants are absolute', () => {
    const host = new FakeHost();
    host.lateNs = 300_000;
    const due = Array.from({ length: 1000 }, (_, i) => i * 1e6);
    const arrivals = new FakeArrivals(due, host);
    new Pacer(host, arrivals, 'block').start();
    host.run();
    expect(Math.max(...arrivals.sentAt.map((at, i) => at - due[i]!))).toBe(300_000);
  });

  it('when behind, turns the loop after a few sends, so that answers are read in between', () => {
    const host = new FakeHost();
    const arrivals = new FakeArrivals(
      Array.from({ length: 20 }, () => 0),
      host,
      1000,
    );
    const pacer = new Pacer(host, arrivals, 'spin');
    pacer.start();
    expect(arrivals.sentAt).toHaveLength(MAX_BURST);
    host.run();
    expect(arrivals.sentAt).toHaveLength(20);
    expect(pacer.turns).toBeGreaterThanOrEqual(20 / MAX_BURST);
  });

  it('sends nothing more once stopped', () => {
    const host = new FakeHost();
    const arrivals = new FakeArrivals([0, 1e9], host);
    const pacer = new Pacer(host, arrivals, 'block');
    pacer.start();
    pacer.stop();
    host.run();
    expect(arrivals.sentAt).toHaveLength(1);
  });
});
