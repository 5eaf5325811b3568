/** What coordinator and workers say to each other, over the IPC channel of their processes (structured clone). */
import type { ScheduleSpec } from '../measure/schedule.ts';
import type { ClosedShare, ClosedWatch } from './closed-loop.ts';
import type { Exclusion } from './exclude-rule.ts';
import type { FaultSpec } from './faults/catalogue.ts';
import type { Pacing } from './pacer.ts';
import type { RecorderSnapshot } from './recorder.ts';
import type { BodySpec } from './request-body.ts';
import type { StrataSpec } from './requests/strata.ts';
import type { RetryCounts } from './retries.ts';

export interface WorkerConfig {
  /** This worker's place, from 0, and how many there are: it sends every m-th arrival. */
  readonly worker: number;
  readonly workers: number;
  readonly url: string;
  readonly path: string;
  readonly body: BodySpec;
  readonly schedule: ScheduleSpec;
  /** In a closed loop: this worker's part; the schedule is then not followed. */
  readonly closed: ClosedShare | null;
  /** Shapes of the requests, and goals; null: all are alike, and judged by none. */
  readonly strata: StrataSpec | null;
  /** Names and values in turn. May hold the API key: goes over the channel, to no file and no command line. */
  readonly headers: readonly string[];
  readonly idPrefix: string;
  readonly pacing: Pacing;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  readonly connections: number;
  readonly burnNs: number;
  /** Requests that this worker sends to the target before the start, over its connections, with ids of their own. */
  readonly warmup: number;
  /** Longest time of the warm-up on the worker's own server, ns. */
  readonly rehearsalNs: number;
  /** Whether Retry-After is heeded. */
  readonly retryAfter: boolean;
  /** A known fault, for controls. */
  readonly fault: FaultSpec | null;
  /** What is left out of the figures at the start; null: nothing. */
  readonly exclude: Exclusion | null;
  /** Where this worker spools its records; null for none. */
  readonly spoolFile: string | null;
}

export type ToWorker =
  | { readonly type: 'configure'; readonly config: WorkerConfig }
  | { readonly type: 'start'; readonly startNs: number }
  /** Send nothing more; report what there is. */
  | { readonly type: 'stop' };

/** What a worker says of itself, over the time from the start. */
export interface WorkerVitals {
  readonly pid: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly peakInFlight: number;
  /** Requests that waited for the limit on requests in flight. */
  readonly delayed: number;
  readonly connections: number;
  /** Arrivals that were handed to a connection or to the queue. */
  readonly dispatched: number;
  readonly inFlightAtLastSend: number;
  /** Share of time that the event loop was not waiting in the kernel; 1 when spinning, whatever the work. */
  readonly eventLoopUtilization: number;
  /** CPU time over elapsed time, all threads. */
  readonly cpuShare: number;
  readonly gcMs: number;
  readonly gcMaxMs: number;
  readonly turns: number;
  /** Of a closed loop. */
  readonly closed?: ClosedWatch;
  /** What came of Retry-After; null where it is not heeded. */
  readonly retries: RetryCounts | null;
}

export type FromWorker =
  /** The process is up and listens. */
  | { readonly type: 'up' }
  /** While warming up: of no meaning, sent so that sending is warm. */
  | { readonly type: 'rehearsal'; readonly figures: RecorderSnapshot; readonly vitals: WorkerVitals }
  /** Warmed up and connected. */
  | { readonly type: 'ready' }
  | { readonly type: 'figures'; readonly figures: RecorderSnapshot; readonly vitals: WorkerVitals }
  /** The last figures: nothing is under way any more. */
  | { readonly type: 'done'; readonly figures: RecorderSnapshot; readonly vitals: WorkerVitals };
