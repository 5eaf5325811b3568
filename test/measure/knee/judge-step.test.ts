/** Steps whose truth is known: what is stable, overloaded, refused, or our own limit. */
import { describe, expect, it } from 'vitest';
import { judgeStep, serviceTime } from '../../../src/measure/knee/judge-step.ts';
import type { StepFigures, StepRequests } from '../../../src/measure/knee/types.ts';
import { play, type Queue } from './queues.ts';

const QUEUE: Queue = { servers: 5, serviceS: 0.1, service: 'D', arrivals: 'D' };
const judge = (r: StepRequests, serviceS: number | null = 0.1, clientReasons: string[] = []): StepFigures =>
  judgeStep(r, { serviceS, clientReasons });

describe('a step', () => {
  it.each([10, 40, 48, 49.9])('is stable at %d/s where 50/s can be done', (rate) => {
    expect(judge(play(QUEUE, rate, 5, 1))).toMatchObject({
      verdict: 'stable',
      plateau: null,
      failedShare: 0,
    });
  });

  it.each([51, 53, 80, 150])('is overloaded at %d/s, and completes 50/s, exactly', (rate) => {
    const f = judge(play(QUEUE, rate, 5, 1));
    expect(f.verdict).toBe('unstable');
    expect(f.plateau!.value).toBeCloseTo(50, 6);
    expect(f.backlogRps!.value).toBeCloseTo(rate - 50, -Math.log10(0.1 * rate));
    expect(f.sentRps).toBeCloseTo(rate, 6);
  });

  it('is judged by its first requests where the time of one is not known', () => {
    const f = judge(play(QUEUE, 80, 5, 1), null);
    expect(f.verdict).toBe('unstable');
    expect(f.plateau!.value).toBeCloseTo(50, 0);
  });

  it('is undecided where a queue had no time to show', () => {
    const slow = { ...QUEUE, serviceS: 2 };
    const f = judge(play(slow, 10, 5, 1), 2);
    expect(f).toMatchObject({ verdict: 'undecided', completedRps: null, plateau: null });
    expect(f.why).toMatch(/lasted 5.00 s; a request takes 2.000 s/);
    expect(judge(play(QUEUE, 4, 5, 1)).why).toMatch(/20 requests are too few/);
  });

  it('refuses in place of a queue: a verdict of its own, and a plateau only where it was always busy', () => {
    const short = judge(play({ ...QUEUE, queueLimit: 20 }, 80, 10, 1));
    expect(short.verdict).toBe('shedding');
    expect(short.plateau!.value).toBeCloseTo(50, 6);
    const none = judge(play({ ...QUEUE, arrivals: 'M', queueLimit: 0 }, 45, 20, 1));
    expect(none).toMatchObject({ verdict: 'shedding', plateau: null });
    expect(none.failedShare).toBeGreaterThan(0.1);
  });

  it('is not judged by one failure', () => {
    const r = play(QUEUE, 10, 5, 1);
    r.ok[7] = 0;
    expect(judge(r)).toMatchObject({ verdict: 'undecided', failedShare: 0.02 });
  });

  it('is overloaded where nothing is completed any more', () => {
    const dead = play(QUEUE, 40, 5, 1);
    dead.endS.fill(Number.NaN, 20);
    dead.ok.fill(0, 20);
    expect(judge(dead)).toMatchObject({ verdict: 'unstable', failedShare: 0 });
  });

  it('that was cut short is judged by what there is: what was under way has not failed', () => {
    const r = play(QUEUE, 80, 5, 1);
    const cut = r.endS.map((end) => (end > 5 ? Number.NaN : end));
    const f = judge({ ...r, endS: cut, ok: r.ok.map((ok, i) => (Number.isNaN(cut[i]!) ? 0 : ok)) });
    expect(f).toMatchObject({ verdict: 'unstable', failedShare: 0 });
    expect(f.plateau!.value).toBeCloseTo(50, 6);
  });
});

describe('the client', () => {
  it('did not offer the rate: its limit', () => {
    const r = play(QUEUE, 40, 5, 1);
    const late = r.sentS.map((at) => at * 1.3);
    expect(judge({ ...r, sentS: late, endS: r.endS.map((at) => at * 1.3) })).toMatchObject({
      verdict: 'clientLimited',
      why: expect.stringMatching(/did not offer the rate/),
    });
  });

  it('may be what is slow where its own lag is a part of the delay', () => {
    // A third of the growing delay is lost before the send: an event loop that is late with everything.
    const r = play(QUEUE, 53, 5, 1);
    expect(judge(r).verdict).toBe('unstable');
    const sentS = r.sentS.map((at, i) => at + 0.3 * (r.endS[i]! - r.scheduledS[i]! - 0.1));
    expect(judge({ ...r, sentS })).toMatchObject({
      verdict: 'clientLimited',
      why: expect.stringMatching(/the client itself may be what is slow/),
    });
  });

  it('is no reason where its lag is small against the delay', () => {
    const r = play(QUEUE, 80, 5, 1);
    expect(judge({ ...r, sentS: r.sentS.map((at) => at + 0.005) }).verdict).toBe('unstable');
  });

  it('has reasons of its own that settle it', () => {
    expect(judge(play(QUEUE, 80, 5, 1), 0.1, ['worker 0 of the client died'])).toMatchObject({
      verdict: 'clientLimited',
      why: 'worker 0 of the client died',
    });
  });
});

it('the time of a request is the mean of complete ones, of the first where told', () => {
  const r = play({ ...QUEUE, queueLimit: 0 }, 80, 5, 1);
  expect(serviceTime(r)).toBeCloseTo(0.1, 9);
  expect(serviceTime({ ...r, ok: new Uint8Array(r.ok.length) })).toBeNull();
  expect(serviceTime(play(QUEUE, 80, 5, 1), 5)).toBeCloseTo(0.1, 9);
  expect(serviceTime(play(QUEUE, 80, 5, 1))!).toBeGreaterThan(0.5);
});
