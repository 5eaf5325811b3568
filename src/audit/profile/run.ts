/** Runs a client once for its profile: a fresh target, a fresh client, one kind of request at one rate. */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import type { Cell } from '../../measure/profile/design.ts';
import type { ChosenRate } from '../../measure/profile/rate.ts';
import { mixSeed } from '../../measure/random.ts';
import type { Workload } from '../../measure/workload.ts';
import type { HostInfo } from '../../system/host.ts';
import type { Launcher } from '../../system/launcher.ts';
import type { Partition } from '../../system/pinning.ts';
import { Secrets } from '../../system/secrets.ts';
import { UserError } from '../../system/user-error.ts';
import { warmupRows } from '../compare.ts';
import type { AuditPlan } from '../document.ts';
import type { PlannedTrial } from '../plan.ts';
import type { ResultsFolder } from '../results.ts';
import { REFERENCE_INFO } from '../target-reference.ts';
import { launchTrial } from '../trial.ts';
import type { PointCost, ProfilePoint } from './document.ts';
import { profileTarget, readFront } from './front-target.ts';
import type { PlannedLayer } from './layers.ts';
import { pointCost } from './point.ts';

/** What all runs of a profile share. */
export interface ProfileContext {
  readonly launcher: Launcher;
  readonly folder: ResultsFolder;
  readonly host: HostInfo;
  readonly cpus: Partition;
  readonly seed: number;
  /** null: the client's own default. */
  readonly workers: number | null;
  /** Runs' folders stay, with the client's files and the ledger. */
  readonly keepRuns: boolean;
  readonly signal: AbortSignal;
}

export interface ProfiledClient {
  readonly adapter: Adapter;
  readonly found: Found;
}

export interface PlannedRun {
  readonly layer: PlannedLayer;
  readonly cell: Cell;
  readonly repetition: number;
  readonly order: number;
  readonly purpose: ProfilePoint['purpose'];
  readonly rate: ChosenRate;
  readonly durationS: number;
}

/** Equal gaps, or what the client has in their place. */
export function workloadOf(adapter: Adapter, run: PlannedRun, seed: number): Workload {
  const { rps } = run.rate;
  const { arrivals } = adapter.facts;
  return {
    rateRps: rps,
    requests: Math.max(2, Math.round(rps * run.durationS)),
    durationS: run.durationS,
    arrivals: { kind: arrivals.includes('constant') ? 'constant' : 'poisson' },
    promptTokens: run.cell.promptTokens,
    outputTokens: run.cell.tokens,
    latency: run.layer.latency,
    seed: mixSeed(seed, run.order, run.repetition) >>> 0,
  };
}

function planOf(name: string, workload: Workload, context: ProfileContext): AuditPlan {
  const { cpus, workers } = context;
  return {
    target: REFERENCE_INFO,
    clients: [name],
    rates_rps: [workload.rateRps],
    repetitions: 1,
    duration_s: workload.durationS,
    arrivals: workload.arrivals.kind,
    arrivals_otherwise: {},
    latency: workload.latency,
    prompt_tokens: workload.promptTokens,
    output_tokens: workload.outputTokens,
    seed: workload.seed,
    workers,
    target_cpus: cpus.targetCpus,
    client_cpus: cpus.clientCpus,
    pinning_note: cpus.note,
    estimated_s: 0,
  };
}

/** The first line of what a client says of itself. */
const firstLine = (text: string): string => text.trim().split('\n')[0]!.slice(0, 300);

/** What a run cost, or why that is not known. A failure of client or target is an answer, not an exception. */
async function costOf(
  { adapter, found }: ProfiledClient,
  run: PlannedRun,
  workload: Workload,
  id: string,
  context: ProfileContext,
): Promise<PointCost | { readonly why: string }> {
  const planned: PlannedTrial = {
    id,
    client: adapter.name,
    rateRps: workload.rateRps,
    repetition: run.repetition,
    order: run.order,
    workload,
    estimatedS: 0,
  };
  const { launcher, folder, signal } = context;
  const secrets = new Secrets();
  try {
    const left = await launchTrial(
      planned,
      adapter,
      found,
      {
        launcher,
        folder,
        signal,
        plan: planOf(adapter.name, workload, context),
        target: profileTarget(run.layer.front),
      },
      secrets,
      run.layer.variants,
    );
    const { client, ledger, observation, parsed } = left;
    if (client.end !== 'exited')
      return {
        why: `it was ${client.end === 'timedOut' ? 'still running at its deadline' : `ended: ${client.failure ?? client.end}`}`,
      };
    if (left.targetFailure !== null) return { why: left.targetFailure };
    const said = parsed.state === 'parsed' ? '' : `: ${secrets.text(firstLine(parsed.reason))}`;
    if (ledger === null || observation === null || ledger.rows === 0)
      return { why: `no request of it reached the target${said}` };
    const cost = pointCost({
      ledger,
      warmup: warmupRows(ledger, adapter.facts.definitions),
      observation,
      startedNs: client.startedNs,
      endedNs: client.endedNs,
      front: run.layer.front === null ? null : await readFront(folder.temporary(id)),
    });
    return 'why' in cost && said !== '' ? { why: `${cost.why}${said}` } : cost;
  } catch (error) {
    if (error instanceof UserError) throw error;
    return { why: firstLine((error as Error).message) };
  }
}

/** How a run is made; handed in by tests, which have clients of known costs. */
export type Measure = typeof runPoint;

/** Runs it; `judge` says of a cost why it is not to be used, or null. */
export async function runPoint(
  client: ProfiledClient,
  run: PlannedRun,
  context: ProfileContext,
  judge: (cost: PointCost) => string | null,
): Promise<ProfilePoint> {
  const id = `${client.adapter.name}-${run.layer.id.replace('+', '-')}-${run.cell.id}-${run.purpose}-${run.order}`;
  const workload = workloadOf(client.adapter, run, context.seed);
  const began = performance.now();
  const cost = await costOf(client, run, workload, id, context);
  const known = 'why' in cost ? null : cost;
  const why = 'why' in cost ? cost.why : judge(cost);
  await context.folder.settle(id, context.keepRuns || known === null);
  return {
    id,
    cell: run.cell.id,
    tokens: run.cell.tokens,
    prompt_tokens: run.cell.promptTokens,
    repetition: run.repetition,
    order: run.order,
    purpose: run.purpose,
    rate_rps: run.rate.rps,
    rate_limited_by: run.rate.limited,
    elapsed_s: Math.round((performance.now() - began) / 10) / 100,
    cost: known,
    why,
  };
}
