/** Runs the definition check of one client: each shape of the target in turn, at a rate at which a client adds next to nothing. */
import { join } from 'node:path';
import type { Adapter, Found } from '../../adapters/contract.ts';
import { mixSeed } from '../measure/random.ts';
import type { HostInfo } from '../system/host.ts';
import { partitionCpus } from '../system/pinning.ts';
import { readLedger } from '../truth/ledger-file.ts';
import {
  CHECK_WORKLOAD,
  checkDefinitions,
  type DefinitionCheck,
  type Pass,
  SHAPES,
  type Shape,
} from './definition-check.ts';
import type { AuditPlan, Outcome } from './document.ts';
import type { PlannedTrial } from './plan.ts';
import { trialEstimateS } from './plan.ts';
import { REFERENCE_INFO, referenceWith } from './target-reference.ts';
import { runTrial, type TrialContext } from './trial.ts';

export interface ClientCheck {
  readonly client: string;
  readonly version: string;
  /** null where a pass left no figures; `reason` says which and why. */
  readonly checks: readonly DefinitionCheck[] | null;
  readonly reason: string | null;
}

const SEED = 11;

/** What the trials of a check share, as an audit's plan has it. */
export function checkPlan(clients: readonly string[], host: HostInfo): AuditPlan {
  const { targetCpus, clientCpus, note } = partitionCpus(host);
  return {
    target: REFERENCE_INFO,
    clients,
    rates_rps: [CHECK_WORKLOAD.rateRps],
    repetitions: SHAPES.length,
    duration_s: CHECK_WORKLOAD.durationS,
    arrivals: 'constant',
    arrivals_otherwise: {},
    latency: CHECK_WORKLOAD.latency,
    prompt_tokens: CHECK_WORKLOAD.promptTokens,
    output_tokens: CHECK_WORKLOAD.outputTokens,
    seed: SEED,
    workers: null,
    target_cpus: targetCpus,
    client_cpus: clientCpus,
    pinning_note: note,
    estimated_s: 0,
  };
}

/** The trial of a shape, by the adapter's own arrivals where it lacks constant ones. */
function trialOf(adapter: Adapter, shape: number): PlannedTrial {
  const { rateRps, durationS } = CHECK_WORKLOAD;
  const kind = adapter.facts.arrivals.includes('constant') ? 'constant' : 'poisson';
  return {
    id: `${adapter.name}-shape${shape + 1}`,
    client: adapter.name,
    rateRps,
    repetition: shape + 1,
    order: shape,
    workload: {
      ...CHECK_WORKLOAD,
      requests: rateRps * durationS,
      arrivals: { kind },
      seed: mixSeed(SEED, shape) >>> 0,
    },
    estimatedS: trialEstimateS(durationS, adapter.facts),
  };
}

const flagsOf = (shape: Shape): string[] => [
  ...['--headers', 'early'],
  ...['--role', shape.role],
  ...['--tail', `${shape.tailMs}ms`],
];

const reasonOf = (outcome: Outcome): string =>
  outcome.kind === 'measured' ? 'it left no figures' : `${outcome.kind}: ${outcome.reason}`;

/** Runs every pass. A client that leaves no figures in one of them cannot be checked, and the reason is given. */
export async function runDefinitionCheck(
  adapter: Adapter,
  found: Found,
  context: Omit<TrialContext, 'target'>,
): Promise<ClientCheck> {
  const base = { client: adapter.name, version: found.version };
  const passes: Pass[] = [];
  for (const [i, shape] of SHAPES.entries()) {
    const planned = trialOf(adapter, i);
    const refusal = adapter.refuses?.(planned.workload) ?? null;
    if (refusal !== null) return { ...base, checks: null, reason: refusal };
    const trial = await runTrial(planned, adapter, found, {
      ...context,
      target: referenceWith(flagsOf(shape)),
    });
    if (trial.truth === null || trial.reported === null || trial.truth.requests === 0)
      return { ...base, checks: null, reason: `${shape.name}: ${reasonOf(trial.outcome)}` };
    const ledger = await readLedger(join(context.folder.final(trial.id), 'ledger.arrow'));
    passes.push({ shape, ledger, first: trial.truth.warmup_requests, reported: trial.reported.metrics });
  }
  return { ...base, checks: checkDefinitions(passes, adapter.facts.definitions), reason: null };
}
