/** One step of a sweep: an ordinary load, cut short where too much piles up. */
import type { StepRequests } from '../../measure/knee/types.ts';
import { runLoad } from '../coordinator.ts';
import { type Cores, type LoadOptions, planLoad } from '../options.ts';
import type { StepRun } from './run-sweep.ts';
import { stepRequests } from './step-requests.ts';

/** Requests under way at which a step ends: each is a connection here and at the server, and what is to be seen has been seen. */
export const MOST_IN_FLIGHT = 4000;
/** A step's drain may take so many times its sending, and at least so long, s. */
const DRAIN_TIMES = 4;
const LEAST_DRAIN_S = 10;

/** Runs `base` at this rate for so long. Each step has arrivals of its own: their seed is the base's and its place. */
export async function runStep(
  base: LoadOptions,
  cores: Cores,
  rateRps: number,
  durationS: number,
  place: number,
  signal?: AbortSignal,
): Promise<StepRun> {
  const options: LoadOptions = {
    ...base,
    rateRps,
    requests: Math.max(1, Math.round(rateRps * durationS)),
    seed: base.seed + place,
    deadlineS: durationS * 1.1 + Math.max(LEAST_DRAIN_S, DRAIN_TIMES * durationS),
  };
  const cut = new AbortController();
  const onAbort = (): void => cut.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let cutShort = false;
  let requests: StepRequests | null = null;
  try {
    const report = await runLoad(options, planLoad(options, cores), {
      signal: cut.signal,
      onProgress: ({ inFlight }) => {
        if (inFlight < MOST_IN_FLIGHT || cut.signal.aborted) return;
        cutShort = true;
        cut.abort();
      },
      onRecords: (run, records) => {
        requests = stepRequests(run.start_ns, records);
      },
    });
    return { report, requests: requests!, goodShare: report.goodput?.share_of_scheduled ?? null, cutShort };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
