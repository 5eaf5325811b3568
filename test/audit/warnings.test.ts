import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditPlan, Floor, Trial } from '../../src/audit/document.ts';
import { othersCores } from '../../src/audit/warnings/machine.ts';
import { EXPLAINED, warningsOf, warningTable } from '../../src/audit/warnings.ts';
import { shortfallWords } from '../../src/measure/shortfall.ts';
import type { HostInfo } from '../../src/system/host.ts';
import type { ObservedFigures, ObservedMachine } from '../../src/system/observed-figures.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { REFERENCE_TARGET, sampleDocument } from '../reports/sample.ts';

const sample = sampleDocument();
const host: HostInfo = {
  ...sample.host,
  memory_mb: 4000,
  load_1m: 0.2,
  swap_used_mb: 0,
  cpu_governor: null,
  open_files_limit: 1024,
  ephemeral_ports: 28_232,
};
const plan: AuditPlan = { ...sample.plan, target: REFERENCE_TARGET, target_cpus: [0], pinning_note: '' };
const quietMachine: ObservedMachine = {
  work_share: 1.1,
  harness_share: 0.03,
  observer_share: 0.004,
  time_wait_peak: 12,
  memory_available_min_mb: 2500,
  swap_used_from_mb: 0,
  swap_used_to_mb: 0,
  memory_stall_share: 0,
};
const model = sample.trials.find(({ truth, observed }) => truth !== null && observed !== null)!;

interface Change {
  readonly observed?: Partial<ObservedFigures>;
  readonly machine?: Partial<ObservedMachine>;
  readonly truth?: Partial<NonNullable<Trial['truth']>>;
  readonly target?: Partial<NonNullable<Trial['truth']>['target']>;
  readonly trial?: Partial<Trial>;
}

/** A trial that nothing is to be said of, but for the change. */
function trialWith({ observed, machine, truth, target, trial }: Change = {}): Trial {
  return {
    ...model,
    id: '007-asyncio-800-0',
    observed: {
      ...model.observed!,
      cpu_share: 0.6,
      steal_share: 0.001,
      core_wait_share: 0.01,
      machine: { ...quietMachine, ...machine },
      ...observed,
    },
    truth: {
      ...model.truth!,
      requests: 6400,
      lateness_p99_ms: 0.4,
      target: { ...model.truth!.target, windowNs: 8e9, cpuNs: 3.2e9, pacing: 'spin', ...target },
      ...truth,
    },
    ...trial,
  };
}

/** A trial whose p99s have no interval of their own: its requests are worth so many, or (null) they drift. */
function shortOf(requests: number, worth: number | null): Trial {
  const reason =
    worth === null
      ? 'no interval: the values drift through the trial'
      : shortfallWords(0.99, { needed: 368, values: requests, worth });
  const bias = model.bias.map((row) =>
    row.statistic === 'p99'
      ? {
          ...row,
          ...{ within_low_ms: null, within_high_ms: null, within_reason: reason },
          ...{ paired_low_ms: null, paired_high_ms: null, paired_reason: reason },
        }
      : row,
  );
  return trialWith({ truth: { requests }, trial: { bias, workload: { ...model.workload, rateRps: 800 } } });
}

const withoutLedger = (completed: number): Trial =>
  trialWith({
    trial: {
      truth: null,
      client_side: { source: 'none' } as NonNullable<Trial['client_side']>,
      reported: { ...model.reported!, completed },
    },
  });

const floorWith = (machine: Partial<NonNullable<Floor['machine']>>): Floor => ({
  ...sample.floor!,
  machine: {
    clock: { resolution_ns: 20, read_ns: 35 },
    clock_of_client: null,
    clock_source: 'tsc',
    cpu_governor: null,
    to_target: null,
    to_client: null,
    wake_up: null,
    steal_share: 0,
    target_cpus: [0],
    client_cpus: [1],
    elapsed_ms: 900,
    note: '',
    ...machine,
  },
});

interface Given {
  readonly host?: Partial<HostInfo>;
  readonly plan?: Partial<AuditPlan>;
  readonly trials?: readonly Trial[];
  readonly floor?: Floor | null;
  readonly machine?: Floor['machine'];
}
const given = (change: Given) =>
  warningsOf(
    { ...host, ...change.host },
    { ...plan, ...change.plan },
    change.trials ?? [trialWith()],
    change.floor === undefined ? floorWith({}) : change.floor,
    change.machine,
  );

const e2e = (mean_ms: number, p99_ms: number) => ({
  realized: { ...model.truth!.realized, e2e: { n: 100, mean_ms, p50_ms: mean_ms, p90_ms: p99_ms, p99_ms } },
});
const sim = { ...REFERENCE_TARGET, kind: 'llm-d-inference-sim' as const };

describe('warnings', () => {
  it('are none where nothing is amiss, nor of an audit of before, nor before the first trial', () => {
    expect(given({})).toEqual([]);
    const old = { ...trialWith(), observed: { ...trialWith().observed!, machine: undefined } };
    const { machine: _, ...older } = old.observed;
    expect(given({ trials: [{ ...old, observed: older }], floor: sample.floor })).toEqual([]);
    expect(given({ trials: [] })).toEqual([]);
    expect(given({ trials: [{ ...trialWith(), observed: null, truth: null, reported: null }] })).toEqual([]);
  });

  it.each<[code: string, just: Given, beyond: Given, evidence: string | RegExp]>([
    [
      'other-load',
      { host: { load_1m: 2, allowed_cpus: [0, 1] } },
      { host: { load_1m: 2.31, allowed_cpus: [0, 1] } },
      'load average 2.31 on 2 cores',
    ],
    [
      'load-during',
      { trials: [trialWith({ machine: { work_share: 0.6 + 0.4 + 0.03 + 0.09 } })] },
      { trials: [trialWith(), trialWith({ machine: { work_share: 1.5 } })] },
      'in 1 of 2 trials other programs used more than 0.1 cores (007-asyncio-800-0: 0.47)',
    ],
    [
      'load-during',
      { plan: { wire: 'read' }, trials: [trialWith({ machine: { work_share: 1.25 } })] },
      { plan: { wire: 'read' }, trials: [trialWith({ machine: { work_share: 1.5 } })] },
      '0.47',
    ],
    [
      'steal',
      { trials: [trialWith({ observed: { steal_share: 0.01 } })] },
      { trials: [trialWith(), trialWith({ observed: { steal_share: 0.042 } })] },
      'in 1 of 2 trials the hypervisor took more than 1 % of CPU time (p95 of the trials 4.2 %, most in 007-asyncio-800-0: 4.2 %)',
    ],
    [
      'core-wait',
      { trials: [trialWith({ observed: { core_wait_share: 0.05 } })] },
      { trials: [trialWith({ observed: { core_wait_share: 0.31 } })] },
      '(007-asyncio-800-0: 31 %, the client itself used 0.60 cores)',
    ],
    [
      'cpu-governor',
      { host: { cpu_governor: 'performance' } },
      { host: { cpu_governor: 'powersave' } },
      'powersave',
    ],
    [
      'clock-source',
      { floor: floorWith({ clock_source: 'kvm-clock' }) },
      { floor: floorWith({ clock_source: 'hpet', clock: { resolution_ns: 70, read_ns: 1240.2 } }) },
      'clock source "hpet", 1240 ns a reading',
    ],
    [
      'clock-source',
      { floor: null, machine: floorWith({}).machine! },
      { floor: null, machine: floorWith({ clock_source: 'hpet' }).machine! },
      'clock source "hpet"',
    ],
    [
      'not-pinned',
      { plan: { target_cpus: [0] } },
      { plan: { target_cpus: null, pinning_note: 'not pinned: one CPU' } },
      'not pinned: one CPU',
    ],
    ['swap', { host: { swap_used_mb: 40 } }, { host: { swap_used_mb: 312 } }, '312 MB'],
    [
      'paging',
      { trials: [trialWith({ machine: { swap_used_from_mb: 40, swap_used_to_mb: 41 } })] },
      { trials: [trialWith({ machine: { swap_used_from_mb: 40, swap_used_to_mb: 58 } })] },
      'by 18 MB',
    ],
    [
      'memory',
      { trials: [trialWith({ machine: { memory_available_min_mb: 400 } })] },
      { trials: [trialWith({ machine: { memory_available_min_mb: 210.4 } })] },
      '210 of 4000 MB left',
    ],
    [
      'memory-pressure',
      { trials: [trialWith({ machine: { memory_stall_share: 0.01 } })] },
      { trials: [trialWith({ machine: { memory_stall_share: 0.07 } })] },
      '7 % of the time',
    ],
    [
      'open-files',
      { trials: [trialWith({ observed: { open_files_nearest: { open: 816, limit: 1024 } } })] },
      { trials: [trialWith({ observed: { open_files_nearest: { open: 1020, limit: 1024 } } })] },
      '1020 of 1024',
    ],
    [
      'open-files',
      { trials: [trialWith({ truth: { peak_in_flight: 800 } })] },
      { trials: [trialWith({ truth: { peak_in_flight: 1000 } })] },
      '1000 requests in flight, limit 1024',
    ],
    [
      'ephemeral-ports',
      // What other trials left in TIME_WAIT, to other ports, takes none.
      { trials: [trialWith({ machine: { time_wait_peak: 28_000 }, target: { connections: 22_000 } })] },
      { trials: [trialWith({ target: { connections: 23_000 } })] },
      '23000 connections to the target within 60 s, 28232 ports',
    ],
    [
      'ephemeral-ports',
      { trials: [trialWith({ target: { connections: 40_000, windowNs: 120e9, cpuNs: 48e9 } })] },
      { trials: [trialWith({ target: { connections: 48_000, windowNs: 120e9, cpuNs: 48e9 } })] },
      '24000 connections',
    ],
    [
      'observer-cost',
      { trials: [trialWith({ machine: { observer_share: 0.01 } })] },
      { trials: [trialWith({ machine: { observer_share: 0.023 } })] },
      '2.3 %',
    ],
    ['no-ledger', {}, { plan: { target: sim } }, 'llm-d-inference-sim keeps no ledger'],
    ['open-port', {}, { plan: { target: sim } }, 'every interface'],
    ['no-floor', { floor: null, trials: [] }, { floor: null }, 'disturbed it each time'],
    [
      'few-requests',
      // Two repetitions have an interval between them, whatever each is worth; a drift is not mended by more of the same.
      { trials: [shortOf(300, 250), shortOf(300, 250), { ...shortOf(900, null), client: 'vllm' }] },
      {
        trials: [
          shortOf(300, 250),
          { ...shortOf(400, 40), client: 'vllm' },
          { ...trialWith(), client: 'oha' },
        ],
      },
      '2 clients at a rate have a p99 without an interval (vllm at 800 requests/s: 400 requests, about 3700 would do, 5 s)',
    ],
    [
      'few-requests',
      { plan: { target: sim }, trials: [withoutLedger(368)] },
      { plan: { target: sim }, trials: [withoutLedger(150)] },
      '150 requests, about 368 would do',
    ],
    [
      'short-window',
      { trials: [trialWith({ truth: e2e(790, 1500) })] },
      { trials: [trialWith({ truth: e2e(300, 2000) })] },
      '8 s, E2E mean 300 ms, p99 2000 ms',
    ],
    [
      'short-window',
      { trials: [trialWith({ truth: e2e(790, 790) })] },
      { trials: [trialWith({ truth: e2e(810, 820) })] },
      'E2E mean 810 ms',
    ],
    [
      'target-busy',
      { trials: [trialWith({ target: { pacing: 'spin', cpuNs: 7.9e9 }, machine: { work_share: 1.6 } })] },
      { trials: [trialWith({ target: { pacing: 'none', cpuNs: 6.4e9 } })] },
      '80 %',
    ],
    [
      'target-late',
      { trials: [trialWith({ truth: { lateness_p99_ms: 2 } })] },
      { trials: [trialWith({ truth: { lateness_p99_ms: 3.14 } })] },
      '(007-asyncio-800-0: 3.1 ms)',
    ],
  ])('%s only beyond its threshold, with the figures of the worst trial', (code, just, beyond, evidence) => {
    expect(given(just).map((warning) => warning.code)).not.toContain(code);
    const warning = given(beyond).find((one) => one.code === code);
    expect(warning?.evidence).toContain(evidence);
    expect(warning?.remedy).toBe(EXPLAINED.find((one) => one.code === code)!.remedy);
  });

  it('of counts that differ name both', () => {
    const exported = { requests: 900, ttft_mean_ms: null, e2e_mean_ms: null, where: '/metrics' };
    const trial = trialWith({
      trial: {
        client_side: { ...({} as NonNullable<Trial['client_side']>), exported },
        reported: { ...model.reported!, completed: 1000 },
      },
    });
    expect(given({ trials: [trial], plan: { target: sim } }).map(({ code }) => code)).toContain(
      'counts-differ',
    );
  });
});

describe('other programs', () => {
  it('are what is left of all work; null where a part is not known', () => {
    expect(othersCores(trialWith({ machine: { work_share: 1.5 } }))).toBeCloseTo(0.47, 9);
    expect(othersCores(trialWith({ machine: { work_share: 0.5 } }))).toBe(0);
    expect(othersCores(trialWith({ machine: { work_share: null } }))).toBeNull();
    expect(othersCores(trialWith({ observed: { cpu_share: null } }))).toBeNull();
    expect(othersCores({ ...trialWith(), truth: null })).toBeNull();
  });
});

describe('docs/warnings.md', () => {
  /** The rows of a table without what the formatter pads them with. */
  const rows = (text: string): string[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.replaceAll(/ {2,}/g, ' '));

  it('holds every code as the module explains it (npm run build, node scripts/write-warnings.mjs)', () => {
    expect(rows(readFileSync(join(packageRoot, 'docs/warnings.md'), 'utf8'))).toEqual(rows(warningTable()));
  });

  it('explains each code once, in cells that no text breaks', () => {
    const codes = EXPLAINED.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, when, why, remedy } of EXPLAINED)
      expect(code + when + why + remedy).not.toMatch(/[|\n]/);
  });
});
