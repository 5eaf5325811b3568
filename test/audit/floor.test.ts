import { describe, expect, it } from 'vitest';
import type { Floor, Trial, TrialBias } from '../../src/audit/document.ts';
import { floorOf, isPlausible } from '../../src/audit/floor.ts';
import { METRICS, STATISTICS } from '../../src/measure/metrics.ts';

const trial = (bias: (statistic: string) => Partial<TrialBias>): Trial =>
  ({
    workload: { rateRps: 100 },
    truth: { requests: 500, target: { clockResolutionNs: 40 } },
    bias: METRICS.flatMap((metric) =>
      STATISTICS.map((statistic) => ({
        metric,
        statistic,
        queueing_bias_ms: 0.3,
        within_low_ms: null,
        within_high_ms: null,
        paired_ms: null,
        paired_low_ms: null,
        paired_high_ms: null,
        ...bias(statistic),
      })),
    ),
  }) as unknown as Trial;

describe('floorOf', () => {
  it('is the far end of the interval, on either side of zero', () => {
    const floor = floorOf(trial((s) => (s === 'p50' ? { within_low_ms: -0.8, within_high_ms: 0.4 } : {})))!;
    expect(floor.floor_ms.ttft.p50).toBe(0.8);
    expect(floor.floor_ms.ttft.mean).toBe(0.3);
  });
  it('takes the pairs in, which may be judged too', () => {
    expect(
      floorOf(trial(() => ({ paired_ms: 0.4, paired_low_ms: -0.9, paired_high_ms: 0.6 })))!.floor_ms.ttft.p50,
    ).toBe(0.9);
  });
  it('is null where the figure is absent, and none where the trial has no figures', () => {
    expect(floorOf(trial(() => ({ queueing_bias_ms: null })))!.floor_ms.itl.p99).toBeNull();
    expect(floorOf({ truth: null, bias: [] } as unknown as Trial)).toBeNull();
  });
});

describe('isPlausible', () => {
  const floor = (p50: number, p99: number) => ({ floor_ms: { ttft: { p50, p99 } } }) as unknown as Floor;
  it.each([
    [0.4, 2, true],
    [2.9, 14, true],
    [248, 300, false],
    [0.4, 60, false],
  ])('median %d ms, p99 %d ms: %s', (p50, p99, plausible) => {
    expect(isPlausible(floor(p50, p99))).toBe(plausible);
  });
});
