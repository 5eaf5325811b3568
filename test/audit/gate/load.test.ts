import { describe, expect, it } from 'vitest';
import { asReport, judgeLoad, loadVerdict } from '../../../src/audit/gate/load.ts';
import { formatRunGoals, parseRunGoals } from '../../../src/audit/gate/slo.ts';
import type { LoadReport } from '../../../src/load/report.ts';
import { sampleRun, steady } from '../../reports/load-sample.ts';

const healthy = sampleRun(steady(1000)).report;
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
    reports.map((report, i) => ({
      file: `r${i}.json`,
      report: { ...report, start_ns: report.start_ns + i },
    })),
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

  it.each([
    ['interrupted', { state: 'interrupted' as const }, 'the run is interrupted', 'run tare load anew'],
    ['incomplete', { state: 'incomplete' as const, reason: 'a worker died' }, '(a worker died)', 'anew'],
    ['faulty', { fault: { name: 'burn', words: 'slow' } }, 'the fault burn', 'without --fault'],
    ['not trusted', { trusted: false }, 'not to be trusted', 'anew'],
    ['faster than asked', { rate: { ...healthy.rate, sends_ratio: 1.6 } }, '160.0 % of the schedule', 'anew'],
  ])('that is %s is refused, with the reason and what to do', (_, change, reason, remedy) => {
    const checks = judge([calm(healthy, change)], 'ttft_p50=1s');
    const invalid = checks.find(({ state }) => state === 'invalid')!;
    expect(invalid.reason).toContain(reason);
    expect(invalid.remedy).toContain(remedy);
    expect(loadVerdict(checks).reason).toContain(reason);
  });

  it('whose answers came at half the schedule, without a warning, does not pass', () => {
    const checks = judge(
      [calm(healthy, { rate: { ...healthy.rate, completions_ratio: 0.5 } })],
      'ttft_p50=1s',
    );
    expect(stateOf(checks, 'completions').state).toBe('undetermined');
    expect(loadVerdict(checks).verdict).toBe('undetermined');
  });

  it('without a schedule has no completions to judge, and that is no pass', () => {
    const rate = { ...healthy.rate, sends_ratio: null, completions_ratio: null };
    const checks = judge([calm(healthy, { rate })], 'ttft_p50=1s');
    expect([stateOf(checks, 'completions').state, stateOf(checks, 'rate').state]).toEqual([
      'notJudged',
      'notJudged',
    ]);
  });

  const succeeded = (complete: number, scheduled: number): LoadReport =>
    calm(healthy, {
      counts: { ...healthy.counts, complete, scheduled, success_rate: complete / scheduled },
    });
  it.each([
    [90, 90, 'undetermined'],
    [1000, 1000, 'pass'],
    [985, 1000, 'undetermined'],
    [900, 1000, 'fail'],
  ])('%i of %i requests that succeed: by the exact interval %s', (complete, scheduled, state) => {
    const check = stateOf(judge([succeeded(complete, scheduled)], 'success=99%'), 'success');
    expect(check.state).toBe(state);
    expect(check.reason).toBe(`${complete} of ${scheduled} requests succeeded`);
  });

  it('says how many requests would show it, and takes 100 % for these requests alone', () => {
    // 0.99^368 = 0.0248.
    expect(stateOf(judge([succeeded(90, 90)], 'success=99%'), 'success').remedy).toContain('368');
    expect(stateOf(judge([succeeded(90, 90)], 'success=100%'), 'success').state).toBe('pass');
    expect(stateOf(judge([succeeded(89, 90)], 'success=100%'), 'success').state).toBe('fail');
  });

  it('has no p999 of thirty requests', () => {
    const { from_scheduled: t0 } = healthy;
    const over_all = { ...t0.ttft.over_all, n: 30 };
    const few = calm(healthy, { from_scheduled: { ...t0, ttft: { ...t0.ttft, over_all } } });
    const p999 = stateOf(judge([few], 'ttft_p999=10s,success=50%'), 'ttft_p999');
    expect(p999).toMatchObject({ state: 'undetermined', value: null });
    expect(p999.reason).toContain('30 values have no p999: it takes 1000');
    expect(stateOf(judge([few], 'ttft_p50=10s'), 'ttft_p50').reason).toContain('n = 30');
  });

  it('without a figure that has a goal is open', () => {
    const none = {
      over_successes: { ...healthy.tpot.over_successes, n: 0, mean_ms: null, absent: 'one token each' },
      over_all: { ...healthy.tpot.over_all, p50_ms: null, absent: 'one token each' },
    };
    const checks = judge([calm(healthy, { tpot: none })], 'tpot_p50=1s');
    expect(loadVerdict(checks)).toEqual({ verdict: 'undetermined', reason: 'one token each' });
    const nobody = { ...healthy.counts, success_rate: null as unknown as number, scheduled: 0, complete: 0 };
    expect(loadVerdict(judge([calm(healthy, { counts: nobody })], 'ttft_p50=1s')).verdict).toBe(
      'undetermined',
    );
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

  it('that are equal but for rounding have an interval as wide as that, and none reaches below zero', () => {
    const equal = stateOf(judge([20, 20, 20].map(withP50), 'ttft_p50=1s'), 'ttft_p50');
    expect([equal.low, equal.high]).toEqual([15, 25]);
    const wild = stateOf(judge([1, 30, 90].map(withP50), 'ttft_p50=1000s'), 'ttft_p50');
    expect(wild.low).toBe(0);
  });

  it('is one run where it is given three times', () => {
    const named = ['a', 'b', 'c'].map((file) => ({ file, report: calm(healthy) }));
    expect(() => judgeLoad(named, parseRunGoals('ttft_p50=1s'), 0.02)).toThrow('one and the same run');
  });

  const loop = { concurrency: 2, think_ms: 0, stagger_ms: 0, duration_s: null };
  const closed = (change: object) =>
    ({ closed_loop: { ...loop, ...change } }) as unknown as Partial<LoadReport>;
  const options = (change: object) => ({ options: { ...healthy.options, ...change } });
  it.each([
    ['concurrency', closed({}), closed({ concurrency: 8 })],
    ['loop', {}, closed({})],
    ['stream', options({ stream: true }), options({ stream: false })],
    ['endpoint', options({ endpoint: 'chat' }), options({ endpoint: 'completions' })],
    ['max_in_flight', {}, options({ max_in_flight: 9 })],
    ['burn_per_token_us', {}, options({ burn_per_token_us: 9 })],
    ['timeout_s', {}, options({ timeout_s: 9 })],
    ['warmup_requests', {}, options({ warmup_requests: 9 })],
    ['stages', {}, { stages: { list: [{ stage: '1s@5' }], length_s: 1 } } as unknown as Partial<LoadReport>],
    ['trace', {}, { trace: { file: 'x' } } as unknown as Partial<LoadReport>],
    ['exclusion', {}, { excluded: { rule: 'steady' } } as unknown as Partial<LoadReport>],
  ])('must be alike in %s', (name, a, b) => {
    expect(() => judge([calm(healthy, a), calm(healthy, b)], 'ttft_p50=1s')).toThrow(`has ${name} `);
  });

  it('may have seeds and names of their own', () => {
    const other = calm(healthy, options({ seed: 99, request_id_prefix: 'z' }));
    expect(() => judge([calm(healthy), other], 'ttft_p50=1s')).not.toThrow();
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
