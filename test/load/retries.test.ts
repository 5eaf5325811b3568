import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seen } from '../../src/load/faults/fault.ts';
import { OUTCOME } from '../../src/load/outcome.ts';
import { MAX_TRIES, MAX_WAIT_S, mergeRetryCounts, type Refusable, Retries } from '../../src/load/retries.ts';
import { ended } from './ended.ts';

const WALL = Date.UTC(2026, 10, 30, 8, 0, 0);

/** A request that was refused. */
const refused = (retryAfter: string, index = 4, change: Partial<Refusable> = {}): Refusable => ({
  ...ended({ outcome: 'httpError', tokenMs: [], failure: 'status 429: busy', scheduledMs: 5, sentMs: 8 }),
  index,
  status: 429,
  promptTokens: -1,
  retryAfter,
  scanner: { id: new Uint8Array(), idLength: 0 },
  ...change,
});
const complete = (index = 4): Refusable => ({
  ...refused('', index),
  ...ended({ scheduledMs: 5, sentMs: 700 }),
  index,
  status: 200,
});

/** Time that stands still until it is moved. */
function world() {
  const timers: { atMs: number; step: () => void }[] = [];
  const sent: [index: number, scheduledNs: number][] = [];
  let nowMs = 0;
  const retries = new Retries({
    wallMs: () => WALL + nowMs,
    later: (ms, step) => timers.push({ atMs: nowMs + ms, step }),
    send: (index, scheduledNs) => sent.push([index, scheduledNs]),
  });
  const move = (toMs: number): void => {
    nowMs = toMs;
    for (const due of timers.filter(({ atMs }) => atMs <= toMs)) {
      timers.splice(timers.indexOf(due), 1);
      due.step();
    }
  };
  return { retries, sent, timers, move };
}

describe('refused requests', () => {
  it('are sent again after the time that the server named, not before it, at their first scheduled instant', () => {
    const { retries, sent, move } = world();
    const request = refused('2');
    expect(retries.takes(request)).toBe(true);
    expect(retries.waiting).toBe(1);
    move(1999);
    expect(sent).toEqual([]);
    move(2000);
    expect(sent).toEqual([[4, 5e6]]);
    expect(retries.waiting).toBe(0);
    const end = complete();
    expect(retries.takes(end)).toBe(false);
    expect(end).toMatchObject({ tries: 2, firstSentNs: 8e6, sentNs: 700e6, scheduledNs: 5e6 });
    expect(retries.counts).toMatchObject({
      retried: 1,
      resent: 1,
      recovered: 1,
      waitedNs: 2e9,
      longestNs: 2e9,
    });
  });

  it('are left alone where nothing says when, the status is another one, or the answer was whole', () => {
    const { retries, timers } = world();
    for (const request of [
      refused(''),
      refused('1', 4, { status: 500 }),
      refused('1', 4, { status: 200, outcome: OUTCOME.complete }),
      refused('1', 4, { outcome: OUTCOME.connectionLost }),
      refused('1', 4, { outcome: OUTCOME.timedOut }),
    ])
      expect(retries.takes(request)).toBe(false);
    expect(timers).toEqual([]);
    expect(retries.counts.retried).toBe(0);
  });

  it('end after so many tries, and say so', () => {
    const { retries, sent, move } = world();
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      expect(retries.takes(refused('1'))).toBe(true);
      move(tries * 1000);
    }
    const last = refused('1');
    expect(retries.takes(last)).toBe(false);
    expect(sent).toHaveLength(MAX_TRIES - 1);
    expect(last.tries).toBe(MAX_TRIES);
    expect(last.failure).toContain(`refused ${MAX_TRIES} times`);
    expect(retries.counts).toMatchObject({ outOfTries: 1, recovered: 0, retried: 1, resent: MAX_TRIES - 1 });
  });

  it('do not wait longer than the limit in all: the sum counts, not each wait', () => {
    const { retries, move } = world();
    expect(retries.takes(refused(String(MAX_WAIT_S - 1)))).toBe(true);
    move((MAX_WAIT_S - 1) * 1000);
    const second = refused('2');
    expect(retries.takes(second)).toBe(false);
    expect(second.failure).toContain('Retry-After asked for 2 s');
    const huge = refused('9'.repeat(400), 5);
    expect(retries.takes(huge)).toBe(false);
    expect(huge.failure).toContain('longer than can be said');
    expect(retries.takes(refused(String(MAX_WAIT_S), 6))).toBe(true);
    expect(retries.counts.tooLong).toBe(2);
  });

  it('with a date that has passed are sent again at once, but no more often than others', () => {
    const { retries, sent, move } = world();
    const past = 'Mon, 30 Nov 2026 07:00:00 GMT';
    let tries = 0;
    while (retries.takes(refused(past))) {
      tries++;
      move(0);
    }
    expect(tries).toBe(MAX_TRIES - 1);
    expect(sent).toHaveLength(MAX_TRIES - 1);
  });

  it('are failures where the header is neither seconds nor a date; it is named, cut short', () => {
    const { retries } = world();
    const request = refused(`soon${'!'.repeat(500)}`);
    expect(retries.takes(request)).toBe(false);
    expect(request.failure).toMatch(/neither whole seconds nor a date: "soon!{56}"/);
    expect(retries.counts.unreadable).toBe(1);
  });

  it('that wait when the run ends are kept as the try that was refused, once, and are not sent', () => {
    const { retries, sent, timers } = world();
    retries.takes(refused('5', 1));
    retries.takes(refused('6', 2));
    const kept: Seen[] = [];
    retries.stop((one) => kept.push(one));
    expect(kept.map(({ index, tries, outcome }) => [index, tries, outcome])).toEqual([
      [1, 1, OUTCOME.httpError],
      [2, 1, OUTCOME.httpError],
    ]);
    expect(kept[0]!.failure).toContain('the run ended before it was to be sent again');
    for (const { step } of timers) step();
    expect(sent).toEqual([]);
    expect(retries.waiting).toBe(0);
    expect(retries.counts.cutOff).toBe(2);
  });

  it('that are under way again when the run ends know how often they were sent', () => {
    const { retries, move } = world();
    retries.takes(refused('1'));
    move(1000);
    const kept: Seen[] = [];
    retries.stop((one) => kept.push(one));
    expect(kept).toEqual([]);
    const cut = complete();
    retries.tell(cut);
    expect(cut).toMatchObject({ tries: 2, firstSentNs: 8e6 });
    const other = complete(99);
    retries.tell(other);
    expect(other.tries).toBe(1);
  });

  it('are never lost, sent too often or kept waiting too long, whatever the server says', () => {
    const header = fc.oneof(
      fc.integer({ min: 0, max: 200 }).map(String),
      fc.constantFrom('', 'soon', 'Mon, 30 Nov 2026 08:01:00 GMT', '99999999999999999999999999'),
    );
    fc.assert(
      fc.property(fc.array(header, { maxLength: 12 }), (headers) => {
        const { retries, sent, move, timers } = world();
        let refusals = 0;
        let request = refused(headers[0] ?? '');
        let waitedMs = 0;
        while (retries.takes(request)) {
          const { atMs } = timers[0]!;
          waitedMs = atMs;
          move(atMs);
          request = refused(headers[++refusals] ?? '');
        }
        expect(sent.length).toBe(refusals);
        expect(refusals).toBeLessThan(MAX_TRIES);
        expect(waitedMs).toBeLessThanOrEqual(MAX_WAIT_S * 1000);
        expect(request.tries).toBe(refusals + 1);
        expect(retries.waiting).toBe(0);
      }),
    );
  });
});

it('counts of workers add up; the longest wait is the longest of all', () => {
  const { retries: a, move } = world();
  a.takes(refused('3'));
  move(3000);
  const { retries: b, move: moveB } = world();
  b.takes(refused('7'));
  moveB(7000);
  expect(mergeRetryCounts([a.counts, b.counts])).toMatchObject({
    retried: 2,
    resent: 2,
    waitedNs: 10e9,
    longestNs: 7e9,
  });
});

it('that the run’s end cuts off were not sent again, and have not waited; a wait that is too long is told to the second', () => {
  const { retries } = world();
  retries.takes(refused('50'));
  retries.stop(() => {});
  expect(retries.counts).toMatchObject({ retried: 0, resent: 0, cutOff: 1, waitedNs: 0, longestNs: 0 });
  const long = refused('99999');
  expect(world().retries.takes(long)).toBe(false);
  expect(long.failure).toContain('asked for 99999 s');
});
