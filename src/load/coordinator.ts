/** Runs a load: starts the workers, gives them their common start, watches them, and merges what they have. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NANOS_PER_MS, NANOS_PER_S } from '../measure/time.ts';
import { nowNs } from '../system/clock.ts';
import { version } from '../system/version.ts';
import { buildReport, type WorkerEnd } from './build-report.ts';
import { exclusionOf, leavesOut } from './exclude.ts';
import type { Exclusion } from './exclude-rule.ts';
import { keyMask, maskedRecords, maskedReport } from './key-mask.ts';
import { mergedSpools } from './merged-spools.ts';
import type { FromWorker, WorkerConfig } from './messages.ts';
import { type LoadOptions, type LoadPlan, parseBaseUrl } from './options.ts';
import { closedShare } from './plan-closed.ts';
import { writeRecords } from './records-file.ts';
import type { LoadReport } from './report.ts';
import { endpointPath } from './request-body.ts';
import { type AskedRecord, askedFields, withAsked } from './requests/asked-fields.ts';
import { strataSpec } from './requests/spec.ts';
import { retake, type SteadyCut, steadyCut } from './steady.ts';
import { type StartWorker, startWorkerProcess, type WorkerProcess } from './worker-process.ts';

/** Where a run stands, for showing. */
export interface LoadProgress {
  readonly elapsedS: number;
  /** null: time ends the run. */
  readonly scheduled: number | null;
  readonly sent: number;
  readonly ended: number;
  readonly inFlight: number;
}

export interface LoadHooks {
  /** Aborted: the run ends with what there is. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Gets every request after the run, in the order of their ends; that there is one makes the workers keep records. */
  readonly onRecords?: (report: LoadReport, records: Iterable<AskedRecord>) => void;
  /** When the user’s command was launched, ns of CLOCK_MONOTONIC; absent: when this function was called. */
  readonly launchedNs?: number;
  /** For tests. */
  readonly startWorker?: StartWorker;
}

/** From the last "ready" to the common start: for the message to arrive, and the loops to come to rest. */
const LEAD_NS = 150 * NANOS_PER_MS;
/** A worker must be ready after this; and after a stop, its last figures be here. */
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 5000;

class WorkerState {
  figures: WorkerEnd['figures'] = null;
  vitals: WorkerEnd['vitals'] = null;
  ready = false;
  done = false;
  stopped = false;
  exit: { exitCode: number | null; signal: string | null; stderr: string } | null = null;
  readonly process: WorkerProcess;
  readonly cpus: readonly number[] | null;
  constructor(process: WorkerProcess, cpus: readonly number[] | null) {
    this.process = process;
    this.cpus = cpus;
  }
}

/** Names and values of the headers that every request has. */
function headersOf(options: LoadOptions): string[] {
  const headers = ['content-type', 'application/json'];
  if (options.stream) headers.push('accept', 'text/event-stream');
  if (options.apiKey !== null) headers.push('authorization', `Bearer ${options.apiKey}`);
  return headers;
}

function configOf(
  options: LoadOptions,
  plan: LoadPlan,
  worker: number,
  spoolFolder: string | null,
  exclude: Exclusion | null,
): WorkerConfig {
  const base = parseBaseUrl(options.url);
  return {
    worker,
    workers: plan.workers,
    url: base.origin,
    path: base.pathname.replace(/\/+$/, '') + endpointPath(options.endpoint),
    body: {
      endpoint: options.endpoint,
      model: options.model,
      stream: options.stream,
      promptTokens: options.promptTokens,
      outputTokens: options.outputTokens,
      seed: options.seed,
      extra: options.extraBody,
    },
    schedule: plan.schedule,
    closed: plan.closed === null ? null : closedShare(plan.closed, worker, plan.workers),
    strata: strataSpec(options),
    headers: headersOf(options),
    idPrefix: options.idPrefix,
    pacing: plan.pacing,
    timeoutMs: options.timeoutS * 1000,
    maxInFlight: plan.maxInFlightOf[worker]!,
    connections: plan.connectionsEach,
    burnNs: plan.burnNs,
    rehearsalNs: options.rehearsalS * NANOS_PER_S,
    retryAfter: options.retryAfter,
    fault: options.fault,
    exclude,
    warmup: Math.floor(options.warmup / plan.workers) + (worker < options.warmup % plan.workers ? 1 : 0),
    spoolFile: spoolFolder === null ? null : join(spoolFolder, `worker-${worker}.spool`),
  };
}

const spoolFiles = (folder: string, { workers }: LoadPlan): string[] =>
  Array.from({ length: workers }, (_, k) => join(folder, `worker-${k}.spool`));

/**
 * Runs a load to its end and reports. A worker that dies, the run's limit and an abort do not throw: the report says `incomplete` or
 * `interrupted`, with what there was. Throws a UserError on a file of records that cannot be written.
 */
export async function runLoad(
  options: LoadOptions,
  plan: LoadPlan,
  hooks: LoadHooks = {},
): Promise<LoadReport> {
  const keeps =
    options.recordsFile !== null || hooks.onRecords !== undefined || options.exclude?.kind === 'steady';
  const spoolFolder = keeps ? await mkdtemp(join(tmpdir(), 'tare-load-')) : null;
  const launchedNs = hooks.launchedNs ?? nowNs();
  try {
    const run = new Run(options, plan, hooks, spoolFolder, launchedNs);
    const report = await run.go();
    if (spoolFolder !== null) {
      const files = spoolFiles(spoolFolder, plan);
      const mask = keyMask(options.apiKey);
      const askedOf = askedFields(options);
      if (options.recordsFile !== null)
        writeRecords(options.recordsFile, files, options.idPrefix, askedOf, mask);
      const records = maskedRecords(mergedSpools(files, options.idPrefix), mask);
      hooks.onRecords?.(report, withAsked(records, askedOf, leavesOut(run.exclusion, report.start_ns)));
    }
    return report;
  } finally {
    if (spoolFolder !== null) await rm(spoolFolder, { recursive: true, force: true });
  }
}

class Run {
  readonly #options: LoadOptions;
  readonly #plan: LoadPlan;
  readonly #hooks: LoadHooks;
  readonly #spoolFolder: string | null;
  readonly #launchedNs: number;
  /** What is in no figure, once there is a report. */
  exclusion: Exclusion | null = null;
  /** What the workers leave out; null also where only the run's end can tell. */
  readonly #exclusion: Exclusion | null;
  readonly #workers: WorkerState[] = [];
  #state: LoadReport['state'] = 'complete';
  #reason: string | null = null;
  #startNs = Number.NaN;
  /** When the run was ended early; NaN: it was not. */
  #stoppedNs = Number.NaN;
  #startedAt = new Date().toISOString();
  #changed: () => void = () => {};

  constructor(
    options: LoadOptions,
    plan: LoadPlan,
    hooks: LoadHooks,
    spoolFolder: string | null,
    launchedNs: number,
  ) {
    this.#options = options;
    this.#plan = plan;
    this.#hooks = hooks;
    this.#spoolFolder = spoolFolder;
    this.#launchedNs = launchedNs;
    this.#exclusion = exclusionOf(options, plan);
  }

  async go(): Promise<LoadReport> {
    const onAbort = (): void => this.#fail('interrupted', 'interrupted before its end');
    this.#hooks.signal?.addEventListener('abort', onAbort, { once: true });
    const timers: NodeJS.Timeout[] = [];
    try {
      for (let k = 0; k < this.#plan.workers; k++) this.#start(k);
      timers.push(
        setTimeout(
          () => {
            if (Number.isNaN(this.#startNs))
              this.#fail('incomplete', `not every worker was ready within ${READY_WITHIN_MS / 1000} s`);
          },
          READY_WITHIN_MS + (this.#options.warmup > 0 ? 2 * this.#options.timeoutS * 1000 : 0),
        ),
      );
      if (this.#hooks.signal?.aborted) onAbort();
      await this.#until(() => this.#workers.every((w) => w.ready) || this.#state !== 'complete');
      if (this.#state === 'complete') {
        this.#startNs = nowNs() + LEAD_NS;
        this.#startedAt = new Date(Date.now() + LEAD_NS / NANOS_PER_MS).toISOString();
        for (const w of this.#workers) w.process.send({ type: 'start', startNs: this.#startNs });
        const limitMs = (LEAD_NS + this.#plan.deadlineNs) / NANOS_PER_MS;
        timers.push(
          setTimeout(
            () => this.#fail('incomplete', `the run's limit of ${this.#plan.deadlineNs / 1e9} s was reached`),
            // Node's timers hold at most 2^31 − 1 ms; nobody waits 24 days.
            Math.min(limitMs, 2 ** 31 - 1),
          ),
        );
      }
      await this.#until(() => this.#workers.every((w) => w.exit !== null));
      return this.#report();
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#hooks.signal?.removeEventListener('abort', onAbort);
      for (const w of this.#workers) if (w.exit === null) w.process.kill();
    }
  }

  /** Settles when `holds` does; looked at whenever something has happened. */
  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = () => {
        if (holds()) resolve();
      };
      this.#changed();
    });
  }

  #start(k: number): void {
    const cpus = this.#plan.cpusOf[k]!;
    const w = new WorkerState((this.#hooks.startWorker ?? startWorkerProcess)(k, cpus), cpus);
    this.#workers.push(w);
    w.process.onMessage((message) => this.#take(k, w, message));
    void w.process.exited.then((exit) => {
      w.exit = exit;
      if (!w.done && !w.stopped) this.#fail('incomplete', `worker ${k} died: ${howItEnded(exit)}`);
      this.#changed();
    });
  }

  #take(k: number, w: WorkerState, message: FromWorker): void {
    if (message.type === 'up')
      w.process.send({
        type: 'configure',
        config: configOf(this.#options, this.#plan, k, this.#spoolFolder, this.#exclusion),
      });
    else if (message.type === 'ready') w.ready = true;
    else if (message.type !== 'rehearsal') {
      w.figures = message.figures;
      w.vitals = message.vitals;
      if (message.type === 'done') w.done = true;
      this.#show();
    }
    this.#changed();
  }

  /** Notes why the run ends early (the first reason counts) and stops the workers; those that do not obey are killed. */
  #fail(state: 'incomplete' | 'interrupted', reason: string): void {
    if (this.#state !== 'complete') return;
    this.#state = state;
    this.#reason = reason;
    this.#stoppedNs = nowNs();
    for (const w of this.#workers) {
      if (w.exit !== null || w.done) continue;
      w.stopped = true;
      w.process.send({ type: 'stop' });
      setTimeout(() => {
        if (w.exit === null) w.process.kill();
      }, STOP_WITHIN_MS).unref();
    }
    this.#changed();
  }

  #show(): void {
    if (this.#hooks.onProgress === undefined) return;
    let sent = 0;
    let ended = 0;
    let inFlight = 0;
    for (const { vitals, figures } of this.#workers) {
      sent += vitals?.dispatched ?? 0;
      inFlight += vitals?.inFlight ?? 0;
      ended += figures?.counts.ended ?? 0;
    }
    const { closed, schedule } = this.#plan;
    const scheduled = closed === null ? schedule.requests : closed.requests;
    const elapsedS = Math.max(0, (nowNs() - this.#startNs) / 1e9);
    this.#hooks.onProgress({ elapsedS, scheduled, sent, ended, inFlight });
  }

  /** With `--exclude steady`: from which request on the run is steady. */
  #steady(): SteadyCut | null {
    if (this.#options.exclude?.kind !== 'steady' || this.#spoolFolder === null) return null;
    return steadyCut(spoolFiles(this.#spoolFolder, this.#plan), this.#options, this.#startNs);
  }

  /** A worker's figures, anew where the run's end has told what is left out. */
  #kept(figures: WorkerEnd['figures'], k: number, exclusion: Exclusion | null): WorkerEnd['figures'] {
    if (figures === null || exclusion === null || this.#spoolFolder === null) return figures;
    const spool = spoolFiles(this.#spoolFolder, this.#plan)[k]!;
    return retake(spool, this.#options, exclusion, this.#startNs, figures);
  }

  #report(): LoadReport {
    const endNs = nowNs();
    const steady = this.#steady();
    const exclusion = this.#exclusion ?? steady?.exclusion ?? null;
    this.exclusion = exclusion;
    const report = buildReport(this.#options, this.#plan, {
      exclusion,
      steady,
      launchedNs: this.#launchedNs,
      state: this.#state,
      reason: this.#reason,
      startedAt: this.#startedAt,
      startNs: Number.isNaN(this.#startNs) ? endNs : this.#startNs,
      endNs,
      ...(Number.isNaN(this.#stoppedNs) ? {} : { stoppedNs: this.#stoppedNs }),
      tareVersion: version,
      workers: this.#workers.map((w, k) => ({
        worker: k,
        pid: w.process.pid,
        cpus: w.cpus,
        state: w.stopped ? 'stopped' : w.done ? 'done' : 'died',
        exitCode: w.exit?.exitCode ?? null,
        signal: w.exit?.signal ?? null,
        figures: this.#kept(w.figures, k, steady?.exclusion ?? null),
        vitals: w.vitals,
      })),
    });
    return maskedReport(report, keyMask(this.#options.apiKey));
  }
}

function howItEnded(exit: { exitCode: number | null; signal: string | null; stderr: string }): string {
  const how =
    exit.signal !== null
      ? `ended by ${exit.signal}`
      : exit.exitCode !== null
        ? `exit code ${exit.exitCode}`
        : 'it could not be started';
  const lastLines = exit.stderr.split('\n').slice(-3).join(' ').trim();
  return lastLines === '' ? how : `${how}; ${lastLines}`;
}
