/** From trials to findings: each client at each rate, over its repetitions. Pure. */
import { biasVerdict, cellInterval, meanOf } from '../measure/bias.ts';
import { studentInterval } from '../measure/intervals.ts';
import { METRICS, type Metric, STATISTICS, type Statistic } from '../measure/metrics.ts';
import type { ClientSide, Finding, Floor, RateFinding, Trial, TrialBias } from './document.ts';
import { reportedFinding } from './reported.ts';
import { isFromArrival, wireAgreementMs } from './wire.ts';

/** Below this share of joined requests the printed figures are compared: those that did not join may be the slow ones. */
export const JOIN_ENOUGH = 0.98;

/** Trials that have figures. */
const hasFigures = (trial: Trial): boolean =>
  (trial.outcome.kind === 'measured' || trial.outcome.kind === 'saturated') && trial.bias.length > 0;

/** Clients × rates that occur, in order of first appearance and of rate. */
function cells(trials: readonly Trial[]): { client: string; rateRps: number; trials: Trial[] }[] {
  const found = new Map<string, { client: string; rateRps: number; trials: Trial[] }>();
  for (const trial of trials) {
    const key = `${trial.client}\0${trial.workload.rateRps}`;
    const cell = found.get(key) ?? { client: trial.client, rateRps: trial.workload.rateRps, trials: [] };
    cell.trials.push(trial);
    found.set(key, cell);
  }
  return [...found.values()].sort((a, b) => a.client.localeCompare(b.client, 'en') || a.rateRps - b.rateRps);
}

/**
 * The auditor's own error that stands against a figure: the target's lateness, and for what is timed from a request's arrival how far ledger
 * and wire are apart, where the trials have a capture. Its p99 against p99, its median against the rest.
 */
function auditorError(trials: readonly Trial[], metric: Metric, statistic: Statistic): number | null {
  const at = statistic === 'p99' ? 'p99' : 'p50';
  const values = trials
    .flatMap((trial) => [
      trial.truth?.[`lateness_${at}_ms`] ?? null,
      isFromArrival(metric) ? (wireAgreementMs(trial)?.[at] ?? null) : null,
    ])
    .filter((value) => value !== null);
  return values.length === 0 ? null : Math.max(...values);
}

function finding(
  cell: { client: string; rateRps: number; trials: Trial[] },
  metric: Metric,
  statistic: Statistic,
  floor: Floor | null,
): Finding {
  const trials = cell.trials.filter(hasFigures);
  const rows = trials
    .map((trial) => trial.bias.find((row) => row.metric === metric && row.statistic === statistic)!)
    .filter((row) => row.queueing_bias_ms !== null);
  const shares = trials.map((trial) => trial.joined?.share ?? 0);
  const joinedShare = shares.length === 0 ? 0 : Math.min(...shares);
  // Where the printed figures are not those of the records, the records do not speak for what is printed.
  const speak = trials.every(({ faults }) => !faults?.some(({ kind }) => kind === 'figures-not-of-records'));
  const byPairs =
    rows.length > 0 && speak && joinedShare >= JOIN_ENOUGH && rows.every((row) => row.paired_ms !== null);
  const biasOf = (row: TrialBias) => (byPairs ? row.paired_ms! : row.queueing_bias_ms!);
  const within = (row: TrialBias) =>
    byPairs ? [row.paired_low_ms, row.paired_high_ms] : [row.within_low_ms, row.within_high_ms];
  const interval = cellInterval(
    rows.map(biasOf),
    rows.map((row) => {
      const [low, high] = within(row);
      return low == null || high == null ? null : { low, high };
    }),
    rows.map((row) => (byPairs ? row.paired_reason : row.within_reason)),
  );
  const missing = cell.trials.find((trial) => trial.reported?.metrics[metric].absent !== undefined)?.reported
    ?.metrics[metric].absent;
  const judged =
    rows.length === 0
      ? {
          verdict: 'undetermined' as const,
          floorMs: null,
          reason:
            trials.length === 0
              ? 'no trial of this cell has figures'
              : (missing ?? 'the client gives no such figure'),
        }
      : biasVerdict(
          interval,
          floor?.floor_ms[metric][statistic] ?? null,
          auditorError(trials, metric, statistic),
        );
  return {
    client: cell.client,
    rate_rps: cell.rateRps,
    metric,
    statistic,
    trials: rows.length,
    realized_ms: meanOf(rows.map((row) => row.realized_ms)),
    expected_ms: meanOf(rows.map((row) => row.expected_ms)),
    reported_ms: meanOf(rows.map((row) => row.reported_ms)),
    definition_bias_ms: meanOf(rows.map((row) => row.definition_bias_ms)),
    queueing_bias_ms: meanOf(rows.map((row) => row.queueing_bias_ms)),
    total_bias_ms: meanOf(rows.map((row) => row.total_bias_ms)),
    bias_ms: meanOf(rows.map(biasOf)),
    bias_by: byPairs ? 'pairs' : 'figures',
    joined_share: joinedShare > 0 ? joinedShare : null,
    low_ms: interval.interval?.low ?? null,
    high_ms: interval.interval?.high ?? null,
    interval: interval.kind,
    floor_ms: judged.floorMs,
    verdict: judged.verdict,
    reason: judged.reason,
  };
}

/** Every client × rate × metric × statistic that was tried. */
export function findings(trials: readonly Trial[], floor: Floor | null): Finding[] {
  return cells(trials).flatMap((cell) =>
    METRICS.flatMap((metric) =>
      STATISTICS.map((statistic) =>
        cell.trials.some((trial) => trial.client_side != null)
          ? reportedFinding(cell.client, cell.rateRps, cell.trials, metric, statistic)
          : finding(cell, metric, statistic, floor),
      ),
    ),
  );
}

interface RateSide extends Pick<ClientSide, 'sent_rps' | 'rate_fidelity' | 'gap_cv2' | 'peak_in_flight'> {
  readonly source: NonNullable<RateFinding['source']>;
}

/** The rate side of a trial: by the ledger where there is one, else by the client's account. */
function rateSide({ truth, client_side: client }: Trial): RateSide | null {
  if (truth !== null) return { ...truth, sent_rps: truth.arrival_rps, source: 'ledger' };
  return client == null || client.source === 'none' ? null : { ...client, source: client.source };
}

/** The rate side of every client × rate. */
export function rateFindings(trials: readonly Trial[]): RateFinding[] {
  return cells(trials).map((cell) => {
    const ran = cell.trials.map(rateSide).filter((side) => side !== null);
    const fidelities = ran.map((side) => side.rate_fidelity).filter((value) => value !== null);
    const interval = fidelities.length >= 3 ? studentInterval(fidelities) : null;
    const outcomes: Record<string, number> = {};
    for (const trial of cell.trials) outcomes[trial.outcome.kind] = (outcomes[trial.outcome.kind] ?? 0) + 1;
    return {
      client: cell.client,
      rate_rps: cell.rateRps,
      trials: cell.trials.length,
      source: ran[0]?.source ?? null,
      achieved_rps: meanOf(ran.map((side) => side.sent_rps)),
      reported_rps: meanOf(cell.trials.map((trial) => trial.reported?.achievedRps ?? null)),
      expected_rps: meanOf(cell.trials.map((trial) => trial.truth?.expected_run.achieved_rps ?? null)),
      fidelity: meanOf(fidelities),
      fidelity_low: interval?.low ?? null,
      fidelity_high: interval?.high ?? null,
      gap_cv2: meanOf(ran.map((side) => side.gap_cv2)),
      peak_in_flight: ran.reduce<number | null>(
        (most, side) => (side.peak_in_flight === null ? most : Math.max(most ?? 0, side.peak_in_flight)),
        null,
      ),
      busiest_thread_share: meanOf(cell.trials.map((trial) => trial.observed?.busiest_thread_share ?? null)),
      outcomes,
    };
  });
}
