import { describe, expect, it } from 'vitest';
import type { Trial, TrialBias } from '../../src/audit/document.ts';
import { floorOf, isPlausible, QUICK_FLOOR } from '../../src/audit/floor.ts';
import { METRICS, STATISTICS } from '../../src/measure/metrics.ts';

const trial = (bias: (statistic: string) => Partial<TrialBias>): Trial =>
  ({
    workload: { rateRps: 100 },
    observed: { steal_share: 0.02 },
    truth: {
      requests: 500,
      lateness_p50_ms: 0.01,
      lateness_p99_ms: 0.2,
      target: { clockResolutionNs: 40 },
    },
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

const flat = trial(() => ({ within_low_ms: 0.2, within_high_ms: 0.35 }));
const twice = (bias: Parameters<typeof trial>[0]) => floorOf(trial(bias), flat)!;

describe('floorOf', () => {
  it('is the far end of the interval, on either side of zero', () => {
    const floor = twice((s) => (s === 'p50' ? { within_low_ms: -0.8, within_high_ms: 0.4 } : {}));
    expect(floor.floor_ms.ttft.p50).toBe(0.8);
    expect(floor.floor_ms.ttft.mean).toBe(0.35);
  });

  it('is that of the run that was farther off', () => {
    const off = trial(() => ({ queueing_bias_ms: -1.1 }));
    expect(floorOf(flat, off)!.floor_ms.ttft.p50).toBe(1.1);
    expect(floorOf(off, flat)!.floor_ms.ttft.p50).toBe(1.1);
  });

  it('takes the pairs in, which may be judged too', () => {
    const pairs = { paired_ms: 0.4, paired_low_ms: -0.9, paired_high_ms: 0.6 };
    expect(twice(() => pairs).floor_ms.ttft.p50).toBe(0.9);
  });

  it('is what the worst tenth of a run had where neither has an interval', () => {
    const tenth = trial(() => ({ paired_ms: 0.3, paired_worst_tenth_ms: -7 }));
    expect(floorOf(tenth, tenth)!.floor_ms.ttft.p99).toBe(7);
    expect(floorOf(tenth, flat)!.floor_ms.ttft.p99).toBe(0.35);
  });

  it('is null where neither run has an interval nor tenths: a floor of guesses would be too low', () => {
    const bare = trial(() => ({}));
    expect(floorOf(bare, bare)!.floor_ms.ttft.p50).toBeNull();
    expect(floorOf(bare, flat)!.floor_ms.ttft.p50).toBe(0.35);
  });

  it('is null where the figure is absent, and none where a trial has no figures', () => {
    expect(twice(() => ({ queueing_bias_ms: null })).floor_ms.itl.p99).toBeNull();
    expect(floorOf({ truth: null, bias: [] } as unknown as Trial, flat)).toBeNull();
    expect(floorOf(flat, { truth: null, bias: [] } as unknown as Trial)).toBeNull();
  });

  it('says in how many figures the same client differed from itself', () => {
    const pairs = (paired: number) => ({
      paired_ms: paired,
      paired_low_ms: paired - 0.03,
      paired_high_ms: paired + 0.03,
    });
    const floor = floorOf(
      trial(() => pairs(0.2)),
      trial((s) => pairs(s === 'p99' ? 0.9 : 0.21)),
    )!;
    expect(floor.against_itself).toMatchObject({ figures: 20, beyond: 5, most: { statistic: 'p99' } });
    expect(floor.against_itself!.most!.difference_ms).toBeCloseTo(0.7);
    expect(floor.against_itself!.most!.allowed_ms).toBeCloseTo(0.03 * Math.SQRT2);
  });
});

describe('isPlausible', () => {
  const run = (p50: number, p99: number) =>
    trial((name) => ({ queueing_bias_ms: name === 'p50' ? p50 : name === 'p99' ? p99 : 0 }));
  it('is by the median alone where a gate asks for that: the p99 of a few seconds is a stall or two', () => {
    const stalled = run(0.5, 40);
    expect(isPlausible(stalled)).toBe(false);
    expect(isPlausible(stalled, QUICK_FLOOR.believedBy)).toBe(true);
    expect(isPlausible(run(4, 5), QUICK_FLOOR.believedBy)).toBe(false);
  });

  it.each([
    [0.4, 2, true],
    [2.9, 14, true],
    [248, 300, false],
    [0.4, 60, false],
  ])('median %d ms, p99 %d ms: %s', (p50, p99, plausible) => {
    expect(isPlausible(run(p50, p99))).toBe(plausible);
  });

  it('is not of a run without figures', () => {
    expect(isPlausible({ truth: null, bias: [] } as unknown as Trial)).toBe(false);
    expect(isPlausible(trial(() => ({ queueing_bias_ms: null })))).toBe(false);
  });
});
