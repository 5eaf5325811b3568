/** An audit from plan to document: floor, trials in random order, findings. Resumable; ends early with what it has. */
import type { Adapter, Found } from '../../adapters/contract.ts';
import type { HostInfo } from '../system/host.ts';
import type { Launcher } from '../system/launcher.ts';
import {
  AUDIT_SCHEMA,
  type AuditDocument,
  type AuditPlan,
  type ClientEntry,
  type Floor,
  type Trial,
} from './document.ts';
import { findings, rateFindings } from './findings.ts';
import { type FloorEvent, measureFloor } from './measure-floor.ts';
import { type Costs, orderTrials, type PlannedTrial } from './plan.ts';
import type { ResultsFolder } from './results.ts';
import { keepsLedger } from './target.ts';
import { targetSource } from './target-kinds.ts';
import { runTrial, type TrialContext } from './trial.ts';
import { type Warning, warningsOf } from './warnings.ts';

export type AuditEvent =
  | FloorEvent
  | {
      readonly kind: 'trialStart';
      readonly trial: PlannedTrial;
      readonly index: number;
      readonly total: number;
      readonly leftS: number;
    }
  | {
      readonly kind: 'trialEnd';
      readonly trial: Trial;
      readonly index: number;
      readonly total: number;
      readonly leftS: number;
    };

export interface AuditInput {
  readonly version: string;
  /** Of the build; null or absent where it is not known. */
  readonly commit?: string | null;
  readonly startedAt: string;
  readonly plan: AuditPlan;
  readonly host: HostInfo;
  readonly clients: readonly ClientEntry[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Our own client in blocking mode, for the floor. */
  readonly floorAdapter: Adapter;
  readonly folder: ResultsFolder;
  readonly launcher: Launcher;
  readonly signal: AbortSignal;
  /** Trials and floor of an audit that is gone on with. */
  readonly done: readonly Trial[];
  readonly floor: Floor | null;
  readonly machine?: AuditDocument['machine'];
  /** Warnings from before the audit: a client that cannot do what is asked. */
  readonly warnings: readonly Warning[];
  readonly onEvent: (event: AuditEvent) => void;
  /** See TrialContext. */
  readonly deadlineS?: number;
}

/** Seconds that are left: the estimates of what is to come, scaled by how the finished ones compared with theirs. */
export function secondsLeft(
  toCome: readonly PlannedTrial[],
  estimatedDoneS: number,
  actualDoneS: number,
): number {
  const pace = estimatedDoneS > 0 ? actualDoneS / estimatedDoneS : 1;
  return toCome.reduce((sum, trial) => sum + trial.estimatedS, 0) * pace;
}

/** Runs what is not done yet, writing audit.json after every trial. */
export async function runAudit(input: AuditInput): Promise<AuditDocument> {
  const { plan, folder, signal } = input;
  const costs: Costs = new Map([...input.adapters].map(([name, adapter]) => [name, adapter.facts]));
  const planned = orderTrials(plan, costs);
  const trials: Trial[] = input.done.filter((trial) => planned.some(({ id }) => id === trial.id));
  let { floor, machine } = input;
  const document = (state: AuditDocument['state'], finishedAt: string | null): AuditDocument => {
    const sorted = trials.toSorted((a, b) => a.order - b.order);
    return {
      schema: AUDIT_SCHEMA,
      tare_version: input.version,
      ...(input.commit == null ? {} : { tare_commit: input.commit }),
      started_at: input.startedAt,
      finished_at: finishedAt,
      state,
      host: input.host,
      plan,
      floor,
      // The floor holds it where there is one.
      ...(floor === null && machine ? { machine } : {}),
      clients: input.clients,
      trials: sorted,
      findings: findings(sorted, floor),
      rates: rateFindings(sorted),
      warnings: [...input.warnings, ...warningsOf(input.host, plan, sorted, floor, machine)],
    };
  };
  await folder.write(document('interrupted', null));
  const context: TrialContext = {
    launcher: input.launcher,
    folder,
    plan,
    target: targetSource(plan.target),
    signal,
    ...(input.deadlineS === undefined ? {} : { deadlineS: input.deadlineS }),
  };
  const isDone = (id: string) => trials.some((trial) => trial.id === id);
  const todo = planned.filter((trial) => !isDone(trial.id));
  // Without a ledger there is no bias to hold against a floor.
  if (floor === null && todo.length > 0 && !signal.aborted && keepsLedger(plan.target))
    ({ floor, machine } = await measureFloor(context, input.floorAdapter, todo[0]!.workload, input.onEvent));

  let estimatedS = 0;
  let actualS = 0;
  for (const [i, next] of todo.entries()) {
    if (signal.aborted) break;
    const index = planned.length - todo.length + i;
    const total = planned.length;
    input.onEvent({
      kind: 'trialStart',
      trial: next,
      index,
      total,
      leftS: secondsLeft(todo.slice(i), estimatedS, actualS),
    });
    const entry = input.clients.find((client) => client.name === next.client)!;
    const trial = await runTrial(next, input.adapters.get(next.client)!, entry.found as Found, context);
    // A trial that Ctrl-C cut short is no result: it is run again by --resume.
    if (signal.aborted && trial.outcome.kind === 'incomplete') break;
    trials.push(trial);
    estimatedS += next.estimatedS;
    actualS += trial.elapsed_s;
    await folder.write(document('interrupted', null));
    input.onEvent({
      kind: 'trialEnd',
      trial,
      index,
      total,
      leftS: secondsLeft(todo.slice(i + 1), estimatedS, actualS),
    });
  }
  const finished = planned.every((trial) => isDone(trial.id));
  const final = document(finished ? 'finished' : 'interrupted', new Date().toISOString());
  await folder.write(final);
  return final;
}
