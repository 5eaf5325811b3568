import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildReport } from '../../src/load/build-report.ts';
import { Cut, exclusionOf, keptPlan } from '../../src/load/exclude.ts';
import { formatExclude, parseExclude } from '../../src/load/exclude-rule.ts';
import type { WorkerVitals } from '../../src/load/messages.ts';
import { LOAD_DEFAULTS, type LoadOptions, type LoadPlan, planLoad } from '../../src/load/options.ts';
import { Recorder, type RecorderSnapshot } from '../../src/load/recorder.ts';
import { readSeen, SpoolWriter } from '../../src/load/spool.ts';
import { retake, steadyCut } from '../../src/load/steady.ts';
import { type EndedSpec, ended } from './ended.ts';

const optionsOf = (more: Partial<LoadOptions> = {}): LoadOptions => ({
  ...LOAD_DEFAULTS,
  url: 'http://127.0.0.1:1',
  rateRps: 10,
  requests: 100,
  arrivals: { kind: 'constant' },
  outputTokens: 3,
  workers: 1,
  ...more,
});
const planOf = (options: LoadOptions): LoadPlan =>
  planLoad(options, { allowed: [0, 1], total: 2, taskset: true });

describe('a rule', () => {
  it.each([
    ['5s', { kind: 'time', s: 5 }, '5s'],
    ['500ms', { kind: 'time', s: 0.5 }, '0.5s'],
    ['100', { kind: 'requests', n: 100 }, '100 requests'],
    ['100 requests', { kind: 'requests', n: 100 }, '100 requests'],
    ['steady', { kind: 'steady' }, 'steady'],
  ] as const)('%s is understood', (text, rule, spelled) => {
    expect(parseExclude(text)).toEqual(rule);
    expect(formatExclude(parseExclude(text))).toBe(spelled);
  });

  it.each(['', '0', '0s', '-1', 'warm', '5 s s', '1.5'])('"%s" is not', (text) => {
    expect(() => parseExclude(text)).toThrow(/it must be a time/);
  });
});

describe('before the run', () => {
  const exclusion = (more: Partial<LoadOptions>) => {
    const options = optionsOf(more);
    return exclusionOf(options, planOf(options));
  };

  it('a time is a number of requests: those due before it, not at it', () => {
    // Due at 0, 0.1, 0.2, … s or at 0.1, 0.2, …: whichever, one at 2 s is kept.
    const options = optionsOf({ exclude: { kind: 'time', s: 2 } });
    const plan = planOf(options);
    const found = exclusionOf(options, plan)!;
    const { plan: kept, fromS } = keptPlan(plan, found);
    expect(fromS).toBeCloseTo(2, 9);
    expect(kept.schedule.requests).toBe(100 - found.fromIndex);
    expect(found.fromIndex).toBe(Math.round((2e9 - plan.firstNs) / 1e8));
    expect(kept.scheduledRps).toBeCloseTo(10, 9);
  });

  it('a number is itself', () => {
    expect(exclusion({ exclude: { kind: 'requests', n: 7 } })).toEqual({ fromIndex: 7, fromNs: 0 });
  });

  it('none, and what only the run can tell, are null', () => {
    expect(exclusion({})).toBeNull();
    expect(exclusion({ exclude: { kind: 'steady' } })).toBeNull();
  });

  it('of a closed loop a time stays a time', () => {
    const closed = { concurrency: 2, rateRps: null, durationS: 10 } as const;
    expect(exclusion({ ...closed, exclude: { kind: 'time', s: 2 } })).toEqual({ fromIndex: 0, fromNs: 2e9 });
    expect(() => exclusion({ ...closed, exclude: { kind: 'time', s: 10 } })).toThrow(/leaves nothing/);
  });

  it('that leaves nothing is refused', () => {
    expect(() => exclusion({ exclude: { kind: 'requests', n: 100 } })).toThrow(/100 requests leaves nothing/);
    expect(() => exclusion({ exclude: { kind: 'time', s: 60 } })).toThrow(/leaves nothing/);
    expect(exclusion({ exclude: { kind: 'requests', n: 99 } })).toEqual({ fromIndex: 99, fromNs: 0 });
  });
});

describe('a cut', () => {
  it('takes away by number, or by when a request was sent, and counts', () => {
    const byNumber = new Cut({ fromIndex: 2, fromNs: 0 }, 1000);
    expect([0, 1, 2, 3].map((index) => byNumber.leaves(ended({ index })))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const byTime = new Cut({ fromIndex: 0, fromNs: 20e6 }, 0);
    expect(byTime.leaves(ended({ sentMs: 19.9 }))).toBe(true);
    expect(byTime.leaves(ended({ sentMs: 5, outcome: 'timedOut' }))).toBe(true);
    expect(byTime.leaves(ended({ sentMs: 20 }))).toBe(false);
    // Begun before, and sent again after, when Retry-After said so.
    expect(byTime.leaves(ended({ firstSentMs: 5, sentMs: 2000 }))).toBe(true);
    // Never sent: nobody knows when it would have been.
    expect(byTime.leaves(ended({ sentMs: Number.NaN, outcome: 'connectError' }))).toBe(false);
    expect([byTime.ended, byTime.complete]).toEqual([3, 2]);
  });
});

const vitals = { delayed: 0, peakInFlight: 1, inFlightAtLastSend: 0, dispatched: 0 } as WorkerVitals;
function reportOf(options: LoadOptions, figures: RecorderSnapshot, more: object = {}) {
  const plan = planOf(options);
  return buildReport(options, plan, {
    launchedNs: 0,
    state: 'complete',
    reason: null,
    startedAt: '',
    startNs: 0,
    endNs: 10e9,
    tareVersion: '0',
    exclusion: exclusionOf(options, plan),
    workers: [{ worker: 0, pid: 1, cpus: null, state: 'done', exitCode: 0, signal: null, figures, vitals }],
    ...more,
  });
}

/** Request i of a constant 10/s: a TTFT of 100 ms up to number 29, of 20 ms afterwards; number 5 and number 50 fail. */
const series = (count = 100): EndedSpec[] =>
  Array.from({ length: count }, (_, index) => {
    const at = 100 * index;
    const ttft = index < 30 ? 100 : 20;
    const failed = index === 5 || index === 50;
    return {
      index,
      scheduledMs: at,
      sentMs: at,
      tokenMs: failed ? [] : [at + ttft, at + ttft + 5, at + ttft + 10],
      endMs: at + ttft + 10,
      ...(failed ? { outcome: 'httpError' as const, failure: '503' } : {}),
    };
  });

describe('a report', () => {
  it('is of what is kept: figures, counts and rates; what was left out is counted', () => {
    const options = optionsOf({ exclude: { kind: 'requests', n: 30 } });
    const recorder = new Recorder(3);
    const cut = new Cut({ fromIndex: 30, fromNs: 0 }, 0);
    for (const one of series().map(ended)) if (!cut.leaves(one)) recorder.take(one);
    const r = reportOf(options, {
      ...recorder.snapshot(),
      excluded: { ended: cut.ended, complete: cut.complete },
    });
    expect(r.excluded).toEqual({
      rule: '30 requests',
      requests: 30,
      complete: 29,
      from_s: expect.closeTo(3, 0),
      series: null,
      values: null,
    });
    expect(r.counts).toMatchObject({ scheduled: 70, sent: 70, complete: 69, failed: 1 });
    expect(r.options.requests).toBe(100);
    expect(r.rate).toMatchObject({ scheduled_rps: expect.closeTo(10, 6), sent_rps: expect.closeTo(10, 6) });
    expect(r.from_scheduled.ttft.over_successes).toMatchObject({ n: 69, max_ms: 20 });
    expect(r.from_scheduled.ttft.over_all.n).toBe(70);
  });

  it('without a rule says nothing of it', () => {
    const recorder = new Recorder(3);
    for (const one of series().map(ended)) recorder.take(one);
    expect(reportOf(optionsOf(), recorder.snapshot()).excluded).toBeNull();
  });
});

describe('steady', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tare-steady-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /** Two workers' spools, each with every second request. */
  function spools(specs: readonly EndedSpec[]): string[] {
    return [0, 1].map((k) => {
      const path = join(dir, `worker-${k}.spool`);
      const writer = new SpoolWriter(path);
      for (const one of specs.filter((s) => s.index! % 2 === k).map(ended))
        writer.append({ ...one, status: 200, scanner: { id: new Uint8Array(), idLength: 0 } });
      writer.close();
      return path;
    });
  }

  it('is found over all workers; figures taken anew are those that were kept from the start', () => {
    const options = optionsOf({ exclude: { kind: 'steady' }, requests: 400 });
    const files = spools(series(400));
    const cut = steadyCut(files, options, 0);
    // 29 of the first 30 are complete: the 6th batch has the 30th of them, at number 30. So it goes too, and the 7th begins at number 31.
    expect(cut).toMatchObject({ series: 'ttft', values: 398, exclusion: { fromIndex: 31, fromNs: 0 } });
    const before = new Recorder(3);
    const expected = new Recorder(3);
    for (const one of series(400)
      .map(ended)
      .filter((r) => r.index % 2 === 1)) {
      before.take(one);
      if (one.index >= 31) expected.take(one);
    }
    const anew = retake(files[1]!, options, cut.exclusion!, 0, before.snapshot());
    const { samples, excluded, ...rest } = anew;
    const { samples: _, ...all } = expected.snapshot();
    expect(rest).toEqual(all);
    expect(samples).toEqual(before.snapshot().samples);
    expect(excluded).toEqual({ ended: 15, complete: 14 });
  });

  it('is refused where the series never is: the figures are of everything, and not to be trusted', () => {
    const options = optionsOf({ exclude: { kind: 'steady' }, requests: 300 });
    const growing = Array.from({ length: 300 }, (_, index) => {
      const at = 100 * index;
      return { index, scheduledMs: at, sentMs: at, tokenMs: [at + index ** 2], endMs: at + index ** 2 };
    });
    const steady = steadyCut(spools(growing), options, 0);
    expect(steady.exclusion).toBeNull();
    const recorder = new Recorder(1);
    for (const one of growing.map(ended)) recorder.take(one);
    const r = reportOf(options, recorder.snapshot(), { steady });
    expect(r.excluded).toMatchObject({
      requests: 0,
      from_s: null,
      absent: expect.stringMatching(/no steady state/),
    });
    expect(r.counts.scheduled).toBe(300);
    expect(r.trusted).toBe(false);
    expect(r.warnings.map(({ code }) => code)).toContain('not-steady');
  });

  it('of a closed loop goes by when requests were sent', () => {
    const options = optionsOf({ exclude: { kind: 'steady' }, concurrency: 2, rateRps: null, durationS: 60 });
    const { exclusion } = steadyCut(spools(series(400)), options, 0);
    expect(exclusion).toEqual({ fromIndex: 0, fromNs: 3100e6 });
  });

  it('a spool that is not there has nothing', () => {
    expect([...readSeen(join(dir, 'none'))]).toEqual([]);
  });
});
