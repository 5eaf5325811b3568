/** A sweep on a clock of its own, with steps played from a queue. */
import { describe, expect, it } from 'vitest';
import type { LoadReport } from '../../../src/load/report.ts';
import type { RequestRecord } from '../../../src/load/spool.ts';
import { goalKnee, kneeReport, latencyKnee } from '../../../src/load/sweep/build-report.ts';
import { clientReasons } from '../../../src/load/sweep/client-reasons.ts';
import type { SweepStepReport } from '../../../src/load/sweep/report.ts';
import { runSweep, type StepRun, type SweepHooks } from '../../../src/load/sweep/run-sweep.ts';
import { stepRequests } from '../../../src/load/sweep/step-requests.ts';
import { sweepCsv } from '../../../src/load/sweep/sweep-csv.ts';
import { play, type Queue } from '../../measure/knee/queues.ts';

const QUEUE: Queue = { servers: 5, serviceS: 0.1, service: 'D', arrivals: 'D' };
const GOAL = { lowRps: 10, highRps: 400, stepS: 5, points: null, precision: 0.05 };

const all = (p50: number | null, p99: number | null) => ({ over_all: { p50_ms: p50, p99_ms: p99 } });
function loadReport(rate: number, elapsedS: number, more: object = {}): LoadReport {
  return {
    started_at: '2026-01-01T00:00:00.000Z',
    elapsed_s: elapsedS,
    rate: { scheduled_rps: rate },
    from_scheduled: { ttft: all(50, rate), e2e: all(100, 2 * rate) },
    counts: { delayed: 0 },
    client: { pacing: 'block' },
    workers: [{ worker: 0, state: 'done', event_loop_utilization: 0.2 }],
    failures: [],
    warnings: [{ code: 'schedule-lag' }],
    ...more,
  } as unknown as LoadReport;
}

/** A clock, and steps that take their sending, their drain and 2 s beside. */
function world(change: (run: StepRun, place: number) => StepRun = (run) => run) {
  let now = 1000;
  const pauses: number[] = [];
  const ran: number[] = [];
  const hooks: SweepHooks = {
    now: () => now,
    pause: async (s) => {
      pauses.push(s);
      now += s;
    },
    run: async (rate, durationS, place) => {
      ran.push(rate);
      const elapsed = durationS * Math.max(1, rate / 50);
      now += elapsed + 2;
      const requests = play(QUEUE, rate, durationS, place + 1);
      return change(
        { report: loadReport(rate, elapsed), requests, goodShare: rate > 45 ? 0.5 : 1, cutShort: false },
        place,
      );
    },
  };
  return { hooks, pauses, ran, elapsed: () => now - 1000 };
}

describe('a sweep', () => {
  it('goes on until the knee is known', async () => {
    const { hooks, pauses } = world();
    const told: string[] = [];
    const { steps, knee, ended, interrupted } = await runSweep(GOAL, 180, {
      ...hooks,
      onStep: (step) => told.push(step.verdict),
    });
    expect([ended, interrupted]).toEqual(['the knee is known well enough', false]);
    expect(kneeReport(knee)).toMatchObject({ state: 'found', basis: 'plateau', rps: expect.closeTo(50, 6) });
    expect(told).toEqual(steps.map(({ verdict }) => verdict));
    expect(steps.map(({ step }) => step)).toEqual(steps.map((_, i) => i));
    expect(new Set(pauses)).toEqual(new Set([0.5]));
    expect(steps[0]).toMatchObject({
      rate_rps: 10,
      ttft_p99_ms: 10,
      e2e_p99_ms: 20,
      warnings: ['schedule-lag'],
    });
  });

  it('stays within its time', async () => {
    const { hooks, elapsed } = world();
    const { ended, knee } = await runSweep(GOAL, 40, hooks);
    expect(elapsed()).toBeLessThanOrEqual(40);
    expect(ended).toMatch(/time budget is used up/);
    expect(knee.state).not.toBe('clientLimited');
  });

  it('pauses for the server’s queue after a step that was cut short', async () => {
    const { hooks, pauses } = world((run, place) => ({ ...run, cutShort: place === 3 }));
    const { steps } = await runSweep(GOAL, 180, hooks);
    expect(steps[3]).toMatchObject({ rate_rps: 80, cut_short: true });
    expect(pauses[3]).toBeCloseTo(0.5 + steps[3]!.in_flight_at_end / 50, 1);
  });

  it('ends when it is interrupted: the step under way does not count', async () => {
    const abort = new AbortController();
    const { hooks } = world((run, place) => {
      if (place === 2) abort.abort();
      return run;
    });
    const result = await runSweep(GOAL, 180, { ...hooks, signal: abort.signal });
    expect(result).toMatchObject({ interrupted: true, ended: 'interrupted' });
    expect(result.steps).toHaveLength(2);
  });

  it('states no knee where the client gave out', async () => {
    const { hooks } = world((run) => ({
      ...run,
      report: { ...run.report, workers: [{ worker: 0, state: 'died' }] } as unknown as LoadReport,
    }));
    const { knee } = await runSweep(GOAL, 180, hooks);
    expect(kneeReport(knee)).toMatchObject({
      state: 'clientLimited',
      rps: null,
      absent: 'worker 0 of the client died',
    });
  });
});

describe('reasons against the client', () => {
  it('are a worker that died, a busy loop, a limit of ours, and a machine without connections', () => {
    expect(clientReasons(loadReport(1, 1))).toEqual([]);
    expect(clientReasons(loadReport(1, 1, { workers: [{ worker: 1, state: 'died' }] }))).toHaveLength(1);
    const busy = [{ worker: 0, state: 'done', event_loop_utilization: 0.95 }];
    expect(clientReasons(loadReport(1, 1, { workers: busy }))[0]).toMatch(/busy 95 %/);
    // A spinning loop is always busy.
    expect(clientReasons(loadReport(1, 1, { workers: busy, client: { pacing: 'spin' } }))).toEqual([]);
    expect(clientReasons(loadReport(1, 1, { counts: { delayed: 3 } }))[0]).toMatch(/max-in-flight/);
    const failures = [{ outcome: 'connectError', example: 'EMFILE: too many open files' }];
    expect(clientReasons(loadReport(1, 1, { failures }))[0]).toMatch(/no more connections/);
  });
});

describe('records', () => {
  const record = (more: Partial<RequestRecord>): RequestRecord =>
    ({ outcome: 'complete', scheduled_ns: 1e9, sent_ns: 1e9, end_ns: 2e9, ...more }) as RequestRecord;

  it('become seconds since the start, in the order in which they were due', () => {
    const r = stepRequests(1e9, [
      record({ scheduled_ns: 3e9, sent_ns: 3.1e9, end_ns: 4e9 }),
      record({ scheduled_ns: 2e9, sent_ns: null, end_ns: 2.5e9, outcome: 'connectError' }),
      record({ scheduled_ns: 5e9, sent_ns: 5e9, end_ns: 6e9, outcome: 'unfinished' }),
    ]);
    expect([...r.scheduledS]).toEqual([1, 2, 4]);
    expect([...r.sentS]).toEqual([Number.NaN, 2.1, 4]);
    expect([...r.endS]).toEqual([1.5, 3, Number.NaN]);
    expect([...r.ok]).toEqual([0, 1, 0]);
  });
});

describe('secondary knees', () => {
  const step = (sent_rps: number, good_share: number | null, more: Partial<SweepStepReport> = {}) =>
    ({ sent_rps, good_share, verdict: 'stable', ttft_p99_ms: 1, e2e_p99_ms: 2, ...more }) as SweepStepReport;

  it('by goals: the highest rate below the first that fails', () => {
    const steps = [step(40, 0.5), step(10, 1), step(20, 0.995), step(80, 1)];
    expect(goalKnee(steps, ['ttft=200ms'])).toEqual({
      goals: ['ttft=200ms'],
      least_good_share: 0.99,
      holds_rps: 20,
      fails_rps: 40,
    });
    expect(goalKnee(steps, [])).toBeNull();
    expect(goalKnee([step(10, 0.9)], ['ttft=1ms'])).toMatchObject({ holds_rps: null, fails_rps: 10 });
    expect(goalKnee([step(10, 1)], ['ttft=1ms'])).toMatchObject({ holds_rps: 10, fails_rps: null });
    expect(goalKnee([step(10, null)], ['ttft=1ms'])!.absent).toMatch(/no step says/);
  });

  it('by the bend of TTFT, or of E2E without streams; never from steps in which the client gave out', () => {
    const rates = [10, 20, 30, 40, 50, 60, 70];
    const curve = rates.map((x) => step(x, null, { ttft_p99_ms: x <= 50 ? 1 : x }));
    expect(latencyKnee(curve)).toMatchObject({ metric: 'ttft_p99_ms', rps: 50 });
    const whole = curve.map((s) => ({ ...s, e2e_p99_ms: s.ttft_p99_ms, ttft_p99_ms: null }));
    expect(latencyKnee(whole)).toMatchObject({ metric: 'e2e_p99_ms', rps: 50 });
    expect(
      latencyKnee(curve.map((s) => ({ ...s, verdict: 'clientLimited' }) as SweepStepReport)).rps,
    ).toBeNull();
  });
});

it('the CSV has a line a step, with empty fields for what is absent', async () => {
  const { hooks } = world();
  const { steps } = await runSweep(GOAL, 180, hooks);
  const [head, ...lines] = sweepCsv(steps).trim().split('\n');
  expect(lines).toHaveLength(steps.length);
  const names = head!.split(',');
  expect(names).toContain('plateau_high_rps');
  // Every field of a step is a column, and a sweep that was ended at once has the head alone.
  const { backlog, plateau, warnings, ...plain } = steps[3]!;
  expect(Object.keys(plain).filter((name) => !names.includes(name))).toEqual([]);
  expect(sweepCsv([])).toBe(`${head}\n`);
  expect(lines[0]!.split(',')[names.indexOf('plateau_rps')]).toBe('');
  expect(Number(lines[3]!.split(',')[names.indexOf('plateau_rps')])).toBeCloseTo(50, 6);
});
