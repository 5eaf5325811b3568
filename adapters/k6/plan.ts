/**
 * The plan that chat.js runs: k6's scenario for a workload. k6 needs an idle virtual user at each due instant or it drops the
 * iteration for good, so the number of them follows from Little's law with room to spare.
 */
import type { Workload } from '../../src/measure/workload.ts';
import { roughE2eMs, usersFor } from '../kit/rough-e2e.ts';

export interface K6Plan {
  readonly url: string;
  /** Request bodies, gone through in turn. */
  readonly bodies: readonly string[];
  /** Makes request ids unique across trials. */
  readonly idPrefix: string;
  /** A request's own time-out, as k6 spells durations. */
  readonly timeout: string;
  /** One line a request on the console output. */
  readonly records: boolean;
  readonly summaryFile: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** k6 refuses arrival-rate scenarios shorter than this. Source: lib/executor/constant_vus.go minDuration. */
export const MIN_DURATION_S = 1;

/** Up to this rate a console line a request made no difference that could be measured on two cores (docs/clients-k6.md). */
export const RECORDS_UP_TO_RPS = 1000;

/** Virtual users: rate × E2E (Little's law) × 1.5 and a margin before the start; three times that at most. */
export function virtualUsers(rateRps: number, e2eMs: number): { preAllocatedVUs: number; maxVUs: number } {
  const preAllocatedVUs = usersFor(rateRps, e2eMs);
  return { preAllocatedVUs, maxVUs: preAllocatedVUs * 3 };
}

/** k6's rates are whole numbers a time unit: a fractional one is spelled a thousand seconds. */
const spelledRate = (rps: number) =>
  Number.isInteger(rps) ? { scale: 1, timeUnit: '1s' } : { scale: 1000, timeUnit: '1000s' };

/** k6 drops iterations that are still running after the end plus this; the harness's deadline is what really ends a trial. */
const GRACEFUL_STOP = '30s';

/**
 * Equal gaps. Iteration n starts at n/rate and a scenario of d seconds would start rate·d + 1 of them; half a gap less makes it
 * exactly `requests`.
 */
export function constantScenario(workload: Workload) {
  const { scale, timeUnit } = spelledRate(workload.rateRps);
  const seconds = Math.max(MIN_DURATION_S, (workload.requests - 0.5) / workload.rateRps);
  const e2eMs = roughE2eMs(workload.latency, workload.promptTokens, workload.outputTokens);
  return {
    executor: 'constant-arrival-rate',
    rate: Math.max(1, Math.round(workload.rateRps * scale)),
    timeUnit,
    duration: `${Math.round(seconds * 1e6)}us`,
    ...virtualUsers(workload.rateRps, e2eMs),
    gracefulStop: GRACEFUL_STOP,
  };
}

export interface RampStage {
  readonly targetRps: number;
  readonly seconds: number;
}

/** The rate moves linearly to each stage's target in turn. For runs by hand: an audit's trial has one rate. */
export function rampingScenario(fromRps: number, stages: readonly RampStage[], e2eMs: number) {
  const peak = Math.max(fromRps, ...stages.map((stage) => stage.targetRps));
  const whole = [fromRps, ...stages.map((stage) => stage.targetRps)].every(Number.isInteger);
  const { scale, timeUnit } = spelledRate(whole ? 1 : 0.5);
  return {
    executor: 'ramping-arrival-rate',
    startRate: Math.round(fromRps * scale),
    timeUnit,
    stages: stages.map((stage) => ({
      target: Math.round(stage.targetRps * scale),
      duration: `${Math.round(stage.seconds * 1e6)}us`,
    })),
    ...virtualUsers(peak, e2eMs),
    gracefulStop: GRACEFUL_STOP,
  };
}

/** k6's options around a scenario: the statistics that Tare reads, and as little else as k6 allows. */
export const k6Options = (scenario: object): Readonly<Record<string, unknown>> => ({
  scenarios: { load: scenario },
  // The stream's text is read to its end either way; keeping it would only cost memory.
  discardResponseBodies: true,
  summaryTrendStats: ['avg', 'min', 'med', 'p(90)', 'p(99)', 'max', 'count'],
  systemTags: ['expected_response'],
  // A threshold is what makes k6 keep a sub-metric; these two cannot be crossed.
  thresholds: {
    'http_req_waiting{expected_response:true}': ['max>=0'],
    'http_req_duration{expected_response:true}': ['max>=0'],
  },
  noCookiesReset: true,
});
