import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capOf } from '../../probes/kit/load-cap.ts';
import capWait from '../../probes/load/cap-wait.ts';
import poolCap from '../../probes/load/pool-cap.ts';
import stalled from '../../probes/load/stalled-target.ts';
import { answered, capped, evenly, loadRun, type Made } from './load-runs.ts';

/** A client with a cap; its E2E from the schedule, or from the send. */
function withCap(n: number, rateRps: number, serviceMs: number, cap: number, from: 'due' | 'sent') {
  const gapMs = 1000 / rateRps;
  const sent = capped(n, gapMs, serviceMs, cap);
  const e2e = sent.map((at, i) => serviceMs + (from === 'due' ? at - i * gapMs : 0));
  return (change: Partial<Made> = {}) =>
    loadRun({ rateRps, rows: answered(sent, serviceMs), e2e, ...change });
}

describe('a cap on requests under way', () => {
  it('8 at 10/s under a cap of 1 take 1.9 s from the schedule, and 0.5 are printed (−74 %)', () => {
    const verdict = capWait.judge([withCap(8, 10, 500, 1, 'sent')()]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'cap-wait-omitted' });
    expect(verdict.figures[0]!.right).toBeCloseTo(1900, 6);
    expect(verdict.figures[0]!.got).toBeCloseTo(500, 6);
    expect(verdict.size!.percent).toBeCloseTo(-73.7, 1);
  });
  it('40 at 40/s under a cap of 4 wait ⌊i/4⌋ · 90 ms: 405 in the mean', () => {
    const verdict = capWait.judge([withCap(40, 40, 190, 4, 'sent')()]);
    expect(verdict.kind).toBe('cap-wait-omitted');
    expect(verdict.size!.value).toBeCloseTo(-405, 6);
  });
  it('is another definition where the clock is stated to start at the send', () => {
    const run = withCap(40, 40, 190, 4, 'sent')({ definitions: { t0: 'sent' } });
    expect(capWait.judge([run])).toMatchObject({ verdict: 'other definition', kind: 'cap-wait-omitted' });
  });
  it('is right where the wait is in the figures, and where nothing waits', () => {
    expect(capWait.judge([withCap(40, 40, 190, 4, 'due')()]).verdict).toBe('right');
    expect(capWait.judge([withCap(40, 40, 190, 100, 'sent')()]).verdict).toBe('right');
    expect(capWait.judge([withCap(8, 10, 500, 100, 'sent')()]).verdict).toBe('right');
  });
  it('any cap below what must be under way is found, none above it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), (cap) => {
        const found = capOf(withCap(40, 40, 190, cap, 'sent')());
        return cap < 7 ? found?.cap === cap : cap === 7 || found === null;
      }),
    );
  });
  it('gaps that are too long from the start are no cap', () => {
    const at = evenly(434, 1000 / 108.5 + 0.45);
    const run = loadRun({ rateRps: 108.5, rows: answered(at, 1180), e2e: at.map(() => 1180) });
    expect(capOf(run)).toBeNull();
    expect(poolCap.judge([run]).verdict).toBe('right');
  });
  it('a pool of 100 sends 84.7/s where 128 should be under way', () => {
    const verdict = poolCap.judge([withCap(434, 108.5, 1180, 100, 'due')()]);
    expect(verdict).toMatchObject({ verdict: 'faulty', kind: 'in-flight-cap', size: { value: -28 } });
    expect(verdict.words).toContain('84.7');
    expect(verdict.words).toContain('in its latencies');
    expect(poolCap.judge([withCap(434, 108.5, 1180, 100, 'sent')()]).words).toContain('in no latency');
    expect(poolCap.judge([withCap(434, 108.5, 1180, 1000, 'sent')()]).verdict).toBe('right');
  });
});

describe('a server that stands still for a second', () => {
  /** Service times by the script: for those that are sent while it stands still, until it is over. */
  const service = (place: number): number => 80 + (place < 20 || place > 39 ? 0 : (40 - place) * 50);
  const run = (cap: number, from: 'due' | 'sent') => {
    const sent: number[] = [];
    const free: number[] = [];
    for (let i = 0; i < 80; i++) {
      const place = free.length < cap ? 0 : free.sort((a, b) => a - b).shift()!;
      sent.push(Math.max(i * 50, place));
      free.push(sent[i]! + service(i));
    }
    return loadRun({
      rateRps: 20,
      rows: sent.map((at, i) => ({ at, tokens: [service(i)], coalesced: 4 })),
      e2e: sent.map((at, i) => service(i) + (from === 'due' ? at - i * 50 : 0)),
    });
  };
  it('E2E p99 is 1,041 ms and mean 211 for who keeps sending', () => {
    const verdict = stalled.judge([run(1000, 'sent')]);
    expect(verdict.verdict).toBe('right');
    expect(verdict.figures.find(({ name }) => name.includes('p99'))!.right).toBeCloseTo(1040.5, 1);
    expect(verdict.figures.find(({ name }) => name.includes('p90'))!.right).toBeCloseTo(685, 1);
  });
  it('who has four connections and counts from the send omits the wait', () => {
    expect(stalled.judge([run(4, 'sent')])).toMatchObject({ verdict: 'faulty', kind: 'omission' });
    expect(stalled.judge([run(4, 'due')]).verdict).toBe('right');
  });
});
