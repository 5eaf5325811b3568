/** A client's records of single requests, and the summaries that follow from them. */
import { SUMMARIES } from '../../src/measure/expected.ts';
import { absent, type Metric, type Summary } from '../../src/measure/metrics.ts';
import type { ClientRecord, Definitions } from '../contract.ts';
import { ExpressionError, evaluate } from './expression.ts';
import { lengthIn, type Mappings, type Reading } from './mappings.ts';
import type { ClientSpec } from './schema.ts';
import { asNumber, type TimeUnit, toInstantNs, toMs } from './units.ts';

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
export function readRecords(data: unknown, mapping: Mapping, mappings: Mappings): ReadRecords {
  const rows = mapping.rows === undefined ? data : evaluate(mapping.rows, data);
  if (!Array.isArray(rows))
    throw new ExpressionError(
      `records${mapping.rows === undefined ? '' : `.rows ("${mapping.rows}")`} is no list`,
    );
  let firstError: string | null = null;
  const records = rows.map((row): ClientRecord => {
    const condition = evaluate(mapping.ok, row);
    const ok = isTrue(condition);
    mappings.take('records.ok', mapping.ok, condition, ok, { expected: 'condition' });
    if (!ok && firstError === null && mapping.error !== undefined)
      firstError = asText(evaluate(mapping.error, row));
    /** What a failed request lacks is no fault of the mapping. */
    const read = <T>(
      key: string,
      expression: string,
      convert: (raw: unknown) => T | null,
      reading: Reading,
    ): T | null => {
      const raw = evaluate(expression, row);
      const value = convert(raw);
      return ok ? mappings.take(`records.${key}`, expression, raw, value, reading) : value;
    };
    const text = (key: 'request_id' | 'response_id') =>
      mapping[key] === undefined ? null : read(key, mapping[key], asText, { expected: 'text' });
    const ms = (key: 'ttft' | 'e2e') => {
      const timed = mapping[key];
      if (timed === undefined || !ok) return null;
      const { value, unit } = timed;
      return read(`${key}.value`, value, (raw) => toMs(raw, unit), lengthIn(unit));
    };
    const { start, itl, output_tokens: tokens } = mapping;
    return {
      requestId: text('request_id'),
      responseId: text('response_id'),
      startNs:
        start === undefined
          ? null
          : read('start.value', start.value, (raw) => toInstantNs(raw, start.unit), {
              expected: `instant in ${start.unit}`,
            }),
      ok,
      ttftMs: ms('ttft'),
      e2eMs: ms('e2e'),
      itlMs:
        itl === undefined || !ok
          ? null
          : read('itl.value', itl.value, (raw) => gapsMs(raw, itl.unit), {
              expected: `list of gaps, each a ${lengthIn(itl.unit).expected}`,
              length: true,
            }),
      outputTokens:
        tokens === undefined ? null : read('output_tokens', tokens, asNumber, { expected: 'number' }),
    };
  });
  return { records, firstError };
}

/** A list of gaps in milliseconds; one that is no number makes it none. */
function gapsMs(raw: unknown, unit: TimeUnit): number[] | null {
  if (!Array.isArray(raw)) return null;
  const gaps = raw.map((gap) => toMs(gap, unit));
  return gaps.includes(null) ? null : (gaps as number[]);
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

/** The keys of `records` that a metric is made of. */
const KEYS: Readonly<Record<Metric, readonly string[]>> = {
  ttft: ['records.ttft.value'],
  itl: ['records.itl.value'],
  tpot: ['records.ttft.value', 'records.e2e.value', 'records.output_tokens'],
  ntpot: ['records.e2e.value', 'records.output_tokens'],
  e2e: ['records.e2e.value'],
};

/** The summary that the records give, for a metric that the client prints none of. */
export function summaryOf(
  records: readonly ClientRecord[],
  metric: Metric,
  definitions: Definitions,
  mappings: Mappings,
): Summary {
  if (metric !== 'e2e' && definitions[metric] === 'none') return absent('this client has no such figure');
  const sum = SUMMARIES[definitions.percentiles ?? 'interpolated'];
  const keys = KEYS[metric === 'itl' && definitions.itl === 'tpot' ? 'tpot' : metric];
  return sum(
    valuesOf(records, metric, definitions),
    mappings.whyAbsent(keys) ?? 'no record gave such a value',
  );
}
