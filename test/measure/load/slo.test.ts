import { describe, expect, it } from 'vitest';
import { formatSlo, limitsOf, parseSlos, sloTwice } from '../../../src/measure/load/slo.ts';

describe('goals', () => {
  it('are read, for all or for a task, which holds for those after it', () => {
    expect(parseSlos('ttft=200ms,tpot=0.05s')).toEqual([
      { metric: 'ttft', limitMs: 200, task: null },
      { metric: 'tpot', limitMs: 50, task: null },
    ]);
    expect(parseSlos('e2e=2s,qa:ttft=100ms,ntpot=20ms').map(formatSlo)).toEqual([
      'e2e=2000ms',
      'qa:ttft=100ms',
      'qa:ntpot=20ms',
    ]);
  });

  it.each([
    ['itl=5ms', /is no goal/],
    ['ttft', /is no goal/],
    ['ttft=5', /needs a unit/],
    ['ttft=0', /above 0/],
    ['ttft=-5ms', /not a duration/],
    ['', /is no goal/],
  ])('%s is refused', (text, why) => {
    expect(() => parseSlos(text)).toThrow(why);
  });

  it('of a task stand in the place of those for all; others hold on', () => {
    const slos = parseSlos('ttft=200ms,e2e=2s,qa:ttft=100ms');
    expect(limitsOf(slos, 'qa')).toEqual({ ttft: 100e6, e2e: 2e9, tpot: Infinity, ntpot: Infinity });
    expect(limitsOf(slos, 'agent')).toMatchObject({ ttft: 200e6, e2e: 2e9 });
    expect(limitsOf(slos, null)).toMatchObject({ ttft: 200e6 });
  });

  it('that are given twice for the same are found', () => {
    expect(sloTwice(parseSlos('ttft=1s,qa:ttft=2s'))).toBeUndefined();
    expect(sloTwice([...parseSlos('ttft=1s'), ...parseSlos('ttft=2s')])).toMatchObject({ limitMs: 2000 });
  });
});
