/** A client's records of single requests, and the summaries that follow from them. */
import { SUMMARIES } from '../../src/measure/expected.ts';
import { absent, type Metric, type Summary } from '../../src/measure/metrics.ts';
import type { ClientRecord, Definitions } from '../contract.ts';
import { ExpressionError, evaluate } from './expression.ts';
import type { ClientSpec } from './schema.ts';
import { asNumber, toInstantNs, toMs } from './units.ts';

type Mapping = NonNullable<ClientSpec['records']>;

/** A text, or null; a number counts as its digits. */
const asText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/** JMESPath's own notion of truth: null, false, '', [] and {} are false. */
const isTrue = (value: unknown): boolean =>
  !(
    value === null ||
    value === false ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value as object).length === 0)
  );

export interface ReadRecords {
  readonly records: readonly ClientRecord[];
  /** What the client says of the first that failed. */
  readonly firstError: string | null;
}

/**
 * Reads the rows that the client left.
 * @throws ExpressionError where the rows have another shape than the mapping takes for granted.
 */
export function readRecords(data: unknown, mapping: Mapping): ReadRecords {
  const rows = mapping.rows === undefined ? data : evaluate(mapping.rows, data);
  if (!Array.isArray(rows))
    throw new ExpressionError(
      `records${mapping.rows === undefined ? '' : `.rows ("${mapping.rows}")`} is no list`,
    );
  let firstError: string | null = null;
  const records = rows.map((row): ClientRecord => {
    const at = (expression: string | undefined) =>
      expression === undefined ? null : evaluate(expression, row);
    const ok = isTrue(at(mapping.ok));
    if (!ok && firstError === null) firstError = asText(at(mapping.error));
    const ms = (timed: Mapping['ttft']) =>
      timed === undefined || !ok ? null : toMs(at(timed.value), timed.unit);
    const gaps = mapping.itl === undefined || !ok ? null : at(mapping.itl.value);
    return {
      requestId: asText(at(mapping.request_id)),
      responseId: asText(at(mapping.response_id)),
      startNs: mapping.start === undefined ? null : toInstantNs(at(mapping.start.value), mapping.start.unit),
      ok,
      ttftMs: ms(mapping.ttft),
      e2eMs: ms(mapping.e2e),
      itlMs: Array.isArray(gaps)
        ? gaps.map((gap) => toMs(gap, mapping.itl!.unit)).filter((gap) => gap !== null)
        : null,
      outputTokens: asNumber(at(mapping.output_tokens)),
    };
  });
  return { records, firstError };
}

/** A metric's values over the records that succeeded, ms. */
function valuesOf(records: readonly ClientRecord[], metric: Metric, definitions: Definitions): number[] {
  const kept = records.filter((record) => record.ok);
  if (metric === 'itl' && definitions.itl === 'chunkGaps')
    return kept.flatMap((record) => record.itlMs ?? []);
  return kept
    .map(({ ttftMs: ttft, e2eMs: e2e, outputTokens: n }) => {
      if (metric === 'ttft') return ttft;
      if (metric === 'e2e') return e2e;
      if (e2e === null || n === null) return null;
      if (metric === 'ntpot') return n > 0 ? e2e / n : null;
      return ttft !== null && n > 1 ? (e2e - ttft) / (n - 1) : null;
    })
    .filter((value) => value !== null);
}

/** The summary that the records give, for a metric that the client prints none of. */
export function summaryOf(
  records: readonly ClientRecord[],
  metric: Metric,
  definitions: Definitions,
): Summary {
  if (metric !== 'e2e' && definitions[metric] === 'none') return absent('this client has no such figure');
  const sum = SUMMARIES[definitions.percentiles ?? 'interpolated'];
  return sum(valuesOf(records, metric, definitions), 'no record gave such a value');
}
