/** Reads the result line of SGLang's benchmark. The Python and the Rust client write the same fields. */
import { z } from 'zod';
import { absent, type MetricTable } from '../../src/measure/metrics.ts';
import type { ClientRecord, Parsed } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure } from '../kit/figures.ts';
import type { LooseJson } from '../kit/loose-json.ts';
import { countsOf, lastLine, printedFields, printedRow, recordsInOrder } from '../kit/printed-figures.ts';

const numbers = z.array(figure);

const schema = z.object({
  duration: figure,
  completed: z.number(),
  request_throughput: figure,
  total_output_tokens: figure,
  output_lens: numbers.optional(),
  ttfts: numbers.optional(),
  itls: z.array(numbers).optional(),
  errors: z.array(z.string()).optional(),
  ...printedFields(['ttft', 'tpot', 'itl', 'e2e_latency'], 'median'),
});
type Result = z.infer<typeof schema>;

function table(result: Result, records: readonly ClientRecord[] | null): MetricTable {
  const { several, gaps } = countsOf(records);
  return {
    ttft: printedRow(result, 'ttft', 'median', result.completed, 'no request succeeded'),
    itl: printedRow(result, 'itl', 'median', gaps, 'no answer had a second chunk'),
    tpot: printedRow(result, 'tpot', 'median', several, 'no answer was to have a second token'),
    ntpot: absent('SGLang bench prints no NTPOT'),
    e2e: printedRow(result, 'e2e_latency', 'median', result.completed, 'no request succeeded'),
  };
}

function notesOn(result: Result, records: readonly ClientRecord[] | null, asked: number): string[] {
  const notes: string[] = [];
  const first = result.errors?.find((error) => error !== '');
  if (first !== undefined)
    notes.push(`${result.errors!.length - result.completed} requests failed; the first: ${lastLine(first)}`);
  if (records === null) return [...notes, 'its result holds no usable list of requests'];
  if (records.length < asked) notes.push(`it sent ${records.length} of ${asked} requests`);
  const empty = records.filter((record) => record.ok && record.ttftMs === 0).length;
  if (empty > 0) notes.push(`${empty} answers held no token; it counts them as successes with a TTFT of 0`);
  return notes;
}

/** From the result line to Tare's report; `asked` is the number of requests of the workload. */
export function parseResult(json: LooseJson, asked: number): Parsed {
  if (!json.ok) return { state: 'unparsable', reason: `its result.jsonl cannot be read: ${json.reason}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    return {
      state: 'unparsable',
      reason: `its result.jsonl is not as expected: ${complaint(checked.error)}`,
    };
  }
  const result = checked.data;
  // The lists hold a failed request's zeros, or the tokens it had before it failed: errors[i] tells.
  const records = recordsInOrder(result, result.errors?.map((error) => error === '') ?? null);
  if (result.completed === 0) {
    const reason = `every one of its ${records?.length ?? asked} requests failed: ${lastLine(result.errors?.[0])}`;
    return { state: 'failed', reason };
  }
  return {
    state: 'parsed',
    report: {
      metrics: table(result, records),
      achievedRps: result.request_throughput,
      durationS: result.duration,
      completed: result.completed,
      failed: records === null ? null : records.length - result.completed,
      outputTokens: result.total_output_tokens,
      dropped: null,
      records,
      notes: notesOn(result, records, asked),
    },
  };
}
