/** A worker's run: its share of the schedule through its connections, with its figures and vitals. */
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { createSchedule } from '../measure/schedule.ts';
import { nowNs } from '../system/clock.ts';
import type { Connection } from './connection.ts';
import { ConnectionList } from './connection-list.ts';
import { startLocalServer } from './local-server.ts';
import type { WorkerConfig, WorkerVitals } from './messages.ts';
import { OUTCOME } from './outcome.ts';
import { type Arrivals, Pacer } from './pacer.ts';
import { Recorder, type RecorderSnapshot } from './recorder.ts';
import { bodyTemplate } from './request-body.ts';
import { SpoolWriter } from './spool.ts';
import { hostOf } from './worker-host.ts';

/** Requests through the local server before the start, and how many of them at once. */
const LOCAL_WARMUP = 600;
const LOCAL_IN_FLIGHT = 4;
/** How often requests are checked against their time limit. */
const EXPIRE_EVERY_MS = 20;

/** This worker's arrivals: every m-th one of the whole schedule. */
class Share implements Arrivals {
  dueNs = Number.NaN;
  dispatched = 0;
  #index = -1;
  readonly #next: () => number;
  readonly #send: (index: number, scheduledNs: number) => void;
  readonly #config: WorkerConfig;
  readonly #startNs: number;

  constructor(config: WorkerConfig, startNs: number, send: (index: number, scheduledNs: number) => void) {
    this.#config = config;
    this.#startNs = startNs;
    this.#send = send;
    this.#next = createSchedule(config.schedule).next;
    this.#move(config.worker + 1);
  }

  send(): void {
    this.dispatched++;
    const { dueNs } = this;
    const index = this.#index;
    this.#move(this.#config.workers);
    this.#send(index, dueNs);
  }

  #move(steps: number): void {
    let offset = Number.NaN;
    for (let i = 0; i < steps; i++) offset = this.#next();
    this.#index += steps;
    this.dueNs = this.#startNs + offset;
  }
}

export class WorkerRun {
  readonly #config: WorkerConfig;
  readonly #list: ConnectionList;
  readonly #recorder: Recorder;
  readonly #spool: SpoolWriter | null;
  #share: Share | null = null;
  #pacer: Pacer | null = null;
  #finish: () => void = () => {};
  #ending = false;
  #inFlightAtLastSend = 0;
  #watchedNs = Number.NaN;
  #endNs = Number.NaN;
  #cpu = process.cpuUsage();
  #loop = performance.eventLoopUtilization();
  #gcMs = 0;
  #gcMaxMs = 0;

  constructor(config: WorkerConfig) {
    this.#config = config;
    this.#recorder = new Recorder(config.body.outputTokens);
    this.#list = this.#listTo(new URL(config.url), config.connections, config.idPrefix, (connection) => {
      this.#recorder.take(connection);
      this.#spool?.append(connection);
    });
    this.#spool = config.spoolFile === null ? null : new SpoolWriter(config.spoolFile);
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
    idPrefix: string,
    take: (connection: Connection) => void,
  ): ConnectionList {
    const config = this.#config;
    return new ConnectionList({
      url,
      path: config.path,
      stream: config.body.stream,
      template: bodyTemplate(config.body),
      headers: config.headers,
      idPrefix,
      connectTimeoutMs: Math.min(config.timeoutMs, 10_000),
      burnNs: config.burnNs,
      now: nowNs,
      maxInFlight: config.maxInFlight,
      connections,
      timeoutNs: config.timeoutMs * 1e6,
      onEnd: (connection) => {
        take(connection);
        if (this.#share !== null && Number.isNaN(this.#share.dueNs)) this.#settleSoon();
      },
    });
  }

  /** Warms the code on a server of our own, then, if asked, the target; opens the connections. */
  async prepare(): Promise<void> {
    const config = this.#config;
    const { path, body } = config;
    const local = await startLocalServer(path, body.outputTokens, body.stream);
    const scratch = new Recorder(body.outputTokens);
    await this.#closedLoop(local.url, LOCAL_WARMUP, LOCAL_IN_FLIGHT, 'local-', (c) => scratch.take(c));
    local.close();
    if (config.warmup > 0)
      await this.#closedLoop(new URL(config.url), config.warmup, 8, `warmup-${config.worker}-`, () => {});
    await this.#list.openAll();
  }

  /** Sends `count` requests, `width` at a time, and waits for all. Their outcome does not matter. */
  async #closedLoop(
    url: URL,
    count: number,
    width: number,
    idPrefix: string,
    take: (connection: Connection) => void,
  ): Promise<void> {
    await new Promise<void>((resolve) => {
      let sent = 0;
      let ended = 0;
      const list = this.#listTo(url, width, idPrefix, (connection) => {
        take(connection);
        ended++;
        if (ended === count)
          setImmediate(() => {
            clearInterval(expiry);
            list.close(() => {});
            resolve();
          });
        else if (sent < count) list.send(sent++, nowNs());
      });
      const expiry = setInterval(() => list.expire(nowNs()), EXPIRE_EVERY_MS);
      while (sent < Math.min(width, count)) list.send(sent++, nowNs());
    });
  }

  /** Runs from the common start; settles when the last request has ended, or after `stop`. */
  async run(startNs: number): Promise<void> {
    const host = hostOf(this.#config.pacing);
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const share = new Share(this.#config, startNs, (index, scheduledNs) => {
      this.#list.send(index, scheduledNs);
      if (Number.isNaN(share.dueNs)) this.#inFlightAtLastSend = this.#list.inFlight + this.#list.waiting;
    });
    this.#share = share;
    this.#pacer = new Pacer(host, share, this.#config.pacing);
    const expiry = setInterval(() => this.#list.expire(nowNs()), EXPIRE_EVERY_MS);
    setTimeout(() => this.#watch(), Math.max(0, (startNs - nowNs()) / 1e6 - 5));
    this.#pacer.start();
    if (Number.isNaN(share.dueNs)) this.#settleSoon();
    await finished;
    this.#endNs = nowNs();
    clearInterval(expiry);
    this.#spool?.close();
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
    const { waiting } = this.#list.close((connection) => {
      connection.outcome = OUTCOME.unfinished;
      this.#recorder.take(connection);
      this.#spool?.append(connection);
    });
    this.#recorder.counts.outcomes[OUTCOME.unsent]! += waiting;
    this.#finish();
  }

  /** Called when a request has ended and nothing more is due: ends the run once nothing is under way. */
  #settleSoon(): void {
    if (this.#ending) return;
    this.#ending = true;
    setImmediate(() => {
      this.#ending = false;
      if (this.#list.inFlight === 0 && this.#list.waiting === 0) this.#finish();
    });
  }

  figures(): RecorderSnapshot {
    this.#spool?.flush();
    return this.#recorder.snapshot();
  }

  vitals(): WorkerVitals {
    const endNs = Number.isNaN(this.#endNs) ? nowNs() : this.#endNs;
    const elapsedUs = Math.max(1, (endNs - this.#watchedNs) / 1000);
    const cpu = process.cpuUsage(this.#cpu);
    return {
      pid: process.pid,
      inFlight: this.#list.inFlight,
      waiting: this.#list.waiting,
      peakInFlight: this.#list.peakInFlight,
      delayed: this.#list.delayed,
      connections: this.#list.open,
      dispatched: this.#share?.dispatched ?? 0,
      inFlightAtLastSend: this.#inFlightAtLastSend,
      eventLoopUtilization: performance.eventLoopUtilization(this.#loop).utilization,
      cpuShare: (cpu.user + cpu.system) / elapsedUs,
      gcMs: this.#gcMs,
      gcMaxMs: this.#gcMaxMs,
      turns: this.#pacer?.turns ?? 0,
    };
  }
}
