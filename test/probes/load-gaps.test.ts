import { describe, expect, it } from 'vitest';
import constant from '../../probes/load/constant-not-constant.ts';
import { createSchedule } from '../../src/measure/schedule.ts';
import { answered, evenly, loadRun } from './load-runs.ts';

const random = (requests: number, rateRps: number): number[] => {
  const schedule = createSchedule({ arrivals: { kind: 'poisson' }, rateRps, requests, seed: 5 });
  return Array.from({ length: requests }, () => schedule.next() / 1e6);
};

describe('equal gaps were asked', () => {
  it('equal gaps are right', () => {
    const run = loadRun({ rateRps: 50, rows: answered(evenly(300, 20), 1) });
    expect(constant.judge([run])).toMatchObject({ verdict: 'right', kind: null });
  });
  it('exponential gaps are random-gaps with a CV² near 1', () => {
    const run = loadRun({ rateRps: 50, rows: answered(random(300, 50), 1) });
    const verdict = constant.judge([run]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'random-gaps' });
    expect(verdict.size!.value).toBeGreaterThan(0.7);
    expect(verdict.size!.value).toBeLessThan(1.4);
  });
  it('the same are another definition where the client says that its constant is random', () => {
    const run = loadRun({ rateRps: 50, rows: answered(random(300, 50), 1), change: { sends: 'poisson' } });
    expect(constant.judge([run])).toMatchObject({ verdict: 'other definition', kind: 'random-gaps' });
  });
  it('says nothing of a handful of requests', () => {
    const run = loadRun({ rateRps: 50, rows: answered(evenly(10, 20), 1) });
    expect(constant.judge([run]).verdict).toBe('undetermined');
  });
  it('is not asked of closed loops, and of clients without constant arrivals', () => {
    const { definitions } = loadRun({ rateRps: 1, rows: answered([0], 1) });
    expect(constant.refuses({ definitions, arrivals: ['poisson'], openLoop: true })).toContain('no arrivals');
    expect(constant.refuses({ definitions, arrivals: ['constant'], openLoop: false })).toContain(
      'closed loop',
    );
    expect(constant.refuses({ definitions, arrivals: ['constant', 'poisson'], openLoop: true })).toBeNull();
  });
});
