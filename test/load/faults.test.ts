/** Known faults without a network: the table, and what each does to a schedule, a send or a record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAULT_LIST, faultInWords, parseFault } from '../../src/load/faults/catalogue.ts';
import { createFault } from '../../src/load/faults/create.ts';
import type { Fault, FaultRun, Seen } from '../../src/load/faults/fault.ts';
import { limitsWith } from '../../src/load/faults/limits.ts';
import { chooser } from '../../src/load/faults/losing.ts';
import { DelayLine } from '../../src/load/faults/reading.ts';
import { LOAD_DEFAULTS, planLoad } from '../../src/load/options.ts';
import { OUTCOME } from '../../src/load/outcome.ts';
import { Pacer } from '../../src/load/pacer.ts';
import { Recorder } from '../../src/load/recorder.ts';
import { Share } from '../../src/load/share.ts';
import { createSchedule, type ScheduleSpec } from '../../src/measure/schedule.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { UserError } from '../../src/system/user-error.ts';
import { type EndedSpec, ended } from './ended.ts';
import { FakeTime } from './fake-time.ts';

const MS = 1e6;
const START = 5000 * MS;

const make = (text: string, time = new FakeTime()): Fault =>
  createFault(parseFault(text), { seed: 7, pacing: 'block', host: () => time });

const spec = (requests: number, rateRps: number, change: Partial<ScheduleSpec> = {}): ScheduleSpec => ({
  arrivals: { kind: 'constant' },
  rateRps,
  requests,
  seed: 7,
  ...change,
});

function offsets(text: string, given: ScheduleSpec): number[] {
  const { next } = make(text).schedule!(given);
  const all: number[] = [];
  for (let at = next(); !Number.isNaN(at); at = next()) all.push(at);
  return all;
}

/** A request that has ended: tokens at 30, 40 and 50 ms after the start, sent at 10, scheduled at 0. */
const seen = (change: EndedSpec = {}, index = 3): Seen => ({
  ...ended({ endMs: 60, ...change }),
  index,
  status: 200,
  promptTokens: 5,
  scanner: { id: new TextEncoder().encode('chatcmpl-7'), idLength: 10 },
});

const see = (text: string, request: Seen): Seen | null => make(text).see!(request);
const stampsOf = (r: Seen): number[] => [...r.stamps].slice(0, r.stampCount).map((ns) => ns / MS);

/** Runs the arrivals of a fault: what was sent when, in ms after the start. */
function sends(text: string, given: ScheduleSpec, sendCostNs = 0) {
  const time = new FakeTime(START);
  const fault = make(text, time);
  const sent: { index: number; atMs: number; scheduledMs: number }[] = [];
  const kept: Seen[] = [];
  let settled = 0;
  const list = {
    inFlight: 0,
    waiting: 0,
    send(index: number, scheduledNs: number) {
      sent.push({
        index,
        atMs: Math.round((time.at - START) / 1000) / 1000,
        scheduledMs: (scheduledNs - START) / MS,
      });
      time.at += sendCostNs;
    },
  };
  const { next } = (fault.schedule ?? createSchedule)(given);
  const share = new Share(list as never, next, START, 0, 1);
  const run: FaultRun = {
    startNs: START,
    now: time.now,
    send: list.send,
    keep: (one) => kept.push(one),
    settle: () => {
      settled++;
    },
    host: () => time,
  };
  new Pacer(time, fault.arrivals?.(share, run) ?? share, 'block').start();
  time.run();
  return { sent, kept, fault, settled: () => settled };
}

describe('the table of faults', () => {
  it('reads each with its own dose, and says it in words that hold the dose', () => {
    for (const text of FAULT_LIST) {
      const fault = parseFault(text);
      expect(fault.text).toBe(text);
      expect(parseFault(fault.name)).toEqual(fault);
      const words = faultInWords(fault);
      expect(words).not.toMatch(/[{}]|\.$/);
      if (text.includes(':')) expect(words).toContain(text.split(':')[1]);
    }
    expect(FAULT_LIST).toHaveLength(23);
  });

  it('is the one of the manual', () => {
    const manual = readFileSync(join(packageRoot, 'docs/faults.md'), 'utf8');
    expect([...manual.matchAll(/^\| `([^`]+)` +\|/gm)].map((match) => match[1])).toEqual(FAULT_LIST);
  });

  it.each([
    ['late-send:200us', 200_000],
    ['tick:1s', 1e9],
    ['sleep-drift:0.5ms', 500_000],
    ['pool-cap:3', 3],
    ['lost-requests:5%', 0.05],
    ['duplicate:0.25', 0.25],
    ['role-first', 0],
  ])('%s has the dose %d', (text, dose) => {
    expect(parseFault(text).dose).toBe(dose);
  });

  it.each([
    ['late-sent', /no fault "late-sent"; there are late-send:5ms, .*clock-scale:5%/],
    ['late-send:5', /a time above 0 with its unit, e\.g\. late-send:5ms/],
    ['late-send:0ms', /a time above 0/],
    ['late-send:5%', /a time above 0/],
    ['late-send:', /"" is no dose/],
    ['pool-cap:0', /a whole number from 1 on/],
    ['pool-cap:2.5', /a whole number/],
    ['pool-cap:5ms', /a whole number/],
    ['same-seed:1', /a whole number from 2 on/],
    ['duplicate:0%', /a share above 0/],
    ['duplicate:101%', /a share above 0/],
    ['role-first:1', /has no dose/],
    ['toString', /no fault/],
  ])('refuses %s in words', (text, message) => {
    expect(() => parseFault(text)).toThrow(UserError);
    expect(() => parseFault(text)).toThrow(message);
  });
});

describe('faults of sending', () => {
  it('late-send: each leaves so much after its instant, which stays what it was', () => {
    const { sent } = sends('late-send:5ms', spec(4, 100));
    expect(sent.map((s) => s.atMs)).toEqual([5, 15, 25, 35]);
    expect(sent.map((s) => s.scheduledMs)).toEqual([0, 10, 20, 30]);
  });

  it('tick: all that is due leaves together at the next tick; what is due on one leaves on it', () => {
    const { sent } = sends('tick:50ms', spec(11, 100));
    const ticks = [0, 50, 50, 50, 50, 50, 100, 100, 100, 100, 100];
    sent.forEach((s, i) => {
      expect(s.atMs - ticks[i]!).toBeGreaterThanOrEqual(0);
      expect(s.atMs - ticks[i]!).toBeLessThan(0.1);
      expect(s.scheduledMs).toBe(i * 10);
    });
  });

  it('tick: rounding of an instant on a tick does not cost a whole tick', () => {
    // 1/300 s is no whole number of nanoseconds: every third instant is on a tick of 10 ms but for rounding.
    const { sent } = sends('tick:10ms', spec(301, 300));
    for (let i = 0; i <= 300; i += 3) expect(sent[i]!.atMs).toBeCloseTo((i * 10) / 3, 0);
  });

  it('sleep-drift: the extra time adds up, what a send takes does not', () => {
    const { sent } = sends('sleep-drift:0.5ms', spec(101, 100));
    expect(sent[100]!.atMs).toBeCloseTo(100 * 10.5, 2);
    const slow = sends('sleep-drift:0.5ms', spec(101, 100), 2 * MS).sent;
    expect(slow.map((s) => s.atMs)).toEqual(sent.map((s) => s.atMs));
    expect(slow).toHaveLength(101);
  });

  it('omission: blocks the loop for its length once in five times that, and ends when told to', () => {
    const time = new FakeTime(START);
    const run = { startNs: START, now: time.now, host: () => time } as Partial<FaultRun> as FaultRun;
    const stop = make('omission:1us').beside!(run);
    time.run(START + 4000);
    expect(time.at - START).toBeGreaterThanOrEqual(5000);
    expect(time.at - START).toBeLessThan(5010);
    time.run(START + 22_000);
    // Stalls at 4, 9, 14 and 19 µs.
    expect(time.at - START).toBeLessThan(20_020);
    stop();
    time.run();
    expect(time.at - START).toBeLessThan(24_020);
  });
});

describe('faults of how often', () => {
  it('choose the share of any run to within one, at places that are not regular', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        fc.nat(),
        fc.nat(2000),
        (share, seed, n) => {
          const chosen = chooser(share, seed, 9);
          const places = Array.from({ length: n }, (_, i) => i).filter(chosen);
          // Two stretches may choose one number where 1 / share is not whole: rare, and at their border.
          expect(places.length).toBeLessThanOrEqual(n * share + 1);
          expect(places.length).toBeGreaterThanOrEqual(n * share * 0.7 - 2);
        },
      ),
      { numRuns: 200 },
    );
    const tenth = chooser(0.1, 7, 9);
    const places = Array.from({ length: 2000 }, (_, i) => i).filter(tenth);
    expect(places).toHaveLength(200);
    expect(new Set(places.map((at) => at % 10)).size).toBe(10);
    expect(Array.from({ length: 50 }, (_, i) => i).every(chooser(1, 7, 9))).toBe(true);
  });

  it('lost-requests: a share is not sent, and its records repeat the one before at their own instants', () => {
    const { sent, kept, fault, settled } = sends('lost-requests:10%', spec(2000, 1000));
    const lost = 2000 - sent.length;
    expect(Math.abs(lost - 200)).toBeLessThanOrEqual(1);
    expect(settled()).toBe(lost);
    expect(kept).toEqual([]);
    // None had ended when they were due: the first one that was complete is the one before them all.
    fault.see!(seen({ outcome: 'timedOut' }));
    expect(kept).toEqual([]);
    expect(fault.see!(seen())).not.toBeNull();
    expect(kept).toHaveLength(lost);
    const indices = new Set([...sent.map((s) => s.index), ...kept.map((k) => k.index)]);
    expect(indices.size).toBe(2000);
    for (const ghost of kept) {
      expect(ghost.scheduledNs).toBe(START + ghost.index * MS);
      expect(ghost.sentNs - ghost.scheduledNs).toBe(10 * MS);
      expect([...ghost.stamps].map((ns) => ns - ghost.scheduledNs)).toEqual([30 * MS, 40 * MS, 50 * MS]);
      expect([ghost.outcome, ghost.completionTokens, ghost.scanner.idLength]).toEqual([0, 3, 0]);
    }
  });

  it('duplicate: a share leaves twice with the same instant and another number, and is seen once', () => {
    const { sent, fault } = sends('duplicate:10%', spec(2000, 1000));
    const again = sent.filter((s) => s.index >= 1e9);
    expect(Math.abs(again.length - 200)).toBeLessThanOrEqual(1);
    expect(sent.length - again.length).toBe(2000);
    for (const second of again) {
      const first = sent[sent.indexOf(second) - 1]!;
      expect([first.index, first.scheduledMs]).toEqual([second.index - 1e9, second.scheduledMs]);
      expect(fault.see!(seen({}, second.index))).toBeNull();
    }
    expect(fault.see!(seen({}, 5))!.index).toBe(5);
  });
});

describe('faults of the schedule', () => {
  it('random-gaps: exponential gaps of the mean that was asked', () => {
    const all = offsets('random-gaps', spec(20_000, 100));
    const gaps = all.slice(1).map((at, i) => at - all[i]!);
    const mean = gaps.reduce((a, b) => a + b) / gaps.length;
    const variance = gaps.reduce((a, b) => a + (b - mean) ** 2, 0) / gaps.length;
    expect(mean / (10 * MS)).toBeCloseTo(1, 1);
    expect(variance / mean ** 2).toBeCloseTo(1, 1);
    expect(all).toEqual(offsets('random-gaps', spec(20_000, 100)));
  });

  it('on-the-second: the last arrival of each second is the whole second, and the counts are Poisson', () => {
    const all = offsets('on-the-second', spec(20_000, 50));
    expect(all).toEqual([...all].sort((a, b) => a - b));
    const whole = all.filter((at) => at % 1e9 === 0);
    const seconds = Math.floor(all.at(-1)! / 1e9);
    expect(whole.length).toBe(seconds);
    const counts = Array.from(
      { length: seconds },
      (_, s) => all.filter((at) => at > s * 1e9 && at <= (s + 1) * 1e9).length,
    );
    const mean = counts.reduce((a, b) => a + b) / seconds;
    const variance = counts.reduce((a, b) => a + (b - mean) ** 2, 0) / seconds;
    expect(mean / 50).toBeCloseTo(1, 1);
    expect(variance / mean).toBeGreaterThan(0.7);
    expect(variance / mean).toBeLessThan(1.4);
  });

  it('on-the-second: seconds without an arrival pass', () => {
    const all = offsets('on-the-second', spec(50, 0.3));
    expect(all).toHaveLength(50);
    expect(all.at(-1)!).toBeGreaterThan(60e9);
  });

  it('same-seed: so many leave together, each time at an arrival of the schedule of their share of the rate', () => {
    const poisson = spec(11, 100, { arrivals: { kind: 'poisson' } });
    const all = offsets('same-seed:4', poisson);
    const { next } = createSchedule({ ...poisson, rateRps: 25, requests: 3 });
    const three = [next(), next(), next()];
    expect(all).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2].map((i) => three[i]));
  });
});

describe('faults of stamps', () => {
  it.each(['omission', 'sleep-drift', 'cap-wait-omitted'])('%s: t0 is the send', (text) => {
    const one = see(text, seen())!;
    expect([one.scheduledNs, one.sentNs, one.firstNs]).toEqual([10 * MS, 10 * MS, 30 * MS]);
    const unsent = { ...seen({ outcome: 'connectError' }), sentNs: Number.NaN };
    expect(see(text, unsent)!.scheduledNs).toBe(0);
  });

  it('chunk-itl: the gaps of so many events become one', () => {
    const tokenMs = [30, 31, 33, 36, 40, 45, 51];
    expect(stampsOf(see('chunk-itl:2', seen({ tokenMs }))!)).toEqual([30, 33, 40, 51]);
    const three = see('chunk-itl:3', seen({ tokenMs }))!;
    expect(stampsOf(three)).toEqual([30, 36, 51]);
    expect([three.tokens, three.completionTokens, three.lastNs]).toEqual([7, 7, 51 * MS]);
    expect(stampsOf(see('chunk-itl:9', seen({ tokenMs }))!)).toEqual([30]);
  });

  it('ttft-in-itl: one gap more, the first from t0; none where there was no token', () => {
    const one = see('ttft-in-itl', seen())!;
    expect(stampsOf(one)).toEqual([0, 30, 40, 50]);
    expect([one.tokens, one.firstNs]).toEqual([3, 30 * MS]);
    expect(stampsOf(see('ttft-in-itl', seen({ tokenMs: [] }))!)).toEqual([]);
  });

  it('end-at-done: the last token is at the end, the gaps as they were', () => {
    const one = see('end-at-done', seen())!;
    expect([one.lastNs, one.firstNs]).toEqual([60 * MS, 30 * MS]);
    expect(stampsOf(one)).toEqual([30, 40, 50]);
    expect(see('end-at-done', seen({ tokenMs: [] }))!.lastNs).toBeNaN();
  });

  it('coarse-clock: every stamp is cut down, t0 too', () => {
    const one = see('coarse-clock:20ms', seen({ scheduledMs: 9, sentMs: 19.9, endMs: 61 }))!;
    expect([one.scheduledNs, one.sentNs, one.firstNs, one.lastNs, one.endNs].map((ns) => ns / MS)).toEqual([
      0, 0, 20, 40, 60,
    ]);
    expect(stampsOf(one)).toEqual([20, 40, 40]);
  });

  it('clock-scale: every duration from t0 is longer, t0 is as it was', () => {
    const one = see('clock-scale:10%', seen({ scheduledMs: 10, sentMs: 10, tokenMs: [30, 40] }))!;
    const rounded = [one.scheduledNs, one.sentNs, one.firstNs, one.lastNs].map((ns) => Math.round(ns) / MS);
    expect(rounded).toEqual([10, 10, 32, 43]);
    expect(one.stamps[1]! - one.stamps[0]!).toBeCloseTo(11 * MS);
  });

  it('leaves what it was given as it is', () => {
    for (const text of FAULT_LIST) {
      const request = seen();
      const before = structuredClone(request);
      make(text).see?.(request);
      expect(request).toEqual(before);
    }
  });
});

describe('faults of counting', () => {
  const all: EndedSpec[] = [
    {},
    { outcome: 'httpError', tokenMs: [], failure: 'status 503' },
    { outcome: 'errorInStream', tokenMs: [30, 40], usage: -1, failure: 'in the stream' },
    { outcome: 'errorInStream', tokenMs: [], usage: -1, failure: 'in the stream' },
  ];
  function counts(text: string) {
    const fault = make(text);
    const recorder = new Recorder(3);
    for (const [i, one] of all.entries()) {
      const taken = fault.see!(seen(one, i));
      if (taken !== null) recorder.take(taken);
    }
    return recorder.snapshot();
  }

  it('drop-failures: they leave no trace', () => {
    const { counts: c, samples } = counts('drop-failures');
    expect(c).toMatchObject({ ended: 1, sent: 1, failedTokens: 0 });
    expect(samples).toEqual([]);
  });

  it('error-as-success: the stream’s tokens count as an answer; without one it is still none', () => {
    const { counts: c, series } = counts('error-as-success');
    expect(c.outcomes[OUTCOME.complete]).toBe(2);
    expect(c.outcomes[OUTCOME.noTokens]).toBe(1);
    expect(c.outcomes[OUTCOME.httpError]).toBe(1);
    const e2e = series.e2eScheduled.counts.reduce((a, b) => a + b, 0);
    expect([c.eventTokens, c.withUsage, e2e]).toEqual([5, 1, 2]);
  });

  it('count-plus: so many more by either source, no gap more, failures as they were', () => {
    const one = see('count-plus:2', seen())!;
    expect([one.tokens, one.completionTokens, one.stampCount]).toEqual([5, 5, 3]);
    expect(see('count-plus:2', seen({ usage: -1 }))).toMatchObject({ tokens: 5, completionTokens: -1 });
    expect(see('count-plus:2', seen({ outcome: 'truncated' }))).toMatchObject({ tokens: 3 });
  });
});

describe('faults that are limits', () => {
  const asked = { workers: 4, maxInFlight: null, burnPerTokenUs: 0 };
  it('cap what is under way, over all workers, and do not lift a lower cap', () => {
    for (const name of ['pool-cap:8', 'cap-wait-omitted:8']) {
      expect(limitsWith(parseFault(name), asked)).toEqual({ ...asked, maxInFlight: 8 });
      expect(limitsWith(parseFault(name), { ...asked, maxInFlight: 3 }).maxInFlight).toBe(3);
    }
    const options = { ...LOAD_DEFAULTS, url: 'http://127.0.0.1:1', rateRps: 10, requests: 100, workers: 3 };
    const cores = { allowed: [0, 1], total: 2, taskset: false };
    expect(planLoad({ ...options, fault: parseFault('pool-cap:8') }, cores).maxInFlightOf).toEqual([3, 3, 2]);
    const burning = planLoad({ ...options, fault: parseFault('burn:200us') }, cores);
    expect([burning.workers, burning.burnNs]).toEqual([1, 200_000]);
  });

  it('faults that draw their own arrivals refuse a trace', () => {
    const options = {
      ...LOAD_DEFAULTS,
      url: 'http://127.0.0.1:1',
      arrivals: { kind: 'trace', file: 'x' } as const,
      trace: [0, 1],
      rateRps: 1,
      requests: 2,
      fault: parseFault('same-seed'),
    };
    expect(() => planLoad(options, { allowed: [0], total: 1, taskset: false })).toThrow(
      /a rate, not a trace/,
    );
  });
});

describe('a queue in front of the reader', () => {
  it('hands everything on the same time later, in order, also what comes while it does and after it rested', () => {
    const time = new FakeTime();
    const line = new DelayLine(4 * MS, 'block', time);
    const seenAt: [string, number][] = [];
    const note = (name: string) => () => {
      seenAt.push([name, Math.round(time.at / 1e5) / 10]);
      if (name === 'b') line.add(note('d'));
    };
    time.wakeAt(1 * MS, () => line.add(note('a')));
    time.wakeAt(2 * MS, () => line.add(note('b')));
    time.wakeAt(2 * MS, () => line.add(note('c')));
    time.wakeAt(50 * MS, () => line.add(note('e')));
    time.run();
    expect(seenAt).toEqual([
      ['a', 5],
      ['b', 6],
      ['c', 6],
      ['d', 10],
      ['e', 54],
    ]);
  });
});
