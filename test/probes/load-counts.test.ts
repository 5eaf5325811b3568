import { describe, expect, it } from 'vitest';
import coHalved from '../../probes/load/co-halved.ts';
import coldStart from '../../probes/load/cold-start.ts';
import fewSamples from '../../probes/load/few-samples.ts';
import lateLast from '../../probes/load/late-last.ts';
import repeated from '../../probes/load/repeated-prompt.ts';
import survivors from '../../probes/load/survivors.ts';
import tailCut from '../../probes/load/tail-cut.ts';
import { madeUp } from '../../src/measure/diagnosis/printed.ts';
import { SUMMARIES } from '../../src/measure/expected.ts';
import type { Row } from '../measure/ledger-builder.ts';
import { answered, evenly, loadRun, type Made } from './load-runs.ts';

describe('250 of 256 refused', () => {
  const rows: Row[] = evenly(256, 1000 / 64).map((at, i) =>
    i % 43 === 0
      ? { at, tokens: [160], coalesced: 4 }
      : { at, tokens: [1], coalesced: 0, outcome: 'refused', headers: 1, end: 1 },
  );
  const run = (made: Partial<Made>) => loadRun({ rateRps: 64, rows, e2e: new Array(6).fill(160), ...made });
  it('is right where failures are counted, and says that the exit code does not tell', () => {
    const verdict = survivors.judge([run({ reported: { completed: 6, failed: 250 } })]);
    expect(verdict.verdict).toBe('right');
    expect(verdict.words).toContain('exits with 0, as if all were well, and warns of nothing');
    expect(verdict.words).toContain('over all 256 there is none');
    expect(verdict.figures[0]!.right).toBeCloseTo(2.34, 2);
  });
  it('is survivors-only without them', () => {
    for (const failed of [0, null])
      expect(survivors.judge([run({ reported: { completed: 6, failed } })]).kind).toBe('survivors-only');
  });
  it('judges counts by its own tolerances', () => {
    const judged = (completed: number | null, failed: number) =>
      survivors.judge([run({ reported: { completed, failed } })]);
    expect(judged(6, 130)).toMatchObject({
      verdict: 'faulty',
      kind: 'failures-miscounted',
      size: { value: -120 },
    });
    expect(judged(6, 400).kind).toBe('failures-miscounted');
    expect(judged(120, 250).kind).toBe('error-as-success');
    expect(judged(0, 250).kind).toBe('successes-lost');
    expect(judged(null, 250).verdict).toBe('right');
    expect(judged(6, 249).verdict).toBe('right');
  });
  it('says where a note beside the counts warns', () => {
    const notes = ['250 requests failed; the first: 503'];
    const { words } = survivors.judge([run({ reported: { completed: 6, failed: 250 }, change: { notes } })]);
    expect(words).toContain('It says: 250 requests failed');
    expect(words).not.toContain('warns of nothing');
  });
  it('is error-as-success where all are counted as completed', () => {
    expect(survivors.judge([run({ reported: { completed: 256, failed: 0 } })]).kind).toBe('error-as-success');
  });
  it('knows a median of refusals', () => {
    const made = { e2e: new Array(256).fill(1), reported: { completed: 6, failed: 250 } };
    expect(survivors.judge([run(made)])).toMatchObject({
      verdict: 'faulty',
      kind: 'refusals-in-percentiles',
    });
    expect(survivors.judge([run({ ...made, definitions: { failures: 'counted' } })]).verdict).toBe(
      'other definition',
    );
  });
  it('a client that ends without figures says so by its exit code', () => {
    const ended = (exitCode: number) => survivors.judge([run({ reported: null, change: { exitCode } })]);
    expect(ended(1)).toMatchObject({ verdict: 'other definition', kind: 'aborts-run' });
    expect(ended(0)).toMatchObject({ verdict: 'faulty', kind: 'survivors-only' });
  });
});

describe('a correction where nothing is to be corrected', () => {
  const rows = answered(evenly(30, 200), 100);
  it('halves the median and fills the histogram', () => {
    const e2e = madeUp(new Array(30).fill(100), 1);
    expect(e2e).toHaveLength(3000);
    const verdict = coHalved.judge([loadRun({ rateRps: 5, rows, e2e })]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'samples-made-up' });
    expect(verdict.size!.percent).toBeCloseTo(-49.5, 1);
  });
  it('30 samples of 100 ms are right', () => {
    expect(coHalved.judge([loadRun({ rateRps: 5, rows, e2e: new Array(30).fill(101) })]).verdict).toBe(
      'right',
    );
  });
});

describe('the beginning and the end of a run', () => {
  const cold = evenly(20, 200).map((at, i) => ({ at, tokens: [i < 3 ? 2000 : 200], coalesced: 4 }));
  const times = cold.map(({ tokens }) => tokens[0]!);
  it('without its three slow first requests TTFT mean is 200 where 470 is right', () => {
    const verdict = coldStart.judge([loadRun({ rateRps: 5, rows: cold, e2e: times.slice(3) })]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'warm-up-dropped' });
    expect(verdict.figures[0]).toMatchObject({ right: 470, got: 200 });
    expect(verdict.words).toContain('without the first 3');
    expect(coldStart.judge([loadRun({ rateRps: 5, rows: cold, e2e: times })]).verdict).toBe('right');
  });
  it('a right mean over other counts is no right answer', () => {
    const counted = { rateRps: 5, rows: cold, e2e: times, reported: { completed: 12 } };
    const verdict = coldStart.judge([loadRun(counted)]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'requests-lost', size: { value: -8 } });
    expect(verdict.words).toContain('12 for completed');
    const made = loadRun({ rateRps: 5, rows: cold, e2e: times });
    const e2e = { ...made.reported!.metrics.e2e, n: 12 };
    const reported = { ...made.reported!, metrics: { ...made.reported!.metrics, e2e } };
    expect(coldStart.judge([{ ...made, reported }]).kind).toBe('requests-lost');
    const part = cold.map((row, i): Row => (i < 12 ? row : { ...row, outcome: 'clientClosed', end: 100 }));
    const judged = coldStart.judge([loadRun({ rateRps: 5, rows: part, e2e: times.slice(0, 12) })]);
    expect(judged.verdict).toBe('undetermined');
    expect(judged.words).toContain('12 of 20');
  });
  const late = evenly(20, 100).map((at, i) => ({ at, tokens: [i === 19 ? 3000 : 200], coalesced: 4 }));
  const e2e = late.map(({ tokens }) => tokens[0]!);
  it('a straggler that is not waited for is cut', () => {
    const cut: Row[] = late.map((row, i) => (i === 19 ? { ...row, outcome: 'clientClosed', end: 100 } : row));
    const silent = { rateRps: 10, rows: cut, e2e: e2e.slice(0, 19), reported: { completed: 19 } };
    expect(lateLast.judge([loadRun(silent)])).toMatchObject({ verdict: 'faulty', kind: 'tail-cut' });
    const told = { ...silent, reported: { completed: 19, failed: 1 } };
    expect(lateLast.judge([loadRun(told)]).verdict).toBe('other definition');
    expect(lateLast.judge([loadRun({ rateRps: 10, rows: late, e2e })]).verdict).toBe('right');
    const left = { rateRps: 10, rows: late, e2e: e2e.slice(0, 19) };
    expect(lateLast.judge([loadRun(left)]).kind).toBe('tail-cut');
  });
  it('twenty under way at the end are waited for, or lost', () => {
    const rows: Row[] = answered(evenly(24, 125), 2500);
    const cut = rows.map((row, i): Row => (i < 5 ? row : { ...row, outcome: 'clientClosed', end: 100 }));
    expect(tailCut.judge([loadRun({ rateRps: 8, rows })]).verdict).toBe('right');
    const verdict = tailCut.judge([loadRun({ rateRps: 8, rows: cut, reported: { completed: 5 } })]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'tail-cut' });
    expect(verdict.size!.value).toBeCloseTo(-19 / 24, 6);
    const summed = tailCut.judge([loadRun({ rateRps: 8, rows, ttft: new Array(5).fill(2500) })]);
    expect(summed).toMatchObject({ verdict: 'faulty', kind: 'tail-cut' });
    expect(summed.words).toContain('values in its TTFT: 5');
  });
});

describe('percentiles of twenty', () => {
  const times = [
    90, 110, 140, 150, 170, 190, 210, 220, 230, 260, 280, 310, 340, 380, 420, 470, 540, 640, 790, 1100,
  ];
  const rows = times.map((ms, i) => ({ at: 100 * i, tokens: [ms], coalesced: 4 }));
  const judge = (rule: keyof typeof SUMMARIES | null, stated?: keyof typeof SUMMARIES) => {
    const made = loadRun({
      rateRps: 10,
      rows,
      ttft: times,
      ...(stated ? { definitions: { percentiles: stated } } : {}),
    });
    if (rule === null) return fewSamples.judge([made]);
    const ttft = SUMMARIES[rule](Float64Array.from(times), '');
    const reported = { ...made.reported!, metrics: { ...made.reported!.metrics, ttft } };
    return fewSamples.judge([{ ...made, reported }]);
  };
  it('interpolated ones are right; other rules are named', () => {
    expect(judge(null).verdict).toBe('right');
    expect(judge('nearestRank')).toMatchObject({ verdict: 'other definition', kind: 'percentile-rule' });
    expect(judge('nextValue', 'nextValue').words).toContain('as is stated');
  });
  it('a value one rank away is none of the rules', () => {
    const made = loadRun({ rateRps: 10, rows, ttft: times });
    const given = (change: object) => {
      const ttft = { ...made.reported!.metrics.ttft, ...change };
      const reported = { ...made.reported!, metrics: { ...made.reported!.metrics, ttft } };
      return fewSamples.judge([{ ...made, reported }]);
    };
    expect(given({ p90_ms: 540 })).toMatchObject({ verdict: 'faulty', kind: 'percentile-off' });
    // Hyndman & Fan type 5 puts p50, p90 and p99 of twenty at places 10.5, 18.5 and 20 (20.3).
    const hazen = given({ p50_ms: 270, p90_ms: 715, p99_ms: 1100 });
    expect(hazen).toMatchObject({ verdict: 'other definition', kind: 'percentile-rule' });
    expect(hazen.words).toContain('Hyndman & Fan type 5');
    const { p99_ms } = made.reported!.metrics.ttft;
    expect(given({ p99_ms: p99_ms! - 20 })).toMatchObject({ verdict: 'faulty', kind: 'percentile-off' });
    expect(given({ p99_ms: p99_ms! + 4 }).verdict).toBe('right');
  });
  it('a value that no rule gives is off', () => {
    const made = loadRun({ rateRps: 10, rows, ttft: times.map((ms) => ms * 2) });
    expect(fewSamples.judge([made])).toMatchObject({ verdict: 'faulty', kind: 'percentile-off' });
  });
});

describe('prompts that were sent before', () => {
  it('one prompt for all is a hit for 39 of 40: TTFT 14.75', () => {
    const rows = evenly(40, 100).map((at, i) => ({ at, tokens: [i === 0 ? 200 : 10], coalesced: 4 }));
    const verdict = repeated.judge([loadRun({ rateRps: 10, rows })]);
    expect(verdict).toMatchObject({ verdict: 'other definition', kind: 'prompts-repeat' });
    expect(verdict.words).toContain('14.8 ms');
    const fresh = answered(evenly(40, 100), 200);
    expect(repeated.judge([loadRun({ rateRps: 10, rows: fresh })]).verdict).toBe('right');
  });
});
