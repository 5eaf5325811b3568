/** A trial's configuration file and command line. */
import { writeFile } from 'node:fs/promises';
import { cpus as machineCpus } from 'node:os';
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { roughE2eMs } from '../kit/rough-e2e.ts';
import { OFFLINE_ENV, writeTokenizer } from '../kit/tokenizer.ts';

/** The folder that its reports go to. */
export const REPORTS = 'reports';

/** Its own defaults, below which Tare does not go. */
const LEAST_CONCURRENCY = 100;
const LEAST_CONNECTIONS = 2500;

/** Seconds of schedule that its workers may hold beforehand, each held request costing a permit. */
const LOOK_AHEAD_S = 1;

export interface Stage {
  readonly rate: number;
  readonly duration: number;
}

/**
 * A stage lasts whole seconds and has ⌊rate · duration⌋ requests. A workload that does not is rounded up to the next second at its
 * own rate, so it has more requests than were asked.
 */
export function stageOf(workload: Workload): Stage {
  const duration = Math.max(1, Math.ceil(workload.durationS - 1e-6));
  const requests =
    duration - workload.durationS < 1e-3
      ? workload.requests
      : Math.max(1, Math.round(workload.rateRps * duration));
  const rate = requests / duration;
  // Division and multiplication need not give the whole number back.
  return { rate: Math.floor(rate * duration) < requests ? (requests + 1e-6) / duration : rate, duration };
}

/**
 * Requests that one worker may hold. A permit is taken before a request is fetched and kept while it waits for its instant and
 * until its answer is there, so too few of them turn the schedule into a closed loop, silently. Twice what Little's law asks for.
 */
export function workerConcurrency(workload: Workload, workers: number): number {
  const e2eMs = roughE2eMs(workload.latency, workload.promptTokens, workload.outputTokens);
  const held = workload.rateRps * (e2eMs / 1000 + LOOK_AHEAD_S);
  return Math.max(LEAST_CONCURRENCY, Math.ceil((2 * held) / workers));
}

const fixed = (tokens: number) => ({ type: 'fixed', min: tokens, max: tokens, mean: tokens, std_dev: 0 });

/** Its configuration, as an object. `workers` is its default, one a core, where the user named none. */
export function configOf(request: LaunchRequest, tokenizer: string, workers: number): object {
  const { workload } = request;
  const concurrency = workerConcurrency(workload, workers);
  return {
    api: { type: 'completion', streaming: request.variants?.includes('plain-json') !== true },
    data: {
      type: 'random',
      input_distribution: fixed(workload.promptTokens),
      output_distribution: fixed(workload.outputTokens),
    },
    load: {
      // Exponential gaps, stretched to the stage: what others call Poisson. Its own "poisson" leaves the rate to chance as well.
      type: 'constant',
      stages: [stageOf(workload)],
      num_workers: workers,
      worker_max_concurrency: concurrency,
      worker_max_tcp_connections: Math.max(LEAST_CONNECTIONS, concurrency),
      base_seed: workload.seed,
    },
    report: {
      request_lifecycle: {
        per_request: true,
        per_request_fields: { request: false, response: false, computed_metrics: true },
        percentiles: [50, 90, 99],
      },
    },
    server: { type: 'vllm', model_name: request.model, base_url: request.url, ignore_eos: true },
    storage: { local_storage: { path: join(request.dir, REPORTS) } },
    tokenizer: { pretrained_model_name_or_path: tokenizer },
  };
}

export async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const tokenizer = await writeTokenizer(join(request.dir, 'tokenizer'));
  // JSON is YAML, too.
  const file = join(request.dir, 'config.json');
  const workers = request.workers ?? machineCpus().length;
  await writeFile(file, JSON.stringify(configOf(request, tokenizer, workers), null, 2));
  return {
    argv: [request.found.handle.program!, '--config_file', file],
    env: { ...OFFLINE_ENV, ...CLIENT_ENV, PYTHONPATH: null },
    cwd: request.dir,
  };
}
