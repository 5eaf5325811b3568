import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merged } from '../../src/load/merged-spools.ts';
import { figuresOf } from '../../src/load/record-figures.ts';
import { curvePercentiles, intervalLength, SeriesBuilder } from '../../src/load/series.ts';
import type { RequestRecord } from '../../src/load/spool.ts';
import { type SampleRequest, START_NS, sampleRun, steady } from '../reports/load-sample.ts';

const build = (records: Iterable<RequestRecord>, elapsedS: number) => {
  const series = new SeriesBuilder(START_NS, elapsedS);
  for (const record of records) series.add(record);
  return series.finish();
};

describe('the series of a run', () => {
  it('counts by second: 100/s for 2.5 s with every tenth refused', () => {
    const { records, report } = sampleRun(steady(250, true));
    const series = build(records, report.elapsed_s);
    expect(series.interval_s).toBe(1);
    expect(series.intervals.map((i) => i.scheduled)).toEqual([100, 100, 50]);
    expect(series.intervals.map((i) => i.sent)).toEqual([100, 100, 50]);
    expect(series.intervals.reduce((n, i) => n + i.completed, 0)).toBe(225);
    expect(series.intervals.map((i) => i.failed)).toEqual([10, 10, 5]);
    // All have ended.
    expect(series.intervals.at(-1)).toMatchObject({ in_flight: 0, due: 0 });
    // In the first second those sent after 970 ms or so are under way at its end: tokens to 25–32 ms after.
    expect(series.intervals[0]!.in_flight).toBe(100 - series.intervals[0]!.completed - 10);
  });

  it('tells what waits in the client from what is under way', () => {
    const late: SampleRequest[] = [
      { index: 0, scheduledMs: 0, sentMs: 10, tokenMs: [20, 30] },
      { index: 1, scheduledMs: 100, sentMs: 1500, tokenMs: [1600, 1700] },
      { index: 2, scheduledMs: 200, sentMs: 300, tokenMs: [1800, 1900] },
    ];
    const series = build(sampleRun(late).records, 2);
    expect(series.intervals[0]).toMatchObject({ scheduled: 3, sent: 2, completed: 1, in_flight: 1, due: 2 });
    expect(series.intervals[1]).toMatchObject({ scheduled: 0, sent: 1, completed: 2, in_flight: 0, due: 0 });
    expect(series.intervals[1]!.ttft_p99_ms).toBeCloseTo(1600, -1);
    expect(series.intervals[1]!.e2e_p50_ms).toBeCloseTo(1600, -1);
  });

  it('keeps what the end of the run cut off under way', () => {
    const series = build(
      sampleRun([{ index: 0, scheduledMs: 0, tokenMs: [5], endMs: null, outcome: 'unfinished' }]).records,
      3,
    );
    expect(series.intervals[0]).toMatchObject({ completed: 0, failed: 0, in_flight: 1, due: 1 });
  });

  it('is never longer than 600 intervals', () => {
    expect(intervalLength(10)).toBe(1);
    expect(intervalLength(600)).toBe(1);
    expect(intervalLength(601)).toBe(2);
    expect(intervalLength(86_400)).toBe(144);
    const series = build([], 86_400);
    expect(series.intervals).toEqual([]);
  });

  it('has curves to the percentile that one request decides', () => {
    expect(curvePercentiles(1).at(-1)).toBe(100);
    const of1000 = curvePercentiles(1000);
    expect(of1000[0]).toBe(0);
    expect(of1000.at(-2)!).toBeGreaterThan(99.8);
    expect(of1000.at(-2)!).toBeLessThan(99.9);
    expect([...of1000]).toEqual([...of1000].sort((a, b) => a - b));
    const { records, report } = sampleRun(steady(300));
    const { curves } = build(records, report.elapsed_s);
    expect(curves.ttft_scheduled.at(-1)).toEqual({
      percentile: 100,
      value_ms: report.from_scheduled.ttft.over_successes.max_ms,
    });
  });
});

describe('figures of a record', () => {
  it('are those of the recorder: same n, mean, least and greatest', () => {
    const ms = fc.integer({ min: 0, max: 500 });
    const request = fc.record({
      scheduledMs: ms,
      lag: ms,
      gaps: fc.array(ms, { maxLength: 5 }),
      usage: fc.constantFrom(-1, 0, 1, 2, 9),
      outcome: fc.constantFrom('complete', 'httpError', 'truncated', 'complete'),
    } as const);
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 20 }), (list) => {
        const requests = list.map((r, index): SampleRequest => {
          let token = r.scheduledMs + r.lag;
          const tokenMs = r.gaps.map((gap) => (token += gap));
          return {
            index,
            scheduledMs: r.scheduledMs,
            sentMs: r.scheduledMs + r.lag,
            tokenMs: tokenMs.length === 0 ? [token] : tokenMs,
            usage: r.usage,
            outcome: r.outcome,
          };
        });
        const { report, records } = sampleRun(requests);
        const figures = records.map(figuresOf);
        const compare = (
          name: keyof ReturnType<typeof figuresOf>,
          s: { n: number; mean_ms: number | null; min_ms: number | null; max_ms: number | null },
        ): void => {
          const values = figures.flatMap((f) => f[name] ?? []);
          expect(values.length).toBe(s.n);
          if (values.length === 0) return;
          const sum = values.reduce((a, b) => a + Math.round(b), 0);
          expect(sum / values.length / 1e6).toBeCloseTo(s.mean_ms!, 5);
          expect(Math.min(...values) / 1e6).toBeCloseTo(s.min_ms!, 5);
          expect(Math.max(...values) / 1e6).toBeCloseTo(s.max_ms!, 5);
        };
        compare('ttft_scheduled_ns', report.from_scheduled.ttft.over_successes);
        compare('ttft_sent_ns', report.from_sent.ttft.over_successes);
        compare('e2e_scheduled_ns', report.from_scheduled.e2e.over_successes);
        compare('e2e_sent_ns', report.from_sent.e2e.over_successes);
        compare('tpot_ns', report.tpot.over_successes);
        compare('lag_ns', report.schedule_lag);
      }),
      { numRuns: 60 },
    );
  });
});

describe('records of several workers', () => {
  const record = (index: number, end_ns: number | null) => ({ index, end_ns }) as RequestRecord;
  it('come in the order of their ends, those without an end last, none lost', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 50 })), { maxLength: 5 }), (workers) => {
        let index = 0;
        const streams = workers.map((ends) => [
          ...ends.sort((a, b) => a - b).map((end) => record(index++, end)),
          record(index++, null),
        ]);
        const all = [...merged(streams.map((stream) => stream[Symbol.iterator]()))];
        expect(new Set(all.map((r) => r.index)).size).toBe(index);
        expect(all.length).toBe(index);
        const ends = all.map((r) => r.end_ns ?? Number.POSITIVE_INFINITY);
        expect(ends).toEqual([...ends].sort((a, b) => a - b));
      }),
    );
  });
});
