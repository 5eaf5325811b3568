/** Runs one trial: a fresh target, a fresh client, one workload; then the comparison. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter, ClientReport, Found, Parsed, Variant } from '../../adapters/contract.ts';
import { diagnose } from '../measure/diagnosis/diagnose.ts';
import type { Ledger } from '../measure/ledger.ts';
import type { WallOffset } from '../measure/record-clock.ts';
import { wallOffsetNs } from '../system/clock.ts';
import type { Launcher, LaunchResult } from '../system/launcher.ts';
import type { Observation } from '../system/observation.ts';
import { summarize } from '../system/observed-figures.ts';
import { observe } from '../system/observer.ts';
import { Secrets } from '../system/secrets.ts';
import { UserError } from '../system/user-error.ts';
import { readLedger } from '../truth/ledger-file.ts';
import { clientSideOf, reportedRows } from './client-side.ts';
import { observedByClient } from './client-window.ts';
import { trialBias, truthOf } from './compare.ts';
import { decompositionOf } from './decompose.ts';
import { evidenceOf } from './diagnosis.ts';
import type { AuditPlan, Exported, Observed, Outcome, Trial, Truth } from './document.ts';
import { asUnderstood, judgeOutcome } from './outcome.ts';
import { pair } from './pairing.ts';
import type { PlannedTrial } from './plan.ts';
import type { ResultsFolder } from './results.ts';
import { keepsLedger, type TargetEnd, type TargetSource } from './target.ts';
import { trustIn } from './trust-env.ts';
import { beginWire, compareWire, type RunningWitness, type Witness } from './wire.ts';

export interface TrialContext {
  readonly launcher: Launcher;
  readonly folder: ResultsFolder;
  readonly plan: AuditPlan;
  readonly target: TargetSource;
  readonly signal: AbortSignal;
  /** Overrides the client's deadline, s. For tests of clients that never end. */
  readonly deadlineS?: number;
}

/** Seconds that a client may take before it is ended: slow starts, a drain, and a rate that it only holds a fifth of. */
export function deadlineS(planned: PlannedTrial, adapter: Adapter): number {
  return 20 + 3 * (adapter.facts.startupS + adapter.facts.teardownS) + 5 * planned.workload.durationS;
}

/** What a run left. */
export interface TrialRun {
  readonly client: LaunchResult;
  readonly command: readonly string[];
  readonly parsed: Parsed;
  readonly ledger: Ledger | null;
  readonly targetFailure: string | null;
  readonly exported: Exported | null;
  readonly observation: Observation | null;
  readonly wall: WallOffset;
  readonly witness: Witness | { readonly failure: string } | null;
}

/** Launches target and client, and reads what both left. The folder is left under its temporary name. */
export async function launchTrial(
  planned: PlannedTrial,
  adapter: Adapter,
  found: Found,
  context: TrialContext,
  secrets: Secrets,
  variants: readonly Variant[] = [],
): Promise<TrialRun> {
  const { plan, launcher, folder } = context;
  const dir = await folder.begin(planned.id);
  const clientDir = join(dir, 'client');
  const deadlineMs = (context.deadlineS ?? deadlineS(planned, adapter)) * 1000;
  const { model } = plan.target;
  const target = await context.target.start({
    launcher,
    workload: planned.workload,
    model,
    dir,
    cpus: plan.target_cpus,
    // Room for warm-up, and for a client that sends more than it was asked.
    capacity: Math.ceil(planned.workload.requests * 1.5) + 1000,
    deadlineMs,
  });
  let stopped: TargetEnd | null = null;
  let capturing: RunningWitness | null = null;
  const stdoutFile = join(dir, 'client.stdout.txt');
  const stderrFile = join(dir, 'client.stderr.txt');
  try {
    const command = await adapter.prepare({
      workload: planned.workload,
      url: target.url,
      model,
      dir: clientDir,
      found,
      workers: plan.workers,
      cpus: plan.client_cpus,
      ...(variants.length === 0 ? {} : { variants }),
      ...(target.caFile === undefined ? {} : { caFile: target.caFile }),
    });
    secrets.add(command.secrets ?? []);
    const beforeNs = wallOffsetNs();
    if (plan.wire !== undefined) {
      const keep = plan.wire === 'keep';
      capturing = await beginWire({ launcher, url: target.url, dir, deadlineMs: deadlineMs + 60_000, keep });
    }
    const running = launcher.launch({
      argv: command.argv,
      cwd: command.cwd,
      env: { ...trustIn(target.caFile), ...command.env },
      stdoutFile,
      stderrFile,
      deadlineMs,
      ...(plan.client_cpus === null ? {} : { cpus: plan.client_cpus }),
    });
    const observer = running.pid === null ? null : observe(running.pid);
    const abort = () => running.stop();
    context.signal.addEventListener('abort', abort, { once: true });
    if (context.signal.aborted) abort();
    const client = await running.done;
    const wall = { beforeNs, afterNs: wallOffsetNs() };
    context.signal.removeEventListener('abort', abort);
    const observation = observer?.stop() ?? null;
    stopped = await target.stop();
    const witness = (await capturing?.end()) ?? null;
    capturing = null;
    const { ledgerFile } = target;
    const ledger = ledgerFile !== null && existsSync(ledgerFile) ? await readLedger(ledgerFile) : null;
    const parsed = await adapter.parse({
      dir: clientDir,
      stdoutFile,
      stderrFile,
      stdoutBytes: client.stdoutBytes,
      stderrBytes: client.stderrBytes,
      exitCode: client.exitCode,
      workload: planned.workload,
    });
    return {
      client,
      command: client.argv.map((word) => word.replaceAll(dir, folder.final(planned.id))),
      parsed,
      ledger,
      targetFailure: stopped.failure,
      exported: stopped.exported,
      observation,
      wall,
      witness,
    };
  } finally {
    if (stopped === null) await target.stop();
    await capturing?.abandon();
    // Last of all: the figures are parsed from what the client really wrote.
    await secrets.files([clientDir, stdoutFile, stderrFile]);
  }
}

/** A report without its records, which stay in the client's own files. */
function withoutRecords(report: ClientReport): Omit<ClientReport, 'records'> {
  const { records: _, ...rest } = report;
  return rest;
}

/** The window in which load ran, by the ledger. */
function observedBetween(
  observation: Observation | null,
  ledger: Ledger | null,
  first: number,
): Observed | null {
  if (observation === null || ledger === null || ledger.rows <= first) return null;
  let end = ledger.arrivalNs[ledger.rows - 1]!;
  for (let r = first; r < ledger.rows; r++) if (ledger.endNs[r]! > end) end = ledger.endNs[r]!;
  return summarize(observation, ledger.arrivalNs[first]!, end);
}

/** Runs a trial and keeps it. A failure of client or target is an outcome, not an exception. */
export async function runTrial(
  planned: PlannedTrial,
  adapter: Adapter,
  found: Found,
  context: TrialContext,
): Promise<Trial> {
  const startedAt = new Date();
  const secrets = new Secrets();
  let run: TrialRun | null = null;
  let failure = '';
  try {
    run = await launchTrial(planned, adapter, found, context, secrets);
  } catch (error) {
    if (error instanceof UserError) throw error;
    failure = (error as Error).message;
  }
  const { definitions } = adapter.facts;
  const ledger = run?.ledger ?? null;
  const truth: Truth | null = ledger === null ? null : truthOf(ledger, definitions, planned.workload);
  const report = run?.parsed.state === 'parsed' ? run.parsed.report : null;
  const account =
    run === null || keepsLedger(context.plan.target)
      ? null
      : clientSideOf(report, definitions, planned.workload, run.exported);
  const outcome: Outcome =
    run === null
      ? { kind: 'incomplete', reason: failure }
      : judgeOutcome({
          ...run,
          truth,
          clientSide: account === null ? null : { account, definitions },
          workload: asUnderstood(planned.workload, adapter.facts),
        });
  const pairing =
    ledger === null || truth === null || report === null
      ? null
      : pair(ledger, adapter.facts, truth.warmup_requests, report);
  const witness = run?.witness ?? null;
  const wire =
    witness === null || 'failure' in witness
      ? null
      : compareWire(witness, ledger, truth?.warmup_requests ?? 0, pairing, definitions);
  const trial: Trial = {
    id: planned.id,
    client: planned.client,
    repetition: planned.repetition,
    order: planned.order,
    workload: planned.workload,
    started_at: startedAt.toISOString(),
    elapsed_s: Math.round((Date.now() - startedAt.getTime()) / 10) / 100,
    command: secrets.data(run?.command ?? []),
    exit_code: run?.client.exitCode ?? null,
    outcome: 'reason' in outcome ? { ...outcome, reason: secrets.text(outcome.reason) } : outcome,
    truth,
    client_side: account,
    reported: report === null ? null : secrets.data(withoutRecords(report)),
    observed:
      run === null
        ? null
        : account === null
          ? observedBetween(run.observation, ledger, truth?.warmup_requests ?? 0)
          : observedByClient(run.observation, report, definitions, run.client, run.wall.afterNs),
    joined: pairing?.joined ?? null,
    faults:
      ledger === null || truth === null || report === null
        ? null
        : diagnose(
            evidenceOf(
              ledger,
              truth.warmup_requests,
              planned.workload,
              adapter.facts,
              report,
              pairing,
              run!.wall,
            ),
            truth.arrivals?.departures ?? [],
          ),
    bias:
      report === null
        ? []
        : account !== null
          ? reportedRows(report, planned.workload)
          : ledger === null || truth === null
            ? []
            : trialBias(ledger, definitions, truth, report, pairing),
    warnings: [
      ...secrets.data(report?.notes ?? []),
      ...secrets.unmasked,
      ...(witness !== null && 'failure' in witness ? [witness.failure] : []),
    ],
    decomposition:
      ledger === null || truth === null || pairing === null || run === null
        ? null
        : decompositionOf(
            ledger,
            adapter.facts,
            truth.warmup_requests,
            pairing,
            run.wall,
            wire?.rows ?? null,
          ),
    ...(context.plan.wire === undefined ? {} : { wire: wire?.figures ?? null }),
  };
  if (outcome.kind !== 'incomplete' || !context.signal.aborted) await context.folder.keep(trial);
  return trial;
}
