/** From the flags of `tare gate` to what is to be run. */
import { existsSync } from 'node:fs';
import type { Adapter } from '../../adapters/contract.ts';
import { allAdapters } from '../../adapters/registry.ts';
import { createFaultyAdapter, tareAdapter } from '../../adapters/tare/adapter.ts';
import type { ClientEntry } from '../audit/document.ts';
import { baselineOf, type Earlier, readEarlier } from '../audit/gate/baseline.ts';
import {
  cellsOf,
  DEFAULT_BUDGET_S,
  DEFAULT_GATE_TOLERANCE,
  durationWithin,
  leastS,
  type Planned,
} from '../audit/gate/plan.ts';
import type { Judging } from '../audit/gate/rules.ts';
import { prepareAudit } from '../audit/prepare.ts';
import { REFERENCE_INFO } from '../audit/target-reference.ts';
import type { Warning } from '../audit/warnings.ts';
import { parseTolerance, type Tolerance } from '../measure/envelope/tolerance.ts';
import { type HostInfo, readHost } from '../system/host.ts';
import { UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { type ClientChoice, chooseClients } from './client-choice.ts';
import type { GateFlags } from './gate-flags.ts';
import { workerCount } from './options.ts';

/** What is to be run. */
export interface GateJob extends Judging {
  readonly choice: ClientChoice;
  readonly host: HostInfo;
  readonly clients: readonly ClientEntry[];
  readonly cells: readonly Planned[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly budgetS: number;
  /** Seconds that the floor and three repetitions take by estimate. */
  readonly leastS: number;
  readonly warnings: readonly Warning[];
  /** --baseline names a file that is not there, and is optional. */
  readonly isBaselineMissing: boolean;
}

/** What a figure may get worse by without --allow: the floor alone; the rate by what it may be off. */
const ALLOW: Tolerance = { rate: 0.02, bias: [] };

/** The clients, with the fault that was asked for in our own. */
function withFault(choice: ClientChoice, fault: string | undefined): ClientChoice {
  if (fault === undefined) return choice;
  if (!choice.names?.includes(tareAdapter.name))
    throw new UserError(
      `--fault is for Tare's own client, a control: give --client ${tareAdapter.name} with it.`,
    );
  const faulty = createFaultyAdapter(fault);
  return {
    ...choice,
    names: choice.names.map((name) => (name === tareAdapter.name ? faulty.name : name)),
    byName: (name) => (name === faulty.name ? faulty : choice.byName(name)),
  };
}

/** The gated clients, and the one that they are compared with. */
function chosen(flags: GateFlags): { choice: ClientChoice; against: string | null } {
  if (flags.client === undefined)
    throw new UserError(
      'a gate needs to know whom to judge: --client NAME (`tare doctor` lists them), or --load FILE for a run that is over.',
    );
  if (flags.rate === undefined)
    throw new UserError('a gate needs a rate that the client is to hold: --rate 200, in requests/s.');
  const { against: other } = flags;
  const gated = withFault(chooseClients([...new Set(flags.client)]), flags.fault);
  if (other === undefined) return { choice: gated, against: null };
  const beside = chooseClients([other]);
  const against = beside.names![0]!;
  if (gated.names!.includes(against))
    throw new UserError(
      `--against ${against} is a client that is judged, too: name another one, or the same program by a client file of another name.`,
    );
  return {
    choice: {
      names: [...gated.names!, against],
      fromFiles: [...gated.fromFiles, ...beside.fromFiles],
      byName: (name) => (name === against ? beside.byName(name) : gated.byName(name)),
    },
    against,
  };
}

/** @throws UserError for flags that cannot be met, and for a client that is not here, with the remedy. */
export async function gateJob(flags: GateFlags): Promise<GateJob> {
  const { choice, against } = chosen(flags);
  if (flags.allow !== undefined && flags.baseline === undefined && against === null)
    throw new UserError('--allow is what a client may get worse by: give --baseline or --against with it.');
  const isMissing = flags.baseline !== undefined && flags.baselineOptional && !existsSync(flags.baseline);
  const earlier: Earlier | null =
    flags.baseline === undefined || isMissing ? null : await readEarlier(flags.baseline);
  const host = await readHost();
  const prepared = await prepareAudit(
    {
      clients: choice.names,
      rates: flags.rate!,
      durationS: 1,
      repetitions: 3,
      arrivals: flags.arrivals,
      target: REFERENCE_INFO,
      latency: flags.latency ?? null,
      promptTokens: flags.promptTokens,
      outputTokens: flags.tokens,
      seed: flags.seed,
      workers: workerCount(flags.workers),
      pin: flags.pin,
      budgetS: null,
    },
    allAdapters,
    host,
    choice.byName,
  );
  // A verdict on fewer clients than were asked for would be one that nobody asked for.
  const lost = choice.names!.find((name) => !prepared.plan.clients.includes(name));
  if (lost !== undefined)
    throw new UserError(
      `${lost} cannot be judged like this: ${prepared.warnings.map(({ evidence }) => evidence).join('; ')}.`,
    );
  const tolerance = flags.tolerance ?? parseTolerance(DEFAULT_GATE_TOLERANCE);
  const gated = choice.names!.filter((name) => name !== against);
  const cells = cellsOf(gated, flags.rate!, against);
  const budgetS = flags.budget ?? DEFAULT_BUDGET_S;
  const costs = new Map(prepared.plan.clients.map((name) => [name, prepared.adapters.get(name)!.facts]));
  const duration_s = durationWithin(budgetS, flags.duration ?? null, cells, costs, tolerance);
  const plan = {
    ...prepared.plan,
    duration_s,
    estimated_s: Math.round(leastS(cells, costs, tolerance, duration_s)),
  };
  return {
    choice,
    host,
    clients: prepared.clients,
    cells,
    adapters: prepared.adapters,
    budgetS,
    leastS: plan.estimated_s,
    warnings: prepared.warnings,
    plan,
    tolerance,
    explicit: flags.tolerance !== undefined,
    allow: flags.allow ?? ALLOW,
    baselineOptional: flags.baselineOptional,
    isBaselineMissing: isMissing,
    baseline:
      earlier === null
        ? null
        : baselineOf(
            earlier,
            { version, host, plan: { ...plan, clients: gated } },
            { otherHost: flags.otherHost, otherVersion: flags.otherVersion },
          ),
    against,
  };
}
