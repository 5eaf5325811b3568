/** The part of a client's sentence that stands in the place of a verdict where the target kept no ledger. */
import type { AuditDocument } from '../src/audit/document.ts';
import type { Statistic } from '../src/measure/metrics.ts';
import { METRIC_LABEL, ms, percent, plain, rate } from './format.ts';
import { findingFor, type RateVerdict } from './rate-verdict.ts';
import { byWhom, NO_BIAS } from './target-words.ts';
import { grouped, listed } from './text.ts';

/** `3`, or `3–5` where they differ as printed. */
function range(values: readonly number[], print: (value: number) => string): string {
  const [low, high] = [print(Math.min(...values)), print(Math.max(...values))];
  return low === high ? low : `${low}–${high}`;
}

const there = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => value !== null && value !== undefined);

/** The first metric that the client printed, of those that it could be judged by. */
const printedMetric = (document: AuditDocument, client: string) =>
  (['ttft', 'e2e', 'tpot'] as const).find((metric) =>
    document.findings.some((f) => f.client === client && f.metric === metric && f.reported_ms !== null),
  );

function latencies(document: AuditDocument, client: string, rates: readonly RateVerdict[]): string {
  const metric = printedMetric(document, client);
  if (metric === undefined) return 'it printed no latency';
  const of = (statistic: Statistic) =>
    there(rates.map((r) => findingFor(document, client, r.rate_rps, metric, statistic)?.reported_ms));
  const figures = (['p50', 'p99'] as const)
    .map((statistic) => ({ statistic, values: of(statistic) }))
    .filter(({ values }) => values.length > 0)
    .map(({ statistic, values }) => `${statistic} ${range(values, ms)}`);
  return `${METRIC_LABEL[metric]} as reported ${listed(figures)} ms`;
}

/** What can be said of the rates at which it sent what it was asked: its own account of the sending, and its figures as reported. */
export function reportedClause(
  document: AuditDocument,
  client: string,
  rates: readonly RateVerdict[],
): { readonly from_rps: number; readonly text: string } | null {
  const ran = rates.filter((r) => r.state === 'unclear');
  if (ran.length === 0) return null;
  const at = range(
    ran.map((r) => r.rate_rps),
    rate,
  );
  const fidelities = there(ran.map((r) => r.rate?.fidelity));
  const gaps = there(ran.map((r) => r.rate?.gap_cv2));
  const peaks = there(ran.map((r) => r.rate?.peak_in_flight));
  const sent =
    fidelities.length === 0
      ? `what it sent at ${at}/s is not known, it says nothing of it`
      : `at ${at}/s it sent ${range(fidelities, percent)} % of what was asked${byWhom(ran[0]!.rate)}`;
  const shape = [
    ...(gaps.length === 0 ? [] : [`gap CV² ${range(gaps, plain)}`]),
    ...(peaks.length === 0 ? [] : [`at most ${grouped(Math.max(...peaks))} in flight`]),
  ].join(', ');
  return {
    from_rps: ran[0]!.rate_rps,
    text: `${NO_BIAS}; ${sent}${shape === '' ? '' : ` (${shape})`}; ${latencies(document, client, ran)}`,
  };
}

/** The same where no rate gave it a place in the sentence. */
export const noBiasNote = (rates: readonly RateVerdict[]): string =>
  rates.some((r) => r.state === 'unclear') ? '' : `${NO_BIAS[0]!.toUpperCase()}${NO_BIAS.slice(1)}.`;
