import { describe, expect, it } from 'vitest';
import { buildReport, type RunEnd, type WorkerEnd } from '../../src/load/build-report.ts';
import { EVENT } from '../../src/load/event-kind.ts';
import { parseFault } from '../../src/load/faults/catalogue.ts';
import type { WorkerVitals } from '../../src/load/messages.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../src/load/options.ts';
import { Recorder } from '../../src/load/recorder.ts';
import type { LoadReport } from '../../src/load/report.ts';
import { createSchedule } from '../../src/measure/schedule.ts';
import { type EndedSpec, ended } from './ended.ts';

const vitals: WorkerVitals = {
  pid: 1,
  inFlight: 0,
  waiting: 0,
  peakInFlight: 3,
  delayed: 0,
  connections: 16,
  dispatched: 0,
  inFlightAtLastSend: 1,
  eventLoopUtilization: 1,
  cpuShare: 1,
  gcMs: 0,
  gcMaxMs: 0,
  turns: 0,
  retries: null,
};

function worker(requests: readonly EndedSpec[], change: Partial<WorkerEnd> = {}): WorkerEnd {
  const recorder = new Recorder(3);
  for (const request of requests) recorder.take(ended(request));
  return {
    worker: 0,
    pid: 1,
    cpus: null,
    state: 'done',
    exitCode: 0,
    signal: null,
    figures: recorder.snapshot(),
    vitals,
    ...change,
  };
}

interface Given {
  readonly scheduled?: number;
  readonly options?: Partial<LoadOptions>;
  readonly end?: Partial<RunEnd>;
}

function report(workers: readonly WorkerEnd[], given: Given = {}): LoadReport {
  const options: LoadOptions = {
    ...LOAD_DEFAULTS,
    url: 'http://127.0.0.1:1',
    arrivals: { kind: 'constant' },
    rateRps: 100,
    requests: given.scheduled ?? 2,
    outputTokens: 3,
    ...given.options,
  };
  const plan = planLoad(options, { allowed: [0, 1], total: 2, taskset: true });
  return buildReport(options, plan, {
    state: 'complete',
    reason: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    startNs: 0,
    launchedNs: -1e9,
    endNs: 1e9,
    tareVersion: '0',
    workers,
    ...given.end,
  });
}

const codes = (r: LoadReport): string[] => r.warnings.map((w) => w.code);
const mean = (r: LoadReport, t0: 'from_scheduled' | 'from_sent', metric: 'ttft' | 'e2e' | 'ntpot') =>
  r[t0][metric].over_successes.mean_ms;

describe('the report', () => {
  it('gives each metric by its definition, from both instants', () => {
    // Scheduled 0, sent 10, tokens at 30, 40, 60.
    const r = report([worker([{ tokenMs: [30, 40, 60] }, { tokenMs: [30, 40, 60] }])]);
    expect(mean(r, 'from_scheduled', 'ttft')).toBe(30);
    expect(mean(r, 'from_sent', 'ttft')).toBe(20);
    expect(mean(r, 'from_scheduled', 'e2e')).toBe(60);
    expect(mean(r, 'from_sent', 'e2e')).toBe(50);
    expect(mean(r, 'from_scheduled', 'ntpot')).toBe(20);
    expect(mean(r, 'from_sent', 'ntpot')).toBeCloseTo(50 / 3, 6);
    expect(r.tpot.over_successes.mean_ms).toBe(15);
    expect([r.itl.n, r.itl.mean_ms, r.itl.max_ms]).toEqual([4, 15, 20]);
    expect(r.schedule_lag.mean_ms).toBe(10);
  });

  it('does not let ITL hold the TTFT, nor the response’s end count as a token', () => {
    const r = report([
      worker([{ tokenMs: [2000, 2020, 2040], endMs: 2400 }, { tokenMs: [2000, 2020, 2040] }]),
    ]);
    expect(r.itl.max_ms).toBe(20);
    expect(mean(r, 'from_scheduled', 'e2e')).toBe(2040);
  });

  it('divides by usage where every answer has one, and says so', () => {
    const two = { tokenMs: [30, 70], usage: 4 };
    const r = report([worker([two, two])]);
    expect(r.tokens).toMatchObject({ source: 'usage', by_usage: 8, by_events: 4 });
    expect(r.tpot.over_successes.mean_ms).toBeCloseTo(40 / 3, 6);
    expect(r.counts.other_length).toBe(2);
    expect(report([worker([two, { ...two, usage: -1 }])]).tokens.source).toBe('mixed');
    expect(report([worker([{ ...two, usage: -1 }])]).tokens).toMatchObject({
      source: 'events',
      by_usage: null,
    });
  });

  it('counts a failure as infinitely late in what is over all, and leaves it out of what is over successes', () => {
    const failed: EndedSpec = { outcome: 'httpError', tokenMs: [], failure: 'status 503: busy' };
    const good = Array.from({ length: 9 }, (): EndedSpec => ({}));
    const r = report([worker([...good, failed])], { scheduled: 10 });
    const { over_all: all, over_successes: successes } = r.from_scheduled.ttft;
    expect(successes).toMatchObject({ n: 9, p50_ms: 30, max_ms: 30 });
    expect(all).toMatchObject({ n: 10, p50_ms: 30, p90_ms: 30, p99_ms: null, max_ms: null });
    expect(all.absent).toMatch(/1 of 10/);
    expect(r.counts).toMatchObject({ success_rate: 0.9, failed: 1, complete: 9 });
    expect(r.failures).toEqual([{ outcome: 'httpError', example: 'status 503: busy' }]);
  });

  it('prints no percentile of survivors as the system’s: 6 of 256', () => {
    const refused = Array.from({ length: 250 }, (): EndedSpec => ({ outcome: 'httpError', tokenMs: [] }));
    const r = report([worker([...refused, ...Array.from({ length: 6 }, () => ({}))])], { scheduled: 256 });
    expect(r.counts.success_rate).toBeCloseTo(6 / 256, 12);
    expect(r.from_scheduled.ttft.over_all).toMatchObject({ p50_ms: null, p90_ms: null, p99_ms: null });
    expect(r.from_scheduled.ttft.over_successes.n).toBe(6);
  });

  it('keeps the tokens of failed requests apart', () => {
    const r = report([worker([{}, { outcome: 'errorInStream', tokenMs: [30, 31], usage: -1 }])]);
    expect(r.tokens).toMatchObject({ by_usage: 3, by_events: 3, of_failed: 2 });
    expect(r.itl.n).toBe(2);
  });

  it('tells the first token from the first token of the answer', () => {
    const kinds = EVENT.content | EVENT.reasoning | EVENT.done;
    const r = report([worker([{ kinds, firstAnswerMs: 50 }, {}])]);
    expect(r.from_scheduled.ttft.over_successes.mean_ms).toBe(30);
    expect(r.from_scheduled.first_answer.over_successes).toMatchObject({ n: 1, mean_ms: 50 });
    // The limit was reached while thinking: the answer has no first token, and certainly not at 0.
    const none = report([worker([{ kinds: EVENT.reasoning | EVENT.done, firstAnswerMs: Number.NaN }])]);
    expect(none.from_scheduled.first_answer.over_successes).toMatchObject({ n: 0, mean_ms: null });
    expect(none.from_scheduled.first_answer.over_successes.absent).toBeTruthy();
  });

  it('has no TTFT, ITL or TPOT for answers in one piece, and says why', () => {
    const whole: EndedSpec = { tokenMs: [], usage: 3 };
    const recorder = new Recorder(3);
    recorder.take({ ...ended(whole), lastNs: 60e6, headersNs: 60e6 });
    const r = report([worker([], { figures: recorder.snapshot() })], {
      scheduled: 1,
      options: { stream: false },
    });
    for (const figure of [r.from_scheduled.ttft.over_successes, r.itl, r.tpot.over_successes]) {
      expect(figure.mean_ms).toBeNull();
      expect(figure.absent).toMatch(/not streamed/);
    }
    expect(mean(r, 'from_scheduled', 'e2e')).toBe(60);
    expect(mean(r, 'from_scheduled', 'ntpot')).toBe(20);
  });

  it('takes rates over their own windows: the drain of the last answers does not lower them', () => {
    const requests = Array.from({ length: 101 }, (_, i): EndedSpec => {
      const at = i * 10;
      return { scheduledMs: at, sentMs: at, tokenMs: [at + 5000], endMs: at + 5000, usage: 1 };
    });
    const r = report([worker(requests)], { scheduled: 101 });
    expect(r.rate.sent_rps).toBeCloseTo(100, 9);
    expect(r.rate.completed_rps).toBeCloseTo(100, 9);
    expect(r.rate.sends_ratio).toBeCloseTo(1, 9);
    expect(r.tokens.per_second).toBeCloseTo(100, 9);
  });

  it('of a closed loop takes rates from the first send to the last end: users in step leave no round out', () => {
    // 8 users, 4 rounds of 500 ms: 32 requests in 2 s.
    const requests = Array.from({ length: 32 }, (_, i): EndedSpec => {
      const sentMs = Math.floor(i / 8) * 500;
      return { scheduledMs: Number.NaN, sentMs, tokenMs: [sentMs + 500], endMs: sentMs + 500, usage: 1 };
    });
    const options = { concurrency: 8, rateRps: null, arrivals: { kind: 'constant' } } as const;
    const r = report([worker(requests)], { scheduled: 32, options });
    expect(r.rate).toMatchObject({ sent_rps: 16, completed_rps: 16, sends_ratio: null });
    expect(r.tokens.per_second).toBeCloseTo(16, 9);
    expect(r.options.arrivals).toBeNull();
    expect(r.options.absent).toMatch(/closed loop/);
    // A request that failed late was waited for, too.
    const late: EndedSpec = { ...requests[0]!, outcome: 'timedOut', tokenMs: [], endMs: 4000 };
    expect(report([worker([...requests, late])], { scheduled: 33, options }).rate.completed_rps).toBe(8);
  });

  it('compares a run that was stopped with the part of the schedule that was due by then', () => {
    const options = { arrivals: { kind: 'poisson' }, requests: 1000 } as const;
    const schedule = createSchedule({ ...options, rateRps: 100, seed: LOAD_DEFAULTS.seed });
    const due = Array.from({ length: 1000 }, () => schedule.next()).filter((at) => at <= 2e9);
    const requests = due.map(
      (at): EndedSpec => ({
        scheduledMs: at / 1e6,
        sentMs: at / 1e6,
        tokenMs: [at / 1e6 + 1],
        endMs: at / 1e6 + 1,
        usage: 1,
      }),
    );
    const end = { state: 'interrupted', reason: 'Ctrl-C', stoppedNs: 2e9, endNs: 2.3e9 } as const;
    const r = report([worker(requests)], { options, end });
    expect(r.rate.scheduled_rps).toBeCloseTo(((due.length - 1) / (due.at(-1)! - due[0]!)) * 1e9, 6);
    expect(r.rate.sends_ratio).toBeCloseTo(1, 9);
    expect(r.counts.scheduled).toBe(1000);
    expect(report([worker(requests)], { options }).rate.sends_ratio).not.toBeCloseTo(1, 3);
  });

  it('sees completions fall behind while sends look right', () => {
    const requests = Array.from({ length: 200 }, (_, i): EndedSpec => {
      const at = i * 10;
      return { scheduledMs: at, sentMs: at, tokenMs: [at * 1.5 + 20], endMs: at * 1.5 + 20, usage: 1 };
    });
    const r = report([worker(requests)], { scheduled: 200 });
    expect(r.rate.sends_ratio).toBeCloseTo(1, 9);
    expect(r.rate.completions_ratio).toBeCloseTo(2 / 3, 9);
    expect(codes(r)).toContain('completions-behind');
    expect(r.trusted).toBe(false);
  });

  it('adds up several workers as if they were one', () => {
    const requests = Array.from({ length: 40 }, (_, i): EndedSpec => {
      const at = i * 10;
      return { scheduledMs: at, sentMs: at, tokenMs: [at + 20 + i, at + 50], endMs: at + 51 };
    });
    const one = report([worker(requests)], { scheduled: 40 });
    const even = requests.filter((_, i) => i % 2 === 0);
    const odd = requests.filter((_, i) => i % 2 === 1);
    const two = report([worker(even), worker(odd, { worker: 1 })], { scheduled: 40 });
    for (const key of ['from_scheduled', 'from_sent', 'tpot', 'itl', 'rate', 'tokens'] as const)
      expect(two[key]).toEqual(one[key]);
  });

  it('accounts for every request: what no worker reported was not sent', () => {
    const r = report([worker([{}]), worker([], { worker: 1, figures: null, vitals: null, state: 'died' })], {
      scheduled: 5,
      end: { state: 'incomplete', reason: 'worker 1 died: ended by SIGKILL' },
    });
    expect(r.counts.outcomes).toMatchObject({ complete: 1, unsent: 4 });
    expect(Object.values(r.counts.outcomes).reduce((a, b) => a + b, 0)).toBe(5);
    expect(codes(r)[0]).toBe('incomplete');
  });

  it('says nothing rather than NaN when nothing was sent', () => {
    const r = report([worker([], { figures: null, vitals: null, state: 'died' })]);
    expect(JSON.stringify(r)).not.toMatch(/NaN|Infinity/);
    expect(r.from_sent.e2e.over_successes).toMatchObject({ n: 0, p50_ms: null });
    expect(r.rate.sent_rps).toBeNull();
  });
});

describe('warnings of the client about itself', () => {
  const sentLate = (ms: number, tokenMs: number) =>
    Array.from({ length: 100 }, (_, i): EndedSpec => {
      const at = i * 10;
      return {
        scheduledMs: at,
        sentMs: at + ms,
        tokenMs: [at + ms + tokenMs],
        endMs: at + ms + tokenMs,
        usage: 1,
      };
    });
  it.each([
    ['0.5 ms of lag against 50 ms', 0.5, 50, false],
    ['1.5 ms of lag is too much against any TTFT', 1.5, 50, true],
    ['0.5 ms is over a tenth of 2 ms', 0.5, 2, true],
    ['0.05 ms is not worth a word', 0.05, 0.1, false],
  ])('%s', (_name, lagMs, tokenMs, warned) => {
    const r = report([worker(sentLate(lagMs, tokenMs))], { scheduled: 100 });
    expect(codes(r).includes('schedule-lag')).toBe(warned);
    expect(r.trusted).toBe(!warned);
  });

  const kept = (n: number, each: (i: number) => EndedSpec, change: Partial<WorkerVitals>) =>
    report(
      [
        worker(
          Array.from({ length: n }, (_, i) => each(i)),
          { vitals: { ...vitals, ...change } },
        ),
      ],
      {
        scheduled: n,
        options: { maxInFlight: 4 },
      },
    );
  const whole = (at: number, ms: number): EndedSpec => ({
    scheduledMs: at,
    sentMs: at,
    tokenMs: [at + ms],
    endMs: at + ms,
    usage: 1,
  });

  it('does not see a queue in completions that failures lowered', () => {
    const each = (i: number): EndedSpec =>
      i % 5 < 3
        ? { ...whole(i * 10, 5), outcome: 'httpError', tokenMs: [], endMs: i * 10 + 5 }
        : whole(i * 10, 5);
    const r = kept(200, each, { inFlightAtLastSend: 1 });
    expect(r.rate.completions_ratio).toBeLessThan(0.45);
    expect(codes(r)).toContain('requests-lost');
    expect(codes(r)).not.toContain('completions-behind');
    // Many under way: then a queue grew all the same.
    expect(codes(kept(200, each, { inFlightAtLastSend: 60 }))).toContain('completions-behind');
  });

  it('speaks of a queue only where one is seen at the last send', () => {
    const words = (inFlightAtLastSend: number) =>
      kept(200, (i) => whole(i * 10, 20 + i * 5), { inFlightAtLastSend }).warnings.find(
        (w) => w.code === 'completions-behind',
      )!.remedy;
    expect(words(120)).toMatch(/^the queue grew/);
    expect(words(2)).toMatch(/no queue is seen/);
  });

  it('names --max-in-flight where it held sends back, and not the cores', () => {
    const each = (i: number): EndedSpec => ({ ...whole(i * 15, 20), scheduledMs: i * 10 });
    const remedy = (delayed: number) =>
      kept(200, each, { delayed }).warnings.find((w) => w.code === 'sends-behind')!.remedy;
    expect(remedy(150)).toMatch(/150 requests waited for --max-in-flight 4: .* more cores would not help/);
    expect(remedy(0)).toMatch(/more cores and --workers/);
  });

  it('says of which median the lag is a share', () => {
    const recorder = new Recorder(3);
    for (let i = 0; i < 100; i++) {
      const one = ended({ scheduledMs: i * 10, sentMs: i * 10 + 5, tokenMs: [], usage: 3 });
      recorder.take({
        ...one,
        headersNs: one.sentNs + 6e6,
        lastNs: one.sentNs + 6e6,
        endNs: one.sentNs + 6e6,
      });
    }
    const r = report([worker([], { figures: recorder.snapshot() })], {
      scheduled: 100,
      options: { stream: false },
    });
    expect(r.warnings.find((w) => w.code === 'schedule-lag')!.evidence).toMatch(/of the median E2E$/);
  });

  it('does not call the wait for --max-in-flight its own lag', () => {
    const w = worker(sentLate(40, 50), { vitals: { ...vitals, delayed: 7 } });
    const r = report([w], { scheduled: 100 });
    expect(codes(r)).not.toContain('schedule-lag');
    expect(r.counts.delayed).toBe(7);
  });

  it('takes a busy loop for what it is only when pacing blocks', () => {
    const busy = worker([{}, {}], { vitals: { ...vitals, eventLoopUtilization: 0.8 } });
    expect(codes(report([busy], { options: { pacing: 'block' } }))).toContain('busy-loop');
    expect(codes(report([busy], { options: { pacing: 'spin' } }))).not.toContain('busy-loop');
  });

  it('notices that a spinning worker did not have its core', () => {
    const robbed = worker([{}, {}], { vitals: { ...vitals, cpuShare: 0.6 } });
    const options = { rateRps: 5000, pacing: 'spin' } as const;
    expect(codes(report([robbed], { options }))).toContain('core-shared');
    expect(codes(report([robbed], { options: { ...options, rateRps: 10 } }))).not.toContain('core-shared');
  });
});

describe('counts of tokens and of events that differ', () => {
  const tokens = (n: number): number[] => Array.from({ length: n }, (_, i) => 30 + 10 * i);
  const warning = (requests: readonly EndedSpec[], options: Partial<LoadOptions> = {}) =>
    report([worker(requests)], { scheduled: requests.length, options }).warnings.find(
      (w) => w.code === 'counts-differ',
    );

  it('are told with what they mean for TPOT: ten tokens in the first of 41 events', () => {
    const r = report([worker([{ sentMs: 0, tokenMs: tokens(41), usage: 50 }])], { scheduled: 1 });
    expect(r.tokens.usage_and_events).toEqual({
      with_both: 1,
      unequal: 1,
      per_answer: 50,
      events_per_answer: 41,
    });
    const [w] = r.warnings;
    expect(w!.evidence).toMatch(/1 of 1 answers .*: 50.0 tokens in 41.0 events in the mean, 1.22 tokens/);
    // (50 − 1.22)/49 and (41 − 1)/49.
    expect(w!.remedy).toMatch(/by \(N − k\)\/\(N − 1\): 0.996 .* 0.816 if it held all/);
    expect(r.trusted).toBe(true);
  });

  it('are told where usage is less than the events', () => {
    // (45 − 1)/(50 − 1).
    expect(warning([{ tokenMs: tokens(50), usage: 45 }])!.remedy).toMatch(/\(N − 1\)\/\(E − 1\), 0.898/);
  });

  it.each([
    ['are equal', [{ usage: 3 }]],
    ['one answer in a hundred', [{ usage: 4 }, ...Array.from({ length: 99 }, () => ({}))]],
    ['no usage', [{ usage: -1 }]],
    ['a usage of 0', [{ usage: 0 }]],
  ] as [string, EndedSpec[]][])('need no word: %s', (_, requests) => {
    expect(warning(requests)).toBeUndefined();
  });

  it('an answer in one piece has no events to count', () => {
    expect(warning([{ tokenMs: [], usage: 3 }], { stream: false })).toBeUndefined();
  });

  it('a usage of 0 beside tokens is none: they are counted by events', () => {
    const r = report([worker([{ usage: 0 }])], { scheduled: 1 });
    expect(r.tokens).toMatchObject({ source: 'events', by_usage: null, by_events: 3 });
  });
});

describe('a run with a known fault', () => {
  const withFault = (text: string, requests: readonly EndedSpec[], scheduled: number) =>
    report([worker(requests)], { scheduled, options: { fault: parseFault(text) } });

  it('says so in words, and is never to be trusted', () => {
    const r = withFault('late-send:7ms', [{}, {}], 2);
    expect(r.fault).toMatchObject({
      name: 'late-send:7ms',
      words: expect.stringMatching(/written 7ms after/),
    });
    expect(r.trusted).toBe(false);
    expect(r.warnings[0]).toMatchObject({ code: 'known-fault', remedy: expect.stringMatching(/--fault/) });
    const healthy = report([worker([{}, {}])]);
    expect(healthy.fault).toBeNull();
    expect(healthy.warnings.map((w) => w.code)).not.toContain('known-fault');
  });

  it('that forgets its failures counts none, in no place', () => {
    const r = withFault('drop-failures', [{}, {}, {}], 5);
    expect(r.counts).toMatchObject({ scheduled: 3, complete: 3, failed: 0, success_rate: 1 });
    expect(r.counts.outcomes.unsent).toBe(0);
    expect(r.from_scheduled.e2e.over_all.n).toBe(3);
    expect(r.options.requests).toBe(5);
    expect(withFault('drop-failures', [], 5).counts).toMatchObject({ scheduled: 0, success_rate: 0 });
  });
});
