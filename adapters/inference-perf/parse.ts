/** Reads stage_0_lifecycle_metrics.json (seconds), which has the achieved rate that the run's summary lacks. */
import { z } from 'zod';
import { absent, type MetricTable, type Summary } from '../../src/measure/metrics.ts';
import type { Workload } from '../../src/measure/workload.ts';
import type { ClientRecord, Parsed } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure, summarize } from '../kit/figures.ts';
import type { LooseJson } from '../kit/loose-json.ts';
import { parseRecords } from './records.ts';

export const STAGE_FILE = 'stage_0_lifecycle_metrics.json';
export const RECORDS_FILE = 'per_request_lifecycle_metrics.json';

const distribution = z.object({ mean: figure, median: figure, p90: figure, p99: figure }).nullish();
type Distribution = z.infer<typeof distribution>;

const schema = z.object({
  benchmark_time_seconds: figure,
  load_summary: z.object({ count: z.number(), achieved_rate: figure, schedule_delay: distribution }),
  successes: z.object({
    count: z.number(),
    latency: z.object({
      request_latency: distribution,
      normalized_time_per_output_token: distribution,
      time_per_output_token: distribution,
      time_to_first_token: distribution,
      inter_token_latency: distribution,
    }),
    output_len: z.object({ mean: figure }).nullish(),
    token_count_mismatches: z.number().nullish(),
  }),
  failures: z.object({
    count: z.number(),
    by_label: z
      .record(z.string(), z.object({ messages: z.array(z.object({ message: z.string() })) }))
      .nullish(),
  }),
});
type Result = z.infer<typeof schema>;

const row = (found: Distribution, n: number | null, why: string): Summary =>
  found
    ? summarize(
        { n, mean: found.mean, p50: found.median, p90: found.p90, p99: found.p99 },
        's',
        'it printed no such figure',
      )
    : absent(why);

/** It prints no number of values; a reply of one token has neither TTFT nor TPOT. */
function table(
  latency: Result['successes']['latency'],
  records: readonly ClientRecord[] | null,
): MetricTable {
  const good = records?.filter((record) => record.ok) ?? null;
  const several = good?.filter((record) => record.ttftMs !== null).length ?? null;
  const gaps = good?.reduce((sum, record) => sum + (record.itlMs?.length ?? 0), 0) ?? null;
  const all = good?.length ?? null;
  const one = 'no reply had two tokens (it drops the TTFT of one)';
  return {
    ttft: row(latency.time_to_first_token, several, one),
    itl: row(latency.inter_token_latency, gaps, one),
    tpot: row(latency.time_per_output_token, several, one),
    ntpot: row(latency.normalized_time_per_output_token, all, 'no request succeeded'),
    e2e: row(latency.request_latency, all, 'no request succeeded'),
  };
}

const firstFailure = ({ failures }: Result): string => {
  const [label, found] = Object.entries(failures.by_label ?? {})[0] ?? [];
  const message = found?.messages[0]?.message ?? '';
  return [label, message].filter(Boolean).join(': ').slice(0, 200) || 'no reason given';
};

const ms = (seconds: number | null): string => (seconds === null ? '?' : (seconds * 1000).toFixed(1));

function notesOn(result: Result, workload: Workload): string[] {
  const notes: string[] = [];
  const { load_summary: load, successes, failures } = result;
  if (workload.arrivals.kind === 'constant') {
    notes.push(
      'asked for constant arrivals: what it calls "constant" are exponential gaps (a Poisson process)',
    );
  }
  const delay = load.schedule_delay;
  if (delay) {
    notes.push(
      `it says that its requests left after their schedule: mean ${ms(delay.mean)}, p99 ${ms(delay.p99)} ms`,
    );
  }
  if (failures.count > 0) notes.push(`${failures.count} requests failed; the first: ${firstFailure(result)}`);
  if (load.count < workload.requests) {
    notes.push(
      `it counts ${load.count} of ${workload.requests} requests, neither good nor failed the others`,
    );
  }
  if (successes.token_count_mismatches) {
    notes.push(`in ${successes.token_count_mismatches} replies it counted other tokens than the server`);
  }
  return notes;
}

/** From its reports to Tare's. It exits with 0 when every request failed. */
export function parseResult(stage: LooseJson, perRequest: LooseJson, workload: Workload): Parsed {
  if (!stage.ok) return { state: 'unparsable', reason: `its ${STAGE_FILE} cannot be read: ${stage.reason}` };
  const checked = schema.safeParse(stage.value);
  if (!checked.success) {
    return {
      state: 'unparsable',
      reason: `its ${STAGE_FILE} is not as expected: ${complaint(checked.error)}`,
    };
  }
  const result = checked.data;
  const { successes, failures } = result;
  if (successes.count === 0) {
    return {
      state: 'failed',
      reason: `every one of its ${failures.count} requests failed: ${firstFailure(result)}`,
    };
  }
  const notes = notesOn(result, workload);
  const found = parseRecords(perRequest);
  const records = typeof found === 'string' ? null : found;
  if (records === null) notes.push(`its ${RECORDS_FILE} cannot be used: ${found}`);
  const tokens = successes.output_len?.mean ?? null;
  return {
    state: 'parsed',
    report: {
      metrics: table(successes.latency, records),
      achievedRps: result.load_summary.achieved_rate,
      durationS: result.benchmark_time_seconds,
      completed: successes.count,
      failed: failures.count,
      outputTokens: tokens === null ? null : Math.round(tokens * successes.count),
      dropped: null,
      records,
      notes,
    },
  };
}
