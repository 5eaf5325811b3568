import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClosedLoop, type ClosedShare } from '../../src/load/closed-loop.ts';
import { closedShare } from '../../src/load/plan-closed.ts';
import type { ClosedLoopSpec } from '../../src/measure/load/closed-loop.ts';
import { FakeTime } from './fake-time.ts';

const MS = 1e6;
const spec = (change: Partial<ClosedLoopSpec>): ClosedLoopSpec => ({
  users: 3,
  thinkS: 0,
  staggerS: 0,
  durationS: null,
  requests: null,
  ...change,
});

interface Sent {
  readonly index: number;
  readonly at: number;
  endedAt: number;
}

/** A closed loop against a server that takes `serviceNs(index)` for each request, in a world without waiting. */
function run(share: ClosedShare, serviceNs: (index: number) => number) {
  const time = new FakeTime();
  const sent: Sent[] = [];
  const inFlight: [number, number][] = [];
  let under = 0;
  let overs = 0;
  const loop = new ClosedLoop(share, 0, {
    host: () => time,
    pacing: 'block',
    now: time.now,
    send(index, scheduledNs) {
      expect(scheduledNs).toBeNaN();
      const request = { index, at: time.at, endedAt: Number.NaN };
      sent.push(request);
      inFlight.push([time.at, ++under]);
      time.wakeAt(time.at + serviceNs(index), () => {
        request.endedAt = time.at;
        inFlight.push([time.at, --under]);
        loop.ended();
      });
    },
    onOver: () => {
      overs++;
    },
  });
  loop.start();
  time.run();
  expect(under).toBe(0);
  return { loop, sent, inFlight, overs, endNs: time.at };
}

describe('a closed loop', () => {
  it('keeps all its users’ requests under way, and never one more', () => {
    const { sent, inFlight, loop } = run(closedShare(spec({ durationS: 1 }), 0, 1), () => 10 * MS);
    expect(Math.max(...inFlight.map(([, n]) => n))).toBe(3);
    // From the first three on there are 2 only for the instant in which an answer is followed by the next request.
    const begun = inFlight.slice(3).filter(([at]) => at < 990 * MS);
    for (let i = 0; i < begun.length; i += 2) {
      expect(begun.slice(i, i + 2).map(([, n]) => n)).toEqual([2, 3]);
      expect(begun[i + 1]![0] - begun[i]![0]).toBeLessThan(100);
    }
    // Three a 10 ms in 1 s; nothing was begun from 1 s on, and what was under way ended.
    expect(sent).toHaveLength(300);
    expect(Math.max(...sent.map((s) => s.at))).toBeLessThan(1000 * MS);
    expect(loop.over).toBe(true);
    expect(loop.inFlightAtLastSend).toBe(3);
  });

  it('sends as many as were asked, with numbers of its own, however unequal the answers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 12, max: 60 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        fc.constantFrom(0, 0.007),
        fc.constantFrom(0, 0.05),
        (users, workers, requests, service, thinkS, staggerS) => {
          const all: number[] = [];
          const m = Math.min(workers, users);
          for (let k = 0; k < m; k++) {
            const share = closedShare(spec({ users, requests, thinkS, staggerS }), k, m);
            const { sent, inFlight } = run(share, (i) => service[i % service.length]! * MS);
            expect(Math.max(...inFlight.map(([, n]) => n))).toBeLessThanOrEqual(share.users);
            all.push(...sent.map((s) => s.index));
          }
          expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: requests }, (_, i) => i));
        },
      ),
    );
  });

  it('shares the requests out as the users are, so that no worker is done long before another', () => {
    const shares = [0, 1].map((k) => closedShare(spec({ users: 5, requests: 50 }), k, 2));
    const all = shares.map((share) => run(share, () => MS));
    expect(all.map(({ sent }) => sent.length)).toEqual([30, 20]);
    expect(all.map(({ sent }) => sent.slice(0, 4).map((s) => s.index))).toEqual([
      [0, 2, 4, 5],
      [1, 3, 6, 8],
    ]);
  });

  it('thinks after each answer: a user’s requests are service and think time apart', () => {
    const { sent } = run(closedShare(spec({ users: 1, thinkS: 0.02, requests: 5 }), 0, 1), () => 10 * MS);
    sent.forEach(({ at }, i) => {
      expect(at).toBeGreaterThanOrEqual(i * 30 * MS);
      expect(at).toBeLessThan(i * 30 * MS + 1000);
    });
  });

  it('does not wait for users that would think beyond the end', () => {
    const { sent, endNs, loop } = run(
      closedShare(spec({ users: 2, thinkS: 60, durationS: 1 }), 0, 1),
      () => 10 * MS,
    );
    expect(sent).toHaveLength(2);
    expect(loop.over).toBe(true);
    expect(endNs).toBeLessThan(20 * MS);
  });

  it('starts its users one after the other, over all workers', () => {
    const starts = [0, 1].flatMap((k) => {
      const share = closedShare(spec({ users: 5, staggerS: 0.4, requests: 10 }), k, 2);
      return run(share, () => 1000 * MS)
        .sent.slice(0, share.users)
        .map((s) => Math.round(s.at / MS));
    });
    expect(starts.sort((a, b) => a - b)).toEqual([0, 100, 200, 300, 400]);
  });

  it('watches what is under way from when all have started to the last send', () => {
    // Two users; the second begins at 100 ms. From then on 2 are under way all the time.
    const { loop } = run(closedShare(spec({ users: 2, staggerS: 0.1, durationS: 1.1 }), 0, 1), () => 10 * MS);
    const { elapsedNs, busyNs, ended } = loop.watch;
    expect(busyNs / elapsedNs).toBeCloseTo(2, 4);
    expect(elapsedNs / MS).toBeCloseTo(990, 0);
    expect(ended).toBeGreaterThanOrEqual(198);
    expect(ended).toBeLessThanOrEqual(200);
    // With as long a pause as a request takes, half as many.
    const half = run(closedShare(spec({ users: 4, thinkS: 0.01, durationS: 2 }), 0, 1), () => 10 * MS).loop;
    expect(half.watch.busyNs / half.watch.elapsedNs).toBeCloseTo(2, 1);
  });

  it('says so when it is over before any answer ends', () => {
    const { overs, sent } = run({ ...closedShare(spec({ durationS: 1 }), 0, 1), firstNs: 2e9 }, () => MS);
    expect([overs, sent.length]).toEqual([1, 0]);
  });

  it('stops at once', () => {
    const time = new FakeTime();
    let sent = 0;
    const loop = new ClosedLoop(closedShare(spec({ thinkS: 0.1, requests: 99 }), 0, 1), 0, {
      host: () => time,
      pacing: 'block',
      now: time.now,
      send: () => {
        sent++;
        time.wakeAt(time.at + MS, () => loop.ended());
      },
      onOver: () => {},
    });
    loop.start();
    time.run(50 * MS);
    expect(sent).toBe(3);
    loop.stop();
    time.run();
    expect([sent, loop.over]).toEqual([3, true]);
  });
});
