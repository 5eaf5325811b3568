/** From what a client left to Tare's report, by the mapping of its client file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { absent, METRICS, type Metric, type MetricTable } from '../../src/measure/metrics.ts';
import type { ClientFacts, ClientReport, Parsed, ParseRequest } from '../contract.ts';
import { describeExit } from '../kit/failure.ts';
import { summarize } from '../kit/figures.ts';
import { AFTER_FILE, runAfter } from './after.ts';
import { ExpressionError, evaluate } from './expression.ts';
import { readOutput } from './output.ts';
import { type ReadRecords, readRecords, summaryOf } from './records.ts';
import type { ClientSpec } from './schema.ts';
import { asNumber, toMs, toRps, writtenMs } from './units.ts';

const failed = (reason: string): Parsed => ({ state: 'failed', reason });
const unparsable = (reason: string): Parsed => ({ state: 'unparsable', reason });

/** A client's word on a failure: text, or the first of a list; null for none. */
function firstText(value: unknown): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' && one.trim() !== '' ? one.trim().slice(0, 300) : null;
}

/** Figures of a metric as the client printed them. */
function printed(spec: ClientSpec, metric: Metric, data: unknown) {
  const figures = spec.result!.figures[metric]!;
  const { unit } = figures;
  const ms = (expression: string | undefined) => {
    const value = expression === undefined ? null : evaluate(expression, data);
    return unit === 'text' ? writtenMs(value) : toMs(value, unit);
  };
  const n = figures.n === undefined ? null : asNumber(evaluate(figures.n, data));
  const values = {
    n,
    mean: ms(figures.mean),
    p50: ms(figures.p50),
    p90: ms(figures.p90),
    p99: ms(figures.p99),
  };
  return summarize(values, 'ms', 'this client prints no such figure');
}

interface Gathered {
  readonly data: unknown;
  /** What was odd in reading. */
  readonly odd: readonly string[];
  readonly kept: ReadRecords | null;
}

/** @throws ExpressionError */
function reportOf(spec: ClientSpec, facts: ClientFacts, { data, kept, odd }: Gathered): Parsed {
  const { result } = spec;
  const at = (expression: string | undefined) =>
    expression === undefined || data === undefined ? null : evaluate(expression, data);
  const records = kept?.records ?? null;
  const counted = records === null ? null : records.filter((record) => record.ok).length;
  const completed = asNumber(at(result?.completed)) ?? counted;
  const lost = asNumber(at(result?.failed)) ?? (records === null ? null : records.length - counted!);
  const why = firstText(at(result?.error)) ?? kept?.firstError ?? null;
  const words = why === null ? '' : `; the first: ${why}`;
  for (const condition of spec.fails_when) {
    const value = data === undefined ? null : evaluate(condition.if, data);
    if (value !== null && value !== false) return failed(`${condition.reason}${words}`);
  }
  // Many clients exit 0 here, and print latencies of 0.
  if (completed === 0)
    return failed(
      lost === null || lost === 0
        ? `no request was completed${words}`
        : `all ${lost} requests failed${words}`,
    );
  if (completed === null)
    return unparsable(
      `nothing says how many requests were completed: result.completed ("${result?.completed}") gave none`,
    );

  const notes: string[] = [...odd];
  if (lost !== null && lost > 0) notes.push(`${lost} of ${lost + completed} requests failed${words}`);
  const computed: Metric[] = [];
  const summary = (metric: Metric) => {
    if (result?.figures[metric] !== undefined) return printed(spec, metric, data);
    if (records === null) return absent('this client has no such figure');
    const own = summaryOf(records, metric, facts.definitions);
    if (own.absent === undefined) computed.push(metric);
    return own;
  };
  const metrics = Object.fromEntries(METRICS.map((metric) => [metric, summary(metric)])) as MetricTable;
  if (computed.length > 0)
    notes.push(
      `${computed.map((metric) => metric.toUpperCase()).join(', ')}: computed by Tare from the client's records, as it prints no such figures`,
    );
  const duration = result?.duration;
  const achieved = result?.achieved_rate;
  const durationMs = duration === undefined ? null : toMs(at(duration.value), duration.unit);
  const sum = records?.reduce<number | null>(
    (total, { ok, outputTokens }) => (ok && outputTokens !== null ? (total ?? 0) + outputTokens : total),
    null,
  );
  const report: ClientReport = {
    metrics,
    achievedRps: achieved === undefined ? null : toRps(at(achieved.value), achieved.unit),
    durationS: durationMs === null ? null : durationMs / 1000,
    completed,
    failed: lost,
    outputTokens: asNumber(at(result?.output_tokens)) ?? sum ?? null,
    dropped: asNumber(at(result?.dropped)),
    records,
    notes,
  };
  return { state: 'parsed', report };
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
      kept = readRecords(output.data, spec.records);
    }
    return reportOf(spec, facts, { data, kept, odd });
  } catch (error) {
    if (error instanceof ExpressionError)
      return wrong(`its output is not as the client file says: ${error.message}`);
    throw error;
  }
}
