/** What a trial says where the target keeps no ledger: the client's own account of what it sent. Pure. */
import type { ClientRecord, ClientReport } from '../../adapters/contract.ts';
import { gapCv2, middleRate, peakInFlight, ratePerSecond } from '../measure/arrivals.ts';
import { biasRows } from '../measure/bias.ts';
import type { Definitions } from '../measure/definitions.ts';
import { NOT_INJECTED, parseLatencySpec } from '../measure/latency-spec.ts';
import { absent, METRICS, type MetricTable, type Summary } from '../measure/metrics.ts';
import { toMs } from '../measure/time.ts';
import type { Workload } from '../measure/workload.ts';
import type { ClientSide, Exported, TrialBias } from './document.ts';

/** Said of every figure that would need a ledger. */
export const NO_LEDGER = 'this target keeps no ledger';

/**
 * The instant, ns on the client's clock, at which a record says that its request was sent; null where it only holds the scheduled one,
 * from which nothing can be learned about the sending.
 */
export const sentAt = (record: ClientRecord, definitions: Definitions): number | null =>
  record.sentNs ?? (definitions.t0 === 'sent' ? record.startNs : null);

/** How a printed rate is made, in words. */
const PRINTED = {
  firstSendToLastEnd: 'over the time from first send to last end, so the drain is in it and it reads low',
  firstGapToLastEnd:
    'over the time from the start of its schedule to last end, so the drain is in it and it reads low',
  sendWindow: 'over the time from first to last send',
  sendGaps: 'as gaps over the time from first to last send',
  none: 'in its own way',
} as const;

/** Whether a printed rate can be held against the rate that was asked for: not with the drain in it. */
export const isSendRate = (definitions: Definitions): boolean =>
  definitions.throughput === 'sendWindow' || definitions.throughput === 'sendGaps';

/** When a request ended, ns on the clock of its start; NaN where that is not kept. */
const endOf = ({ startNs, e2eMs }: ClientRecord): number =>
  startNs === null || e2eMs === null ? Number.NaN : startNs + e2eMs * 1e6;

/** The client's own account of a trial. */
export function clientSideOf(
  report: ClientReport | null,
  definitions: Definitions,
  workload: Workload,
  exported: Exported | null,
): ClientSide {
  const nothing = {
    requests: null,
    sent_rps: null,
    completion_rps: null,
    rate_fidelity: null,
    gap_cv2: null,
    peak_in_flight: null,
    exported,
  };
  if (report === null) return { source: 'none', how: 'it left no report', ...nothing };
  const records = (report.records ?? []).filter((record) => sentAt(record, definitions) !== null);
  if (records.length >= 2) {
    const sent = Float64Array.from(records, (record) => sentAt(record, definitions)!).sort();
    const ends = Float64Array.from(records, endOf);
    const known = ends.filter((end) => !Number.isNaN(end)).sort();
    const rps = ratePerSecond(sent);
    return {
      source: 'records',
      how: `the ${records.length} start instants of its own records (${definitions.t0Detail})`,
      requests: records.length,
      sent_rps: rps,
      completion_rps: middleRate(known),
      rate_fidelity: rps === null ? null : rps / workload.rateRps,
      gap_cv2: gapCv2(sent),
      // A failed request without an end would count as in flight for ever.
      peak_in_flight: peakInFlight(
        sent,
        ends.map((end, i) => (Number.isNaN(end) ? sentAt(records[i]!, definitions)! : end)),
      ),
      exported,
    };
  }
  const { achievedRps, completed, failed } = report;
  const requests = completed === null ? null : completed + (failed ?? 0);
  if (achievedRps === null)
    return { source: 'none', how: 'it keeps no records and prints no rate', ...nothing, requests };
  return {
    source: 'printed',
    how: `the rate that it prints: ${definitions.throughputOf === 'completed' ? 'completed requests' : 'requests'} ${PRINTED[definitions.throughput]}`,
    ...nothing,
    requests,
    sent_rps: achievedRps,
    rate_fidelity: achievedRps / workload.rateRps,
  };
}

const tableOf = (reason: string): MetricTable =>
  Object.fromEntries(METRICS.map((metric) => [metric, absent(reason)])) as unknown as MetricTable;

/**
 * What the target was told to give, where that is constant delays: the same for every request, so mean and every percentile. E2E and NTPOT
 * only where each answer had the length that was asked for.
 */
export function configuredTable(workload: Workload, report: ClientReport): MetricTable {
  const spec = parseLatencySpec(workload.latency);
  if (spec.ttft.kind !== 'constant' || spec.itl.kind !== 'constant' || spec.prefillNs > 0)
    return tableOf('the configured delay is not the same for every request');
  const n = workload.outputTokens;
  const [ttft, itl] = [toMs(spec.ttft.ns), toMs(spec.itl.ns)];
  const e2e = ttft + (n - 1) * itl;
  const asAsked = report.completed !== null && report.outputTokens === report.completed * n;
  const same = (ms: number): Summary => ({ n: null, mean_ms: ms, p50_ms: ms, p90_ms: ms, p99_ms: ms });
  const whole = (ms: number) =>
    asAsked ? same(ms) : absent('answers had not, or not surely, the length that was asked for');
  const gap = n > 1 ? same(itl) : absent('no request has two tokens');
  return { ttft: same(ttft), itl: gap, tpot: gap, ntpot: whole(e2e / n), e2e: whole(e2e) };
}

/** A trial's figures as reported, beside what the target was told to give where Tare told it. Without a ledger there is no bias. */
export function reportedRows(report: ClientReport, workload: Workload): TrialBias[] {
  const none = tableOf(NO_LEDGER);
  return biasRows({
    injected: workload.latency === NOT_INJECTED ? none : configuredTable(workload, report),
    realized: none,
    expected: none,
    reported: report.metrics,
  }).map((row) => ({
    ...row,
    within_low_ms: null,
    within_high_ms: null,
    paired_ms: null,
    paired_low_ms: null,
    paired_high_ms: null,
  }));
}
