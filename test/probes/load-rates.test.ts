import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitDrift, gapOf, isCeiling } from '../../probes/kit/load-drift.ts';
import loadgen from '../../probes/load/loadgen-bound.ts';
import drift from '../../probes/load/sleep-drift.ts';
import drain from '../../probes/load/tail-drain.ts';
import { answered, evenly, loadRun } from './load-runs.ts';

const RATES = [10, 100, 500, 1000];
const requestsAt = (rateRps: number) => drift.runs.find((run) => run.rateRps === rateRps)!.requests;
const at = (rateRps: number, gapMs: number) =>
  loadRun({ rateRps, rows: answered(evenly(requestsAt(rateRps), gapMs), 0.1) });
const drifting = (deltaMs: number) => RATES.map((rate) => at(rate, 1000 / rate + deltaMs));
const below = (ceilingRps: number) => RATES.map((rate) => at(rate, Math.max(1000 / rate, 1000 / ceilingRps)));

describe('gaps that are too long', () => {
  it('δ = 0.449 ms sends −0.4, −4.3, −18 and −31 %', () => {
    const verdict = drift.judge(drifting(0.449));
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'sleep-drift' });
    expect(verdict.size!.value).toBeCloseTo(0.449, 4);
    const off = verdict.figures.map(({ right, got }) => (100 * (got! - right!)) / right!);
    expect(off.map((share) => Math.round(share * 10) / 10)).toEqual([-0.4, -4.3, -18.3, -31]);
  });
  it('any δ from 0.05 ms on is fitted, and is no ceiling', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 5, noNaN: true }), (deltaMs) => {
        const gaps = drifting(deltaMs).map((run) => gapOf(run)!);
        const fit = fitDrift(gaps);
        return Math.abs(fit.deltaMs - deltaMs) < 1e-6 && !isCeiling(gaps, fit.deltaMs);
      }),
      { numRuns: 30 },
    );
  });
  it('a client that holds 500/s and no more has a ceiling, no drift', () => {
    const verdict = drift.judge(below(690));
    expect(verdict.verdict).toBe('right');
    expect(verdict.words).toContain('ceiling of about 690');
  });
  it('one that sends as asked is right', () => {
    expect(drift.judge(drifting(0)).verdict).toBe('right');
  });
});

describe('a rate with the drain in it', () => {
  const run = (n: number, e2eMs: number, achievedRps: number | null, throughput = 'sendGaps') =>
    loadRun({
      rateRps: 10,
      rows: answered(evenly(n, 100), e2eMs),
      definitions: { throughput: throughput as 'sendGaps' },
      reported: { achievedRps },
    });
  it('100 of 1.18 s make 9.03, 100 of 10 s 5.03', () => {
    const verdict = drain.judge([run(100, 1180, 100 / 11.08), run(100, 10_000, 100 / 19.9)]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'drain-in-rate' });
    expect(verdict.figures.map(({ got }) => Number(got!.toFixed(2)))).toEqual([9.03, 5.03]);
  });
  it('40 of 4 s make 5.06, which is another definition where it is stated', () => {
    const stated = 'firstSendToLastEnd';
    const verdict = drain.judge([run(100, 1180, 9.03, stated), run(40, 4000, 40 / 7.9, stated)]);
    expect(verdict).toMatchObject({ verdict: 'other definition', kind: 'drain-in-rate' });
    expect(verdict.size!.percent).toBeCloseTo(-49.4, 1);
  });
  it('10.0 and 10.1 (n over the sending) are right; a rate that no division gives is unnamed', () => {
    expect(drain.judge([run(100, 1180, 10), run(40, 4000, 10)]).verdict).toBe('right');
    expect(drain.judge([run(100, 1180, 100 / 9.9), run(40, 4000, 40 / 3.9)]).verdict).toBe('right');
    expect(drain.judge([run(100, 1180, 12), run(40, 4000, 12)])).toMatchObject({
      verdict: 'faulty',
      kind: 'unnamed',
    });
  });
  it('nothing is said of a client without a rate', () => {
    expect(drain.judge([run(100, 1180, null), run(40, 4000, null)]).verdict).toBe('not applicable');
  });
});

describe('past the knee', () => {
  const run = (rateRps: number, sentRps: number, ttftMs: number, change = {}, reported = {}) => {
    const sent = evenly(rateRps, 1000 / sentRps);
    return loadRun({
      rateRps,
      rows: answered(sent, 0.1),
      ttft: sent.map(() => ttftMs),
      reported,
      change: { ...change, departures: [] },
    });
  };
  it('a TTFT of milliseconds at a server without latency is its own lag', () => {
    const verdict = loadgen.judge([run(250, 250, 0.8), run(1000, 640, 380)]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'loop-lag-as-ttft' });
    expect(verdict.size!.value).toBeCloseTo(379.9, 1);
  });
  it('is right where it says so, and where it holds all rates', () => {
    const says = { notes: ['it could not keep the rate'] };
    expect(loadgen.judge([run(250, 250, 0.8), run(1000, 640, 380, says)]).verdict).toBe('right');
    expect(loadgen.judge([run(250, 250, 0.8), run(1000, 640, 380, {}, { dropped: 9 })]).verdict).toBe(
      'right',
    );
    expect(loadgen.judge([run(250, 250, 0.8), run(1000, 1000, 1)]).verdict).toBe('right');
  });
  it('is not excused by words that only sound like it, nor by a delay far below its lag', () => {
    const notes = [
      'its latencies are rounded to 1 ms',
      'the flag --template is late in its schedule',
      'it says that its requests left after their schedule: mean 0.1, p99 2 ms',
    ];
    expect(loadgen.judge([run(250, 250, 0.8), run(1000, 640, 380, { notes })]).kind).toBe('loop-lag-as-ttft');
    const told = ['it says that its requests left after their schedule: mean 300, p99 700 ms'];
    expect(loadgen.judge([run(250, 250, 0.8), run(1000, 640, 380, { notes: told })]).verdict).toBe('right');
  });
  it('a low rate at no lag must be printed', () => {
    expect(loadgen.judge([run(1000, 640, 1)]).kind).toBe('shortfall-not-said');
    expect(loadgen.judge([run(1000, 640, 1, {}, { achievedRps: 640 })]).verdict).toBe('right');
  });
  it('further rates are not tried once the knee is found', () => {
    expect(loadgen.isSettled([run(250, 250, 0.8)])).toBe(false);
    expect(loadgen.isSettled([run(250, 250, 0.8), run(1000, 640, 1)])).toBe(false);
    expect(loadgen.isSettled([run(250, 240, 0.8), run(1000, 640, 1)])).toBe(true);
    expect(loadgen.isSettled([run(250, 100, 0.8)])).toBe(true);
    expect(loadgen.isSettled([run(250, 100, 0.8, { disturbed: 'steal' })])).toBe(false);
  });
  const kept = run(250, 250, 0.8);
  const kindOf = (change: object, ttftMs = 380, reported = {}) =>
    loadgen.judge([kept, run(1000, 640, ttftMs, change, reported)]).kind;
  const delay = (ms: number) => ({
    notes: [`it says that its requests left after their schedule: mean ${ms.toFixed(1)}, p99 400.0 ms`],
  });
  it('words that only look like it, and notes of any run, do not mark it', () => {
    const notes = ['its latencies are by its template; a flag was set', '250 templates'];
    expect(kindOf({ notes })).toBe('loop-lag-as-ttft');
    expect(kindOf({ exitCode: 1 })).toBe('loop-lag-as-ttft');
    expect(kindOf({ notes: ['the client may be overloaded if TTFT is high'] })).toBe('loop-lag-as-ttft');
    const always = { notes: ['it could not keep the rate'] };
    const judged = loadgen.judge([run(250, 250, 0.8, always), run(1000, 640, 380, always)]);
    expect(judged.kind).toBe('loop-lag-as-ttft');
  });
  it('a delay that it prints must be of the size of what happened: 1,000 at 640/s leave 281 ms late in the mean', () => {
    expect(kindOf(delay(0.1))).toBe('loop-lag-as-ttft');
    expect(kindOf(delay(0.1), 1)).toBe('shortfall-not-said');
    expect(kindOf(delay(281))).toBeNull();
  });
  it('so must a count, and a rate', () => {
    expect(kindOf({ notes: ['it sent 999 of 1000 requests'] }, 1)).toBe('shortfall-not-said');
    expect(kindOf({ notes: ['it sent 700 of 1000 requests'] }, 1)).toBeNull();
    expect(kindOf({}, 1, { achievedRps: 970 })).toBe('shortfall-not-said');
    expect(kindOf({}, 1, { achievedRps: 650 })).toBeNull();
  });
  it('every point past the knee is judged, long prompts too', () => {
    const said = run(1000, 640, 380, { notes: ['it could not keep the rate'] });
    const long = run(100, 60, 200, { promptTokens: 18_500 });
    const verdict = loadgen.judge([kept, long, said]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'loop-lag-as-ttft' });
    expect(verdict.words).toContain('100/s with prompts of 101 KB');
  });
  it('a shortfall of a disturbed run is run again', () => {
    const disturbed = run(
      250,
      242.75,
      0.8,
      { disturbed: 'the hypervisor took 20 % of CPU time' },
      { achievedRps: 243 },
    );
    expect(loadgen.judge([disturbed, run(1000, 1000, 1)])).toMatchObject({
      verdict: 'undetermined',
      again: true,
    });
    expect(loadgen.judge([disturbed, run(1000, 640, 1, {}, { achievedRps: 640 })]).verdict).toBe('right');
  });
});
