/** What `tare audit` does: prepare or go on, run, report. Loaded only when it is run: charts and Arrow take a while to load. */
import { resolve } from 'node:path';
import { allAdapters } from '../../adapters/registry.ts';
import { tareBlockingAdapter } from '../../adapters/tare/adapter.ts';
import { summaryTable } from '../../reports/table.ts';
import { writeReports } from '../../reports/write.ts';
import { runAudit } from '../audit/audit.ts';
import { baseUrl, checkReach, chooseTarget } from '../audit/choose-target.ts';
import type { AuditDocument, AuditPlan, Floor, TargetInfo, Trial } from '../audit/document.ts';
import { checkLength, planBytes } from '../audit/plan.ts';
import { type Prepared, prepareAudit } from '../audit/prepare.ts';
import { ResultsFolder } from '../audit/results.ts';
import { LEFT_OUT, PLANNED } from '../audit/warnings/planned.ts';
import { commit } from '../system/commit.ts';
import { requireSpace } from '../system/disk.ts';
import { type HostInfo, readHost } from '../system/host.ts';
import { checkCapture } from '../system/packet-capture.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { type ClientChoice, chooseClients, keepClientFiles, keptChoice } from './client-choice.ts';
import { defaultFolder } from './default-folder.ts';
import { DRY_URL, describeDryTrial, dryRun } from './dry-run.ts';
import { interruptible } from './interruptible.ts';
import { workerCount } from './options.ts';
import { duration, progressOn } from './progress.ts';

/** The flags of `tare audit`, parsed. */
export interface AuditFlags {
  client?: string[];
  rate?: number[];
  duration?: number;
  repeat?: number;
  arrivals: string;
  target: string;
  model?: string;
  allowRemote: boolean;
  latency?: string;
  tokens: number;
  promptTokens: number;
  seed: number;
  workers: number | 'auto';
  out?: string;
  resume?: string;
  budget?: number;
  pin: boolean;
  wire: boolean;
  wireKeep: boolean;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What --resume begins with. */
export const goingOn = (path: string, done: number, total: number): string =>
  `going on with ${path}: ${done === 0 ? 'none' : done} of ${total} trials ${done < 2 ? 'is' : 'are'} finished`;

/** Of an audit that is gone on with, the warnings from before its trials: the others are found again from those. */
export const plannedWarnings = (warnings: AuditDocument['warnings']): AuditDocument['warnings'] =>
  warnings.filter(({ code }) => PLANNED.some((planned) => planned.code === code));

/** A warning of the plan, on a line: only a client that is not in the plan is left out. */
export const plannedWords = ({ code, evidence, remedy }: AuditDocument['warnings'][number]): string =>
  `${code === LEFT_OUT.code ? 'left out' : 'warning'}: ${evidence}; ${remedy}`;

interface Job {
  readonly folder: ResultsFolder;
  readonly started: string;
  readonly done: readonly Trial[];
  readonly floor: Floor | null;
  readonly machine?: AuditDocument['machine'];
  readonly choice: ClientChoice;
  readonly from: Pick<AuditDocument, 'plan' | 'clients' | 'host' | 'warnings'>;
}

/** Clients, target and plan of the flags. */
async function prepare(flags: AuditFlags, choice: ClientChoice, host: HostInfo): Promise<Prepared> {
  const target = await chooseTarget({
    target: flags.target,
    model: flags.model ?? null,
    allowRemote: flags.allowRemote,
  });
  return prepareAudit(
    {
      clients: choice.names,
      rates: flags.rate ?? null,
      durationS: flags.duration ?? null,
      repetitions: flags.repeat ?? null,
      arrivals: flags.arrivals,
      target,
      latency: flags.latency ?? null,
      promptTokens: flags.promptTokens,
      outputTokens: flags.tokens,
      seed: flags.seed,
      workers: workerCount(flags.workers),
      pin: flags.pin,
      budgetS: flags.budget ?? null,
    },
    allAdapters,
    host,
    choice.byName,
  );
}

/** The plan with the second witness that was asked for, once it is known to work here. */
async function withWire(plan: AuditPlan, flags: Pick<AuditFlags, 'wire' | 'wireKeep'>): Promise<AuditPlan> {
  if (!flags.wire && !flags.wireKeep) return plan;
  if (plan.target.remote)
    throw new UserError(
      `--wire captures loopback, and ${plan.target.url} is beyond it: leave --wire away, or audit a target on this machine.`,
    );
  await checkCapture(processGroupLauncher);
  return { ...plan, wire: flags.wireKeep ? 'keep' : 'read' };
}

/** A new audit from the flags. */
async function begin(flags: AuditFlags): Promise<Job> {
  const host = await readHost();
  const choice = chooseClients(flags.client ?? null);
  const prepared = await prepare(flags, choice, host);
  checkLength(prepared.plan.estimated_s, flags.yes);
  const plan = await withWire(prepared.plan, flags);
  const path = resolve(flags.out ?? defaultFolder('audit', new Date()));
  requireSpace(path, planBytes(plan));
  const folder = await ResultsFolder.create(path);
  await keepClientFiles(folder.path, choice);
  return {
    folder,
    choice,
    started: new Date().toISOString(),
    done: [],
    floor: null,
    from: { plan, clients: prepared.clients, host, warnings: prepared.warnings },
  };
}

/** The simulator must be the one that the audit began with. */
async function sameSim(then: TargetInfo, folder: string): Promise<void> {
  const now = await chooseTarget({ target: then.kind, model: then.model, allowRemote: false });
  if (now.version !== then.version || now.path !== then.path)
    throw new UserError(
      `${then.kind} is no longer what the audit in ${folder} began with (${then.path}, ${then.version}): its figures cannot be joined. Start a new audit.`,
    );
}

/** An audit to go on with: its plan and clients are those it began with. */
async function goOn(path: string): Promise<Job> {
  const folder = await ResultsFolder.open(resolve(path));
  const document = await folder.read();
  const choice = await keptChoice(folder.path, document.clients);
  for (const { name, found } of document.clients) {
    if (!document.plan.clients.includes(name)) continue;
    const now = await choice.byName(name).find();
    if (now.state === 'missing' || found.state === 'missing' || now.version !== found.version)
      throw new UserError(
        `${name} is no longer what the audit in ${path} began with: its figures cannot be joined. Start a new audit.`,
      );
  }
  if (document.plan.wire !== undefined) await checkCapture(processGroupLauncher);
  // What was allowed when it began still is; a name that has moved beyond loopback since is not.
  const { target } = document.plan;
  if (target.url !== null) await checkReach(baseUrl(target.url), target.remote);
  if (target.kind === 'llm-d-inference-sim') await sameSim(target, path);
  return {
    folder,
    choice,
    started: document.started_at,
    done: await folder.finished(),
    floor: document.floor,
    ...(document.machine ? { machine: document.machine } : {}),
    from: {
      ...document,
      warnings: plannedWarnings(document.warnings),
    },
  };
}

/** Exit code of an audit: what it found is no failure; nothing measured, or cut short, is. */
export function exitCode(document: AuditDocument): number {
  const measured = document.trials.some((trial) => trial.bias.length > 0);
  if (!measured) return EXIT.harnessInvalid;
  return document.state === 'finished' ? EXIT.fine : EXIT.undetermined;
}

/** `--dry-run`: the commands of the first repetition, and nothing sent. */
async function showDryRun(flags: AuditFlags): Promise<void> {
  if (flags.resume !== undefined)
    throw new UserError('--dry-run shows what a new audit would run: leave --resume away.');
  const prepared = await prepare(flags, chooseClients(flags.client ?? null), await readHost());
  const trials = await dryRun(prepared);
  if (flags.json) process.stdout.write(`${JSON.stringify({ schema: 'tare-dry-run/1', trials }, null, 2)}\n`);
  else for (const trial of trials) say(`${describeDryTrial(trial)}\n`);
  for (const warning of prepared.warnings) say(plannedWords(warning));
  const cores = prepared.plan.client_cpus;
  const pinned = cores === null ? '' : ` The client runs on cores ${cores.join(',')}.`;
  const own = prepared.plan.target.url === null ? ` In a trial ${DRY_URL} is the target's own address.` : '';
  say(`Nothing was sent.${own}${pinned}`);
}

/** Runs the command. */
export async function runAuditCommand(flags: AuditFlags): Promise<void> {
  if (flags.dryRun) return showDryRun(flags);
  const controller = interruptible();
  const job = flags.resume === undefined ? await begin(flags) : await goOn(flags.resume);
  const { plan } = job.from;
  const cells = plan.clients.length * plan.rates_rps.length * plan.repetitions;
  say(
    `tare audit: ${plan.clients.join(', ')} at ${plan.rates_rps.join(', ')} requests/s, ${plan.repetitions} × ${plan.duration_s} s: ${cells} trials, about ${duration(plan.estimated_s)}`,
  );
  const { target } = plan;
  if (target.kind !== 'reference')
    say(
      `target ${target.url ?? target.kind}, model ${target.model}: it keeps no ledger, so rates are by the clients' own account and no bias is stated`,
    );
  const others = Object.keys(plan.arrivals_otherwise);
  say(
    `latency ${plan.latency}, ${plan.output_tokens} tokens, ${plan.arrivals} arrivals${others.length > 0 ? ` (Poisson for ${others.join(', ')})` : ''}; ${plan.pinning_note}`,
  );
  if (plan.wire !== undefined) say("each trial's port is captured by tcpdump, as a second witness");
  if (flags.resume !== undefined) say(goingOn(job.folder.path, job.done.length, cells));
  const progress = progressOn({
    terminal: process.stderr.isTTY === true,
    write: say,
    now: () => performance.now(),
  });
  let document: AuditDocument;
  try {
    document = await runAudit({
      version,
      commit,
      startedAt: job.started,
      plan,
      host: job.from.host,
      clients: job.from.clients,
      adapters: new Map(plan.clients.map((name) => [name, job.choice.byName(name)])),
      floorAdapter: tareBlockingAdapter,
      folder: job.folder,
      launcher: processGroupLauncher,
      signal: controller.signal,
      done: job.done,
      floor: job.floor,
      ...(job.machine ? { machine: job.machine } : {}),
      warnings: job.from.warnings,
      onEvent: progress.onEvent,
    });
  } finally {
    progress.end();
  }
  const files = await writeReports(document, job.folder.path);
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  say(summaryTable(document, { plain: process.stderr.isTTY !== true, color: process.stderr.isTTY === true }));
  const charts = files.filter((file) => file.startsWith('charts/')).length;
  const named = ['audit.json', ...files.filter((file) => !file.startsWith('charts/'))];
  say(`${job.folder.path}: ${named.join(', ')} and ${charts} files in charts/`);
  if (document.state === 'interrupted')
    say(`Not finished. Go on with: tare audit --resume ${job.folder.path}`);
  process.exitCode = exitCode(document);
}
