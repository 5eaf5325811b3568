/** Trials of the sample's queue models at any rate, as `runTrial` would give them: what a search sees without starting a process. */
import type { Adapter } from '../../../adapters/contract.ts';
import type { AuditDocument, Outcome, Trial } from '../../../src/audit/document.ts';
import type { EnvelopeInput } from '../../../src/audit/envelope/run.ts';
import type { PlannedTrial } from '../../../src/audit/plan.ts';
import type { ResultsFolder } from '../../../src/audit/results.ts';
import { rampFor } from '../../../src/measure/envelope/search.ts';
import {
  DEFAULT_TOLERANCE,
  formatTolerance,
  parseTolerance,
} from '../../../src/measure/envelope/tolerance.ts';
import type { Launcher } from '../../../src/system/launcher.ts';
import { sampleDocument } from '../../reports/sample.ts';

/** Each takes a tenth of a second to make. */
const known = new Map<string, Trial>();

/** A trial of a sample's client: its model's queue at that rate, with constant arrivals. */
export function simulatedTrial(planned: PlannedTrial): Trial {
  const { client, rateRps, workload } = planned;
  const key = `${client} ${rateRps} ${workload.seed}`;
  const trial =
    known.get(key) ??
    sampleDocument({ clients: [client], rates: [rateRps], repetitions: 1, seed: workload.seed }).trials[0];
  if (trial === undefined) throw new Error(`the sample has no ${client}`);
  known.set(key, trial);
  const complete = Math.round(workload.requests * Math.min(1, trial.truth!.rate_fidelity!));
  return {
    ...trial,
    id: planned.id,
    order: planned.order,
    repetition: planned.repetition,
    workload: { ...workload, arrivals: { kind: 'constant' } },
    elapsed_s: planned.estimatedS,
    truth: {
      ...trial.truth!,
      requests: complete,
      outcomes: { complete },
      completion_rps: trial.truth!.arrival_rps,
    },
  };
}

/** A trial that ended some other way. */
export const endedTrial = (planned: PlannedTrial, outcome: Outcome): Trial => ({
  ...simulatedTrial(planned),
  outcome,
  truth: null,
  reported: null,
  observed: null,
  bias: [],
});

export interface Simulation {
  readonly clients: readonly string[];
  readonly budget?: number;
  readonly tolerance?: string;
  readonly runTrial?: EnvelopeInput['runTrial'];
  readonly change?: Partial<EnvelopeInput>;
}

let floor: AuditDocument['floor'] = null;

/** The sample's floor, at hand without measuring. */
export function sampleFloor(): NonNullable<AuditDocument['floor']> {
  floor ??= sampleDocument({ clients: [], rates: [] }).floor;
  return floor!;
}

/** Conditions and clients of the sample, with no more trials than it takes to have them. */
const sampleOf = (clients: readonly string[]): AuditDocument =>
  sampleDocument({ clients, rates: [25], repetitions: 1 });

/** The input of a search whose trials are simulated; `clock.s` goes on by what trials take. */
export function simulatedInput(
  { clients, budget = 14, tolerance = DEFAULT_TOLERANCE, runTrial, change = {} }: Simulation,
  clock = { s: 0 },
): EnvelopeInput {
  const sample = sampleOf(clients);
  const tolerances = parseTolerance(tolerance);
  const wanted = { from_rps: 25, to_rps: 5000, ratio: 1.15, confirm: 2 };
  const entries = sample.clients;
  const adapters = new Map(
    entries.map((entry) => [
      entry.name,
      { name: entry.name, title: entry.title, facts: entry.facts } as Adapter,
    ]),
  );
  const simulated = runTrial ?? (async (planned) => simulatedTrial(planned));
  return {
    version: 'test',
    startedAt: '2026-01-01T00:00:00.000Z',
    plan: { ...sample.plan, clients: [...clients], arrivals: 'constant', repetitions: 1, duration_s: 5 },
    search: {
      ...wanted,
      tolerances,
      tolerance: formatTolerance(tolerances),
      ramp: rampFor(wanted, budget),
      budget_trials: budget,
      budget_time_s: null,
    },
    host: sample.host,
    clients: entries,
    adapters,
    floorAdapter: {} as Adapter,
    folder: {} as ResultsFolder,
    launcher: {} as Launcher,
    signal: new AbortController().signal,
    done: { trials: [], judged: [] },
    floor: null,
    warnings: [],
    onEvent() {},
    save: async () => {},
    nowS: () => clock.s,
    measureFloor: async () => ({ floor: sampleFloor(), machine: null }),
    ...change,
    runTrial: async (planned, ...rest) => {
      const trial = await simulated(planned, ...rest);
      clock.s += trial.elapsed_s;
      return trial;
    },
  };
}
