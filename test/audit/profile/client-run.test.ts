/** The whole experiment on clients of known costs: what is put in must come out. */
import { describe, expect, it } from 'vitest';
import { findAdapter } from '../../../adapters/registry.ts';
import { asyncio, bytesOf, known, profile, simulated } from './simulated.ts';

describe('profileClient', () => {
  it('finds the costs of each layer, at the load that it should be', async () => {
    const simulation = simulated(known);
    const { layers, saturation, startup_s, loops, bound_by } = await profile(simulation, []);
    expect(layers.map(({ id, state }) => [id, state])).toEqual([
      ['json', 'measured'],
      ['sse-one-write', 'measured'],
      ['sse-token', 'measured'],
      ['tls', 'measured'],
      ['http2', 'cannot'],
    ]);
    const tokens = { json: 0.5, 'sse-one-write': 9, 'sse-token': 30, tls: 42 } as Record<string, number>;
    for (const { id, busiest, load, warnings, half_load } of layers.filter(({ id }) => id in tokens)) {
      for (const [cost, truth] of [
        [busiest!.request, 250],
        [busiest!.token!, tokens[id]!],
        [busiest!.prompt_byte!, 0.012],
      ] as const) {
        expect(Math.abs(cost.us - truth), id).toBeLessThan(0.06 * truth + 0.1);
        expect(cost.low_us).toBeLessThan(cost.high_us);
      }
      expect(warnings, id).toEqual([]);
      expect(load!.median_rho, id).toBeGreaterThan(0.2);
      expect(load!.median_rho, id).toBeLessThan(0.4);
      expect(half_load!.ratio, id).toBeCloseTo(1, 1);
    }
    expect([startup_s, loops, bound_by]).toEqual([0.8, 1, 'busiest thread']);
    expect(saturation).toMatchObject({ tokens: 16, ratio: expect.closeTo(1, 1) });
  });

  it('never asks a client for much more than it can, and runs a kind of request at one rate', async () => {
    const simulation = simulated(known);
    await profile(simulation, []);
    const usual = new Map<string, Set<number>>();
    for (const run of simulation.runs) {
      const rho = (run.rate.rps * known(run, bytesOf(run.cell.promptTokens))) / 1e6;
      if (run.purpose !== 'saturation') expect(rho, `${run.purpose} ${run.cell.id}`).toBeLessThan(0.75);
      if (run.purpose === 'usual') {
        const key = `${run.layer.id} ${run.cell.id}`;
        usual.set(key, (usual.get(key) ?? new Set()).add(run.rate.rps));
      }
    }
    for (const [key, rates] of usual) expect(rates.size, key).toBe(1);
    expect(simulation.runs.map(({ order }) => order)).toEqual(simulation.runs.map((_, i) => i));
  });

  it('shows that an event costs more at half the load', async () => {
    // Half of an event's cost is a turn of the loop, shared by those that come together.
    const batching = simulated((run, bytes) => known(run, bytes) * (run.purpose === 'half' ? 1.5 : 1));
    const { layers } = await profile(batching, ['sse-token']);
    const { ratio, low } = layers[0]!.half_load!;
    expect(ratio).toBeCloseTo(1.5, 1);
    expect(low!).toBeGreaterThan(1.3);
  });

  it('goes on without a run that failed, and says why where all of them do', async () => {
    const some = simulated(known, (run, cost) =>
      run.purpose === 'usual' && run.repetition === 1 && run.cell.tokens === 64 ? 'it ended' : cost,
    );
    const [layer] = (await profile(some, ['sse-token'])).layers;
    expect(layer!.state).toBe('measured');
    expect(layer!.warnings.join()).toContain('1 of 35 runs are not used: it ended');
    const all = simulated(known, () => 'no request of it reached the target: no such host');
    const [none] = (await profile(all, ['sse-token'])).layers;
    expect(none).toMatchObject({
      state: 'failed',
      how: expect.stringContaining('no such host'),
      busiest: null,
    });
    expect(all.runs).toHaveLength(2);
  });

  it('does not call HTTP/2 what was HTTP/1.1', async () => {
    const k6 = findAdapter('k6');
    const stubborn = simulated(known, (_, cost) => ({
      ...cost,
      written: {
        ...cost.written,
        front: { connections: { 'TLSv1.3 http/1.1': 9 }, requests: { '1.1': 90 } },
      },
    }));
    const [layer] = (await profile(stubborn, ['http2'], k6)).layers;
    expect(layer).toMatchObject({
      state: 'failed',
      how: 'HTTP/2 was offered and it did not take it: 9 × TLSv1.3 http/1.1',
      group: null,
      good_to: [],
    });
  });

  it('a layer that is cut short in its pilots was interrupted, and did not fail', async () => {
    const controller = new AbortController();
    let points = 0;
    const { layers } = await profile(
      simulated(known),
      ['sse-token'],
      asyncio,
      controller.signal,
      ({ kind }) => {
        if (kind === 'point' && ++points === 2) controller.abort();
      },
    );
    expect(layers[0]).toMatchObject({ state: 'interrupted', busiest: null, good_to: [] });
  });

  it('ends with what it has when it is told to', async () => {
    const controller = new AbortController();
    const simulation = simulated(known);
    let points = 0;
    const { layers } = await profile(
      simulation,
      ['sse-token', 'json'],
      asyncio,
      controller.signal,
      ({ kind }) => {
        if (kind === 'point' && ++points === 20) controller.abort();
      },
    );
    expect(layers.map(({ id }) => id)).toEqual(['sse-token']);
    expect(layers[0]!.points).toHaveLength(20);
    expect(simulation.runs).toHaveLength(20);
  });
});
