import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompose, type RequestFigure, STAGES, stagesOf } from '../../src/measure/decomposition.ts';

const NONE = Number.NaN;
/**
 * Due at 1,000 ms; sent 2 ms late; 0.5 ms to the target; 50 ms injected, given as 50.1; the event that the client means is 0.2 ms earlier
 * than the standard one; read 3 ms after it was written.
 */
const REQUEST: RequestFigure = {
  t0Ns: 1000e6,
  sentNs: 1002e6,
  arrivalNs: 1002.5e6,
  injectedMs: 50,
  realizedMs: 50.1,
  expectedMs: 49.9,
  reportedMs: 2 + 0.5 + 49.9 + 3,
  wireRequestNs: NONE,
  wireSeenNs: NONE,
};
const MERGED = {
  schedule_lag: 2e6,
  before_send: NONE,
  to_target: 0.5e6,
  target_error: 0.1e6,
  back: NONE,
  read: 3e6,
  definition: -0.2e6,
  unknown: 0,
};

describe('stagesOf', () => {
  it('finds each stage', () => {
    expect(stagesOf(REQUEST)).toEqual(MERGED);
  });
  it('splits the ways with the kernel’s stamps', () => {
    const wired = { ...REQUEST, wireRequestNs: 1002.1e6, wireSeenNs: 1052.45e6 };
    expect(stagesOf(wired)).toEqual({
      ...MERGED,
      before_send: 0.1e6,
      to_target: 0.4e6,
      back: 0.05e6,
      read: 2.95e6,
    });
    expect(stagesOf({ ...REQUEST, wireRequestNs: 1002.1e6 })).toMatchObject({
      before_send: 0.1e6,
      read: 3e6,
    });
  });
  it('does not take a kernel’s stamp of bytes that left earlier, as a head that was flushed', () => {
    expect(stagesOf({ ...REQUEST, wireSeenNs: 1003e6 })).toEqual(MERGED);
  });
  it('leaves to `unknown` what cannot be told: all of both ways without a common clock', () => {
    expect(stagesOf({ ...REQUEST, t0Ns: NONE, sentNs: NONE })).toEqual({
      ...MERGED,
      schedule_lag: NONE,
      to_target: NONE,
      read: NONE,
      unknown: 5.5e6,
    });
  });
  it('leaves to `unknown` lag and way there together where the instant of sending is not kept', () => {
    expect(stagesOf({ ...REQUEST, sentNs: NONE })).toEqual({
      ...MERGED,
      schedule_lag: NONE,
      to_target: NONE,
      unknown: 2.5e6,
    });
  });
  it('sums to reported − injected to the nanosecond, whatever is known', () => {
    const ms = fc.double({ min: 0, max: 60_000, noNaN: true });
    const stamp = fc.option(fc.double({ min: 1e14, max: 1e14 + 1e11, noNaN: true }), { nil: NONE });
    const request = fc.record({
      t0Ns: stamp,
      sentNs: stamp,
      arrivalNs: fc.double({ min: 1e14, max: 1e14 + 1e11, noNaN: true }),
      injectedMs: ms,
      realizedMs: ms,
      expectedMs: ms,
      reportedMs: ms,
      wireRequestNs: stamp,
      wireSeenNs: stamp,
    });
    fc.assert(
      fc.property(request, (r) => {
        const told = Object.values(stagesOf(r)).filter((value) => !Number.isNaN(value));
        const sum = told.reduce((a, b) => a + b, 0);
        expect(sum).toBe(Math.round(r.reportedMs * 1e6) - Math.round(r.injectedMs * 1e6));
        expect(told.every(Number.isInteger)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('decompose', () => {
  const later = (ms: number): RequestFigure => ({ ...REQUEST, reportedMs: REQUEST.reportedMs + ms });

  it('has none without requests', () => {
    expect(decompose([])).toBeNull();
  });
  it('gives means that sum to the mean bias, over all and over the slowest hundredth', () => {
    const found = decompose([
      ...Array.from({ length: 199 }, () => REQUEST),
      later(100),
      { ...REQUEST, t0Ns: NONE, sentNs: NONE },
    ])!;
    // The one without a clock is left out: its stages would mean something else.
    expect(found).toMatchObject({ requests: 200, left_out: 1 });
    expect(found.stages.read).toMatchObject({ told: 200, p50_ms: 3 });
    expect(found.stages.read.p99_ms).toBe(3);
    const sum = (key: 'mean_ms' | 'tail_mean_ms') =>
      STAGES.reduce((total, stage) => total + (found.stages[stage][key] ?? 0), 0);
    expect(sum('mean_ms')).toBeCloseTo(found.bias_mean_ms, 9);
    expect(sum('tail_mean_ms')).toBeCloseTo(found.bias_tail_mean_ms, 9);
    // Two of 200: the one that was 100 ms later, and one like the others.
    expect(found.stages.read.tail_mean_ms).toBeCloseTo((103 + 3) / 2, 9);
  });
  it('has every figure of a stage over the same requests, whatever stamps they lack', () => {
    const stamp = (ns: number) => fc.boolean().map((there) => (there ? ns : NONE));
    const request = fc.record({
      t0Ns: stamp(1000e6),
      sentNs: stamp(1002e6),
      wireRequestNs: stamp(1002.1e6),
      wireSeenNs: fc.constantFrom(1052.45e6, 1003e6, NONE),
    });
    fc.assert(
      fc.property(fc.array(request, { minLength: 1 }), fc.nat(200), (some, more) => {
        const whole = Array.from({ length: more }, () => ({ ...REQUEST, wireRequestNs: 1002.1e6 }));
        const found = decompose([...some.map((one) => ({ ...REQUEST, ...one })), ...whole])!;
        expect(found.requests + found.left_out!).toBe(some.length + more);
        const stages = Object.values(found.stages);
        expect(stages.every(({ told }) => told === 0 || told === found.requests)).toBe(true);
        expect(stages.reduce((sum, { mean_ms }) => sum + (mean_ms ?? 0), 0)).toBeCloseTo(
          found.bias_mean_ms,
          6,
        );
      }),
    );
  });
  it('gives shares of all that was added and taken away, so that they are no more than the whole', () => {
    const { stages } = decompose([REQUEST])!;
    const moved = 2 + 0.5 + 0.1 + 3 + 0.2;
    expect(stages.definition).toMatchObject({ mean_ms: -0.2, share: 0.2 / moved });
    expect(STAGES.reduce((total, stage) => total + (stages[stage].share ?? 0), 0)).toBeCloseTo(1, 12);
    const nothing = {
      ...REQUEST,
      realizedMs: 50,
      expectedMs: 50,
      reportedMs: 50,
      t0Ns: 0,
      sentNs: 0,
      arrivalNs: 0,
    };
    expect(decompose([nothing])!.stages.read).toMatchObject({ mean_ms: 0, share: null });
  });
  it('says why a stage has no figure, and does not print a zero for what is not in the figure', () => {
    const fromSending = { ...REQUEST, t0Ns: REQUEST.sentNs, reportedMs: REQUEST.reportedMs - 2 };
    const untold = {
      schedule_lag: { held_by: null, reason: 'counted from sending' },
      before_send: { held_by: 'to_target', reason: 'no capture' },
    } as const;
    const { stages } = decompose([fromSending], untold)!;
    expect(stages.schedule_lag).toMatchObject({ told: 0, mean_ms: null, reason: 'counted from sending' });
    expect(stages.before_send).toMatchObject({ mean_ms: null, held_by: 'to_target', reason: 'no capture' });
    expect(stages.to_target).toMatchObject({ told: 1, mean_ms: 0.5, held_by: null, reason: null });
    expect(stages.back.reason).toBe('it cannot be told for any request');
  });
  it('keeps a figure that there is, whatever reason was given for its absence', () => {
    const { stages } = decompose([REQUEST], { schedule_lag: { held_by: null, reason: 'wrong' } })!;
    expect(stages.schedule_lag).toMatchObject({ told: 1, mean_ms: 2, reason: null });
  });
  it('counts requests that were read before they were written, or arrived before they were sent', () => {
    const early = { ...REQUEST, reportedMs: REQUEST.reportedMs - 3.06 };
    const justWithin = { ...REQUEST, reportedMs: REQUEST.reportedMs - 3.04 };
    const before = { ...REQUEST, sentNs: REQUEST.arrivalNs + 60_000 };
    expect(decompose([REQUEST, early, justWithin, before])!.impossible).toBe(2);
  });
});
