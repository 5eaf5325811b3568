import { describe, expect, it } from 'vitest';
import { asReport, judgeLoad, loadVerdict } from '../../../src/audit/gate/load.ts';
import { formatRunGoals, parseRunGoals } from '../../../src/audit/gate/slo.ts';
import type { LoadReport } from '../../../src/load/report.ts';
import { sampleRun, steady } from '../../reports/load-sample.ts';

const healthy = sampleRun(steady(400)).report;
const failing = sampleRun(steady(400, true)).report;
/** Without what the short sample itself is warned of. */
const calm = (report: LoadReport, change: Partial<LoadReport> = {}): LoadReport => ({
  ...report,
  warnings: [],
  trusted: true,
  ...change,
});
const judge = (reports: readonly LoadReport[], goals: string) =>
  judgeLoad(
    reports.map((report, i) => ({ file: `r${i}.json`, report })),
    parseRunGoals(goals),
    0.02,
  );
const stateOf = (checks: ReturnType<typeof judge>, name: string) => checks.find((one) => one.name === name)!;

describe('goals of a load run', () => {
  it('are figures of the run and its success rate', () => {
    const goals = parseRunGoals('ttft_p99=200ms,e2e_mean=2s,success=99.5%');
    expect(goals).toEqual({
      success: 0.995,
      slos: [
        { metric: 'ttft', statistic: 'p99', limit_ms: 200 },
        { metric: 'e2e', statistic: 'mean', limit_ms: 2000 },
      ],
    });
    expect(formatRunGoals(goals)).toBe('ttft_p99=200ms,e2e_mean=2000ms,success=99.5%');
    expect(parseRunGoals('ttft_p50=1ms').success).toBe(0.99);
  });

  it.each([
    ['ttft=200ms', 'no figure of a load run'],
    ['ttft_p99=200', 'needs a unit'],
    ['success=99', 'the success rate is a share'],
    ['success=0%', 'the success rate is a share'],
    ['ttft_p99=1ms,ttft_p99=2ms', 'given twice'],
    ['ttft_p99', 'is no goal'],
  ])('%s is refused', (text, words) => expect(() => parseRunGoals(text)).toThrow(words));
});

describe('one run', () => {
  it('that meets its goals passes, and it is said that it has no interval', () => {
    const checks = judge([calm(healthy)], 'ttft_p99=100ms,success=99%');
    expect(loadVerdict(checks)).toEqual({ verdict: 'pass', reason: '' });
    expect(stateOf(checks, 'ttft_p99')).toMatchObject({ state: 'pass', low: null, limit_high: 100 });
    expect(stateOf(checks, 'ttft_p99').reason).toContain('a single run has no interval');
  });

  it('that misses one fails', () => {
    const checks = judge([calm(healthy)], 'ttft_p50=10ms');
    expect(stateOf(checks, 'ttft_p50').state).toBe('fail');
    expect(loadVerdict(checks).verdict).toBe('fail');
  });

  it('with a tenth of its requests failed fails by its success rate; a p99 among the failures is later than any limit', () => {
    const checks = judge([calm(failing)], 'ttft_p99=1000s,ttft_p50=1s');
    expect(stateOf(checks, 'success')).toMatchObject({ state: 'fail', value: 0.9 });
    expect(stateOf(checks, 'ttft_p99')).toMatchObject({
      state: 'fail',
      reason: expect.stringContaining('a percentile that falls among them is infinite'),
    });
    expect(stateOf(checks, 'ttft_p50').state).toBe('pass');
  });

  it.each([
    ['a known fault', { fault: { name: 'late-send:5ms', words: 'late' } }],
    ['an interruption', { state: 'interrupted' as const }],
    [
      'a warning of its own client',
      { warnings: [{ code: 'schedule-lag', evidence: 'late by 9 ms', remedy: 'a core' }] },
    ],
    ['a warning that is not known yet', { warnings: [{ code: 'new', evidence: 'x', remedy: 'y' }] }],
    ['a rate that was not held', { rate: { ...healthy.rate, sends_ratio: 0.9 } }],
  ])('with %s is no evidence of the server, whatever its figures are', (_, change) => {
    const checks = judge([calm(healthy, change)], 'ttft_p50=10ms');
    expect(loadVerdict(checks).verdict).toBe('invalid');
  });

  it('whose answers fell behind fails: that is the server', () => {
    const warnings = [{ code: 'completions-behind', evidence: '80 %', remedy: 'lower the rate' }];
    const checks = judge([calm(healthy, { warnings })], 'ttft_p50=1s');
    expect(loadVerdict(checks).verdict).toBe('fail');
    expect(stateOf(checks, 'client').state).toBe('pass');
  });

  it('without a figure that has a goal is open', () => {
    const none = {
      over_successes: { ...healthy.tpot.over_successes, n: 0, mean_ms: null, absent: 'one token each' },
      over_all: { ...healthy.tpot.over_all, p50_ms: null, absent: 'one token each' },
    };
    const checks = judge([calm(healthy, { tpot: none })], 'tpot_p50=1s');
    expect(loadVerdict(checks)).toEqual({ verdict: 'undetermined', reason: 'one token each' });
  });
});

describe('several runs of the same load', () => {
  const withP50 = (ms: number): LoadReport => {
    const { from_scheduled: t0 } = healthy;
    const over_all = { ...t0.ttft.over_all, p50_ms: ms };
    return calm(healthy, { from_scheduled: { ...t0, ttft: { ...t0.ttft, over_all } } });
  };

  it('are judged by the interval between them', () => {
    const of = (limit: number) =>
      stateOf(judge([20, 21, 22].map(withP50), `ttft_p50=${limit}ms`), 'ttft_p50');
    // Mean 21, s = 1: two goals, so t(1 − 0.0125, 2) = 6.205, half 3.58.
    expect(of(25)).toMatchObject({ state: 'pass', value: 21 });
    expect(of(25).high).toBeCloseTo(24.58, 2);
    expect(of(24).state).toBe('undetermined');
    expect(of(17).state).toBe('fail');
  });

  it('of two, each by its own figure: they must agree', () => {
    const of = (limit: number) =>
      stateOf(judge([20, 22].map(withP50), `ttft_p50=${limit}ms`), 'ttft_p50').state;
    expect([of(23), of(21), of(19)]).toEqual(['pass', 'undetermined', 'fail']);
  });

  it('must be of the same load', () => {
    const other = calm(healthy, { options: { ...healthy.options, rate_rps: 7 } });
    expect(() => judge([calm(healthy), other], 'ttft_p50=1s')).toThrow(
      'r0.json has rate_rps 100, r1.json has 7',
    );
  });
});

describe('what is no report', () => {
  it('is refused with what it is', () => {
    expect(asReport('x', JSON.parse(JSON.stringify(healthy))).schema).toBe('tare-load/1');
    expect(() => asReport('x', { schema: 'tare-audit/1' })).toThrow(
      'is no report of tare load (tare-load/1), but tare-audit/1',
    );
    expect(() => asReport('x', 7)).toThrow('something else');
    expect(() => asReport('x', { schema: 'tare-load/1' })).toThrow('damaged');
  });
});
