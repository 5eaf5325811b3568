/**
 * Paired bias: what a client added to each request, reported − expected of the same request, instead of a difference of two quantiles.
 * The p99 of these is the delay that one request in a hundred met; the difference of two p99s is what the printed p99 is off by. Pure.
 */
import type { Definitions } from './definitions.ts';
import type { MetricValues } from './expected.ts';
import type { Metric } from './metrics.ts';

/** One request as its client kept it, ms. Absent is null. */
export interface RecordValues {
  readonly ttftMs: number | null;
  readonly e2eMs: number | null;
  readonly itlMs: readonly number[] | null;
  readonly outputTokens: number | null;
}

/** A record's TPOT by the client's definition, ms; null where the record cannot tell. */
function tpotOf(record: RecordValues, definitions: Definitions): number | null {
  const { ttftMs, e2eMs, itlMs, outputTokens: n } = record;
  if (n === null || n < 2) return null;
  if (definitions.tpot !== 'betweenTokens' || itlMs === null)
    return ttftMs === null || e2eMs === null ? null : (e2eMs - ttftMs) / (n - 1);
  return itlMs.reduce((sum, gap) => sum + gap, 0) / (n - 1);
}

/** Last token − t0 as far as a record tells: TTFT and its gaps, ms. */
const lastTokenMs = ({ ttftMs, itlMs }: RecordValues): number | null =>
  ttftMs === null || itlMs === null ? null : itlMs.reduce((sum, gap) => sum + gap, ttftMs);

/** A record's values of a metric under its client's definitions, ms: one, or for ITL as many as it has gaps; none where absent. */
export function valuesOf(record: RecordValues, metric: Metric, definitions: Definitions): readonly number[] {
  const one = (value: number | null): readonly number[] =>
    value === null || !Number.isFinite(value) ? [] : [value];
  const { ttftMs, e2eMs, itlMs, outputTokens: n } = record;
  if (definitions[metric === 'e2e' ? 'end' : metric] === 'none') return [];
  if (metric === 'ttft') return one(ttftMs);
  if (metric === 'e2e') return one(e2eMs);
  if (metric === 'ntpot') {
    const whole = definitions.ntpot === 'toLastToken' ? lastTokenMs(record) : e2eMs;
    return one(whole !== null && n !== null && n > 0 ? whole / n : null);
  }
  if (metric === 'tpot' || definitions.itl === 'tpot') return one(tpotOf(record, definitions));
  return itlMs ?? [];
}

/** Where each request's gaps begin in `values.itl`; one more entry than requests. */
function gapStarts(values: MetricValues): Int32Array {
  const starts = new Int32Array(values.row.length + 1);
  for (const i of values.itlOf) starts[i + 1]!++;
  for (let i = 0; i < values.row.length; i++) starts[i + 1]! += starts[i]!;
  return starts;
}

/** The expected values of one counted request, as `valuesOf` gives a record's. */
function expectedOf(
  values: MetricValues,
  starts: Int32Array,
  i: number,
  metric: Metric,
  definitions: Definitions,
): ArrayLike<number> {
  if (metric === 'itl' && definitions.itl === 'chunkGaps')
    return values.itl.subarray(starts[i], starts[i + 1]);
  return [(metric === 'itl' ? values.tpot : values[metric])[i]!];
}

/** Differences of a metric, ms, and for each of them which pair it is of. */
export interface Differences {
  readonly values: Float64Array;
  /** Index into the records. */
  readonly record: Int32Array;
}

/**
 * Differences over joined requests that both sides hold for complete. A request whose gaps the client counted otherwise (several tokens
 * in one read) has none for ITL.
 * @param row for each record its row of the ledger, or −1
 */
export function pairedDifferences(
  records: readonly (RecordValues & { readonly ok: boolean })[],
  row: Int32Array,
  values: MetricValues,
  metric: Metric,
  definitions: Definitions,
): Differences {
  const at = new Map(Array.from(values.row, (r, i) => [r, i]));
  const starts = gapStarts(values);
  const found: number[] = [];
  const of: number[] = [];
  for (const [k, record] of records.entries()) {
    const i = at.get(row[k]!);
    if (i === undefined || !record.ok) continue;
    const reported = valuesOf(record, metric, definitions);
    const expected = expectedOf(values, starts, i, metric, definitions);
    if (reported.length !== expected.length) continue;
    for (const [g, value] of reported.entries()) {
      const difference = value - expected[g]!;
      if (!Number.isFinite(difference)) continue;
      found.push(difference);
      of.push(k);
    }
  }
  return { values: Float64Array.from(found), record: Int32Array.from(of) };
}
