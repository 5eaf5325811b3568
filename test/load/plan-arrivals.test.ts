/** What stages and closed loops come to in a plan. */
import { describe, expect, it } from 'vitest';
import type { ConnectionList } from '../../src/load/connection-list.ts';
import { FAULT_LIST, parseFault } from '../../src/load/faults/catalogue.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../src/load/options.ts';
import { closedShare, UNLIMITED } from '../../src/load/plan-closed.ts';
import { Share } from '../../src/load/share.ts';
import { parseBursts, parseStages } from '../../src/measure/load/stage-text.ts';
import { once } from '../../src/measure/load/stages.ts';
import { createSchedule } from '../../src/measure/schedule.ts';

const cores = { allowed: [0, 1, 2, 3, 4, 5, 6, 7], total: 8, taskset: true };
const plan = (change: Partial<LoadOptions>) =>
  planLoad(
    { ...LOAD_DEFAULTS, url: 'http://127.0.0.1:8000', rateRps: null, requests: UNLIMITED, ...change },
    cores,
  );
const stages = once(parseStages('2s@10,1s@0,2s@50..150'));
const constant = { arrivals: { kind: 'constant' } as const };

describe('a plan with stages', () => {
  it('counts what they really bring, by stage', () => {
    const p = plan({ ...constant, stages, rateRps: 44 });
    expect(p.schedule.requests).toBe(220);
    expect(p.inStage).toEqual([20, 0, 200]);
    // The 20th request would be due at the pause's beginning: it is at its end.
    expect(p.firstNs).toBe(0);
    expect(p.lastNs).toBeLessThan(5e9);
    // Connections for the busiest time, not for the mean: 15 and not 4 under way at 100 ms each.
    expect(p.connectionsEach * p.workers).toBeGreaterThanOrEqual(15);
  });

  it('is cut by a limit', () => {
    const p = plan({ ...constant, stages, requests: 30, rateRps: 44 });
    expect(p.inStage).toEqual([20, 0, 10]);
    expect(
      plan({ ...constant, requests: 30, stages: { stages: parseBursts('on=1s@8,off=1s'), lengthS: 1e9 } }),
    ).toMatchObject({ inStage: [30, 0], lastNs: 6.625e9 });
  });

  it('is the same for any number of workers: their shares make up the whole', () => {
    const { schedule } = plan({ stages, rateRps: 44, seed: 5 });
    const sent = (workers: number): [number, number][] => {
      const all: [number, number][] = [];
      const list = {
        inFlight: 0,
        waiting: 0,
        send: (index: number, dueNs: number) => all.push([index, dueNs]),
      };
      for (let k = 0; k < workers; k++) {
        const { next } = createSchedule(schedule);
        const share = new Share(list as unknown as ConnectionList, next, 0, k, workers);
        while (!Number.isNaN(share.dueNs)) share.send();
      }
      return all.sort((a, b) => a[0] - b[0]);
    };
    const whole = sent(1);
    expect(whole).toHaveLength(schedule.requests);
    expect(whole.map(([index]) => index)).toEqual(whole.map((_, i) => i));
    for (const workers of [2, 3, 7]) expect(sent(workers)).toEqual(whole);
  });

  it('is refused where the stages bring nothing, and where a fault draws its own arrivals', () => {
    expect(() => plan({ stages: once(parseStages('1ms@0.001')) })).toThrow(/bring no request/);
    for (const fault of ['random-gaps', 'on-the-second', 'same-seed'])
      expect(() => plan({ stages, fault: parseFault(fault) })).toThrow(/needs one rate, and no stages/);
    expect(() => plan({ stages, fault: parseFault('late-send') })).not.toThrow();
  });
});

describe('a plan of a closed loop', () => {
  const closed = { concurrency: 10, durationS: 4, workers: 4 };

  it('gives each worker its users, and no more workers than users', () => {
    const p = plan(closed);
    const shares = Array.from({ length: 4 }, (_, k) => closedShare(p.closed!, k, 4));
    expect(shares.map((s) => s.users)).toEqual([3, 3, 2, 2]);
    expect(plan({ ...closed, concurrency: 2 }).workers).toBe(2);
    expect([p.pacing, p.scheduledRps, p.inStage]).toEqual(['block', null, null]);
  });

  it('ends by itself whatever the target does', () => {
    expect(plan({ ...closed, timeoutS: 7 }).deadlineNs).toBeGreaterThanOrEqual(11e9);
    // 100 requests of 10 users, each up to 7 s and then thinking for 1 s.
    const counted = plan({ ...closed, durationS: null, requests: 100, timeoutS: 7, thinkS: 1 });
    expect(counted.deadlineNs).toBeGreaterThanOrEqual(80e9);
    expect(Number.isFinite(counted.deadlineNs)).toBe(true);
  });

  it.each([
    [{ rateRps: 5 }, /makes its own rate/],
    [{ stages }, /makes its own rate/],
    [{ arrivals: { kind: 'trace', file: 'x' } as const, trace: [1] }, /a trace says when/],
    [{ maxInFlight: 5 }, /leave out --max-in-flight/],
    [{ durationS: null }, /needs an end/],
    [{ staggerS: 4 }, /some users would never start/],
    [{ requests: 9 }, /fewer than the 10 users/],
  ])('refuses %o', (change, message) => {
    expect(() => plan({ ...closed, ...change })).toThrow(message);
  });

  it('refuses the faults that need a schedule, in words, and takes the others', () => {
    const refused = FAULT_LIST.filter((text) => {
      try {
        plan({ ...closed, fault: parseFault(text) });
        return false;
      } catch (error) {
        expect((error as Error).message).toMatch(/needs scheduled instants, and a closed loop has none/);
        return true;
      }
    });
    expect(refused.map((text) => text.split(':')[0]).sort()).toEqual(
      [
        'late-send',
        'omission',
        'ttft-in-itl',
        'sleep-drift',
        'pool-cap',
        'cap-wait-omitted',
        'same-seed',
        'tick',
        'random-gaps',
        'on-the-second',
        'lost-requests',
        'duplicate',
        'clock-scale',
      ].sort(),
    );
  });
});
