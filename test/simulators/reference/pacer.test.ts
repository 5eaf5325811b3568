import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockAlarm, QUANTUM_NS, type Sleeper } from '../../../simulators/reference/block-alarm.ts';
import { DueHeap } from '../../../simulators/reference/due-heap.ts';
import { type Alarm, type Paced, Pacer } from '../../../simulators/reference/pacer.ts';
import { choosePacing } from '../../../simulators/reference/pacing.ts';
import { type LoopTimers, SpinAlarm } from '../../../simulators/reference/spin-alarm.ts';

const MS = 1e6;

describe('the heap', () => {
  it('gives items in the order of their instants, whatever is done to it', () => {
    const action = fc.oneof(
      fc.record({ push: fc.nat(50) }),
      fc.constant('pop' as const),
      fc.record({ replace: fc.nat(50) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const heap = new DueHeap<number>();
        let model: number[] = [];
        for (const one of actions) {
          if (one === 'pop') {
            const least = heap.earliest;
            heap.pop();
            if (model.length > 0) model.splice(model.indexOf(least), 1);
          } else if ('push' in one) {
            heap.push(one.push, one.push);
            model = [...model, one.push];
          } else if (model.length > 0) {
            model.splice(model.indexOf(heap.earliest), 1, one.replace);
            heap.replace(one.replace);
          }
          expect([heap.size, heap.earliest]).toEqual([model.length, Math.min(...model)]);
        }
      }),
    );
  });
});

/** A clock that moves only when timers do, with an event loop whose turns take 3 µs. */
class FakeLoop implements LoopTimers {
  nowNs = 0;
  turns = 0;
  #timers: { at: number; call: () => void }[] = [];
  #turn: (() => void)[] = [];
  /** Timers ring this much after their time. */
  readonly lateNs: number;
  constructor(lateNs = 0) {
    this.lateNs = lateNs;
  }
  readonly now = (): number => this.nowNs;
  after(ms: number, call: () => void): () => void {
    expect(Number.isInteger(ms) && ms >= 1).toBe(true);
    const timer = { at: this.nowNs + ms * MS + this.lateNs, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }
  nextTurn(call: () => void): void {
    this.#turn.push(call);
  }
  /** Runs until nothing is left to wait for. */
  run(): void {
    while (this.#turn.length + this.#timers.length > 0) {
      if (this.#turn.length > 0) {
        this.turns++;
        this.nowNs += 3000;
        for (const call of this.#turn.splice(0)) call();
        continue;
      }
      const next = this.#timers.reduce((a, b) => (b.at < a.at ? b : a));
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.nowNs = Math.max(this.nowNs, next.at);
      next.call();
    }
  }
  get idle(): boolean {
    return this.#turn.length + this.#timers.length === 0;
  }
}

/** An answer whose tokens are due at given instants; each write takes `costNs`. */
class Tokens implements Paced {
  readonly wrote: number[] = [];
  constructor(
    readonly due: readonly number[],
    readonly loop: { nowNs: number },
    readonly costNs = 0,
  ) {}
  step(): number {
    this.wrote.push(this.loop.nowNs);
    this.loop.nowNs += this.costNs;
    return this.due[this.wrote.length] ?? Number.POSITIVE_INFINITY;
  }
}

describe('spinning', () => {
  it('writes within a turn of the instant, sleeping until 1 to 2 ms before', () => {
    const loop = new FakeLoop(0.9 * MS);
    const pacer = new Pacer(new SpinAlarm(loop.now, loop), loop.now);
    const answer = new Tokens([50 * MS, 60 * MS, 60.5 * MS, 300 * MS], loop);
    pacer.schedule(answer.due[0]!, answer);
    loop.run();
    answer.wrote.forEach((at, i) => {
      expect(at).toBeGreaterThanOrEqual(answer.due[i]!);
      expect(at - answer.due[i]!).toBeLessThan(3001);
    });
    // Three sleeps end at most 2 ms early: without them it would be 100,000 turns.
    expect(loop.turns).toBeLessThan((3 * 2.01 * MS + 0.5 * MS) / 3000);
    expect(loop.idle).toBe(true);
  });

  it('an earlier instant shortens a sleep and a spin', () => {
    const loop = new FakeLoop();
    const alarm = new SpinAlarm(loop.now, loop);
    const pacer = new Pacer(alarm, loop.now);
    const late = new Tokens([80 * MS], loop);
    const early = new Tokens([30 * MS], loop);
    pacer.schedule(80 * MS, late);
    pacer.schedule(30 * MS, early);
    loop.run();
    expect([early.wrote[0]! - 30 * MS < 3001, late.wrote[0]! - 80 * MS < 3001]).toEqual([true, true]);
  });

  it('a stall delays what was due in it and nothing after', () => {
    const loop = new FakeLoop();
    const pacer = new Pacer(new SpinAlarm(loop.now, loop), loop.now);
    const due = Array.from({ length: 6 }, (_, i) => (10 + i) * MS);
    const answer = new Tokens(due, loop);
    const stall = new Tokens([11.5 * MS], loop, 2 * MS);
    pacer.schedule(due[0]!, answer);
    pacer.schedule(stall.due[0]!, stall);
    loop.run();
    const late = answer.wrote.map((at, i) => at - due[i]!);
    // Due at 12 and 13, written when the stall ends at 13.5; those at 14 and 15 are on time again.
    expect(late.map((ns) => ns > 0.4 * MS)).toEqual([false, false, true, true, false, false]);
  });

  it('stopped, it waits for nothing', () => {
    for (const dueNs of [50 * MS, 1 * MS]) {
      const loop = new FakeLoop();
      const pacer = new Pacer(new SpinAlarm(loop.now, loop), loop.now);
      const answer = new Tokens([dueNs], loop);
      pacer.schedule(dueNs, answer);
      pacer.stop();
      loop.run();
      expect([answer.wrote.length, loop.idle]).toEqual([0, true]);
    }
  });
});

class FakeSleeper implements Sleeper {
  onWake = (): void => {};
  readonly asked: number[] = [];
  stopped = false;
  until(dueNs: number): void {
    this.asked.push(dueNs);
  }
  stop(): void {
    this.stopped = true;
  }
}

describe('blocking', () => {
  it('asks for a wake-up at the next tenth of a millisecond, once for all that fall in it', () => {
    const sleeper = new FakeSleeper();
    const loop = { nowNs: 0 };
    const pacer = new Pacer(new BlockAlarm(sleeper), () => loop.nowNs);
    const answers = [120_000, 130_000, 199_000, 210_000].map((due) => new Tokens([due, due + 5 * MS], loop));
    for (const answer of answers) pacer.schedule(answer.due[0]!, answer);
    expect(sleeper.asked).toEqual([2 * QUANTUM_NS]);
    loop.nowNs = 200_500;
    sleeper.onWake();
    expect(answers.map((answer) => answer.wrote.length)).toEqual([1, 1, 1, 0]);
    expect(sleeper.asked).toEqual([200_000, 300_000]);
    loop.nowNs = 301_000;
    sleeper.onWake();
    expect(sleeper.asked).toEqual([200_000, 300_000, 5_200_000]);
  });

  it('an earlier instant replaces a later one, never the other way', () => {
    const sleeper = new FakeSleeper();
    const alarm = new BlockAlarm(sleeper);
    alarm.set(5 * MS);
    alarm.set(9 * MS);
    alarm.set(1 * MS);
    alarm.stop();
    expect([sleeper.asked, sleeper.stopped]).toEqual([[5 * MS, 1 * MS], true]);
  });

  it('a wake-up too early asks again', () => {
    const sleeper = new FakeSleeper();
    const answer = new Tokens([1 * MS], { nowNs: 0 });
    const pacer = new Pacer(new BlockAlarm(sleeper), () => 0);
    pacer.schedule(1 * MS, answer);
    sleeper.onWake();
    expect([answer.wrote.length, sleeper.asked]).toEqual([0, [1 * MS, 1 * MS]]);
  });
});

describe('a backlog', () => {
  it('is written in portions, with a look at the sockets between', () => {
    let rings = 0;
    const alarm: Alarm = { onRing: () => {}, set: () => rings++, stop: () => {} };
    const loop = { nowNs: 0 };
    const pacer = new Pacer(alarm, () => loop.nowNs);
    for (let i = 0; i < 600; i++) pacer.schedule(1000 - i, new Tokens([1000 - i], loop));
    loop.nowNs = 2000;
    rings = 0;
    while (pacer.waiting > 0) alarm.onRing();
    expect(rings).toBe(2);
  });
});

it('auto spins only where the target has a core to spare', () => {
  expect([1, 2, 3, 4, 64].map((cores) => choosePacing('auto', cores))).toEqual([
    'spin',
    'block',
    'block',
    'spin',
    'spin',
  ]);
  expect(choosePacing('block', 64)).toBe('block');
});
