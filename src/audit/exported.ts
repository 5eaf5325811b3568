/**
 * What a server without a ledger exports of its own: the Prometheus series that vLLM and its likenesses have in common. Their change
 * over a trial counts requests; the means of their histograms are the server's own sight, by its own definitions.
 */
import type { Exported } from './document.ts';

const WAIT_MS = 2000;
const PATH = '/metrics';

/** Names by what they say, the same in vLLM and llm-d-inference-sim. */
const SERIES = {
  answered: 'vllm:request_success_total',
  ttftSum: 'vllm:time_to_first_token_seconds_sum',
  ttftCount: 'vllm:time_to_first_token_seconds_count',
  prefillSum: 'vllm:request_prefill_time_seconds_sum',
  prefillCount: 'vllm:request_prefill_time_seconds_count',
  e2eSum: 'vllm:e2e_request_latency_seconds_sum',
  e2eCount: 'vllm:e2e_request_latency_seconds_count',
  running: 'vllm:num_requests_running',
} as const;

/** Values of the series, each over all of its labels; a series that the page lacks is absent. */
export type Counters = Readonly<Partial<Record<keyof typeof SERIES, number>>>;

/** Reads the series from a page in Prometheus' text format. */
export function parseCounters(page: string): Counters {
  const counters: Partial<Record<keyof typeof SERIES, number>> = {};
  const keys = Object.entries(SERIES) as [keyof typeof SERIES, string][];
  for (const line of page.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{.*\})?\s+(\S+)(?:\s+-?\d+)?\s*$/.exec(line);
    const key = match === null ? undefined : keys.find(([, name]) => name === match[1])?.[0];
    const value = Number(match?.[2]);
    if (key !== undefined && Number.isFinite(value)) counters[key] = (counters[key] ?? 0) + value;
  }
  return counters;
}

/** The server's counters now; null where it has no such page. `get` is handed in by tests. */
export async function readCounters(url: string, get: typeof fetch = fetch): Promise<Counters | null> {
  try {
    const response = await get(url + PATH, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) return null;
    const counters = parseCounters(await response.text());
    return Object.keys(counters).length === 0 ? null : counters;
  } catch {
    return null;
  }
}

/** A histogram's mean over the time between two readings, ms. */
function meanMs(sum: [number?, number?], count: [number?, number?]): number | null {
  const [s0, s1] = sum;
  const [n0, n1] = count;
  if (s1 === undefined || n1 === undefined) return null;
  const n = n1 - (n0 ?? 0);
  return n > 0 ? ((s1 - (s0 ?? 0)) / n) * 1000 : null;
}

/**
 * What happened between two readings; null where the server counts no requests. A series that appears later began at 0. `first`: which
 * histogram holds the time to the first token, where the server's TTFT does not.
 */
export function exportedBetween(
  before: Counters | null,
  after: Counters | null,
  first: 'ttft' | 'prefill' = 'ttft',
): Exported | null {
  if (after === null) return null;
  const began = before ?? {};
  const counter = after.answered === undefined ? 'e2eCount' : 'answered';
  const counted = after[counter];
  if (counted === undefined || counted < (began[counter] ?? 0)) return null;
  return {
    requests: counted - (began[counter] ?? 0),
    ttft_mean_ms: meanMs(
      [began[`${first}Sum`], after[`${first}Sum`]],
      [began[`${first}Count`], after[`${first}Count`]],
    ),
    e2e_mean_ms: meanMs([began.e2eSum, after.e2eSum], [began.e2eCount, after.e2eCount]),
    where: `${PATH}, ${SERIES[counter]}, before and after the trial`,
  };
}
