/**
 * k6's end-of-test summary in the three shapes in which it exists: what handleSummary is given (values nested), --summary-export
 * (values flat), and the machine-readable form of v2 (a list of metrics, `p90` for `p(90)`, `matches` for `passes`).
 */
import { z } from 'zod';
import { complaint } from '../kit/complaint.ts';

type Values = Readonly<Record<string, number>>;

export interface K6Summary {
  /** The values of a metric; null where the summary has none (k6 leaves out a counter that stayed 0). */
  values(metric: string): Values | null;
  readonly durationS: number | null;
}

const finite = z.preprocess((value) => (value === null ? undefined : value), z.number().optional());

/** Drops what is not a number (thresholds, types), and fails on no metric at all. */
const numbers = z.record(z.string(), z.unknown()).transform((entries) => {
  const kept: Record<string, number> = {};
  for (const [key, value] of Object.entries(entries)) {
    if (typeof value === 'number' && Number.isFinite(value)) kept[key.replace(/^p(\d+)$/, 'p($1)')] = value;
  }
  return kept;
});

const nested = z.object({ values: numbers }).transform((metric) => metric.values);

const legacy = z.object({
  state: z.object({ testRunDurationMs: finite }).optional(),
  metrics: z.record(z.string(), z.union([nested, numbers])),
});

const machine = z.object({
  config: z.object({ duration: finite }).optional(),
  results: z.object({ metrics: z.array(z.object({ name: z.string(), values: numbers })) }),
});

const lookup = (table: Readonly<Record<string, Values>>) => (metric: string) =>
  Object.hasOwn(table, metric) ? table[metric]! : null;

/** Reads a parsed summary; a text says why it cannot be read. */
export function readSummary(json: unknown): K6Summary | string {
  const isMachine = typeof json === 'object' && json !== null && 'results' in json;
  if (isMachine) {
    const parsed = machine.safeParse(json);
    if (!parsed.success) return complaint(parsed.error);
    const table = Object.fromEntries(
      parsed.data.results.metrics.map((metric) => [metric.name, metric.values]),
    );
    return { values: lookup(table), durationS: parsed.data.config?.duration ?? null };
  }
  const parsed = legacy.safeParse(json);
  if (!parsed.success) return complaint(parsed.error);
  const ms = parsed.data.state?.testRunDurationMs;
  return { values: lookup(parsed.data.metrics), durationS: ms === undefined ? null : ms / 1000 };
}

/** Requests that failed and that were made, from http_req_failed in any of its shapes; null where no request was made. */
export function failures(summary: K6Summary): { failed: number; total: number } | null {
  const values = summary.values('http_req_failed');
  if (values === null) return null;
  if (values.total !== undefined) return { failed: values.matches ?? 0, total: values.total };
  // `passes` are the times that "failed" was true.
  if (values.passes === undefined || values.fails === undefined) return null;
  return { failed: values.passes, total: values.passes + values.fails };
}
