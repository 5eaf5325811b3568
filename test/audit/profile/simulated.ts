/** Profiles of clients of known costs, by runs that are no processes and take no time. */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import { findAdapter } from '../../../adapters/registry.ts';
import { type ProfileEvent, profileClient } from '../../../src/audit/profile/client-run.ts';
import type { PointCost } from '../../../src/audit/profile/document.ts';
import type { LayerChoice } from '../../../src/audit/profile/layers.ts';
import type { Measure, PlannedRun, ProfileContext } from '../../../src/audit/profile/run.ts';
import { normal, uniform } from '../../../src/measure/random.ts';

export const asyncio = findAdapter('asyncio');
const found: Found = { state: 'found', version: '1', path: '/x', origin: 'a test', notes: [], handle: {} };

const contextOf = (signal: AbortSignal): ProfileContext =>
  ({
    cpus: { targetCpus: [0], clientCpus: [1], note: 'pinned' },
    host: { allowed_cpus: [0, 1] },
    seed: 1,
    workers: null,
    keepRuns: false,
    signal,
  }) as unknown as ProfileContext;

export const bytesOf = (words: number): number => 150 + 6 * words;

/** µs of a request at a load; tokens come dearer one by one than in one write, over TLS dearer still. */
type Costs = (run: PlannedRun, bytes: number) => number;
export const known: Costs = ({ layer, cell }, bytes) => {
  const token =
    layer.latency === 'zero' ? (layer.layer === 'json' ? 0.5 : 9) : layer.front === null ? 30 : 42;
  return 250 + token * cell.tokens + 0.012 * bytes;
};

/** Runs that take no time. A client that is asked for more than it can do is busy all the time, and completes no more. */
export function simulated(
  costs: Costs,
  change: (run: PlannedRun, cost: PointCost) => PointCost | string = (_, cost) => cost,
) {
  const runs: PlannedRun[] = [];
  const u = uniform(11, 3);
  const measure: Measure = async (_, run, __, judge) => {
    runs.push(run);
    const { cell, layer, rate } = run;
    const bytes = bytesOf(cell.promptTokens);
    const us = costs(run, bytes) * (1 + 0.01 * normal(u));
    const rho = Math.min(1, (rate.rps * us) / 1e6);
    const json = layer.layer === 'json';
    const cost = change(run, {
      busiest_us: us,
      group_us: us,
      busiest_share: rho,
      group_share: rho,
      system_part: 0.4,
      loops: 1,
      requests: rate.rps * run.durationS,
      window_s: run.durationS,
      load_s: run.durationS,
      sent_rps: rate.rps,
      completed_rps: Math.min(rate.rps, 1e6 / us),
      delivered_tokens: cell.tokens,
      written: {
        streamed_share: json ? 0 : 1,
        token_writes: layer.latency === 'zero' ? 1 : cell.tokens,
        body_bytes: bytes,
        front:
          layer.front === null
            ? null
            : layer.front === 'tls'
              ? { connections: { 'TLSv1.3 http/1.1': 4 }, requests: { '1.1': 90 } }
              : { connections: { 'TLSv1.3 h2': 1 }, requests: { '2.0': 90 } },
      },
      startup_s: 0.8,
      teardown_s: 0.3,
      core_wait_share: 0.01,
      steal_share: 0,
    });
    const failed = typeof cost === 'string';
    return {
      id: `run-${run.order}`,
      cell: cell.id,
      tokens: cell.tokens,
      prompt_tokens: cell.promptTokens,
      repetition: run.repetition,
      order: run.order,
      purpose: run.purpose,
      rate_rps: rate.rps,
      rate_limited_by: rate.limited,
      elapsed_s: run.durationS + 2,
      cost: failed ? null : cost,
      why: failed ? cost : judge(cost),
    };
  };
  return { runs, measure };
}

export const profile = async (
  simulation: ReturnType<typeof simulated>,
  layers: readonly LayerChoice[],
  adapter: Adapter = asyncio,
  signal = new AbortController().signal,
  onEvent: (event: ProfileEvent) => void = () => {},
) =>
  profileClient(
    { adapter, found },
    { layers, budgetS: 3600, saturation: true },
    contextOf(signal),
    onEvent,
    simulation.measure,
  );
