/** One trial's comparison: the ledger against what the client reported. Pure. */
import type { ClientRecord, ClientReport } from '../../adapters/contract.ts';
import { identifyArrivals } from '../measure/arrival-process/identify.ts';
import type { ArrivalIdentity } from '../measure/arrival-process/types.ts';
import { arrivalFigures } from '../measure/arrivals.ts';
import { biasRows } from '../measure/bias.ts';
import { type Blocked, blocksFor, equalBlocks } from '../measure/blocks.ts';
import type { Definitions } from '../measure/definitions.ts';
import {
  injected,
  lateness,
  type MetricValues,
  metricValues,
  realized,
  tableOf,
} from '../measure/expected.ts';
import { expectedRun } from '../measure/expected-run.ts';
import type { Ledger } from '../measure/ledger.ts';
import { METRICS, type Metric, STATISTICS } from '../measure/metrics.ts';
import { valuesOf } from '../measure/pairs.ts';
import { quantileSorted } from '../measure/quantile.ts';
import { type Figure, trialFigures } from '../measure/trial-interval.ts';
import type { Workload } from '../measure/workload.ts';
import type { TrialBias, Truth } from './document.ts';
import { NO_PAIR, type Pairing } from './pairing.ts';

const QUANTILES = [0.5, 0.9, 0.99] as const;

/** Rows at the ledger's start that belong to the client's warm-up. */
export const warmupRows = (ledger: Ledger, definitions: Definitions): number =>
  Math.min(definitions.warmupRequests, ledger.rows);

/** The arrival process of the rows from `first` on, against the one that the client was asked for. */
export function arrivalsOf(ledger: Ledger, first: number, { arrivals, rateRps }: Workload): ArrivalIdentity {
  const rows = Int32Array.from({ length: ledger.rows - first }, (_, i) => first + i).sort(
    (a, b) => ledger.arrivalNs[a]! - ledger.arrivalNs[b]!,
  );
  const column = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return identifyArrivals(column(ledger.arrivalNs), { arrivals, rateRps }, column(ledger.endNs));
}

/** What the ledger says of a trial. */
export function truthOf(ledger: Ledger, definitions: Definitions, workload: Workload): Truth {
  const first = warmupRows(ledger, definitions);
  const arrivals = arrivalFigures(ledger, first);
  const late = lateness(ledger, first);
  const quantile = (p: number) => (late.length === 0 ? null : quantileSorted(late, p));
  return {
    requests: arrivals.requests,
    warmup_requests: first,
    arrival_rps: arrivals.arrivalRps,
    completion_rps: arrivals.completionRps,
    rate_fidelity: arrivals.arrivalRps === null ? null : arrivals.arrivalRps / workload.rateRps,
    gap_cv2: arrivals.gapCv2,
    arrivals: arrivalsOf(ledger, first, workload),
    peak_in_flight: arrivals.peakInFlight,
    outcomes: arrivals.outcomes,
    injected: injected(ledger, first),
    realized: realized(ledger, first),
    expected: tableOf(metricValues(ledger, definitions, first), definitions),
    expected_run: expectedRun(ledger, definitions, first),
    lateness_p50_ms: quantile(0.5),
    lateness_p99_ms: quantile(0.99),
    lateness_max_ms: quantile(1),
    target: ledger.meta,
  };
}

/** The values of a metric as the client kept them, in the order of its starts, cut into blocks of equal count. */
function blockedRecords(
  records: readonly ClientRecord[],
  metric: Metric,
  blocks: number,
  definitions: Definitions,
): Blocked {
  const blockOfRecord = equalBlocks(records.length, blocks);
  const values: number[] = [];
  const blockOf: number[] = [];
  for (const [i, record] of records.entries())
    for (const value of valuesOf(record, metric, definitions)) {
      values.push(value);
      blockOf.push(blockOfRecord[i]!);
    }
  return { values: Float64Array.from(values), blockOf: Int32Array.from(blockOf) };
}

/** The expected values of a metric, in order of arrival, cut into as many blocks. */
function blockedExpected(
  values: MetricValues,
  metric: Metric,
  blocks: number,
  definitions: Definitions,
): Blocked {
  const blockOfRow = equalBlocks(values.row.length, blocks);
  if (metric === 'itl' && definitions.itl !== 'tpot')
    return { values: values.itl, blockOf: values.itlOf.map((i) => blockOfRow[i]!) };
  const all = metric === 'itl' ? values.tpot : values[metric];
  const kept = Int32Array.from(all.keys()).filter((i) => !Number.isNaN(all[i]!));
  return { values: Float64Array.from(kept, (i) => all[i]!), blockOf: kept.map((i) => blockOfRow[i]!) };
}

/** Bias of a trial, each row with its interval within the trial where the client kept records. */
export function trialBias(
  ledger: Ledger,
  definitions: Definitions,
  truth: Truth,
  report: ClientReport,
  pairing: Pairing | null,
): TrialBias[] {
  const rows = biasRows({ ...truth, reported: report.metrics });
  const records = report.records
    ?.filter((record) => record.ok)
    .toSorted((a, b) => (a.startNs ?? 0) - (b.startNs ?? 0));
  const figures = new Map<Metric, readonly Figure[]>();
  const values = metricValues(ledger, definitions, truth.warmup_requests);
  const blocks = blocksFor(Math.min(records?.length ?? 0, values.row.length));
  if (records !== undefined) {
    for (const metric of METRICS)
      figures.set(
        metric,
        trialFigures(
          blockedRecords(records, metric, blocks, definitions),
          blockedExpected(values, metric, blocks, definitions),
          blocks,
          QUANTILES,
        ),
      );
  }
  return rows.map((row) => {
    const of = STATISTICS.indexOf(row.statistic);
    const figure = figures.get(row.metric)?.[of];
    const bias = row.queueing_bias_ms;
    // How far the interval reaches is that of the records; what it reaches from is the printed figure, by the client's own rounding.
    const ends = bias === null || figure === undefined ? null : figure.interval;
    return {
      ...row,
      within_low_ms: ends === null ? null : bias! - (figure!.point - ends.low),
      within_high_ms: ends === null ? null : bias! + (ends.high - figure!.point),
      within_reason: bias === null ? null : (figure?.reason ?? null),
      ...(pairing?.figures.get(row.metric)?.[of] ?? NO_PAIR),
    };
  });
}
