import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LoadToPlan, planWorkers } from '../../src/load/plan-workers.ts';
import { costOfRequest, type RequestCost } from '../../src/load/request-cost.ts';
import {
  NO_LIMITS,
  neededConnections,
  OWN_DESCRIPTORS,
  roomWarnings,
  workersForDescriptors,
} from '../../src/load/room.ts';
import { chooseWorkers, type Demand, MAX_AUTO_WORKERS, MAX_RHO } from '../../src/load/worker-choice.ts';
import type { CostProfile, CostUs, LayerCost } from '../../src/measure/cost.ts';

const cost = (us: number, high_us = us): RequestCost => ({
  us,
  high_us,
  layer: 'sse-token',
  measured_at: '2026-11-30T08:00:00Z',
});
const demand = (change: Partial<Demand>): Demand => ({
  peakRps: 800,
  cost: cost(310),
  noCost: '',
  tokens: 16,
  asked: null,
  useful: 1e6,
  forDescriptors: 1,
  ...change,
});
const cores = (n: number) => ({ cores: n, why: `${n} cores` });

describe('how many workers', () => {
  it.each([
    // rate, µs (upper end), cores → workers, ρ: worked by hand, m = ⌈rate × upper / 0.5⌉ within the cores.
    [800, 310, 310, 4, 1, 0.248],
    [1613, 310, 310, 4, 2, 0.250015],
    [1612, 310, 310, 4, 1, 0.49972],
    [800, 500, 800, 4, 2, 0.2],
    [4000, 500, 500, 4, 4, 0.5],
    [4001, 500, 500, 4, 4, 0.500125],
    [10_000, 500, 500, 2, 2, 2.5],
    [1, 100, 100, 1, 1, 0.0001],
    [1000, 500, 500, 8, 1, 0.5],
    [100_000, 1000, 1000, 64, 16, 6.25],
  ])('%s/s at %s µs (up to %s) on %s cores', (peakRps, us, high, n, workers, rho) => {
    const choice = chooseWorkers(demand({ peakRps, cost: cost(us, high) }), cores(n));
    expect(choice.workers).toBe(workers);
    expect(choice.rho).toBeCloseTo(rho, 6);
    expect(choice.good_to_rps).toBeCloseTo((0.5e6 * Math.min(n, 16)) / high, 6);
  });

  it('says why in words', () => {
    expect(chooseWorkers(demand({ peakRps: 3000 }), cores(3)).why).toBe(
      '2 workers: 3,000 requests/s of 16 tokens cost 0.31 ms each, ρ 0.47 a worker; 3 would fit (3 cores)',
    );
    expect(chooseWorkers(demand({ peakRps: 3300 }), cores(2)).why).toContain(
      'ρ 0.51 a worker; no more would fit',
    );
    expect(chooseWorkers(demand({ asked: 3 }), cores(2)).why).toBe(
      '3 workers as asked: 800 requests/s of 16 tokens cost 0.31 ms each, ρ 0.08 a worker (2 cores)',
    );
    expect(
      chooseWorkers(demand({ cost: null, noCost: 'tare has no profile on this machine' }), cores(2)).why,
    ).toBe(
      '2 workers, 2 cores; tare has no profile on this machine, so as many as there are cores: `tare profile --client tare` measures what a request costs here',
    );
    expect(chooseWorkers(demand({ peakRps: null }), cores(2))).toMatchObject({
      workers: 2,
      rho: null,
      why: expect.stringContaining('a closed loop has no rate of its own'),
    });
  });

  it('is never more than cores or work allow, and ρ is at most 0.5 or no more would fit', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 1e5, noNaN: true }),
        fc.double({ min: 1, max: 1e4, noNaN: true }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        fc.integer({ min: 0, max: 64 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 30 }),
        (peakRps, us, wider, n, useful, forDescriptors) => {
          const choice = chooseWorkers(
            demand({ peakRps, cost: cost(us, us * wider), useful, forDescriptors }),
            cores(n),
          );
          const most = Math.min(Math.max(1, n), MAX_AUTO_WORKERS, useful);
          expect(choice.workers).toBeGreaterThanOrEqual(1);
          expect(choice.workers).toBeLessThanOrEqual(most);
          expect(choice.rho_high! <= MAX_RHO + 1e-6 || choice.workers === most).toBe(true);
          // The least such number, unless descriptors want more.
          if (choice.workers > Math.max(1, Math.min(forDescriptors, most)))
            expect((peakRps * us * wider) / 1e6 / (choice.workers - 1)).toBeGreaterThan(MAX_RHO - 1e-6);
        },
      ),
    );
  });
});

const us = (value: number, high = value): CostUs => ({ us: value, low_us: value, high_us: high });
const layer = (change: Partial<LayerCost>): LayerCost => ({
  layer: 'sse-token',
  tokenization: 'not stated',
  request: us(100, 120),
  token: us(10, 11),
  prompt_byte: us(0.01, 0.02),
  residual_us: 1,
  points: 9,
  ...change,
});
const profile = (layers: readonly LayerCost[], change: Partial<CostProfile> = {}): CostProfile => ({
  schema: 'tare-cost/1',
  client: 'tare',
  client_version: '0',
  host: 'h',
  measured_at: '2026-11-30T08:00:00Z',
  loops: 1,
  startup_s: 1,
  teardown_s: 0.1,
  layers,
  ...change,
});
const asked = { tokens: 20, promptBytes: 500, stream: true, tls: false, burnPerTokenUs: 0 };

describe('what a request costs', () => {
  it('is the sum over its tokens and bytes: 100 + 20·10 + 500·0.01 = 305 µs, 120 + 20·11 + 500·0.02 = 350 at most', () => {
    expect(costOfRequest(profile([layer({})]), asked)).toMatchObject({ us: 305, high_us: 350 });
  });
  it('is that of the whole answer without a stream, and of the dearer layer over TLS', () => {
    const layers = [
      layer({}),
      layer({ layer: 'json', request: us(50), token: null }),
      layer({ layer: 'tls', request: us(300) }),
    ];
    expect(costOfRequest(profile(layers), { ...asked, stream: false })).toMatchObject({
      us: 55,
      layer: 'json',
    });
    expect(costOfRequest(profile(layers), { ...asked, tls: true })).toMatchObject({ us: 505, layer: 'tls' });
    expect(costOfRequest(profile([layer({ layer: 'http2' })]), asked)).toBeNull();
  });
  it('counts what is burned on purpose', () => {
    expect(costOfRequest(profile([layer({})]), { ...asked, burnPerTokenUs: 60 })).toMatchObject({ us: 1505 });
  });
  it('of a client of two loops is twice its busiest thread’s share, unless all threads were counted', () => {
    expect(costOfRequest(profile([layer({})], { loops: 2 }), asked)).toMatchObject({ us: 610 });
    expect(costOfRequest(profile([layer({})], { loops: 2, bound_by: 'all threads' }), asked)).toMatchObject({
      us: 305,
    });
  });
});

describe('room for connections', () => {
  const open = {
    concurrency: null,
    maxInFlight: null,
    connections: null,
    peakRps: 1000,
    tokens: 64,
    requests: 1e6,
  };
  it('is needed for rate × the guessed length of an answer, which is said: 1,000/s × (0.4 + 64 × 0.025) s = 2,000', () => {
    expect(neededConnections(open)).toMatchObject({
      connections: 2000,
      certain: false,
      why: 'if an answer takes 2 s (0.4 s and 25 ms a token: a guess)',
    });
    expect(neededConnections({ ...open, maxInFlight: 50 }).connections).toBe(50);
    expect(neededConnections({ ...open, requests: 30 }).connections).toBe(30);
    expect(neededConnections({ ...open, concurrency: 300, peakRps: null })).toMatchObject({
      connections: 300,
      certain: true,
    });
    expect(neededConnections({ ...open, connections: 4000 })).toMatchObject({
      connections: 4000,
      certain: true,
    });
  });
  it('needs more workers where one has too few descriptors', () => {
    const needed = { connections: 2000, certain: false, why: '' };
    const openFiles = 1024;
    expect(workersForDescriptors(needed, { ...NO_LIMITS, openFiles })).toBe(
      Math.ceil(2000 / (1024 - OWN_DESCRIPTORS - 8)),
    );
    expect(workersForDescriptors(needed, NO_LIMITS)).toBe(1);
    expect(workersForDescriptors(needed, { ...NO_LIMITS, openFiles: 50 })).toBe(1);
  });
  it('is warned of with what to do', () => {
    const needed = { connections: 2000, certain: false, why: 'if so' };
    expect(roomWarnings(needed, 1, { ...NO_LIMITS, openFiles: 1024 })).toEqual([
      {
        code: 'open-files',
        evidence: `a process may have 1024 open files, and each of 1 worker needs about 2168: 2000 connections if so`,
        remedy: 'allow more before the run: ulimit -n 4096',
      },
    ]);
    expect(roomWarnings(needed, 3, { ...NO_LIMITS, openFiles: 1024 })).toEqual([]);
    expect(roomWarnings(needed, 1, { ...NO_LIMITS, ports: 28_232, timeWait: 27_000 })).toMatchObject([
      {
        code: 'ports',
        evidence: expect.stringContaining('27000 of them held'),
        remedy: expect.stringContaining('net.ipv4.ip_local_port_range'),
      },
    ]);
    expect(roomWarnings(needed, 1, NO_LIMITS)).toEqual([]);
  });
  it('is refused where it cannot work', () => {
    const certain = { connections: 5000, certain: true, why: 'asked' };
    expect(() => roomWarnings(certain, 1, { ...NO_LIMITS, openFiles: 1024 })).toThrow(
      /cannot work; .*ulimit -n 8192/,
    );
    expect(() =>
      roomWarnings({ ...certain, certain: false }, 1, { ...NO_LIMITS, openFiles: 1024 }),
    ).not.toThrow();
    expect(() => roomWarnings(certain, 1, { ...NO_LIMITS, ports: 4000 })).toThrow(/cannot work; .*sysctl/);
    expect(() =>
      roomWarnings({ connections: 1, certain: false, why: '' }, 1, { ...NO_LIMITS, openFiles: 100 }),
    ).toThrow(/cannot work/);
  });
});

describe('a plan', () => {
  const load: LoadToPlan = {
    url: 'http://127.0.0.1:1',
    endpoint: 'chat',
    stream: true,
    seed: 1,
    requests: 1000,
    promptTokens: 8,
    outputTokens: 16,
    extraBody: {},
    tasks: null,
    traceLengths: null,
    prefix: null,
    slos: [],
    concurrency: null,
    connections: null,
  };
  const limits = { workers: null, maxInFlight: null, burnPerTokenUs: 0 };
  const machine = { room: NO_LIMITS, costs: { profile: profile([layer({})]) } };
  const plan = (
    rps: number,
    n: number,
    change: Partial<typeof limits> | { workers: number } = {},
    options = load,
  ) => planWorkers(options, { ...limits, ...change }, rps, 1000, cores(n), machine);

  it('warns beforehand where the client’s own queueing would show, with the rate that it is good to', () => {
    // 100 + 160 + (150 + 48) · 0.01 = 262 µs; at most 120 + 176 + 3.96 = 300.
    expect(plan(1600, 1).warnings).toEqual([]);
    const { warnings, choice } = plan(3000, 1);
    expect(choice.rho_high).toBeCloseTo(0.9, 3);
    expect(warnings).toMatchObject([
      { code: 'client-queueing', remedy: expect.stringContaining('stay at or below 1666 requests/s') },
    ]);
    expect(plan(3000, 2).warnings).toEqual([]);
    // Asked for too few.
    expect(plan(3000, 2, { workers: 1 }).warnings[0]!.remedy).toContain('use more workers');
  });
  it('takes the mean of what tasks draw', () => {
    const tasks = [
      {
        name: 'a',
        share: 1,
        prompt: { kind: 'constant', tokens: 8 },
        output: { kind: 'constant', tokens: 10 },
      },
      {
        name: 'b',
        share: 1,
        prompt: { kind: 'constant', tokens: 8 },
        output: { kind: 'constant', tokens: 110 },
      },
    ] as const;
    const { choice } = plan(100, 4, {}, { ...load, tasks });
    expect(choice.cost_us).toBeCloseTo(100 + 600 + 1.98, -1.7);
  });
});
