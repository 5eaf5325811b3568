/** Reads our own client's report and records. Figures are exact: from the records, not from the report's histograms. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { summarize } from '../../src/measure/quantile.ts';
import type { ClientRecord, Parsed, ParseRequest } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';

const reportSchema = z.object({
  schema: z.literal('tare-load/1'),
  state: z.enum(['complete', 'interrupted', 'incomplete']),
  reason: z.string().nullable(),
  elapsed_s: z.number(),
  rate: z.object({ sent_rps: z.number().nullable() }),
  counts: z.object({ complete: z.number(), failed: z.number(), sent: z.number(), scheduled: z.number() }),
  trusted: z.boolean(),
  warnings: z.array(z.object({ code: z.string(), evidence: z.string(), remedy: z.string() })),
  failures: z.array(z.object({ outcome: z.string(), example: z.string() })),
});

const instant = z.number().nullable();
const recordSchema = z.object({
  request_id: z.string(),
  response_id: z.string().nullable(),
  outcome: z.string(),
  scheduled_ns: z.number(),
  sent_ns: instant.optional(),
  first_token_ns: instant,
  last_token_ns: instant,
  tokens_by_event: z.number(),
  tokens_by_usage: z.number().nullable(),
  itl_ns: z.array(z.number()),
});

const since = (from: number, at: number | null): number | null => (at === null ? null : (at - from) / 1e6);

/** One line of the records file; null for a line that is cut off or of another shape. */
export function parseRecord(line: string): ClientRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const checked = recordSchema.safeParse(value);
  if (!checked.success) return null;
  const record = checked.data;
  return {
    requestId: record.request_id,
    responseId: record.response_id,
    startNs: record.scheduled_ns,
    sentNs: record.sent_ns ?? null,
    ok: record.outcome === 'complete',
    ttftMs: since(record.scheduled_ns, record.first_token_ns),
    e2eMs: since(record.scheduled_ns, record.last_token_ns),
    itlMs: record.itl_ns.map((ns) => ns / 1e6),
    outputTokens: record.tokens_by_usage || record.tokens_by_event,
  };
}

const present = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

export async function parseLoad(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, 'report.json'));
  if (!json.ok) {
    if (request.exitCode !== 0) return failedExit(request);
    return { state: 'unparsable', reason: `its report.json cannot be read: ${json.reason}` };
  }
  const checked = reportSchema.safeParse(json.value);
  if (!checked.success)
    return { state: 'unparsable', reason: `its report.json is not as expected: ${complaint(checked.error)}` };
  const report = checked.data;
  if (report.state !== 'complete')
    return { state: 'failed', reason: `the run is ${report.state}: ${report.reason ?? 'no reason given'}` };
  if (report.counts.complete === 0) {
    const first = report.failures[0];
    return {
      state: 'failed',
      reason: `every request failed: ${first?.outcome ?? 'unknown'} ${first?.example ?? ''}`.trim(),
    };
  }
  const lines = (await readFile(join(request.dir, 'records.jsonl'), 'utf8').catch(() => '')).split('\n');
  const records = lines.filter((line) => line !== '').map(parseRecord);
  const whole = records.filter((record) => record !== null);
  if (whole.length !== report.counts.scheduled)
    return {
      state: 'unparsable',
      reason: `${whole.length} of ${report.counts.scheduled} requests are in its records.jsonl`,
    };
  const good = whole.filter((record) => record.ok);
  const tpot = good.map((r) =>
    r.outputTokens! > 1 && r.ttftMs !== null && r.e2eMs !== null
      ? (r.e2eMs - r.ttftMs) / (r.outputTokens! - 1)
      : null,
  );
  const ntpot = good.map((r) => (r.outputTokens! > 0 && r.e2eMs !== null ? r.e2eMs / r.outputTokens! : null));
  return {
    state: 'parsed',
    report: {
      metrics: {
        ttft: summarize(present(good.map((r) => r.ttftMs)), 'no request gave a token'),
        itl: summarize(
          good.flatMap((r) => r.itlMs!),
          'no request gave two tokens',
        ),
        tpot: summarize(present(tpot), 'no request gave two tokens'),
        ntpot: summarize(present(ntpot), 'no request gave a token'),
        e2e: summarize(present(good.map((r) => r.e2eMs)), 'no request gave a token'),
      },
      achievedRps: report.rate.sent_rps,
      durationS: report.elapsed_s,
      completed: report.counts.complete,
      failed: report.counts.failed,
      outputTokens: good.reduce((sum, r) => sum + r.outputTokens!, 0),
      dropped: report.counts.scheduled - report.counts.sent,
      records: whole,
      notes: report.warnings.map((w) => `its own warning, ${w.code}: ${w.evidence}`),
    },
  };
}
