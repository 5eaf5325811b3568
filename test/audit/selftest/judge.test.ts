import { describe, expect, it } from 'vitest';
import { disturbedBy } from '../../../src/audit/disturbance.ts';
import { judgeControl, sizeAgrees, underDisturbance } from '../../../src/audit/selftest/judge.ts';
import { exactly, type FaultKind, fault } from '../../../src/measure/diagnosis/fault.ts';

const ran = { kind: 'measured' } as const;
const found = (kind: FaultKind, size: number) => fault(kind, exactly(size), `${kind} ${size}`);
const judge = (expects: FaultKind | null, expected: number, ...faults: ReturnType<typeof found>[]) =>
  judgeControl({ expects }, expected, faults, ran, 250);

describe('judgeControl', () => {
  it('is right for kind, sign and size, and nothing else', () => {
    expect(judge('late-read', 4, found('late-read', 4.3))).toMatchObject({ verdict: 'right', size: 4.3 });
  });

  it.each([
    ['missed', 'late-read', []],
    ['wrong size', 'late-read', [found('late-read', 4.5)]],
    ['wrong size', 'late-read', [found('late-read', -4)]],
    ['confused', 'late-read', [found('unnamed', 4)]],
    ['confused', 'late-read', [found('late-read', 4), found('token-count', 1)]],
    ['accused', null, [found('late-read', 4)]],
    ['right', null, []],
  ] as const)('is %s with %s of 4 and what was found', (verdict, expects, faults) => {
    expect(judge(expects, 4, ...faults).verdict).toBe(verdict);
  });

  it('lets pass what the fault consists in', () => {
    const control = { expects: 'cap-wait-omitted', also: ['in-flight-cap'] } as const;
    const faults = [found('in-flight-cap', 8), found('cap-wait-omitted', -700)];
    expect(judgeControl(control, -690, faults, ran, 250).verdict).toBe('right');
  });

  it('is not run where the trial has no figures, and says why', () => {
    const outcome = { kind: 'timedOut', reason: 'it was still running' } as const;
    expect(judgeControl({ expects: 'late-read' }, 4, null, outcome, 0)).toMatchObject({
      verdict: 'not run',
      reason: 'timedOut: it was still running',
    });
  });
});

describe('sizeAgrees', () => {
  it('allows one request where requests are counted', () => {
    expect(sizeAgrees(found('on-the-second', 7 / 120), 6 / 120, 120)).toBe(true);
    expect(sizeAgrees(found('on-the-second', 8 / 120), 6 / 120, 120)).toBe(false);
    expect(sizeAgrees(found('clock-scale', 0.056), 0.05, 1e6)).toBe(false);
  });
});

describe('a disturbed trial', () => {
  const quiet = { stealShare: 0.01, coreWaitShare: 0.02, targetLatenessP99Ms: 0.1 };

  it('is known by what the machine did, not by what came out', () => {
    expect(disturbedBy(quiet)).toBeNull();
    expect(disturbedBy({ stealShare: null, coreWaitShare: null, targetLatenessP99Ms: null })).toBeNull();
    expect(disturbedBy({ ...quiet, stealShare: 0.3 })).toBe('the hypervisor took 30 % of CPU time');
    expect(disturbedBy({ ...quiet, coreWaitShare: 0.5, targetLatenessP99Ms: 12 })).toBe(
      'the client waited for a core 50 % of the time, the target was late by 12.0 ms at p99',
    );
  });

  it('has no verdict, unless it is right all the same', () => {
    const wrong = judge('late-read', 4, found('late-read', 9));
    expect(underDisturbance(wrong, 'steal')).toMatchObject({ verdict: 'undetermined', size: 9 });
    expect(underDisturbance(wrong, null)).toBe(wrong);
    const right = judge('late-read', 4, found('late-read', 4));
    expect(underDisturbance(right, 'steal')).toBe(right);
  });
});
