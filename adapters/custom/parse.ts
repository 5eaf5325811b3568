/** From what a client left to Tare's report, by the mapping of its client file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { absent, METRICS, type Metric, type MetricTable } from '../../src/measure/metrics.ts';
import type { ClientFacts, ClientReport, Parsed, ParseRequest } from '../contract.ts';
import { describeExit } from '../kit/failure.ts';
import { summarize } from '../kit/figures.ts';
import { AFTER_FILE, runAfter } from './after.ts';
import { ExpressionError, evaluate } from './expression.ts';
import { lengthIn, Mappings } from './mappings.ts';
import { readOutput } from './output.ts';
import { type ReadRecords, readRecords, summaryOf } from './records.ts';
import type { ClientSpec } from './schema.ts';
import { asNumber, toMs, toRps } from './units.ts';

const failed = (reason: string): Parsed => ({ state: 'failed', reason });
const unparsable = (reason: string): Parsed => ({ state: 'unparsable', reason });

/** A client's word on a failure: text, or the first of a list; null for none. */
function firstText(value: unknown): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' && one.trim() !== '' ? one.trim().slice(0, 300) : null;
}

const STATISTICS = ['mean', 'p50', 'p90', 'p99'] as const;

/** Figures of a metric as the client printed them. */
function printed(spec: ClientSpec, metric: Metric, data: unknown, mappings: Mappings) {
  const figures = spec.result!.figures[metric]!;
  const key = (statistic: string) => `result.figures.${metric}.${statistic}`;
  const read = (statistic: 'n' | (typeof STATISTICS)[number]) => {
    const expression = figures[statistic];
    if (expression === undefined) return null;
    const raw = evaluate(expression, data);
    return statistic === 'n'
      ? mappings.take(key(statistic), expression, raw, asNumber(raw), { expected: 'number' })
      : mappings.take(key(statistic), expression, raw, toMs(raw, figures.unit), lengthIn(figures.unit));
  };
  const [n, mean, p50, p90, p99] = [read('n'), ...STATISTICS.map(read)];
  const why = mappings.whyAbsent(STATISTICS.map(key)) ?? 'this client prints no such figure';
  return summarize({ n, mean, p50, p90, p99 }, 'ms', why);
}

interface Gathered {
  readonly data: unknown;
  /** What was odd in reading. */
  readonly odd: readonly string[];
  readonly kept: ReadRecords | null;
  readonly mappings: Mappings;
}

/** @throws ExpressionError */
function reportOf(spec: ClientSpec, facts: ClientFacts, { data, kept, odd, mappings }: Gathered): Parsed {
  const { result } = spec;
  const at = (expression: string | undefined) =>
    expression === undefined || data === undefined ? null : evaluate(expression, data);
  const records = kept?.records ?? null;
  const counted = records === null ? null : records.filter((record) => record.ok).length;
  const completed = asNumber(at(result?.completed)) ?? counted;
  const lost = asNumber(at(result?.failed)) ?? (records === null ? null : records.length - counted!);
  const why = firstText(at(result?.error)) ?? kept?.firstError ?? null;
  const unmapped = counted === 0 ? mappings.fault('records.ok') : null;
  const words = unmapped !== null ? `; ${unmapped}` : why === null ? '' : `; the first: ${why}`;
  for (const condition of spec.fails_when) {
    const value = data === undefined ? null : evaluate(condition.if, data);
    if (value !== null && value !== false) return failed(`${condition.reason}${words}`);
  }
  if (completed === null)
    return unparsable(
      `nothing says how many requests were completed: result.completed ("${result?.completed}") gave none`,
    );

  const notes: string[] = [...odd];
  if (lost !== null && lost > 0) notes.push(`${lost} of ${lost + completed} requests failed${words}`);
  const computed: Metric[] = [];
  const summary = (metric: Metric) => {
    if (result?.figures[metric] !== undefined) return printed(spec, metric, data, mappings);
    if (records === null) return absent('this client has no such figure');
    const own = summaryOf(records, metric, facts.definitions, mappings);
    if (own.absent === undefined) computed.push(metric);
    return own;
  };
  const metrics = Object.fromEntries(METRICS.map((metric) => [metric, summary(metric)])) as MetricTable;
  if (computed.length > 0)
    notes.push(
      `${computed.map((metric) => metric.toUpperCase()).join(', ')}: computed by Tare from the client's records, as it prints no such figures`,
    );
  const read = (key: string, expression: string | undefined, convert: (raw: unknown) => number | null) => {
    if (expression === undefined || data === undefined) return null;
    const raw = evaluate(expression, data);
    return mappings.take(`result.${key}`, expression, raw, convert(raw), { expected: 'number' });
  };
  const { duration, achieved_rate: achieved } = result ?? {};
  const achievedRps = read('achieved_rate.value', achieved?.value, (raw) => toRps(raw, achieved!.unit));
  const durationMs = read('duration.value', duration?.value, (raw) => toMs(raw, duration!.unit));
  const tokens = read('output_tokens', result?.output_tokens, asNumber);
  const sum = records?.reduce<number | null>(
    (total, { ok, outputTokens }) => (ok && outputTokens !== null ? (total ?? 0) + outputTokens : total),
    null,
  );
  notes.push(...mappings.faults());
  const report: ClientReport = {
    metrics,
    achievedRps,
    durationS: durationMs === null ? null : durationMs / 1000,
    completed,
    failed: lost,
    outputTokens: tokens ?? sum ?? null,
    dropped: asNumber(at(result?.dropped)),
    records,
    notes,
  };
  if (completed > 0) return { state: 'parsed', report };
  // Many clients exit 0 here, and print latencies of 0.
  const reason = lost === null || lost === 0 ? 'no request was completed' : `all ${lost} requests failed`;
  return { state: 'failed', reason: `${reason}${words}`, report };
}

/** Reads a trial. Never throws on bad output. */
export async function parse(spec: ClientSpec, facts: ClientFacts, request: ParseRequest): Promise<Parsed> {
  const { exitCode, stderrFile, stdoutFile } = request;
  if (exitCode !== null && !spec.exit_codes.includes(exitCode))
    return failed(await describeExit(exitCode, stderrFile, stdoutFile));
  const wrong = async (reason: string): Promise<Parsed> =>
    exitCode === null
      ? unparsable(reason)
      : unparsable(`${reason} (${await describeExit(exitCode, stderrFile, stdoutFile)})`);
  if (existsSync(join(request.dir, AFTER_FILE))) {
    const reason = await runAfter(request.dir);
    if (reason !== null) return wrong(reason);
  }
  let data: unknown;
  let kept: ReadRecords | null = null;
  const odd: string[] = [];
  const mappings = new Mappings();
  try {
    if (spec.result !== undefined) {
      const output = await readOutput(spec.result, request, false);
      if (!output.ok) return wrong(output.reason);
      data = output.data;
      if (output.note !== undefined) odd.push(output.note);
    }
    if (spec.records !== undefined) {
      const output = await readOutput(spec.records, request, true);
      if (!output.ok) return wrong(output.reason);
      if (output.note !== undefined) odd.push(output.note);
      kept = readRecords(output.data, spec.records, mappings);
    }
    return reportOf(spec, facts, { data, kept, odd, mappings });
  } catch (error) {
    if (error instanceof ExpressionError)
      return wrong(`its output is not as the client file says: ${error.message}`);
    throw error;
  }
}
