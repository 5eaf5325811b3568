import { describe, expect, it } from 'vitest';
import type { Floor, Trial, TrialBias } from '../../src/audit/document.ts';
import { findings, rateFindings } from '../../src/audit/findings.ts';
import { METRICS, STATISTICS } from '../../src/measure/metrics.ts';

const row = (reported: number | null, within: readonly [number, number] | null = null): TrialBias[] =>
  METRICS.flatMap((metric) =>
    STATISTICS.map((statistic) => ({
      metric,
      statistic,
      injected_ms: 50,
      realized_ms: 50,
      expected_ms: 50,
      reported_ms: reported,
      definition_bias_ms: 0,
      queueing_bias_ms: reported === null ? null : reported - 50,
      total_bias_ms: reported === null ? null : reported - 50,
      within_low_ms: within?.[0] ?? null,
      within_high_ms: within?.[1] ?? null,
      paired_ms: null,
      paired_low_ms: null,
      paired_high_ms: null,
    })),
  );

let order = 0;
const trial = (client: string, rateRps: number, change: Partial<Trial> = {}): Trial =>
  ({
    client,
    order: order++,
    workload: { rateRps },
    outcome: { kind: 'measured' },
    truth: {
      rate_fidelity: 1,
      arrival_rps: rateRps,
      gap_cv2: 0.1,
      expected_run: { achieved_rps: rateRps * 0.98 },
      lateness_p50_ms: 0.001,
      lateness_p99_ms: 0.01,
    },
    reported: { metrics: { ttft: {}, itl: {}, tpot: {}, ntpot: {}, e2e: {} }, achievedRps: rateRps },
    observed: null,
    joined: null,
    bias: row(50),
    ...change,
  }) as unknown as Trial;

const floor = {
  floor_ms: Object.fromEntries(
    METRICS.map((metric) => [metric, Object.fromEntries(STATISTICS.map((s) => [s, 0.5]))]),
  ),
} as unknown as Floor;
const ttft = (trials: readonly Trial[]) =>
  findings(trials, floor).find((f) => f.metric === 'ttft' && f.statistic === 'p50')!;

describe('bias of requests one by one', () => {
  const paired = (ms: number, share: number) =>
    trial('x', 800, {
      bias: row(60, [58, 62]).map((one) => ({
        ...one,
        paired_ms: ms,
        paired_low_ms: ms - 1,
        paired_high_ms: ms + 1,
      })),
      joined: { by: 'requestId', records: 100, joined: 100 * share, share, reason: null },
    });
  it('is judged instead of the printed figures where nearly every request joined in every trial', () => {
    const found = ttft([paired(30, 1), paired(32, 0.99)]);
    expect(found).toMatchObject({ bias_by: 'pairs', bias_ms: 31, joined_share: 0.99, queueing_bias_ms: 10 });
    expect(ttft([paired(30, 0.99)])).toMatchObject({ interval: 'within a trial', low_ms: 29, high_ms: 31 });
    expect(ttft([30, 31, 32].map((ms) => paired(ms, 1)))).toMatchObject({
      interval: 'between trials',
      bias_ms: 31,
    });
  });
  it('is not where requests are missing from the join: they may be the slow ones', () => {
    for (const trials of [
      [paired(30, 1), paired(30, 0.9)],
      [paired(30, 1), trial('x', 800, { bias: row(60) })],
    ])
      expect(ttft(trials)).toMatchObject({ bias_by: 'figures', bias_ms: 10 });
  });
});

describe('findings', () => {
  it('finds a bias that three repetitions agree on', () => {
    const found = ttft([60, 61, 62].map((ms) => trial('x', 800, { bias: row(ms) })));
    expect(found).toMatchObject({
      verdict: 'found',
      trials: 3,
      interval: 'between trials',
      queueing_bias_ms: 11,
    });
    expect(found.low_ms!).toBeLessThan(11);
    expect(found.high_ms!).toBeGreaterThan(11);
  });
  it('does not call it found where repetitions disagree', () => {
    expect(ttft([50, 61, 72].map((ms) => trial('x', 800, { bias: row(ms) }))).verdict).toBe('undetermined');
  });
  it('finds nothing where there is nothing', () => {
    expect(ttft([50.1, 50.12, 50.09].map((ms) => trial('x', 800, { bias: row(ms) }))).verdict).toBe(
      'none above the floor',
    );
  });
  it('uses the interval within a trial for a single repetition, and says so', () => {
    expect(ttft([trial('x', 800, { bias: row(60, [8, 12]) })])).toMatchObject({
      verdict: 'found',
      interval: 'within a trial',
    });
    expect(ttft([trial('x', 800, { bias: row(60) })])).toMatchObject({
      verdict: 'undetermined',
      interval: 'none',
    });
  });
  it('keeps failed trials out of the figures and in the counts', () => {
    const trials = [
      trial('x', 800, { bias: row(60, [8, 12]) }),
      trial('x', 800, { bias: [], outcome: { kind: 'clientFailed', reason: 'it crashed' }, truth: null }),
    ];
    expect(ttft(trials).trials).toBe(1);
    expect(rateFindings(trials)[0]).toMatchObject({ trials: 2, outcomes: { measured: 1, clientFailed: 1 } });
  });
  it('is undetermined, with a reason, where no trial has figures', () => {
    const failed = trial('x', 800, {
      bias: [],
      outcome: { kind: 'timedOut', reason: 'deadline' },
      truth: null,
    });
    expect(ttft([failed])).toMatchObject({ verdict: 'undetermined', queueing_bias_ms: null });
    expect(ttft([failed]).reason).toMatch(/no trial of this cell/);
  });
  it('gives the client’s own reason for a figure that it does not have', () => {
    const without = trial('k6', 800, {
      bias: row(null),
      reported: {
        metrics: Object.fromEntries(METRICS.map((metric) => [metric, { absent: 'it reads whole bodies' }])),
        achievedRps: null,
      },
    } as unknown as Partial<Trial>);
    expect(ttft([without]).reason).toBe('it reads whole bodies');
  });
  it('raises the floor by the target’s own lateness', () => {
    const late = [52, 52.1, 51.9].map((ms) =>
      trial('x', 800, {
        bias: row(ms),
        truth: { rate_fidelity: 1, arrival_rps: 800, gap_cv2: 0, lateness_p50_ms: 3, lateness_p99_ms: 9 },
      } as unknown as Partial<Trial>),
    );
    expect(ttft(late)).toMatchObject({ verdict: 'none above the floor', floor_ms: 3 });
  });
  it('raises the floor by what ledger and wire are apart, of what is timed from the arrival', () => {
    const apart = { p50_ms: 4, p99_ms: 90 };
    const wire = { against: { ttft_apart_ms: apart, e2e_apart_ms: apart } };
    const trials = [52, 52.1, 51.9].map((ms) => trial('x', 800, { bias: row(ms), wire } as never));
    expect(ttft(trials)).toMatchObject({ verdict: 'none above the floor', floor_ms: 4 });
    const itl = findings(trials, floor).find((f) => f.metric === 'itl' && f.statistic === 'p50')!;
    expect(itl.floor_ms ?? 0.5).toBe(0.5);
  });
  it('tells rates and clients apart', () => {
    const cells = rateFindings([trial('b', 100), trial('a', 800), trial('a', 100)]);
    expect(cells.map((cell) => [cell.client, cell.rate_rps])).toEqual([
      ['a', 100],
      ['a', 800],
      ['b', 100],
    ]);
  });
});
