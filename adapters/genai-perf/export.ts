/** GenAI-Perf's own figures: profile_export_genai_perf.json. */
import { z } from 'zod';
import { absent, type MetricTable, type Summary } from '../../src/measure/metrics.ts';
import { complaint } from '../kit/complaint.ts';
import { figure, summarize, UNIT_MS, type Unit } from '../kit/figures.ts';

const timed = z
  .object({
    unit: z.enum(Object.keys(UNIT_MS) as [Unit, ...Unit[]]),
    avg: figure,
    p50: figure,
    p90: figure,
    p99: figure,
  })
  .optional();
const single = z.object({ avg: figure }).optional();

const schema = z.object({
  request_throughput: single,
  request_count: single,
  request_latency: timed,
  time_to_first_token: timed,
  inter_token_latency: timed,
  output_sequence_length: single,
});

export interface ExportFigures {
  readonly metrics: MetricTable;
  readonly achievedRps: number | null;
  readonly completed: number | null;
  readonly outputTokens: number | null;
}

/** Reads the parsed export; a text says why it cannot be read. */
export function readExport(json: unknown): ExportFigures | string {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return complaint(parsed.error);
  const data = parsed.data;
  const completed = data.request_count?.avg ?? null;
  const summary = (values: typeof data.request_latency, n: number | null, why: string): Summary =>
    values
      ? summarize(
          { n, mean: values.avg, p50: values.p50, p90: values.p90, p99: values.p99 },
          values.unit,
          why,
        )
      : absent(why);
  const tokens = data.output_sequence_length?.avg ?? null;
  return {
    metrics: {
      ttft: summary(data.time_to_first_token, completed, 'not in the export'),
      // Of requests with two responses and two tokens only, and it does not say how many those are.
      itl: summary(data.inter_token_latency, null, 'no request had two responses with text'),
      tpot: absent('GenAI-Perf prints it under the name of inter token latency'),
      ntpot: absent('GenAI-Perf has no such figure'),
      e2e: summary(data.request_latency, completed, 'not in the export'),
    },
    achievedRps: data.request_throughput?.avg ?? null,
    completed,
    outputTokens: completed === null || tokens === null ? null : Math.round(completed * tokens),
  };
}
