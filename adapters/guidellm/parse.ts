/**
 * Reads guidellm's JSON output. Its names are not Tare's: what it calls "inter token latency" is TPOT, and what it calls "time per
 * output token" is near NTPOT. Only `successful` is read: in `total` an errored request enters as 0.
 */
import { z } from 'zod';
import { absent, type MetricTable, type Summary } from '../../src/measure/metrics.ts';
import type { Workload } from '../../src/measure/workload.ts';
import type { ClientRecord, Parsed } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure, summarize, type Unit } from '../kit/figures.ts';
import type { LooseJson } from '../kit/loose-json.ts';
import { RESULT_FILE } from './prepare.ts';

const distribution = z.object({
  mean: figure,
  percentiles: z.object({ p50: figure, p90: figure, p99: figure }).nullish(),
});
/** By how the requests ended. */
const metric = z.object({ successful: distribution.nullish() }).nullish();
type Metric = z.infer<typeof metric>;

const requestSchema = z.object({
  response_id: z.string().nullish(),
  info: z.object({
    timings: z.object({ request_start: figure }),
    error: z.string().nullish(),
  }),
  output_tokens: figure,
  request_latency: figure,
  time_to_first_token_ms: figure,
  inter_token_latency_ms: figure,
});
type Request = z.infer<typeof requestSchema>;
const requestList = z.array(requestSchema).nullish();

const benchmarkSchema = z.object({
  duration: figure,
  metrics: z.object({
    request_totals: z.object({ successful: z.number(), errored: z.number(), incomplete: z.number() }),
    requests_per_second: metric,
    request_latency: metric,
    request_dispatch_delay: metric,
    time_to_first_token_ms: metric,
    time_per_output_token_ms: metric,
    inter_token_latency_ms: metric,
  }),
  requests: z.object({ successful: requestList, errored: requestList, incomplete: requestList }),
  warnings: z.array(z.object({ message: z.string() })).nullish(),
});
type Benchmark = z.infer<typeof benchmarkSchema>;

const schema = z.object({ benchmarks: z.array(benchmarkSchema).min(1, 'it holds no benchmark') });

function row(found: Metric, unit: Unit, n: number, none: string): Summary {
  const one = found?.successful;
  if (!one || n === 0) return absent(none);
  return summarize({ n, mean: one.mean, ...one.percentiles }, unit, 'it printed no such figure');
}

function table({ metrics, requests }: Benchmark): MetricTable {
  const good = requests.successful ?? [];
  const n = metrics.request_totals.successful;
  const several = good.filter((one) => one.inter_token_latency_ms !== null).length;
  return {
    ttft: row(metrics.time_to_first_token_ms, 'ms', n, 'no request succeeded'),
    itl: absent('guidellm keeps no gaps between tokens; what it calls ITL is in the TPOT row'),
    tpot: row(metrics.inter_token_latency_ms, 'ms', several, 'no answer had a second token'),
    ntpot: row(metrics.time_per_output_token_ms, 'ms', n, 'no request succeeded'),
    e2e: row(metrics.request_latency, 's', n, 'no request succeeded'),
  };
}

const toRecord = (request: Request, ok: boolean): ClientRecord => {
  const start = request.info.timings.request_start;
  return {
    requestId: null,
    responseId: request.response_id ?? null,
    startNs: start === null ? null : Math.round(start * 1e9),
    ok,
    ttftMs: ok ? request.time_to_first_token_ms : null,
    e2eMs: ok && request.request_latency !== null ? request.request_latency * 1000 : null,
    itlMs: null,
    outputTokens: ok ? request.output_tokens : null,
  };
};

const ms = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '?' : (seconds * 1000).toFixed(1);

function notesOn(benchmark: Benchmark, workload: Workload): string[] {
  const notes: string[] = [];
  const { request_totals: totals, request_dispatch_delay: delay } = benchmark.metrics;
  if (workload.arrivals.kind === 'poisson') {
    notes.push(
      'its workers draw their gaps from one and the same seed: with several of them equal gaps follow on one another',
    );
  }
  const late = delay?.successful;
  if (late) {
    notes.push(
      `it says that its requests left after their schedule: mean ${ms(late.mean)}, p99 ${ms(late.percentiles?.p99)} ms`,
    );
  }
  if (totals.errored > 0) {
    notes.push(`${totals.errored} requests failed; the first: ${firstError(benchmark)}`);
  }
  const listed = benchmark.requests.successful?.length ?? totals.successful;
  if (listed !== totals.successful) {
    notes.push(`its figures are of ${totals.successful} of its ${listed} successful requests`);
  }
  if (totals.incomplete > 0) notes.push(`${totals.incomplete} requests were cut off at the end of its run`);
  for (const { message } of benchmark.warnings ?? []) notes.push(`it warns: ${message}`);
  return notes;
}

const firstError = ({ requests }: Benchmark): string =>
  (requests.errored?.[0]?.info.error ?? 'no reason given').split('\\n')[0]!.slice(0, 200);

/** From its result file to Tare's report. */
export function parseResult(json: LooseJson, workload: Workload): Parsed {
  if (!json.ok) return { state: 'unparsable', reason: `its ${RESULT_FILE} cannot be read: ${json.reason}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    return {
      state: 'unparsable',
      reason: `its ${RESULT_FILE} is not as expected: ${complaint(checked.error)}`,
    };
  }
  const benchmark = checked.data.benchmarks[0]!;
  const { metrics, requests } = benchmark;
  const totals = metrics.request_totals;
  if (totals.successful === 0) {
    const count = totals.errored + totals.incomplete;
    return { state: 'failed', reason: `every one of its ${count} requests failed: ${firstError(benchmark)}` };
  }
  const good = requests.successful ?? [];
  const bad = [...(requests.errored ?? []), ...(requests.incomplete ?? [])];
  return {
    state: 'parsed',
    report: {
      metrics: table(benchmark),
      achievedRps: metrics.requests_per_second?.successful?.mean ?? null,
      durationS: benchmark.duration,
      completed: totals.successful,
      failed: totals.errored,
      outputTokens: good.reduce((sum, one) => sum + (one.output_tokens ?? 0), 0),
      dropped: null,
      records: [...good.map((one) => toRecord(one, true)), ...bad.map((one) => toRecord(one, false))],
      notes: notesOn(benchmark, workload),
    },
  };
}
