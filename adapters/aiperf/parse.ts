/** Reads AIPerf's exports: profile_export_aiperf.json for the figures, profile_export.jsonl for the requests. */
import { z } from 'zod';
import { absent, type Summary } from '../../src/measure/metrics.ts';
import type { ClientRecord, Parsed } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure, inMs, summarize, UNIT_MS, type Unit } from '../kit/figures.ts';
import { type LooseJson, parseLooseJson } from '../kit/loose-json.ts';

const metric = z.object({
  unit: z.string(),
  avg: figure,
  p50: figure,
  p90: figure,
  p99: figure,
  count: figure,
});
type Metric = z.infer<typeof metric>;

const errorDetails = z
  .object({ code: z.number().nullish(), type: z.string().nullish(), message: z.string().nullish() })
  .nullish();

const describeError = (details: z.infer<typeof errorDetails>): string =>
  details
    ? [details.code, details.type, details.message].filter(Boolean).join(' ').slice(0, 200)
    : 'no reason given';

/** A metric without values is left out of the file, and so is one that is not finite. */
const schema = z.object({
  aiperf_version: z.string().optional(),
  request_throughput: metric.optional(),
  request_count: metric.optional(),
  error_request_count: metric.optional(),
  benchmark_duration: metric.optional(),
  total_output_tokens: metric.optional(),
  time_to_first_token: metric.optional(),
  inter_chunk_latency: metric.optional(),
  inter_token_latency: metric.optional(),
  request_latency: metric.optional(),
  was_cancelled: z.boolean().nullish(),
  is_complete: z.boolean().nullish(),
  error_summary: z
    .array(
      z.object({
        count: z.number().nullish(),
        error_details: errorDetails,
      }),
    )
    .nullish(),
});

const value = z.object({ value: figure, unit: z.string() }).optional();
const line = z.object({
  metadata: z.object({
    x_request_id: z.string().nullish(),
    request_start_ns: figure,
    benchmark_phase: z.string().nullish(),
    was_cancelled: z.boolean().nullish(),
  }),
  metrics: z.object({
    time_to_first_token: value,
    request_latency: value,
    output_sequence_length: value,
    inter_chunk_latency: z.object({ value: z.array(figure), unit: z.string() }).optional(),
  }),
  error: z.unknown().optional(),
});

/** AIPerf spells units in full or short. */
const UNITS: Readonly<Record<string, Unit>> = { s: 's', sec: 's', ms: 'ms', us: 'us', ns: 'ns' };
const unitOf = (unit: string): Unit | null => UNITS[unit] ?? null;

function row(found: Metric | undefined, name: string): Summary {
  if (!found) return absent(`it exported no ${name}: no request gave such a value`);
  const unit = unitOf(found.unit);
  if (!unit) return absent(`it exported ${name} in "${found.unit}", a unit that is not known`);
  const { count: n, avg: mean, p50, p90, p99 } = found;
  return summarize({ n, mean, p50, p90, p99 }, unit, `it exported no such figure of ${name}`);
}

const ms = (one: z.infer<typeof value>): number | null => {
  const unit = one && unitOf(one.unit);
  return one && unit ? inMs(one.value, unit) : null;
};

function toRecord(found: z.infer<typeof line>): ClientRecord {
  const ok = found.error === undefined || found.error === null;
  const { metrics, metadata } = found;
  const chunks = metrics.inter_chunk_latency;
  const unit = chunks ? unitOf(chunks.unit) : null;
  const gaps = chunks?.value.filter((gap): gap is number => gap !== null) ?? [];
  return {
    requestId: metadata.x_request_id ?? null,
    responseId: null,
    startNs: metadata.request_start_ns,
    ok: ok && metadata.was_cancelled !== true,
    ttftMs: ok ? ms(metrics.time_to_first_token) : null,
    e2eMs: ok ? ms(metrics.request_latency) : null,
    itlMs: ok && unit ? gaps.map((gap) => gap * UNIT_MS[unit]) : ok && !chunks ? [] : null,
    outputTokens: ok ? (metrics.output_sequence_length?.value ?? null) : null,
  };
}

/** The requests of the profiling phase, and how many lines could not be read. */
export function parseRecords(text: string): { records: ClientRecord[]; unreadable: number } {
  const records: ClientRecord[] = [];
  let unreadable = 0;
  for (const raw of text.split('\n')) {
    if (raw.trim() === '') continue;
    const json = parseLooseJson(raw);
    const found = json.ok ? line.safeParse(json.value) : null;
    if (!found?.success) unreadable++;
    else if ((found.data.metadata.benchmark_phase ?? 'profiling') === 'profiling')
      records.push(toRecord(found.data));
  }
  return { records, unreadable };
}

/** With every request failed it writes no figures, but this list: how many there were and what the first one said. */
export function describeFailures(recordsText: string): string | null {
  const { records } = parseRecords(recordsText);
  if (records.length === 0 || records.some((record) => record.ok)) return null;
  const json = parseLooseJson(recordsText.trimStart().split('\n')[0]!);
  const first = z.object({ error: errorDetails }).safeParse(json.ok ? json.value : null);
  const why = first.success ? describeError(first.data.error) : 'no reason given';
  return `every one of its ${records.length} requests failed: ${why}`;
}

const firstError = (result: z.infer<typeof schema>): string =>
  describeError(result.error_summary?.[0]?.error_details);

/** From both exports to Tare's report; `recordsText` is null where there is no list of requests. */
export function parseResult(json: LooseJson, recordsText: string | null): Parsed {
  const name = 'profile_export_aiperf.json';
  if (!json.ok) return { state: 'unparsable', reason: `its ${name} cannot be read: ${json.reason}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    return { state: 'unparsable', reason: `its ${name} is not as expected: ${complaint(checked.error)}` };
  }
  const result = checked.data;
  const failed = result.error_request_count?.avg ?? 0;
  const completed = result.request_count?.avg ?? 0;
  if (completed === 0) {
    if (failed === 0 && !result.error_summary?.length) {
      return { state: 'unparsable', reason: `its ${name} counts no request, neither good nor failed` };
    }
    return { state: 'failed', reason: `every one of its ${failed} requests failed: ${firstError(result)}` };
  }
  const notes: string[] = [];
  if (failed > 0) notes.push(`${failed} requests failed; the first: ${firstError(result)}`);
  if (result.was_cancelled) notes.push('it says that its run was cancelled');
  if (result.is_complete === false) notes.push('it says that its run is not complete');
  const list = recordsText === null ? null : parseRecords(recordsText);
  if (list === null) notes.push('it left no profile_export.jsonl');
  else if (list.unreadable > 0)
    notes.push(`${list.unreadable} lines of its profile_export.jsonl cannot be read`);
  return {
    state: 'parsed',
    report: {
      metrics: {
        ttft: row(result.time_to_first_token, 'time_to_first_token'),
        itl: row(result.inter_chunk_latency, 'inter_chunk_latency'),
        tpot: row(result.inter_token_latency, 'inter_token_latency'),
        ntpot: absent('AIPerf prints no NTPOT'),
        e2e: row(result.request_latency, 'request_latency'),
      },
      achievedRps: result.request_throughput?.avg ?? null,
      durationS: result.benchmark_duration?.avg ?? null,
      completed,
      failed,
      outputTokens: result.total_output_tokens?.avg ?? null,
      dropped: null,
      records: list?.records ?? null,
      notes,
    },
  };
}
