import { describe, expect, it } from 'vitest';
import { allAdapters } from '../../../adapters/registry.ts';
import type { PointCost, ProfilePoint } from '../../../src/audit/profile/document.ts';
import { costProfileOf } from '../../../src/audit/profile/kept.ts';
import { pilotCells, takes } from '../../../src/audit/profile/layer-run.ts';
import { LAYER_CHOICES, planLayers } from '../../../src/audit/profile/layers.ts';
import { pointCost, tokenWrites } from '../../../src/audit/profile/point.ts';
import { saturationRate } from '../../../src/audit/profile/saturation.ts';
import { halfLoad, rhoOf, summarizeLayer, unitOf } from '../../../src/audit/profile/summary.ts';
import { unlikeAsked } from '../../../src/audit/profile/unlike-asked.ts';
import { cellsFor } from '../../../src/measure/profile/design.ts';
import { normal, uniform } from '../../../src/measure/random.ts';
import type { Observation } from '../../../src/system/observation.ts';
import { ledgerOf } from '../../measure/ledger-builder.ts';

/** A program of one thread, sampled every 100 ms from 0 on, whose CPU time so far is `cpuMs(ms)`. */
function observed(lengthMs: number, cpuMs: (ms: number) => number): Observation {
  const at = Array.from({ length: lengthMs / 100 + 1 }, (_, i) => i * 100);
  const same = <T>(value: T): T[] => at.map(() => value);
  const cpuNs = at.map((ms) => cpuMs(ms) * 1e6);
  const series = { pid: 9, startTicks: 1, name: 'client', first: 0, cpuNs };
  return {
    atNs: at.map((ms) => ms * 1e6),
    processes: same(1),
    threads: same(1),
    rssMb: same(10),
    files: same(null),
    observerNs: same(0),
    harnessNs: same(0),
    stealTicks: same(0),
    totalTicks: same(null),
    workTicks: same(null),
    timeWaits: same(null),
    memoryAvailableMb: same(null),
    swapUsedMb: same(null),
    memoryStallNs: same(null),
    threadSeries: [{ ...series, tid: 9, waitNs: null, turns: null }],
    processSeries: [{ ...series, systemNs: cpuNs.map((ns) => ns / 2), reapedNs: same(0), parent: 1 }],
    resolutionNs: 1,
  };
}

/** 100 requests/s from 1 s to 4 s, each 50 ms long. */
const ledger = ledgerOf(
  Array.from({ length: 300 }, (_, i) => ({ at: 1000 + 10 * i, tokens: [10, 30, 50], end: 50 })),
  { bodyBytes: 300 * 200 },
);
const evidence = { ledger, warmup: 0, startedNs: 0.2e9, endedNs: 4.5e9, front: null };

describe('pointCost', () => {
  it('is the CPU time of the steady part over its requests, without what comes before and after', () => {
    // 500 ms of preparation until the first arrival, 3 ms a request, 400 ms of sums at the end.
    const cpu = (ms: number) =>
      Math.min(ms, 1000) / 2 + 0.3 * Math.min(Math.max(0, ms - 1000), 3000) + Math.max(0, ms - 4000);
    const cost = pointCost({ ...evidence, observation: observed(4500, cpu) }) as PointCost;
    // The window begins and ends between two requests: one more or less of some 290.
    expect(Math.abs(cost.busiest_us - 3000)).toBeLessThan(3000 / 290 + 1);
    expect(cost.group_us).toBeCloseTo(cost.busiest_us, 6);
    expect(cost.busiest_share).toBeCloseTo(0.3, 6);
    expect(cost).toMatchObject({ system_part: 0.5, loops: 1, delivered_tokens: 3 });
    expect(cost.sent_rps).toBeCloseTo(100, 6);
    expect(cost.startup_s).toBeCloseTo(0.8, 6);
    expect(cost.teardown_s).toBeCloseTo(4.5 - 4.04, 6);
    expect(cost.load_s).toBeCloseTo(2.99, 6);
    expect(cost.written).toEqual({ streamed_share: 1, token_writes: 3, body_bytes: 200, front: null });
  });

  it('gives none where answers failed, nothing came, or the load was never steady', () => {
    const observation = observed(4500, (ms) => ms / 10);
    const broken = ledgerOf(
      Array.from({ length: 100 }, (_, i) => ({
        at: 1000 + 30 * i,
        tokens: [10],
        end: 20,
        ...(i % 10 === 0 ? { outcome: 'refused' as const } : {}),
      })),
    );
    expect(pointCost({ ...evidence, ledger: broken, observation })).toEqual({
      why: '10 of 100 requests were not answered whole',
    });
    expect(pointCost({ ...evidence, ledger: ledgerOf([]), observation })).toEqual({
      why: '0 requests reached the target',
    });
    const long = ledgerOf(
      Array.from({ length: 30 }, (_, i) => ({ at: 1000 + 100 * i, tokens: [2700], end: 2700 })),
    );
    expect(pointCost({ ...evidence, ledger: long, observation })).toMatchObject({
      why: expect.stringContaining('steady for'),
    });
  });

  it('counts tokens that left together as one write', () => {
    const rows = [
      { at: 0, tokens: [5, 5, 9] },
      { at: 1, tokens: [5], coalesced: 16 },
    ];
    expect(tokenWrites(ledgerOf(rows), 0)).toBe(1.5);
  });
});

let order = 0;
function point(
  tokens: number,
  promptTokens: number,
  us: number,
  change: Partial<ProfilePoint> = {},
  cost: Partial<PointCost> = {},
): ProfilePoint {
  return {
    id: 'x',
    cell: `t${tokens}-p${promptTokens}`,
    tokens,
    prompt_tokens: promptTokens,
    repetition: 1,
    order: order++,
    purpose: 'usual',
    rate_rps: 100,
    rate_limited_by: null,
    elapsed_s: 5,
    why: null,
    ...change,
    cost: {
      busiest_us: us,
      group_us: 2 * us,
      busiest_share: 0.3,
      group_share: 0.6,
      system_part: 0.5,
      loops: 1,
      requests: 300,
      window_s: 3,
      load_s: 3,
      sent_rps: 100,
      completed_rps: 100,
      delivered_tokens: tokens,
      written: { streamed_share: 1, token_writes: tokens, body_bytes: 100 + 6 * promptTokens, front: null },
      startup_s: 1,
      teardown_s: 0.5,
      core_wait_share: 0,
      steal_share: 0,
      ...cost,
    },
  };
}

const lineUs = (tokens: number, promptTokens: number) => 200 + 30 * tokens + 0.01 * (100 + 6 * promptTokens);
const u = uniform(5, 5);
const measured = [1, 2, 3].flatMap(() =>
  cellsFor(() => true, 'full').map(({ tokens, promptTokens }) =>
    point(tokens, promptTokens, lineUs(tokens, promptTokens) * (1 + 0.005 * normal(u))),
  ),
);

describe('summarizeLayer', () => {
  it('fits the busiest thread and all threads, and says up to which rate that is good', () => {
    const summary = summarizeLayer(measured, 'busiest thread', 4);
    expect(summary.state).toBe('measured');
    expect(summary.busiest!.request.us).toBeCloseTo(200, -1);
    expect(summary.busiest!.token!.us).toBeCloseTo(30, 0);
    expect(summary.busiest!.prompt_byte!.us).toBeCloseTo(0.01, 2);
    expect(summary.group!.token!.us).toBeCloseTo(60, 0);
    expect(summary.warnings).toEqual([]);
    const [at16, at128, at512] = summary.good_to;
    expect(at16!.good_to!.rps).toBeCloseTo(0.5e6 / lineUs(16, 16), -1);
    expect(at16).toMatchObject({ extrapolated: false, rho: 0.5 });
    expect(at512!.extrapolated).toBe(true);
    // All threads cost twice as much, but there are four cores for them.
    expect(at128!.good_to!.bound_by).toBe('busiest thread');
    expect(summarizeLayer(measured, 'busiest thread', 1).good_to[0]!.good_to!.bound_by).toBe('all threads');
    expect(summarizeLayer(measured, 'all threads', 1)).toMatchObject({ busiest: null, state: 'measured' });
  });

  it('leaves out runs that are not to be used, and says so; fails with the reason where none is left', () => {
    const busy = point(1, 16, 9999, { why: 'it was 90 % busy, so work may have waited' });
    const summary = summarizeLayer([...measured, busy], 'busiest thread', 1);
    expect(summary.busiest!.points).toBe(measured.length);
    expect(summary.warnings).toEqual([
      '1 of 22 runs are not used: it was 90 % busy, so work may have waited',
    ]);
    expect(summarizeLayer([busy], 'busiest thread', 1)).toMatchObject({ state: 'failed', why: busy.why });
    expect(summarizeLayer([], 'busiest thread', 1)).toMatchObject({ state: 'failed', why: 'it was not run' });
    expect(summarizeLayer(measured.slice(0, 2), 'busiest thread', 1)).toMatchObject({ state: 'failed' });
  });

  it('warns where others had its core', () => {
    const waited = measured.map((one) => ({ ...one, cost: { ...one.cost!, core_wait_share: 0.2 } }));
    expect(summarizeLayer(waited, 'busiest thread', 1).warnings.join()).toContain('20 % of the time');
  });

  it('compares half the load cell by cell', () => {
    const half = [
      point(1, 16, 1.5 * lineUs(1, 16), { purpose: 'half' }),
      point(256, 16, 1.3 * lineUs(256, 16), { purpose: 'half' }),
    ];
    expect(halfLoad([...measured, ...half], 'busiest thread')!.ratio).toBeCloseTo(1.4, 1);
    expect(halfLoad(measured, 'busiest thread')).toBeNull();
    const heldUp = half.map((one) => ({ ...one, rate_limited_by: 'requests' as const }));
    expect(halfLoad([...measured, ...heldUp], 'busiest thread')).toBeNull();
    expect(halfLoad([...measured, half[0]!], 'busiest thread')).toMatchObject({ low: null, high: null });
  });

  it('knows what bounds a client', () => {
    expect(unitOf({ runtime: 'asyncio' })).toBe('busiest thread');
    expect(unitOf({ runtime: 'goroutines' })).toBe('all threads');
    const { cost } = point(1, 1, 1, {}, { busiest_share: 0.3, group_share: 0.9 });
    expect([1, 2, 4].map((cores) => rhoOf(cost!, 'busiest thread', cores))).toEqual([0.9, 0.45, 0.3]);
    expect(rhoOf(cost!, 'all threads', 2)).toBe(0.45);
  });
});

describe('planLayers', () => {
  it('says of each layer how it is had, that it is not, or that nobody knows', () => {
    const facts = {
      variants: [
        { variant: 'plain-json', can: true, how: '--no-stream', where: 'x' },
        { variant: 'http2', can: false, how: 'HTTP/1.1 only', where: 'x' },
        { variant: 'server-tokens', can: true, how: '--server', where: 'x' },
      ],
    } as const;
    const layers = planLayers(facts, LAYER_CHOICES);
    expect(layers.map(({ id, state, how, tokenization }) => [id, state, how, tokenization])).toEqual([
      ['json', 'can', '--no-stream', 'on'],
      ['sse-one-write', 'can', 'as usual', 'on'],
      ['sse-token', 'can', 'as usual', 'on'],
      ['tls', 'not known', 'its facts say nothing about it', 'on'],
      ['http2', 'cannot', 'HTTP/1.1 only', 'on'],
      ['sse-token+server-tokens', 'can', '--server', 'off'],
    ]);
    expect(planLayers({}, ['tls']).map(({ id, front }) => [id, front])).toEqual([['tls', 'tls']]);
  });
});

describe('unlikeAsked', () => {
  const [json] = planLayers({}, ['json']);
  const [one] = planLayers({}, ['sse-one-write']);
  const [apart] = planLayers({}, ['sse-token']);
  const [http2] = planLayers({}, ['http2']);
  const written = (change: Partial<PointCost['written']>) => [
    point(
      16,
      16,
      1,
      {},
      {
        written: { streamed_share: 1, token_writes: 16, body_bytes: 100, front: null, ...change },
      },
    ),
  ];

  it.each([
    ['a stream for JSON', json!, written({}), true],
    ['whole answers for a stream', apart!, written({ streamed_share: 0 }), true],
    ['many writes for one', one!, written({}), true],
    ['few writes for many', apart!, written({ token_writes: 3 }), false],
    ['no record', http2!, written({}), true],
    [
      'HTTP/1.1',
      http2!,
      written({ front: { connections: { 'TLSv1.3 http/1.1': 3 }, requests: { '1.1': 90 } } }),
      true,
    ],
  ] as const)('finds %s', (_, layer, points, fatal) => {
    expect(unlikeAsked(layer, points)).toMatchObject({ fatal });
  });

  it('finds nothing where all is as asked', () => {
    expect(unlikeAsked(json!, written({ streamed_share: 0, token_writes: 1 }))).toBeNull();
    expect(unlikeAsked(one!, written({ token_writes: 1 }))).toBeNull();
    expect(unlikeAsked(apart!, written({}))).toBeNull();
    const front = { connections: { 'TLSv1.3 h2': 1 }, requests: { '2.0': 90 } };
    expect(unlikeAsked(http2!, written({ front }))).toBeNull();
  });
});

describe('the runs', () => {
  it('begin with few tokens, many tokens and a long prompt', () => {
    expect(pilotCells(cellsFor(() => true, 'full')).map(({ id }) => id)).toEqual([
      't1-p16',
      't256-p16',
      't16-p2900',
    ]);
  });

  it('ask no client for what it refuses', () => {
    for (const adapter of allAdapters) {
      const client = { adapter, found: {} as never };
      const cells = cellsFor(takes(client), 'full');
      expect(cells.length, adapter.name).toBeGreaterThanOrEqual(4);
    }
  });

  it('asks for more than it can do, by its costs, or says why there is no use in it', () => {
    const { busiest, group } = summarizeLayer(measured, 'busiest thread', 4);
    const rate = saturationRate({ busiest, group }, 4) as { rps: number; predicted: number };
    expect(rate.predicted).toBeCloseTo(1e6 / lineUs(16, 0), -1);
    // 1.7 times as much, but for what the target can write.
    expect(rate.rps).toBe(30_000 / 16);
    expect(saturationRate({ busiest: null, group: null }, 4)).toEqual({ why: expect.any(String) });
    const light = {
      ...group!,
      request: { us: 10, low_us: 9, high_us: 11 },
      token: { us: 1, low_us: 1, high_us: 1 },
    };
    expect(saturationRate({ busiest: null, group: light }, 1)).toEqual({
      why: expect.stringContaining('the target not much more'),
    });
  });
});

describe('costProfileOf', () => {
  const client = {
    name: 'x',
    title: 'X',
    version: '1',
    architecture: '',
    runtime: 'asyncio',
    bound_by: 'busiest thread',
    loops: 1,
    workers: null,
    startup_s: 1,
    teardown_s: 0.5,
    elapsed_s: 9,
    saturation: null,
  } as const;
  const layer = {
    id: 'sse-token',
    layer: 'sse-token',
    tokenization: 'not stated',
    front: null,
    how: 'as usual',
    latency: 'zero',
    extent: null,
    points: measured,
    ...summarizeLayer(measured, 'busiest thread', 4),
  } as const;

  it('keeps what was measured, and nothing where nothing was', () => {
    const failed = {
      ...layer,
      id: 'tls',
      layer: 'tls',
      state: 'failed',
      busiest: null,
      group: null,
    } as const;
    const kept = costProfileOf({ ...client, layers: [layer, failed] }, 'host', '2026-01-01')!;
    expect(kept).toMatchObject({ schema: 'tare-cost/1', client: 'x', host: 'host', startup_s: 1, loops: 1 });
    expect(kept.layers).toHaveLength(1);
    expect(kept.layers[0]).toMatchObject({ layer: 'sse-token', points: 21, rho: expect.closeTo(0.3, 1) });
    expect(kept.layers[0]!.token!.us).toBeCloseTo(30, 0);
    expect(costProfileOf({ ...client, layers: [failed] }, 'host', '')).toBeNull();
  });
});
