/** A worker's run: its share of the schedule through its connections, with its figures and vitals. */
import { devNull } from 'node:os';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import type { RequestShape } from '../measure/load/request-shape.ts';
import { createSchedule } from '../measure/schedule.ts';
import { NANOS_PER_MS } from '../measure/time.ts';
import { nowNs } from '../system/clock.ts';
import { ClosedLoop } from './closed-loop.ts';
import type { Connection } from './connection.ts';
import { ConnectionList } from './connection-list.ts';
import { Cut } from './exclude.ts';
import { createFault } from './faults/create.ts';
import type { Fault, FaultRun, Seen } from './faults/fault.ts';
import { keyMask } from './key-mask.ts';
import { startLocalServer } from './local-server.ts';
import type { WorkerConfig, WorkerVitals } from './messages.ts';
import { OUTCOME } from './outcome.ts';
import { Pacer, type PacerHost } from './pacer.ts';
import { Recorder, type RecorderSnapshot } from './recorder.ts';
import { bodyTemplate } from './request-body.ts';
import { bodyByIndex, type ShapedBodies, type ShapedBody, shapedBodies } from './requests/bodies.ts';
import { Strata, strataShapes } from './requests/strata.ts';
import { Retries } from './retries.ts';
import { Share } from './share.ts';
import { SpoolWriter } from './spool.ts';
import { StageStrata } from './strata-stage.ts';
import { hostOf } from './worker-host.ts';

/**
 * The worker's own code is warmed on the local server by so many requests, for at most `rehearsalNs` (2 s, unless told otherwise): until the optimizing compiler, whose threads
 * share the core where the worker is pinned, has done its work. After half as many it still interrupts the run for milliseconds.
 */
const LOCAL_WARMUP = 25_000;
/** Not faster than this, and no more than so many under way, whatever the machine can do: connections must idle, too. */
const LOCAL_GAP_NS = 40_000;
const LOCAL_IN_FLIGHT = 32;
const LOCAL_CONNECTIONS = 64;
/** Numbers of requests that warm the target: their prompts are none of those that are measured. */
const WARMUP_FROM = 900_000_000;
/** Reports while rehearsing: more often than in the run, so that they are warm. */
const REHEARSE_REPORT_MS = 40;
/** Records of a dead worker are lost from up to this long before. */
const FLUSH_EVERY_MS = 200;
/** How often requests are checked against their time limit. */
const EXPIRE_EVERY_MS = 20;

/** The API key among the headers, names and values in turn; null without one. */
function bearerOf(headers: readonly string[]): string | null {
  const at = headers.indexOf('authorization');
  return at < 0 ? null : headers[at + 1]!.replace(/^Bearer /, '');
}

/** The worker's way of reporting. */
export type Tell = (figures: RecorderSnapshot, vitals: WorkerVitals) => void;

export class WorkerRun {
  readonly #config: WorkerConfig;
  /** Null: all bodies are alike. */
  readonly #bodies: ShapedBodies | null;
  readonly #list: ConnectionList;
  readonly #recorder: Recorder;
  readonly #spool: SpoolWriter | null;
  readonly #host: PacerHost;
  readonly #fault: Fault | null;
  readonly #retries: Retries | null;
  #afterRun: () => void = () => {};
  #share: Share | null = null;
  /** In place of the share, in a closed loop. */
  #closed: ClosedLoop | null = null;
  #byStage: StageStrata | null = null;
  /** Takes requests out of the figures at the start; null: none is. */
  #cut: Cut | null = null;
  /** Takes what ends while warming up; null from the start on. */
  #warming: ((connection: Connection) => void) | null = null;
  #pacer: Pacer | null = null;
  #finish: () => void = () => {};
  #ending = false;
  #watchedNs = Number.NaN;
  #endNs = Number.NaN;
  #cpu = process.cpuUsage();
  #loop = performance.eventLoopUtilization();
  #gcMs = 0;
  #gcMaxMs = 0;

  constructor(config: WorkerConfig) {
    this.#config = config;
    const { strata, body } = config;
    this.#bodies = strata?.shapes ? shapedBodies(body, strata.shapes) : null;
    this.#recorder = new Recorder(body.outputTokens, strata === null ? null : new Strata(strata));
    this.#spool = config.spoolFile === null ? null : new SpoolWriter(config.spoolFile);
    this.#host = hostOf(config.pacing);
    const { fault, pacing, schedule } = config;
    this.#fault =
      fault === null ? null : createFault(fault, { seed: schedule.seed, pacing, host: () => hostOf(pacing) });
    this.#retries = config.retryAfter
      ? new Retries({
          wallMs: Date.now,
          later: (ms, step) => void setTimeout(step, ms),
          send: (index, scheduledNs) => this.#list.send(index, scheduledNs),
        })
      : null;
    const { idPrefix } = config;
    this.#list = this.#listTo(
      new URL(config.url),
      config.connections,
      (index) => (this.#warming === null ? idPrefix + index : `warmup-${config.worker}-${index}`),
      this.#bodies === null ? null : bodyByIndex(this.#bodies, strataShapes(strata!)),
      this.#fault?.fresh,
    );
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) {
        this.#gcMs += duration;
        this.#gcMaxMs = Math.max(this.#gcMaxMs, duration);
      }
    }).observe({ entryTypes: ['gc'] });
  }

  #listTo(
    url: URL,
    connections: number,
    requestId: (index: number) => string,
    shaped: ShapedBody | null,
    fresh = false,
  ): ConnectionList {
    const config = this.#config;
    return new ConnectionList({
      url,
      path: config.path,
      stream: config.body.stream,
      template: bodyTemplate(config.body),
      shaped,
      headers: config.headers,
      requestId,
      connectTimeoutMs: Math.min(config.timeoutMs, 10_000),
      burnNs: config.burnNs,
      now: nowNs,
      mask: keyMask(bearerOf(config.headers)) ?? undefined,
      maxInFlight: config.maxInFlight,
      connections,
      timeoutNs: config.timeoutMs * 1e6,
      connect: this.#fault?.connect,
      fresh,
      onEnd: (connection) => {
        if (this.#warming === null) this.#take(connection);
        else this.#warming(connection);
      },
    });
  }

  /** What requests to the local server are like. */
  readonly #rehearsalShape = (): RequestShape => ({
    task: 0,
    promptTokens: (this.#config.strata?.shapes?.prefix?.tokens ?? 0) + 1,
    outputTokens: this.#config.body.outputTokens,
    prefix: this.#config.strata?.shapes?.prefix ? 0 : -1,
  });

  #take(connection: Connection): void {
    if (this.#retries?.takes(connection)) return;
    this.#see(connection);
    this.#closed?.ended();
    this.#settle();
  }

  /** Takes a request for what it was, or for what a fault makes of it. */
  #see(connection: Connection): void {
    const see = this.#fault?.see;
    const seen = see === undefined ? connection : see(connection);
    if (seen !== null) this.#keep(seen);
  }

  #keep(seen: Seen): void {
    if (this.#cut === null || !this.#cut.leaves(seen)) {
      this.#recorder.take(seen);
      this.#byStage?.take(seen);
    }
    this.#spool?.append(seen);
  }

  /** Ends the run soon when nothing more is due. */
  #settle(): void {
    const over = this.#share === null ? this.#closed?.over : Number.isNaN(this.#share.dueNs);
    if (over === true) this.#settleSoon();
  }

  /** Warms the code, that of `tell` too, on a server of our own; opens the connections; then, if asked, warms the target over them. */
  async prepare(tell: Tell): Promise<void> {
    await this.#warmUp(tell);
    await this.#list.openAll();
    const { connections, maxInFlight, warmup } = this.#config;
    if (warmup > 0) await this.#warmTarget(Math.min(connections, maxInFlight, warmup), warmup);
    this.#list.peakInFlight = 0;
  }

  /** Warms the code that the run will use, on a server in this process. */
  async #warmUp(tell: Tell): Promise<void> {
    const { path, body, schedule, rehearsalNs } = this.#config;
    const bodyLength = this.#bodies?.size(this.#rehearsalShape()) ?? bodyTemplate(body).bytes.length;
    const local = await startLocalServer(path, body.outputTokens, body.stream, bodyLength);
    // A short one to its very end first: what closing changes in the objects would throw compiled code away, were it seen only later.
    const arrivals = schedule.arrivals.kind === 'trace' ? ({ kind: 'constant' } as const) : schedule.arrivals;
    const few = createSchedule({ arrivals, rateRps: 1e9 / LOCAL_GAP_NS, requests: 200, seed: 1 });
    const short = await this.#openLoop(local.url, tell, () => few.next);
    short.close(() => {});
    const rehearsal = await this.#openLoop(local.url, tell, (list, startNs) => {
      let drawn = 0;
      let last = 0;
      return () => {
        const now = nowNs() - startNs;
        if (++drawn > LOCAL_WARMUP || now > rehearsalNs) return Number.NaN;
        last = list.inFlight < LOCAL_IN_FLIGHT ? Math.max(last + LOCAL_GAP_NS, now) : now + NANOS_PER_MS;
        return last;
      };
    });
    this.#afterRun = () => {
      rehearsal.close(() => {});
      local.close();
    };
  }

  /** A run against a server of our own, connections that idle and all. Leaves the connections open. */
  async #openLoop(
    url: URL,
    tell: Tell,
    nextOf: (list: ConnectionList, startNs: number) => () => number,
  ): Promise<ConnectionList> {
    const { body, spoolFile, pacing } = this.#config;
    const { strata } = this.#config;
    const recorder = new Recorder(body.outputTokens, strata === null ? null : new Strata(strata));
    const spool = spoolFile === null ? null : new SpoolWriter(devNull);
    // The local server takes bodies of one length.
    const shaped = this.#bodies === null ? null : bodyByIndex(this.#bodies, this.#rehearsalShape);
    const list = this.#listTo(url, LOCAL_CONNECTIONS, (index) => `local-${WARMUP_FROM + index}`, shaped);
    await list.openAll();
    const reports = setInterval(() => tell(recorder.snapshot(), this.vitals()), REHEARSE_REPORT_MS);
    const expiry = setInterval(() => list.expire(nowNs()), EXPIRE_EVERY_MS);
    const startNs = nowNs();
    const share = new Share(list, nextOf(list, startNs), startNs, 0, 1);
    await new Promise<void>((resolve) => {
      this.#warming = (connection) => {
        recorder.take(connection);
        spool?.append(connection);
        // The connection is free only after this call.
        if (Number.isNaN(share.dueNs)) setImmediate(() => list.inFlight + list.waiting === 0 && resolve());
      };
      new Pacer(this.#host, share, pacing).start();
    });
    this.#warming = null;
    clearInterval(reports);
    clearInterval(expiry);
    spool?.close();
    return list;
  }

  /** Sends `count` requests to the target, `width` at a time, and waits for their end. Their outcome does not matter. */
  async #warmTarget(width: number, count: number): Promise<void> {
    const list = this.#list;
    const endNs = nowNs() + this.#config.timeoutMs * 1e6;
    const expiry = setInterval(() => list.expire(nowNs()), EXPIRE_EVERY_MS);
    await new Promise<void>((resolve) => {
      let sent = 0;
      let ended = 0;
      this.#warming = () => {
        ended++;
        setImmediate(() => {
          if (sent < count && nowNs() < endNs) list.send(WARMUP_FROM + sent++, nowNs());
          else if (ended === sent) resolve();
        });
      };
      while (sent < width) list.send(WARMUP_FROM + sent++, nowNs());
    });
    clearInterval(expiry);
    this.#warming = null;
  }

  /** Runs from the common start; settles when the last request has ended, or after `stop`. */
  async run(startNs: number): Promise<void> {
    const { schedule, closed, pacing } = this.#config;
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    if (this.#config.exclude !== null) this.#cut = new Cut(this.#config.exclude, startNs);
    if (schedule.stages !== undefined) this.#byStage = new StageStrata(schedule.stages, startNs);
    const faultRun = this.#faultRun(startNs);
    const begin =
      closed === null
        ? this.#openRun(startNs, faultRun)
        : () => {
            this.#closed = new ClosedLoop(closed, startNs, {
              host: () => hostOf(pacing),
              pacing,
              now: nowNs,
              send: (index, scheduledNs) => this.#list.send(index, scheduledNs),
              onOver: () => this.#settle(),
            });
            this.#closed.start();
          };
    const endBeside = this.#fault?.beside?.(faultRun);
    const expiry = setInterval(() => this.#list.expire(nowNs()), EXPIRE_EVERY_MS);
    setTimeout(() => this.#watch(), Math.max(0, (startNs - nowNs()) / 1e6 - 5));
    const flush = setInterval(() => this.#spool?.flush(), FLUSH_EVERY_MS);
    begin();
    this.#settle();
    await finished;
    endBeside?.();
    this.#endNs = nowNs();
    clearInterval(expiry);
    clearInterval(flush);
    this.#spool?.close();
    this.#afterRun();
  }

  /** Makes an open run ready: what starts it. */
  #openRun(startNs: number, faultRun: FaultRun): () => void {
    const { schedule, worker, workers, pacing } = this.#config;
    const { next } = (this.#fault?.schedule ?? createSchedule)(schedule);
    const share = new Share(this.#list, next, startNs, worker, workers);
    this.#share = share;
    const pacer = new Pacer(this.#host, this.#fault?.arrivals?.(share, faultRun) ?? share, pacing);
    this.#pacer = pacer;
    return () => pacer.start();
  }

  /** What a fault may do in this run. */
  #faultRun(startNs: number): FaultRun {
    return {
      startNs,
      now: nowNs,
      send: (index, scheduledNs) => this.#list.send(index, scheduledNs),
      keep: (seen) => this.#keep(seen),
      settle: () => this.#settle(),
      host: () => hostOf(this.#config.pacing),
    };
  }

  /** Vitals count from here. */
  #watch(): void {
    this.#watchedNs = nowNs();
    this.#cpu = process.cpuUsage();
    this.#loop = performance.eventLoopUtilization();
    this.#gcMs = 0;
    this.#gcMaxMs = 0;
  }

  /** Ends the run with what there is: what is under way counts as unfinished, what waits as unsent. */
  stop(): void {
    this.#pacer?.stop();
    this.#closed?.stop();
    const { waiting } = this.#list.close((connection) => {
      connection.outcome = OUTCOME.unfinished;
      this.#retries?.tell(connection);
      this.#see(connection);
    });
    this.#recorder.counts.outcomes[OUTCOME.unsent]! += waiting;
    this.#retries?.stop((refused) => this.#keep(refused));
    this.#finish();
  }

  /** Called when a request has ended and nothing more is due: ends the run once nothing is under way. */
  #settleSoon(): void {
    if (this.#ending) return;
    this.#ending = true;
    setImmediate(() => {
      this.#ending = false;
      const retrying = this.#retries?.waiting ?? 0;
      if (this.#list.inFlight + this.#list.waiting + retrying === 0) this.#finish();
    });
  }

  figures(): RecorderSnapshot {
    const figures = this.#recorder.snapshot();
    return {
      ...figures,
      ...(this.#byStage === null ? {} : { byStage: this.#byStage.snapshot() }),
      ...(this.#cut === null ? {} : { excluded: { ended: this.#cut.ended, complete: this.#cut.complete } }),
    };
  }

  vitals(): WorkerVitals {
    const sending = this.#share ?? this.#closed;
    const endNs = Number.isNaN(this.#endNs) ? nowNs() : this.#endNs;
    const elapsedUs = Math.max(1, (endNs - this.#watchedNs) / 1000);
    const cpu = process.cpuUsage(this.#cpu);
    return {
      pid: process.pid,
      inFlight: this.#list.inFlight,
      waiting: this.#list.waiting + (this.#retries?.waiting ?? 0),
      peakInFlight: this.#list.peakInFlight,
      delayed: this.#list.delayed,
      connections: this.#list.open,
      dispatched: sending?.dispatched ?? 0,
      inFlightAtLastSend: sending?.inFlightAtLastSend ?? 0,
      eventLoopUtilization: performance.eventLoopUtilization(this.#loop).utilization,
      cpuShare: (cpu.user + cpu.system) / elapsedUs,
      gcMs: this.#gcMs,
      gcMaxMs: this.#gcMaxMs,
      turns: this.#pacer?.turns ?? 0,
      ...(this.#closed === null ? {} : { closed: this.#closed.watch }),
      retries: this.#retries?.counts ?? null,
    };
  }
}
