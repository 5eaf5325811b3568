/** Strata, NTPOT and goodput in the report, of requests made by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReport, type RunEnd, type WorkerEnd } from '../../../src/load/build-report.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../../src/load/options.ts';
import { OUTCOMES, type Outcome } from '../../../src/load/outcome.ts';
import { Recorder } from '../../../src/load/recorder.ts';
import type { LoadReport } from '../../../src/load/report.ts';
import { strataSpec } from '../../../src/load/requests/spec.ts';
import { Strata } from '../../../src/load/requests/strata.ts';
import type { TraceLengths } from '../../../src/measure/load/request-shape.ts';
import { parseSlos } from '../../../src/measure/load/slo.ts';
import { type EndedSpec, ended } from '../ended.ts';

/** Requests 0, 2, 4 … are `short` (3 tokens), the others `long` (5). */
const TWO: TraceLengths = {
  promptTokens: [10, 30],
  outputTokens: [3, 5],
  tasks: { names: ['short', 'long'], of: [0, 1] },
};

/** A report of these requests, each at the place of its index, by workers that take every m-th. */
function report(
  requests: readonly EndedSpec[],
  change: Partial<LoadOptions> = {},
  workers = 1,
  run: Partial<RunEnd> = {},
): LoadReport {
  const options: LoadOptions = {
    ...LOAD_DEFAULTS,
    url: 'http://127.0.0.1:1',
    arrivals: { kind: 'constant' },
    rateRps: 100,
    requests: 10,
    outputTokens: 3,
    ...change,
  };
  const plan = planLoad(options, { allowed: [0, 1], total: 2, taskset: true });
  const spec = strataSpec(options);
  const recorders = Array.from(
    { length: workers },
    () => new Recorder(3, spec === null ? null : new Strata(spec)),
  );
  for (const [i, request] of requests.entries())
    recorders[i % workers]!.take(ended({ index: i, ...request }));
  const end = (recorder: Recorder, k: number): WorkerEnd => ({
    worker: k,
    pid: 1,
    cpus: null,
    state: 'done',
    exitCode: 0,
    signal: null,
    figures: recorder.snapshot(),
    vitals: null,
  });
  return buildReport(options, plan, {
    state: 'complete',
    reason: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    launchedNs: 0,
    startNs: 0,
    endNs: 1e9,
    tareVersion: '0',
    workers: recorders.map(end),
    ...run,
  });
}

/** Due at 0, sent at 1 ms, first token at `ttft`, then one every `gap`. */
const answer = (ttft: number, gap: number, n: number, more: EndedSpec = {}): EndedSpec => ({
  scheduledMs: 0,
  sentMs: 1,
  tokenMs: Array.from({ length: n }, (_, i) => ttft + i * gap),
  endMs: ttft + n * gap,
  ...more,
});
const failed = (outcome: Outcome = 'httpError'): EndedSpec => ({
  outcome,
  tokenMs: [],
  usage: -1,
  failure: 'no',
});

describe('goodput', () => {
  const goals = parseSlos('ttft=100ms,tpot=20ms,e2e=170ms');
  const requests: EndedSpec[] = [
    answer(100, 20, 3), // 0: meets all to the dot: TTFT 100, TPOT 20, E2E 140
    answer(101, 10, 5), // 1: TTFT alone
    answer(50, 30, 3), // 2: TPOT alone
    answer(90, 20, 5, { usage: 5 }), // 3: E2E 170, to the dot
    answer(90, 20.5, 5), // 4: TPOT, E2E 172
    answer(200, 1, 1), // 5: TTFT and E2E; no TPOT
    answer(60, 500, 1), // 6: good, TPOT in no way
    failed(),
    failed('timedOut'),
  ];

  it('counts as good what met every goal, and nothing that failed or was not sent', () => {
    const g = report(requests, { slos: goals }).goodput!;
    expect(g).toMatchObject({
      scheduled: 10,
      good: 3,
      share_of_scheduled: 0.3,
      share_of_complete: 3 / 7,
      not_complete: 3,
      without_tpot: 2,
      from: 'scheduled',
      goals: ['ttft=100ms', 'tpot=20ms', 'e2e=170ms'],
      by_task: null,
    });
    expect(g.slos).toEqual([
      { metric: 'ttft', limit_ms: 100, missed: 2, missed_alone: 1 },
      { metric: 'tpot', limit_ms: 20, missed: 2, missed_alone: 1 },
      { metric: 'e2e', limit_ms: 170, missed: 2, missed_alone: 0 },
    ]);
  });

  it('is what was good over the run’s own time, and their tokens likewise', () => {
    const g = report(requests, { slos: goals }).goodput!;
    // From 0 to the end of 6 at 560 ms; 3 + 5 + 1 tokens in good answers.
    expect(g.over_s).toBeCloseTo(0.56, 9);
    expect(g.requests_per_second).toBeCloseTo(3 / 0.56, 9);
    expect(g.tokens_per_second).toBeCloseTo(9 / 0.56, 9);
    expect(g.completed_per_second).toBeCloseTo(7 / 0.56, 9);
  });

  it('under overload is not more than what was completed: 120 asked at 60/s of a server of 32/s', () => {
    // Served one after the other; the first 67 within the goal.
    const overload = Array.from({ length: 120 }, (_, i): EndedSpec => {
      const scheduledMs = (i * 1000) / 60;
      const tokenMs = [((i + 1) * 1000) / 32];
      return { scheduledMs, sentMs: scheduledMs, tokenMs, endMs: tokenMs[0]!, usage: 1 };
    });
    const r = report(overload, { slos: parseSlos('e2e=1s'), rateRps: 60, requests: 120 });
    const g = r.goodput!;
    expect(g.good).toBe(67);
    expect(g.requests_per_second).toBeCloseTo(67 / 3.75, 9);
    expect(g.completed_per_second).toBeCloseTo(32, 9);
    expect(g.share_of_scheduled).toBeCloseTo(67 / 120, 12);
  });

  it('of a short run that is answered at once is the rate of its arrivals, not n/(n − 1) of it', () => {
    const even = Array.from({ length: 10 }, (_, i): EndedSpec => {
      const at = i * 1000;
      return { scheduledMs: at, sentMs: at, tokenMs: [at + 1], endMs: at + 1, usage: 1 };
    });
    const g = report(even, { slos: parseSlos('e2e=5ms'), rateRps: 1 }).goodput!;
    expect(g.requests_per_second).toBeCloseTo(1, 9);
  });

  it('never is more than completions over the same time, whatever happened', () => {
    const request = fc.record({
      at: fc.integer({ min: 0, max: 2000 }),
      ms: fc.integer({ min: 1, max: 3000 }),
      complete: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 20 }), (given) => {
        const specs = given.map(
          ({ at, ms, complete }): EndedSpec => ({
            ...(complete ? {} : failed()),
            scheduledMs: at,
            sentMs: at,
            ...(complete ? { tokenMs: [at + ms] } : {}),
            endMs: at + ms,
          }),
        );
        const g = report(specs, { slos: parseSlos('e2e=1s'), requests: 20 }).goodput!;
        expect(g.requests_per_second!).toBeLessThanOrEqual(g.completed_per_second!);
        expect(g.over_s!).toBeGreaterThanOrEqual(0.2 - 1e-9);
      }),
    );
  });

  it('of a run that was stopped is over the time that it ran, and not the share that was cut off', () => {
    // 1,000 planned at 100/s; stopped after 1 s with 100 sent, one of them under way.
    const ran = Array.from({ length: 100 }, (_, i): EndedSpec => {
      const at = i * 10;
      return { scheduledMs: at, sentMs: at, tokenMs: [at + 5], endMs: at + 5, usage: 1 };
    });
    ran[99] = { ...ran[99], outcome: 'unfinished', tokenMs: [], endMs: Number.NaN };
    const options = { slos: parseSlos('e2e=10ms'), requests: 1000 };
    const r = report(ran, options, 1, { state: 'interrupted', stoppedNs: 1e9, endNs: 1.4e9 });
    expect(r.goodput!.good).toBe(99);
    expect(r.goodput!.requests_per_second).toBeCloseTo(99 / 1.01, 6);
    // It hung for a second more before it was stopped.
    const hung = report(ran, options, 1, { state: 'interrupted', stoppedNs: 2e9, endNs: 2e9 });
    expect(hung.goodput!.over_s).toBeCloseTo(2.01, 6);
  });

  it('takes N by usage where it is given: TPOT of 50 ms over 9 tokens, not 4', () => {
    const slow = answer(50, 25, 5, { usage: 11 });
    expect(report([slow], { slos: parseSlos('tpot=10ms'), requests: 1 }).goodput).toMatchObject({ good: 1 });
    expect(report([answer(50, 25, 5)], { slos: parseSlos('tpot=10ms'), requests: 1 }).goodput).toMatchObject({
      good: 0,
    });
  });

  it('counts the tokens of good requests by usage, too', () => {
    const two = [answer(50, 25, 5, { usage: 11 }), answer(50, 25, 5, { usage: 11 })];
    const { tokens_per_second } = report(two, { slos: parseSlos('tpot=10ms'), requests: 2 }).goodput!;
    expect(tokens_per_second).toBeCloseTo(22 / 0.175, 9);
  });

  it('has goals for NTPOT: E2E / n, equal is met', () => {
    const one = (limit: string) =>
      report([answer(100, 10, 5)], { slos: parseSlos(`ntpot=${limit}`), requests: 1 }).goodput!.good;
    expect([one('28ms'), one('27.9ms')]).toEqual([1, 0]);
  });

  it('by task: its own goals, and shares of its own requests; the tasks add up to the whole', () => {
    const r = report(requests, {
      traceLengths: TWO,
      slos: parseSlos('ttft=100ms,long:ttft=300ms,long:e2e=160ms'),
    });
    const { good, by_task, requests_per_second, slos } = r.goodput!;
    const [short, long] = by_task!;
    // Even places are short: 0, 2, 4, 6 of which all have a TTFT of 100 or less; 8 failed.
    expect(short).toMatchObject({ name: 'short', scheduled: 5, good: 4, not_complete: 1 });
    expect(short!.slos).toEqual([{ metric: 'ttft', limit_ms: 100, missed: 0, missed_alone: 0 }]);
    // Odd ones: 1 (E2E 141) is good, 3 (170) and 5 (200) are late; 7 failed, 9 was not sent.
    expect(long).toMatchObject({ name: 'long', scheduled: 5, good: 1, not_complete: 2 });
    expect(long!.slos).toEqual([
      { metric: 'ttft', limit_ms: 300, missed: 0, missed_alone: 0 },
      { metric: 'e2e', limit_ms: 160, missed: 2, missed_alone: 2 },
    ]);
    expect(good).toBe(5);
    expect(short!.requests_per_second! + long!.requests_per_second!).toBeCloseTo(requests_per_second!, 9);
    // There is no one limit for TTFT, nor for E2E.
    expect(slos.map((slo) => slo.limit_ms)).toEqual([null, null]);
  });

  it('of nothing good is 0 a second, not absent; without goals there is none', () => {
    const none = report([failed()], { slos: goals, requests: 1 }).goodput!;
    expect(none).toMatchObject({
      good: 0,
      requests_per_second: 0,
      share_of_scheduled: 0,
      share_of_complete: null,
    });
    expect(report([failed()]).goodput).toBeNull();
  });

  it('in a closed loop runs from the sent instant, over the time from the first send to the last end', () => {
    const closed = (sentMs: number, i: number): EndedSpec => ({
      ...answer(sentMs + 90, 1, 3),
      scheduledMs: Number.NaN,
      sentMs,
      endMs: 200 + 100 * i,
      index: i,
    });
    const r = report([closed(10, 0), closed(110, 1), closed(210, 2)], {
      concurrency: 1,
      rateRps: null,
      requests: 3,
      slos: parseSlos('ttft=95ms'),
    });
    expect(r.goodput).toMatchObject({ good: 3, from: 'sent' });
    // From 10 to 400 ms.
    expect(r.goodput!.requests_per_second).toBeCloseTo(3 / 0.39, 9);
    expect(r.rate.completed_rps).toBe(r.goodput!.requests_per_second);
    expect(r.ntpot.from_scheduled).toMatchObject({ exact_mean_ms: null, aggregate: [] });
    expect(r.ntpot.from_scheduled.absent).toBeTruthy();
    expect(r.ntpot.from_sent.exact_mean_ms).toBeCloseTo(92 / 3, 5);
    expect(JSON.stringify(r)).not.toMatch(/NaN|Infinity/);
  });
});

describe('a request of a closed loop that waited for Retry-After', () => {
  // Sent at 0, refused, sent again at 2 s, answered 10 ms later.
  const waited = (scheduledMs: number): EndedSpec => ({
    scheduledMs,
    firstSentMs: 0,
    sentMs: 2000,
    tokenMs: [2005, 2010],
    endMs: 2010,
  });
  const closed = { concurrency: 1, rateRps: null, requests: 1, traceLengths: TWO, retryAfter: true };

  it('has the wait in its latencies, and misses its goal', () => {
    const r = report([waited(Number.NaN)], { ...closed, slos: parseSlos('e2e=100ms') });
    expect(r.goodput).toMatchObject({ good: 0, requests_per_second: 0 });
    const { e2e, ttft, ntpot } = r.from_sent;
    expect([ttft, e2e, ntpot].map((l) => l.over_successes.mean_ms)).toEqual([2005, 2010, 1005]);
    expect(r.tasks![0]!.from_sent.e2e.over_successes.mean_ms).toBe(2010);
    expect(r.tasks![0]!.from_sent.ttft.over_successes.mean_ms).toBe(2005);
    expect(r.ntpot.from_sent.ttft_mean_ms).toBe(2005);
    expect(r.rate.completed_rps).toBeCloseTo(1 / 2.01, 9);
  });

  it('in an open loop has it from the scheduled instant alone', () => {
    const r = report([waited(0)], { requests: 1, slos: parseSlos('e2e=100ms') });
    expect(r.from_scheduled.e2e.over_successes.mean_ms).toBe(2010);
    expect(r.from_sent.e2e.over_successes.mean_ms).toBe(10);
    expect(r.goodput!.good).toBe(0);
  });
});

describe('figures by task', () => {
  it('are those of the task’s requests alone, from either instant', () => {
    const r = report(
      [answer(10, 10, 3), answer(100, 10, 5), answer(20, 10, 3), answer(200, 10, 5), failed()],
      {
        traceLengths: TWO,
        requests: 6,
      },
    );
    const [short, long] = r.tasks!;
    expect(short).toMatchObject({
      name: 'short',
      counts: { scheduled: 3, complete: 2, failed: 1, success_rate: 2 / 3, other_length: 0 },
      tokens: {
        source: 'usage',
        by_usage: 6,
        by_events: 6,
        asked_prompt_mean: 10,
        asked_output_mean: 3,
        output_mean: 3,
      },
    });
    expect(long).toMatchObject({
      counts: { scheduled: 3, complete: 2, failed: 1 },
      tokens: { asked_prompt_mean: 30 },
    });
    expect(short!.from_scheduled.ttft.over_successes).toMatchObject({ n: 2, mean_ms: 15 });
    expect(short!.from_sent.ttft.over_successes.mean_ms).toBe(14);
    expect(long!.from_sent.e2e.over_successes.mean_ms).toBe(189);
    // Over all three, one of which has no value: the median is the second, the maximum infinite.
    expect(long!.from_scheduled.ttft.over_all).toMatchObject({ n: 3, max_ms: null });
    expect(long!.from_scheduled.ttft.over_all.p50_ms).toBeCloseTo(200, 0);
    expect(long!.tpot.over_successes).toMatchObject({ n: 2, mean_ms: 10 });
  });

  it('count lengths that are not those asked of the request', () => {
    const r = report([answer(10, 10, 3), answer(10, 10, 3), answer(10, 10, 4)], {
      traceLengths: TWO,
      requests: 3,
    });
    expect(r.tasks!.map((t) => t.counts.other_length)).toEqual([1, 1]);
    expect(r.counts.other_length).toBe(2);
  });

  it('add up to the totals, whatever happened and however many workers there are', () => {
    const request = fc.record({
      ttft: fc.integer({ min: 2, max: 300 }),
      gap: fc.integer({ min: 1, max: 50 }),
      n: fc.integer({ min: 1, max: 8 }),
      usage: fc.option(fc.integer({ min: 1, max: 9 }), { nil: -1 }),
      promptTokens: fc.constantFrom(-1, 12, 40),
      outcome: fc.constantFrom<Outcome>(
        'complete',
        'complete',
        'complete',
        'httpError',
        'timedOut',
        'truncated',
      ),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (given, workers) => {
        const requests = given.map((g): EndedSpec => ({ ...answer(g.ttft, g.gap, g.n), ...g }));
        const slos = parseSlos('ttft=150ms,tpot=25ms,long:e2e=200ms');
        const r = report(requests, { traceLengths: TWO, slos, requests: 32 }, workers);
        const sum = (of: (t: NonNullable<LoadReport['tasks']>[number]) => number) =>
          r.tasks!.reduce((n, t) => n + of(t), 0);
        expect(sum((t) => t.counts.scheduled)).toBe(r.counts.scheduled);
        expect(sum((t) => t.counts.complete)).toBe(r.counts.complete);
        expect(sum((t) => t.counts.failed)).toBe(r.counts.failed);
        expect(sum((t) => t.counts.other_length)).toBe(r.counts.other_length);
        expect(sum((t) => t.tokens.by_events)).toBe(r.tokens.by_events);
        expect(sum((t) => t.tokens.by_usage ?? 0)).toBe(r.tokens.by_usage ?? 0);
        for (const t0 of ['from_scheduled', 'from_sent'] as const)
          for (const metric of ['ttft', 'e2e', 'ntpot'] as const) {
            const whole = r[t0][metric].over_successes;
            expect(sum((t) => t[t0][metric].over_successes.n)).toBe(whole.n);
            const total = sum(
              (t) => (t[t0][metric].over_successes.mean_ms ?? 0) * t[t0][metric].over_successes.n,
            );
            expect(total).toBeCloseTo((whole.mean_ms ?? 0) * whole.n, 3);
          }
        expect(sum((t) => t.tpot.over_successes.n)).toBe(r.tpot.over_successes.n);
        const { by_task, good, slos: all } = r.goodput!;
        expect(by_task!.reduce((n, t) => n + t.good, 0)).toBe(good);
        for (const { metric, missed, missed_alone: alone } of all) {
          const of = by_task!.flatMap((t) => t.slos.filter((slo) => slo.metric === metric));
          expect(of.reduce((n, slo) => n + slo.missed, 0)).toBe(missed);
          expect(of.reduce((n, slo) => n + slo.missed_alone, 0)).toBe(alone);
        }
        expect(JSON.stringify(r)).not.toMatch(/NaN|Infinity/);
        // One worker's report but for who did it.
        const one = report(requests, { traceLengths: TWO, slos, requests: 32 }, 1);
        expect(r.goodput).toEqual(one.goodput);
        expect(r.tasks!.map((t) => t.counts)).toEqual(one.tasks!.map((t) => t.counts));
      }),
      { numRuns: 25 },
    );
  });

  it('are not given where no kinds were', () => {
    const alike = { ...TWO, tasks: null };
    const r = report([answer(10, 10, 3), answer(10, 10, 5)], { traceLengths: alike, requests: 2 });
    expect(r.tasks).toBeNull();
    expect(r.counts.other_length).toBe(0);
    expect(r.options).toMatchObject({ lengths: 'trace', prompt_tokens: null, output_tokens: null });
  });
});

describe('NTPOT in the report', () => {
  it('has both forms, from both instants, and by task', () => {
    // Even places: n 2; odd: n 10. TTFT 60, TPOT 10: see ntpot.test.ts.
    const both: TraceLengths = { ...TWO, outputTokens: [2, 10] };
    const r = report([answer(60, 10, 2), answer(60, 10, 10)], { traceLengths: both, requests: 2 });
    const n = r.ntpot.from_scheduled;
    expect(n).toMatchObject({ exact_mean_ms: 25, ttft_mean_ms: 60, tpot_mean_ms: 10 });
    expect(n.aggregate[0]).toEqual({ source: 'usage', output_tokens_mean: 6, ntpot_ms: 20 });
    expect(n).toMatchObject({ exact_minus_aggregate_ms: 5, of_unlike_lengths_ms: 8, of_first_token_ms: -3 });
    // TTFT 59 from sent: (69/2 + 149/10)/2, 10 + 59/6.
    expect(r.ntpot.from_sent.exact_mean_ms).toBeCloseTo(24.7, 6);
    expect(r.ntpot.from_sent.aggregate[0]!.ntpot_ms).toBeCloseTo(10 + 59 / 6, 5);
    expect(
      r.tasks!.map((t) => [
        t.ntpot.from_scheduled.exact_mean_ms,
        t.ntpot.from_scheduled.aggregate[0]!.ntpot_ms,
      ]),
    ).toEqual([
      [35, 40],
      [15, 16],
    ]);
  });

  it('names each source of the mean length: usage, events, what was asked', () => {
    const r = report([answer(60, 10, 4, { usage: 5 })], { requests: 1, outputTokens: 6 });
    expect(r.ntpot.from_scheduled.aggregate.map((a) => [a.source, a.output_tokens_mean])).toEqual([
      ['usage', 5],
      ['events', 4],
      ['asked', 6],
    ]);
    // TPOT is by usage in all of them: 30/4.
    expect(r.ntpot.from_scheduled.aggregate.map((a) => a.ntpot_ms)).toEqual([19.5, 22.5, 17.5]);
    const events = report([answer(60, 10, 4, { usage: -1 })], { requests: 1 });
    expect(events.ntpot.from_scheduled.aggregate.map((a) => a.source)).toEqual(['events', 'asked']);
    const mixed = report([answer(60, 10, 4, { usage: -1 }), answer(60, 10, 4, { usage: 6 })], {
      requests: 2,
    });
    expect(mixed.ntpot.from_scheduled.aggregate[0]).toMatchObject({ source: 'mixed', output_tokens_mean: 5 });
  });

  it('is absent with its reason where nothing was streamed, or nothing succeeded', () => {
    expect(report([failed()], { requests: 1 }).ntpot.from_sent).toMatchObject({
      aggregate: [],
      absent: 'no request succeeded',
    });
    const whole = report([{ tokenMs: [], usage: 3 }], { stream: false, requests: 1 });
    expect(whole.ntpot.from_sent.absent).toMatch(/not streamed/);
    const single = report([answer(60, 10, 1)], { requests: 1 }).ntpot.from_scheduled;
    expect(single).toMatchObject({
      exact_mean_ms: 60,
      tpot_mean_ms: null,
      aggregate: [{ ntpot_ms: 60 }, {}, {}],
    });
    expect(single.absent).toMatch(/no answer had two tokens/);
  });
});

describe('prompts in the report', () => {
  it('say what a prefix cache can do, and what a word is in tokens', () => {
    const r = report([answer(10, 1, 3, { promptTokens: 25 }), answer(10, 1, 3, { promptTokens: 27 })], {
      requests: 2,
    });
    expect(r.prompts).toEqual({
      prefix_cache: 'every prompt differs from its first word',
      shared_prefix_tokens: 0,
      shared_prefix_groups: 0,
      asked_tokens_mean: 8,
      by_usage_tokens_mean: 26,
    });
    const shared = report([answer(10, 1, 3)], { requests: 1, prefix: { tokens: 512, groups: 4 } });
    expect(shared.prompts).toMatchObject({
      prefix_cache: 'shared prefix of 512 tokens in 4 groups, then every prompt differs',
      asked_tokens_mean: 520,
      by_usage_tokens_mean: null,
      absent: 'no answer had a usage with prompt_tokens',
    });
    const own = report([answer(10, 1, 3)], { requests: 1, extraBody: { messages: [] } });
    expect(own.prompts.prefix_cache).toMatch(/the same, the user’s own/);
    expect(own.prompts.asked_tokens_mean).toBeNull();
  });
});

it('every outcome has a place in a stratum', () => {
  const r = report(
    OUTCOMES.map((outcome) => (outcome === 'complete' ? answer(1, 1, 3) : failed(outcome))),
    {
      traceLengths: TWO,
      requests: OUTCOMES.length,
    },
  );
  expect(r.tasks!.reduce((n, t) => n + t.counts.complete + t.counts.failed, 0)).toBe(OUTCOMES.length);
});
