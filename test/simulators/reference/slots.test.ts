/** A target with slots: when each request starts, who is refused, what the ledger says, and that the capacity is what it must be. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReferenceOptions } from '../../../simulators/reference/options.ts';
import { type Alarm, type Paced, Pacer } from '../../../simulators/reference/pacer.ts';
import type { ReferenceTarget } from '../../../simulators/reference/server.ts';
import { type Served, type SlotLimits, Slots } from '../../../simulators/reference/slots.ts';
import { LEDGER_OUTCOMES } from '../../../src/measure/ledger.ts';
import { readLedger, writeLedger } from '../../../src/truth/ledger-file.ts';
import { CHAT, chatBody, post, rawRequest, send, startTarget, until } from './helpers.ts';

interface Job {
  readonly arrival: number;
  readonly service: number;
}

/** First come, first served, by the book: null for a request that is refused. */
function byTheBook(jobs: readonly Job[], { slots, queueLimit }: SlotLimits): (number | null)[] {
  const free = new Array<number>(slots).fill(0);
  const starts: number[] = [];
  return jobs.map(({ arrival, service }) => {
    const waiting = starts.filter((start) => start > arrival).length;
    const earliest = free.indexOf(Math.min(...free));
    if (queueLimit !== null && free[earliest]! > arrival && waiting >= queueLimit) return null;
    const start = Math.max(arrival, free[earliest]!);
    free[earliest] = start + service;
    starts.push(start);
    return start;
  });
}

/** The target's own parts on a clock that is moved by hand, whose alarm rings late by what `lateness` says. */
function played(
  jobs: readonly Job[],
  limits: SlotLimits,
  lateness: readonly number[],
): { starts: (number | null)[]; slots: Slots } {
  let now = 0;
  let ring = Number.POSITIVE_INFINITY;
  let rings = 0;
  const alarm: Alarm = {
    onRing: () => {},
    set: (dueNs) => {
      ring = Math.max(now, dueNs) + lateness[rings++ % lateness.length]!;
    },
    stop: () => {},
  };
  const pacer = new Pacer(alarm, () => now);
  const slots = new Slots(limits, (untilNs) => pacer.catchUp(untilNs));
  const starts = new Array<number | null>(jobs.length).fill(null);
  const item = (index: number): Served & Paced => ({
    over: false,
    start(startNs) {
      starts[index] = startNs;
      pacer.schedule(startNs + jobs[index]!.service, this);
    },
    step() {
      slots.release(starts[index]! + jobs[index]!.service);
      return Number.POSITIVE_INFINITY;
    },
  });
  const ringUntil = (until: number): void => {
    while (ring < until) {
      now = ring;
      ring = Number.POSITIVE_INFINITY;
      alarm.onRing();
    }
  };
  jobs.forEach(({ arrival }, index) => {
    ringUntil(arrival);
    now = arrival;
    if (slots.admits(arrival)) slots.enter(item(index), arrival);
  });
  ringUntil(Number.POSITIVE_INFINITY);
  return { starts, slots };
}

const manyJobs = fc
  .array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 80 })
  .map((pairs) => {
    let at = 0;
    return pairs.map(([gap, service]) => {
      at += gap;
      return { arrival: at, service };
    });
  });
const lateBy = fc.array(fc.nat(40), { minLength: 1, maxLength: 10 });

describe('the start of a request', () => {
  it('is when the earliest slot is free, however late the target itself is', () => {
    fc.assert(
      fc.property(manyJobs, fc.integer({ min: 1, max: 6 }), lateBy, (jobs, slots, lateness) => {
        const limits = { slots, queueLimit: null };
        const { starts, slots: after } = played(jobs, limits, lateness);
        expect(starts).toEqual(byTheBook(jobs, limits));
        expect([after.inUse, after.waiting]).toEqual([0, 0]);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused where too many wait, exactly then', () => {
    fc.assert(
      fc.property(
        manyJobs,
        fc.integer({ min: 1, max: 4 }),
        fc.nat(3),
        lateBy,
        (jobs, slots, queueLimit, late) => {
          const limits = { slots, queueLimit };
          expect(played(jobs, limits, late).starts).toEqual(byTheBook(jobs, limits));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('makes a capacity of slots over mean service time', () => {
    // 5 slots of 10 units: 0.5 a unit; 4,000 arrivals come at twice that.
    const jobs = Array.from({ length: 4000 }, (_, i) => ({ arrival: i, service: 10 }));
    const { starts } = played(jobs, { slots: 5, queueLimit: null }, [0, 3, 7]);
    expect(starts.at(-1)! - starts[0]!).toBe((4000 / 5 - 1) * 10 + 4);
  });

  it('is nothing for one that hung up in the queue: the next one starts', () => {
    const log: string[] = [];
    const slots = new Slots({ slots: 1, queueLimit: null });
    const make = (name: string): { over: boolean; start: (at: number) => void } => ({
      over: false,
      start: (at) => log.push(`${name}@${at}`),
    });
    const [a, b, c] = ['a', 'b', 'c'].map(make);
    slots.enter(a!, 0);
    slots.enter(b!, 1);
    slots.enter(c!, 2);
    b!.over = true;
    slots.leave();
    expect([slots.inUse, slots.waiting, slots.peakWaiting]).toEqual([1, 1, 2]);
    slots.release(5);
    expect(log).toEqual(['a@0', 'c@5']);
    slots.release(9);
    expect([slots.inUse, slots.waiting]).toEqual([0, 0]);
  });

  it('stays right over long queues, whose consumed part is dropped', () => {
    const jobs = Array.from({ length: 20_000 }, (_, i) => ({ arrival: i, service: 3 }));
    const limits = { slots: 1, queueLimit: null };
    const { starts } = played(jobs, limits, [0]);
    expect(starts).toEqual(jobs.map((_, i) => 3 * i));
  });
});

let target: ReferenceTarget;
afterEach(() => target?.stop());
const start = async (options: Partial<ReferenceOptions>): Promise<void> => {
  target = await startTarget(options);
};
const outcomes = (): string[] => [...target.ledger().outcome].map((index) => LEDGER_OUTCOMES[index]!);

describe('a target with slots', () => {
  it('lets requests wait their turn; the wait is in what is due, so lateness is the target’s own', async () => {
    await start({ latency: 'ttft=20ms,itl=5ms', slots: { slots: 1, queueLimit: null } });
    const body = chatBody({ stream: true, max_tokens: 3 });
    await Promise.all(Array.from({ length: 4 }, () => post(target, CHAT, body)));
    const ledger = target.ledger();
    const { arrivalNs, queuedNs, firstDueNs, lastDueNs, tokenDueNs } = ledger;
    let freeNs = 0;
    for (let r = 0; r < 4; r++) {
      const startNs = Math.max(arrivalNs[r]!, freeNs);
      expect(queuedNs![r]).toBe(startNs - arrivalNs[r]!);
      expect(firstDueNs[r]).toBe(startNs + 20e6);
      expect([...tokenDueNs.subarray(3 * r, 3 * r + 3)]).toEqual([20e6, 25e6, 30e6].map((d) => startNs + d));
      freeNs = startNs + 30e6;
      expect(lastDueNs[r]).toBe(freeNs);
      expect(ledger.firstNs[r]).toBeGreaterThanOrEqual(firstDueNs[r]!);
    }
    expect(ledger.meta.slots).toEqual({ slots: 1, queueLimit: null, peakWaiting: expect.any(Number) });
  });

  it('refuses with 429 what finds the queue full, and says how it stands', async () => {
    await start({ latency: 'ttft=300ms', slots: { slots: 1, queueLimit: 1 } });
    const replies = [0, 1, 2].map(() => post(target, CHAT, chatBody({ max_tokens: 1 })));
    await until(() => target.ledger().rows === 3);
    const metrics = (await send(`${target.url}/metrics`, 'GET')).text;
    for (const line of ['tare_slots 1', 'tare_slots_in_use 1', 'tare_requests_waiting 1'])
      expect(metrics.split('\n')).toContain(line);
    expect(JSON.parse((await send(`${target.url}/tare/stats`, 'GET')).text)).toMatchObject({
      slots: 1,
      slots_in_use: 1,
      waiting: 1,
    });
    const statuses = (await Promise.all(replies)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 429]);
    expect(outcomes().sort()).toEqual(['complete', 'complete', 'refused']);
  });

  it('gives the slot of a client that hung up to the next one', async () => {
    await start({ latency: 'ttft=60s', slots: { slots: 1, queueLimit: null } });
    const client = connect(target.port, '127.0.0.1').on('error', () => {});
    client.write(rawRequest(CHAT, chatBody({ max_tokens: 1 })));
    await until(() => target.ledger().rows === 1);
    const second = post(target, CHAT, chatBody({ max_tokens: 1 })).catch(() => null);
    await until(() => target.ledger().rows === 2);
    expect(target.ledger().queuedNs![1]).toBeNaN();
    client.destroy();
    await until(() => target.ledger().queuedNs![1]! > 0);
    const { arrivalNs, queuedNs, endNs } = target.ledger();
    expect(arrivalNs[1]! + queuedNs![1]!).toBeGreaterThanOrEqual(endNs[0]!);
    await target.stop();
    await second;
  });

  it('keeps the wait in the file, and has no such column without slots', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tare-slots-'));
    try {
      await start({ latency: 'ttft=1ms', slots: { slots: 2, queueLimit: 7 } });
      await post(target, CHAT, chatBody({ max_tokens: 1 }));
      const written = target.ledger();
      await writeLedger(`${folder}/with.arrow`, written);
      const read = await readLedger(`${folder}/with.arrow`);
      expect([...read.queuedNs!]).toEqual([...written.queuedNs!]);
      expect(read.meta.slots).toEqual({ slots: 2, queueLimit: 7, peakWaiting: 0 });
      await target.stop();
      await start({ latency: 'ttft=1ms' });
      await post(target, CHAT, chatBody({ max_tokens: 1 }));
      await writeLedger(`${folder}/without.arrow`, target.ledger());
      expect('queuedNs' in (await readLedger(`${folder}/without.arrow`))).toBe(false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is refused where requests take no time', async () => {
    await expect(startTarget({ slots: { slots: 1, queueLimit: null } })).rejects.toThrow(/give a latency/);
  });
});
