/** A request that was never due. */
import { describe, expect, it } from 'vitest';
import { EVENT } from '../../src/load/event-kind.ts';
import { Recorder, SERIES } from '../../src/load/recorder.ts';
import { ended } from './ended.ts';

describe('a recorder in a closed loop', () => {
  it('has no value from a scheduled instant, not even 0, and all those from the send', () => {
    const recorder = new Recorder(3);
    recorder.take({
      ...ended({ tokenMs: [30, 40, 50], kinds: EVENT.content | EVENT.reasoning | EVENT.done }),
      scheduledNs: Number.NaN,
    });
    const { series } = recorder.snapshot();
    const counts = SERIES.map((name) => [name, series[name].counts.reduce((a, b) => a + b, 0)] as const);
    for (const [name, count] of counts)
      expect([name, count > 0]).toEqual([name, name !== 'lag' && !name.endsWith('Scheduled')]);
    expect(series.e2eSent.max).toBe(40e6);
  });
});
