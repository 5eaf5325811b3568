import { describe, expect, it } from 'vitest';
import type { ClientReport } from '../../adapters/contract.ts';
import { truthOf } from '../../src/audit/compare.ts';
import { asUnderstood, chanceTolerance, type Ending, judgeOutcome } from '../../src/audit/outcome.ts';
import { STANDARD } from '../../src/measure/definitions.ts';
import { absent } from '../../src/measure/metrics.ts';
import type { Workload } from '../../src/measure/workload.ts';
import type { LaunchResult } from '../../src/system/launcher.ts';
import { ledgerOf, type Row } from '../measure/ledger-builder.ts';

const workload: Workload = {
  rateRps: 100,
  requests: 100,
  durationS: 1,
  arrivals: { kind: 'constant' },
  promptTokens: 8,
  outputTokens: 16,
  latency: 'zero',
  seed: 1,
};
const none = absent('not looked at here');
const report: ClientReport = {
  metrics: { ttft: none, itl: none, tpot: none, ntpot: none, e2e: none },
  achievedRps: 100,
  durationS: 1,
  completed: 100,
  failed: 0,
  outputTokens: 1600,
  dropped: 0,
  records: null,
  notes: [],
};
const exited: LaunchResult = {
  end: 'exited',
  exitCode: 0,
  signal: null,
  failure: null,
  startedNs: 0,
  endedNs: 30e9,
  leftovers: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: false,
  argv: [],
};
const rows = (n: number, gapMs: number): Row[] =>
  Array.from({ length: n }, (_, i) => ({ at: i * gapMs, tokens: [1] }));
const truth = (n: number, gapMs: number) => truthOf(ledgerOf(rows(n, gapMs)), STANDARD, workload);
const ending = (change: Partial<Ending> = {}): Ending => ({
  client: exited,
  parsed: { state: 'parsed', report },
  targetFailure: null,
  truth: truth(100, 10),
  workload,
  ...change,
});

describe('judgeOutcome', () => {
  it('is measured when all went as asked', () =>
    expect(judgeOutcome(ending())).toEqual({ kind: 'measured' }));

  it.each<[string, Partial<Ending>, string, RegExp]>([
    ['too slow a sender', { truth: truth(100, 11) }, 'saturated', /sent 90\.9 of 100 requests\/s/],
    ['requests that never came', { truth: truth(90, 10) }, 'saturated', /90 of 100 requests reached/],
    [
      'a deadline',
      { client: { ...exited, end: 'timedOut', exitCode: null } },
      'timedOut',
      /deadline of 30 s/,
    ],
    ['an interruption', { client: { ...exited, end: 'interrupted' } }, 'incomplete', /interrupted/],
    [
      'a program that is not there',
      { client: { ...exited, end: 'notStarted', failure: 'no such program' } },
      'clientFailed',
      /no such program/,
    ],
    [
      'exit 0 without a result',
      { parsed: { state: 'unparsable', reason: 'no result file' } },
      'unparsable',
      /no result/,
    ],
    [
      'a crash without a result',
      {
        client: { ...exited, exitCode: null, signal: 'SIGSEGV' },
        parsed: { state: 'unparsable', reason: 'no result file' },
      },
      'clientFailed',
      /ended by SIGSEGV/,
    ],
    [
      'its own failure',
      { parsed: { state: 'failed', reason: 'it aborts at the first 500' } },
      'clientFailed',
      /first 500/,
    ],
    [
      'exit 0 with nothing completed',
      { parsed: { state: 'parsed', report: { ...report, completed: 0, failed: 100 } } },
      'clientFailed',
      /none of its requests/,
    ],
    ['an empty ledger', { truth: truth(0, 10) }, 'clientFailed', /no request of it reached/],
    ['a lost ledger', { truth: null, targetFailure: 'the target left no ledger' }, 'incomplete', /no ledger/],
  ])('%s: %s', (_, change, kind, words) => {
    const outcome = judgeOutcome(ending(change));
    expect(outcome.kind).toBe(kind);
    expect('reason' in outcome && outcome.reason).toMatch(words);
  });

  it('tells a client that asked wrong paths from one that sent nothing', () => {
    const unserved = [
      { asked: 'POST /nope', requests: 60 },
      { asked: 'GET /server_info', requests: 1 },
    ];
    const none = truthOf(ledgerOf([], { unserved }), STANDARD, workload);
    const words =
      'none of its requests was a completion: 60 went to POST /nope, 1 went to GET /server_info, which the target does not serve (it has POST /v1/chat/completions and /v1/completions)';
    expect(judgeOutcome(ending({ truth: none }))).toEqual({ kind: 'clientFailed', reason: words });
    const failed = { state: 'failed', reason: 'all failed: 404' } as const;
    expect(judgeOutcome(ending({ truth: none, parsed: failed }))).toMatchObject({
      reason: `all failed: 404; ${words}`,
    });
    // One that also sends completions is judged by them.
    const some = truthOf(ledgerOf(rows(100, 10), { unserved }), STANDARD, workload);
    expect(judgeOutcome(ending({ truth: some }))).toEqual({ kind: 'measured' });
  });

  it('says incomplete where the ledger overflowed, whatever the client says', () => {
    const full = truth(100, 10);
    const outcome = judgeOutcome(ending({ truth: { ...full, target: { ...full.target, lostRows: 3 } } }));
    expect(outcome.kind).toBe('incomplete');
  });

  it('notices a backlog: all sent in time, completions slower', () => {
    const slow = ledgerOf(
      Array.from({ length: 100 }, (_, i) => ({ at: i * 10, tokens: [1], end: 10 + i * 2 })),
    );
    const outcome = judgeOutcome(ending({ truth: truthOf(slow, STANDARD, workload) }));
    expect(outcome).toMatchObject({
      kind: 'saturated',
      reason: expect.stringMatching(/83\.\d of 100 requests\/s were completed/),
    });
  });

  it('does not call one late answer, or unequal ones, a backlog; a growing delay it does', () => {
    const ended = (delay: (i: number) => number, n = 20) =>
      judgeOutcome(
        ending({
          workload: { ...workload, rateRps: 20, requests: n },
          truth: truthOf(
            ledgerOf(Array.from({ length: n }, (_, i) => ({ at: i * 50, tokens: [50 + delay(i)] }))),
            STANDARD,
            { ...workload, rateRps: 20, requests: n },
          ),
        }),
      ).kind;
    expect(ended((i) => (i === 19 ? 300 : 0))).toBe('measured');
    expect(ended((i) => (i > 16 ? 40 : 0))).toBe('measured');
    expect(ended((i) => i * 10)).toBe('saturated');
  });

  it('does not accuse a Poisson client of what chance does', () => {
    const poisson: Workload = { ...workload, arrivals: { kind: 'poisson' } };
    expect(chanceTolerance(poisson)).toBeCloseTo(0.3, 9);
    expect(judgeOutcome(ending({ workload: poisson, truth: truth(100, 11) })).kind).toBe('measured');
    expect(chanceTolerance(workload)).toBe(0);
  });

  it('allows a client whose "constant" is a Poisson process the chance of one, and no other client', () => {
    const slower = ending({ truth: truth(100, 11) });
    expect(judgeOutcome(slower).kind).toBe('saturated');
    const understood = asUnderstood(workload, { constantIsPoisson: true });
    expect(judgeOutcome({ ...slower, workload: understood }).kind).toBe('measured');
    expect(asUnderstood(workload, {})).toBe(workload);
    const gamma: Workload = { ...workload, arrivals: { kind: 'gamma', cv2: 4 } };
    expect(asUnderstood(gamma, { constantIsPoisson: true })).toBe(gamma);
  });
});
