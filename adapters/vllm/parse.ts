/** Reads the result file of vLLM's benchmark. The Python and the Rust client write the same fields. */
import { z } from 'zod';
import { absent, type MetricTable } from '../../src/measure/metrics.ts';
import type { ClientRecord, Parsed } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure } from '../kit/figures.ts';
import type { LooseJson } from '../kit/loose-json.ts';
import { lastLine, printedFields, printedRow } from '../kit/printed-figures.ts';

const numbers = z.array(figure);

const schema = z.object({
  duration: figure,
  completed: z.number(),
  failed: z.number().nullish(),
  num_prompts: z.number().nullish(),
  request_throughput: figure,
  total_output_tokens: figure,
  ttfts: numbers.optional(),
  itls: z.array(numbers).optional(),
  latencies: numbers.optional(),
  output_lens: numbers.optional(),
  start_times: numbers.optional(),
  errors: z.array(z.string().nullable()).optional(),
  ...printedFields(['ttft', 'tpot', 'itl', 'e2el'], 'p50'),
});
type Result = z.infer<typeof schema>;

/**
 * The arrays hold a failed request as zeros; errors[i] tells, unless the server gave its status no reason phrase, which leaves it
 * empty. A success always has a TTFT above zero.
 */
const succeeded = (result: Result, i: number): boolean => !result.errors?.[i] && result.ttfts?.[i] !== 0;

function toRecords(result: Result, idPrefix: string): ClientRecord[] | null {
  const { ttfts, itls, start_times: starts } = result;
  if (!ttfts || !itls || !starts || !result.errors || !result.output_lens) return null;
  const lengths = [itls, starts, result.errors, result.output_lens].map((list) => list.length);
  if (lengths.some((length) => length !== ttfts.length)) return null;
  return ttfts.map((ttft, i): ClientRecord => {
    const ok = succeeded(result, i);
    const start = starts[i] ?? null;
    const latency = result.latencies?.[i] ?? null;
    const gaps = itls[i]!.filter((gap): gap is number => gap !== null).map((gap) => gap * 1000);
    return {
      requestId: `${idPrefix}${i}`,
      responseId: null,
      // A request that never left (its task died) has no start.
      startNs: start === null || (!ok && start === 0) ? null : Math.round(start * 1e9),
      ok,
      ttftMs: ok && ttft !== null ? ttft * 1000 : null,
      e2eMs: ok && latency !== null ? latency * 1000 : null,
      itlMs: ok ? gaps : null,
      outputTokens: ok ? (result.output_lens![i] ?? null) : null,
    };
  });
}

function table(result: Result): MetricTable {
  const ok = (i: number) => succeeded(result, i);
  const several = result.output_lens?.filter((length, i) => ok(i) && (length ?? 0) > 1).length ?? null;
  const gaps = result.itls?.reduce((sum, list, i) => sum + (ok(i) ? list.length : 0), 0) ?? null;
  return {
    ttft: printedRow(result, 'ttft', 'p50', result.completed, 'no request succeeded'),
    itl: printedRow(result, 'itl', 'p50', gaps, 'no answer had a second chunk'),
    tpot: printedRow(result, 'tpot', 'p50', several, 'no answer had a second token'),
    ntpot: absent('vLLM bench prints no NTPOT'),
    e2e: printedRow(result, 'e2el', 'p50', result.completed, 'no request succeeded'),
  };
}

/** From the result file to Tare's report. Exit code 0 says nothing: it writes a result when every request failed, too. */
export function parseResult(json: LooseJson, idPrefix: string): Parsed {
  if (!json.ok) return { state: 'unparsable', reason: `its result.json cannot be read: ${json.reason}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    return { state: 'unparsable', reason: `its result.json is not as expected: ${complaint(checked.error)}` };
  }
  const result = checked.data;
  const errors = result.errors?.filter((error): error is string => !!error) ?? [];
  const failed = result.failed ?? (result.errors ? errors.length : null);
  const first = lastLine(errors[0]);
  if (result.completed === 0) {
    const count = failed ?? result.num_prompts ?? 0;
    return { state: 'failed', reason: `every one of its ${count} requests failed: ${first}` };
  }
  const notes: string[] = [];
  if (failed) notes.push(`${failed} requests failed; the first: ${first}`);
  if (failed === null) notes.push('it does not say how many requests failed');
  const records = toRecords(result, idPrefix);
  if (records === null) notes.push('its result holds no usable list of requests');
  return {
    state: 'parsed',
    report: {
      metrics: table(result),
      achievedRps: result.request_throughput,
      durationS: result.duration,
      completed: result.completed,
      failed,
      outputTokens: result.total_output_tokens,
      dropped: null,
      records,
      notes,
    },
  };
}
