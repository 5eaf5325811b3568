import { describe, expect, it } from 'vitest';
import constant from '../../probes/load/constant-not-constant.ts';
import onTheSecond from '../../probes/load/on-the-second.ts';
import { createSchedule } from '../../src/measure/schedule.ts';
import { answered, evenly, loadRun } from './load-runs.ts';

const random = (requests: number, rateRps: number, seed = 5): number[] => {
  const schedule = createSchedule({ arrivals: { kind: 'poisson' }, rateRps, requests, seed });
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

describe('equal gaps at two rates', () => {
  it('random ones at either are found, and the words say where', () => {
    const equal = loadRun({ rateRps: 10, rows: answered(evenly(100, 100), 1) });
    const odd = loadRun({ rateRps: 50, rows: answered(random(300, 50), 1) });
    const verdict = constant.judge([equal, odd]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'random-gaps' });
    expect(verdict.words).toMatch(/^constant was asked at 50\/s/);
    const slow = loadRun({ rateRps: 10, rows: answered(random(100, 10), 1) });
    expect(constant.judge([slow, odd]).words).toContain('; at 50/s');
  });
});

describe('gaps that are scaled second by second', () => {
  const runs = (instants: (requests: number, rateRps: number) => number[]) =>
    onTheSecond.runs.map(({ rateRps, requests }) =>
      loadRun({ rateRps, rows: answered(instants(requests, rateRps), 1), change: { asked: 'poisson' } }),
    );
  /** Each second’s gaps scaled so that its last arrival falls on the whole second. */
  const scaled = (requests: number, rateRps: number, seed: number) =>
    Array.from({ length: requests / rateRps }, (_, second) => {
      const at = random(rateRps + 1, rateRps, 100 * seed + second).map((ms, _i, all) => ms - all[0]!);
      return at.slice(1).map((ms) => 1000 * (second + ms / at.at(-1)!));
    }).flat();
  it('are found at 10 and at 50/s, with both figures off', () => {
    for (const seed of [1, 2, 3]) {
      const made = runs((requests, rateRps) => scaled(requests, rateRps, seed));
      for (const run of made) expect(onTheSecond.judge([run]).verdict, `${run.rateRps}/s`).toBe('faulty');
      const verdict = onTheSecond.judge(made);
      for (const { got, right, tolerance } of verdict.figures)
        expect(got! - right!).toBeGreaterThan(tolerance);
    }
  });
  it('a Poisson process has neither', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const verdict = onTheSecond.judge(runs((requests, rateRps) => random(requests, rateRps, seed)));
      expect(verdict.verdict).toBe('right');
      for (const { got, right, tolerance } of verdict.figures) expect(got! - right!).toBeLessThan(tolerance);
    }
  });
});
