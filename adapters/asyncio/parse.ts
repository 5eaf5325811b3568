/** Reads what benchmark.py left. Its figures are taken as they are; only records change shape. */
import { z } from 'zod';
import type { ClientRecord, Parsed } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure, inMs, summarize } from '../kit/figures.ts';
import type { LooseJson } from '../kit/loose-json.ts';

const figures = z.object({ n: figure, mean_ms: figure, p50_ms: figure, p90_ms: figure, p99_ms: figure });

const recordSchema = z.object({
  request_id: z.string(),
  response_id: z.string().nullable(),
  ok: z.boolean(),
  error: z.string().nullable(),
  start_s: figure,
  ttft_s: figure,
  e2e_s: figure,
  itl_s: z.array(z.number()),
  output_tokens: figure,
});

const schema = z.object({
  requests: z.number(),
  completed: z.number(),
  failed: z.number(),
  duration_s: figure,
  request_rate_rps: figure,
  output_tokens: figure,
  ttft: figures,
  itl: figures,
  tpot: figures,
  ntpot: figures,
  e2e: figures,
  records: z.array(recordSchema),
});

const row = (table: z.infer<typeof figures>) =>
  summarize(
    { n: table.n, mean: table.mean_ms, p50: table.p50_ms, p90: table.p90_ms, p99: table.p99_ms },
    'ms',
    'no request gave such a value',
  );

const toRecord = (record: z.infer<typeof recordSchema>): ClientRecord => ({
  requestId: record.request_id,
  responseId: record.response_id,
  startNs: record.start_s === null ? null : Math.round(record.start_s * 1e9),
  ok: record.ok,
  ttftMs: inMs(record.ttft_s, 's'),
  e2eMs: inMs(record.e2e_s, 's'),
  itlMs: record.ok ? record.itl_s.map((gap) => gap * 1000) : null,
  outputTokens: record.output_tokens,
});

/** From the result file's JSON to Tare's report. */
export function parseResult(json: LooseJson): Parsed {
  if (!json.ok) return { state: 'unparsable', reason: `its result.json cannot be read: ${json.reason}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    return { state: 'unparsable', reason: `its result.json is not as expected: ${complaint(checked.error)}` };
  }
  const result = checked.data;
  const notes: string[] = [];
  const failures = result.records.filter((record) => !record.ok);
  if (failures.length > 0) {
    notes.push(`${failures.length} requests failed; the first: ${failures[0]?.error ?? 'no reason given'}`);
  }
  if (result.requests > 0 && result.completed === 0) {
    return {
      state: 'failed',
      reason: `every one of its ${result.requests} requests failed: ${failures[0]?.error}`,
    };
  }
  return {
    state: 'parsed',
    report: {
      metrics: {
        ttft: row(result.ttft),
        itl: row(result.itl),
        tpot: row(result.tpot),
        ntpot: row(result.ntpot),
        e2e: row(result.e2e),
      },
      achievedRps: result.request_rate_rps,
      durationS: result.duration_s,
      completed: result.completed,
      failed: result.failed,
      outputTokens: result.output_tokens,
      dropped: null,
      records: result.records.map(toRecord),
      notes,
    },
  };
}
