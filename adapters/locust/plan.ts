/**
 * The plan that locustfile.py runs. locust is told of users, not of a rate: users = rate × pacing period, each of which sends once a
 * period. A user that still waits for its answer when its turn comes sends late, and its missed turns are lost for good; so the
 * period is twice the time that a request is likely to take, and not under a second, which is what locust users choose.
 */

import type { Workload } from '../../src/measure/workload.ts';
import { chatBody } from '../kit/chat-body.ts';
import { prompts } from '../kit/prompts.ts';
import { roughE2eMs } from '../kit/rough-e2e.ts';

/** What locustfile.py reads; its names are those of the file. */
export interface LocustPlan {
  readonly url_path: string;
  /** Request bodies, gone through in turn. */
  readonly bodies: readonly string[];
  readonly requests: number;
  readonly users: number;
  /** Processes that send; 1 is locust without `--processes`. */
  readonly processes: number;
  /** Seconds between two requests of a user. */
  readonly pacing_s: number;
  /** Makes request ids unique across trials. */
  readonly id_prefix: string;
  /** Where the records and the summary go. */
  readonly folder: string;
}

const MIN_PACING_S = 1;
const ROOM = 2;

/** Distinct prompts that a trial sends; more would only make the plan larger. */
const PROMPTS = 1000;

/**
 * How many users, and their period. The number is a multiple of the processes, since only then does locust give each as many; the period
 * follows from it, so that the rate is exact.
 */
export function pacing(workload: Workload, processes: number): { users: number; pacing_s: number } {
  const e2eS = roughE2eMs(workload.latency, workload.promptTokens, workload.outputTokens) / 1000;
  const wanted = workload.rateRps * Math.max(MIN_PACING_S, ROOM * e2eS);
  // More users than requests would only be made and never send.
  const users = Math.ceil(Math.min(wanted, workload.requests) / processes) * processes;
  return { users, pacing_s: users / workload.rateRps };
}

export function planOf(workload: Workload, model: string, processes: number, folder: string): LocustPlan {
  return {
    url_path: '/v1/chat/completions',
    bodies: prompts(workload.seed, workload.requests, workload.promptTokens, PROMPTS).map((prompt) =>
      chatBody(model, prompt, workload.outputTokens, true),
    ),
    requests: workload.requests,
    ...pacing(workload, processes),
    processes,
    id_prefix: `locust-${workload.seed}`,
    folder,
  };
}
