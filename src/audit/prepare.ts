/** From a user's options to a plan and the clients it needs. */
import type { Adapter, Found, Missing } from '../../adapters/contract.ts';
import type { HostInfo } from '../system/host.ts';
import { type Partition, partitionCpus } from '../system/pinning.ts';
import { UserError } from '../system/user-error.ts';
import { latencyFor } from './choose-target.ts';
import type { AuditPlan, ClientEntry, TargetInfo } from './document.ts';
import { DEFAULT_BUDGET_S, fitToBudget, planEstimateS, workloadOf } from './plan.ts';
import { LEFT_OUT, OTHER_ARRIVALS } from './warnings/planned.ts';
import type { Warning } from './warnings.ts';

export interface AuditOptions {
  /** Names, or null for every client that is installed. */
  readonly clients: readonly string[] | null;
  readonly rates: readonly number[] | null;
  readonly durationS: number | null;
  readonly repetitions: number | null;
  /** A process; or `auto`: constant, and Poisson for a client that cannot be asked for that. */
  readonly arrivals: string;
  readonly target: TargetInfo;
  /** null: the target's own default. */
  readonly latency: string | null;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly seed: number;
  readonly workers: number | null;
  readonly pin: boolean;
  readonly budgetS: number | null;
}

export interface Prepared {
  readonly plan: AuditPlan;
  readonly clients: readonly ClientEntry[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly warnings: readonly Warning[];
}

/** Looks for every client of the list, in turn (each may start a program). */
async function lookFor(adapters: readonly Adapter[]): Promise<ClientEntry[]> {
  const entries: ClientEntry[] = [];
  for (const adapter of adapters) {
    const { name, title, facts } = adapter;
    entries.push({ name, title, facts, found: await adapter.find() });
  }
  return entries;
}

const isFound = (found: Found | Missing): found is Found => found.state === 'found';

function partitionFor(options: AuditOptions, host: HostInfo): Partition {
  const unpinned = (note: string): Partition => ({ targetCpus: null, clientCpus: null, note });
  if (!options.pin) return unpinned('pinning was switched off with --no-pin');
  if (options.target.kind === 'external')
    return unpinned('not pinned: the target runs already, on cores that Tare did not choose');
  return partitionCpus(host);
}

/**
 * Finds the clients and draws up the plan. A client that was asked for by name and is not here is an error; without names, those that
 * are not here are listed as missing.
 */
export async function prepareAudit(
  options: AuditOptions,
  known: readonly Adapter[],
  host: HostInfo,
  byName: (name: string) => Adapter,
): Promise<Prepared> {
  const latency = latencyFor(options.target, options.latency);
  const wanted = options.clients === null ? known : [...new Set(options.clients)].map((name) => byName(name));
  const entries = await lookFor(wanted);
  const missing = entries.filter((entry) => !isFound(entry.found));
  if (options.clients !== null && missing.length > 0) {
    const lines = missing.map(({ name, found }) =>
      isFound(found) ? '' : `${name} cannot run here: ${found.reason}. To mend it: ${found.remedy}`,
    );
    throw new UserError(lines.join('\n'));
  }
  const partition = partitionFor(options, host);
  const draft = {
    target: options.target,
    arrivals: options.arrivals === 'auto' ? 'constant' : options.arrivals,
    latency,
    prompt_tokens: options.promptTokens,
    output_tokens: options.outputTokens,
    seed: options.seed,
    workers: options.workers,
    target_cpus: partition.targetCpus,
    client_cpus: partition.clientCpus,
    pinning_note: partition.note,
  };
  const here = entries.filter((entry) => isFound(entry.found)).map((entry) => entry.name);
  const adapters = new Map(wanted.map((adapter) => [adapter.name, adapter]));
  const warnings: Warning[] = [];
  const otherwise: Record<string, string> = {};
  const probed = {
    ...draft,
    arrivals_otherwise: otherwise,
    clients: here,
    rates_rps: options.rates ?? [1],
    repetitions: 1,
    duration_s: 1,
    estimated_s: 0,
  };
  const refusal = (name: string): string | null => {
    for (const rate of probed.rates_rps) {
      const reason = adapters.get(name)!.refuses?.(workloadOf(probed, rate, 1, name)) ?? null;
      if (reason !== null) return reason;
    }
    return null;
  };
  const able = here.filter((name) => {
    let reason = refusal(name);
    const { arrivals, constantIsPoisson } = adapters.get(name)!.facts;
    const isPoisson = draft.arrivals === 'constant' && constantIsPoisson === true;
    if (isPoisson || (options.arrivals === 'auto' && !arrivals.includes('constant'))) {
      otherwise[name] = 'poisson';
      reason = refusal(name);
    }
    if (reason !== null) {
      if (options.clients !== null && here.length === 1) throw new UserError(reason);
      warnings.push({
        code: LEFT_OUT.code,
        evidence: reason,
        remedy: LEFT_OUT.remedy,
      });
    }
    return reason === null;
  });
  const others = able.filter((name) => name in otherwise);
  if (others.length > 0)
    warnings.push({
      code: OTHER_ARRIVALS.code,
      evidence: `${others.join(', ')} cannot be asked for constant arrivals and got Poisson ones: burstier load than the others met`,
      remedy: OTHER_ARRIVALS.remedy,
    });
  if (able.length === 0)
    throw new UserError(
      'no client is left to audit: `tare doctor` shows what is installed and what it would take.',
    );
  const costs = new Map([...adapters].map(([name, adapter]) => [name, adapter.facts]));
  const fit = fitToBudget(able, costs, options.budgetS ?? DEFAULT_BUDGET_S);
  const rates = options.rates ?? fit.rates;
  const repetitions = options.repetitions ?? fit.repetitions;
  const durationS = options.durationS ?? fit.durationS;
  return {
    plan: {
      ...draft,
      arrivals_otherwise: Object.fromEntries(others.map((name) => [name, otherwise[name]!])),
      clients: able,
      rates_rps: rates,
      repetitions,
      duration_s: durationS,
      estimated_s: Math.round(planEstimateS(able, costs, rates.length, repetitions, durationS)),
    },
    clients: entries,
    adapters,
    warnings,
  };
}
