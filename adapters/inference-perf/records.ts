/** Its per_request_lifecycle_metrics.json: one entry a request, seconds of perf_counter. */
import { z } from 'zod';
import type { ClientRecord } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { figure, inMs } from '../kit/figures.ts';
import type { LooseJson } from '../kit/loose-json.ts';

const entry = z.object({
  start_time: figure,
  info: z
    .object({
      response_metrics: z.object({ response_chunks: z.array(z.string()).nullish() }).nullish(),
    })
    .nullish(),
  computed_metrics: z
    .object({
      request_latency: figure,
      time_to_first_token: figure,
      inter_token_latencies: z.array(figure),
      output_tokens: figure,
    })
    .nullish(),
  error: z.object({ error_type: z.string().nullish(), error_msg: z.string().nullish() }).nullish(),
});
type Entry = z.infer<typeof entry>;

/** It keeps the chunks as it got them; every one of them holds the response's id. */
function responseId(chunks: readonly string[] | null | undefined): string | null {
  try {
    const id = JSON.parse(chunks?.[0] ?? 'null')?.id;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function toRecord({ start_time: start, info, computed_metrics: computed, error }: Entry): ClientRecord {
  const ok = !error;
  const gaps = computed?.inter_token_latencies.filter((gap): gap is number => gap !== null) ?? null;
  return {
    requestId: null,
    responseId: responseId(info?.response_metrics?.response_chunks),
    startNs: start === null ? null : Math.round(start * 1e9),
    ok,
    ttftMs: ok ? inMs(computed?.time_to_first_token, 's') : null,
    e2eMs: ok ? inMs(computed?.request_latency, 's') : null,
    itlMs: ok && gaps ? gaps.map((gap) => gap * 1000) : null,
    outputTokens: ok ? (computed?.output_tokens ?? null) : null,
  };
}

/** The requests, in the order in which they ended; or why there are none. */
export function parseRecords(json: LooseJson): readonly ClientRecord[] | string {
  if (!json.ok) return json.reason;
  const checked = z.array(entry).safeParse(json.value);
  return checked.success ? checked.data.map(toRecord) : complaint(checked.error);
}
