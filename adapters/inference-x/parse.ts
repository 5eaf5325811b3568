/** Reads the result file of InferenceX's serving benchmark. */
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
  num_prompts: z.number(),
  completed: z.number(),
  request_throughput: figure,
  total_output_tokens: figure,
  output_lens: numbers.optional(),
  ttfts: numbers.optional(),
  itls: z.array(numbers).optional(),
  errors: z.array(z.string()).optional(),
  ...printedFields(['ttft', 'tpot', 'itl', 'e2el'], 'median'),
});
type Result = z.infer<typeof schema>;

/**
 * Which requests succeeded. The lists hold a failed request's zeros, or what it had before it failed, and errors[i] tells, unless the
 * server gave its status no reason phrase, which leaves it empty: then a TTFT of 0 tells.
 */
function successes(result: Result): boolean[] | null {
  const { errors, ttfts } = result;
  if (!errors || !ttfts || errors.length !== ttfts.length) return null;
  const silent = errors.filter((error) => error === '').length;
  return errors.map((error, i) => error === '' && (silent === result.completed || ttfts[i] !== 0));
}

function table(result: Result, records: readonly ClientRecord[] | null): MetricTable {
  const { several, gaps } = countsOf(records);
  return {
    ttft: printedRow(result, 'ttft', 'median', result.completed, 'no request succeeded'),
    itl: printedRow(result, 'itl', 'median', gaps, 'no answer had a second chunk'),
    tpot: printedRow(result, 'tpot', 'median', several, 'no answer came with a usage of more than one token'),
    ntpot: absent('InferenceX prints no NTPOT'),
    e2e: printedRow(result, 'e2el', 'median', result.completed, 'no request succeeded'),
  };
}

function notesOn(result: Result, records: readonly ClientRecord[] | null): string[] {
  const notes: string[] = [];
  const failed = result.num_prompts - result.completed;
  const first = result.errors?.find((error) => error !== '');
  if (failed > 0) notes.push(`${failed} requests failed; the first: ${lastLine(first)}`);
  if (records === null) return [...notes, 'its result holds no usable list of requests'];
  const untold = records.filter((record) => record.ok && record.outputTokens === 0).length;
  if (untold > 0) notes.push(`${untold} answers came without usage; it counts them as successes of 0 tokens`);
  const empty = records.filter((record) => record.ok && record.ttftMs === 0).length;
  if (empty > 0) notes.push(`${empty} answers held no chunk; it counts them as successes with a TTFT of 0`);
  return notes;
}

/** From the result file to Tare's report. The exit code says only whether more than 5 % failed; the result is there either way. */
export function parseResult(json: LooseJson): Parsed {
  if (!json.ok) return { state: 'unparsable', reason: `its result.json cannot be read: ${json.reason}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) {
    return { state: 'unparsable', reason: `its result.json is not as expected: ${complaint(checked.error)}` };
  }
  const result = checked.data;
  if (result.completed === 0) {
    const first = result.errors?.find((error) => error !== '');
    return {
      state: 'failed',
      reason: `every one of its ${result.num_prompts} requests failed: ${lastLine(first)}`,
    };
  }
  const records = recordsInOrder(result, successes(result));
  return {
    state: 'parsed',
    report: {
      metrics: table(result, records),
      achievedRps: result.request_throughput,
      durationS: result.duration,
      completed: result.completed,
      failed: result.num_prompts - result.completed,
      outputTokens: result.total_output_tokens,
      dropped: null,
      records,
      notes: notesOn(result, records),
    },
  };
}
