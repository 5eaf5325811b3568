import { describe, expect, it } from 'vitest';
import {
  type ClosedLoopReport,
  closedNote,
  closedReport,
  littleWarning,
} from '../../src/load/report-closed.ts';

const S = 1e9;
const spec = { users: 10, thinkS: 0, staggerS: 0, durationS: 10, requests: null };
const judge = (loop: ClosedLoopReport, complete = 1000, failed = 0) =>
  littleWarning({ closed_loop: loop, counts: { complete, failed } }).map((w) => w.code);

describe('the report of a closed loop', () => {
  it('adds up the workers: rate, mean in flight, and Little’s law', () => {
    // Two workers with 6 and 4 users, always under way, 40 ms each: 150 and 100 requests/s.
    const loop = closedReport(
      spec,
      [
        { elapsedNs: 10 * S, busyNs: 60 * S, ended: 1500 },
        { elapsedNs: 8 * S, busyNs: 32 * S, ended: 800 },
      ],
      0.04 * S,
    );
    expect(loop).toMatchObject({ achieved_rps: 250, mean_in_flight: 10, watched_s: 9 });
    expect(loop.little_ratio).toBeCloseTo(1, 12);
    expect(loop.users_accounted).toBeCloseTo(10, 12);
    expect(loop.caution).toMatch(/hides queueing \(coordinated omission\)/);
    expect(judge(loop)).toEqual([]);
    expect(closedNote({ closed_loop: loop })).toMatchObject([
      {
        code: 'closed-loop',
        evidence: '10 users, each of whom waits for the answer; it came to 250.0 requests/s',
      },
    ]);
    expect(closedNote({ closed_loop: null })).toEqual([]);
  });

  it('finds the users with their think time', () => {
    // 10 users, 40 ms of service and 60 ms of thinking: 100 requests/s, 4 under way.
    const loop = closedReport(
      { ...spec, thinkS: 0.06 },
      [{ elapsedNs: S, busyNs: 4 * S, ended: 100 }],
      0.04 * S,
    );
    expect(loop.little_ratio).toBeCloseTo(1, 12);
    expect(loop.users_accounted).toBeCloseTo(10, 12);
  });

  it('says where requests took time that no response time holds', () => {
    // 10 under way all the time, but response times of 30 ms account for 7.5.
    const loop = closedReport(spec, [{ elapsedNs: S, busyNs: 10 * S, ended: 250 }], 0.03 * S);
    expect(loop.little_ratio).toBeCloseTo(10 / 7.5, 12);
    expect(judge(loop)).toEqual(['time-unaccounted']);
    // Not of so few, and not where failed requests took users' time.
    expect(judge(loop, 499)).toEqual([]);
    expect(judge(loop, 1000, 1)).toEqual([]);
  });

  it('has null and the reason where there is nothing', () => {
    const never = closedReport(spec, [{ elapsedNs: 0, busyNs: 0, ended: 0 }], Number.NaN);
    expect(never).toMatchObject({ achieved_rps: null, mean_in_flight: null, little_ratio: null });
    expect(never.absent).toMatch(/after all users had begun/);
    const failed = closedReport(spec, [{ elapsedNs: S, busyNs: S, ended: 5 }], Number.NaN);
    expect(failed).toMatchObject({ achieved_rps: 5, mean_in_flight: 1, little_ratio: null });
    expect(failed.absent).toMatch(/no request succeeded/);
    expect(JSON.stringify([never, failed])).not.toMatch(/NaN|Infinity/);
  });
});
