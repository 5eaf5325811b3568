/** Findings where the target keeps no ledger: figures as reported, and the reason why there is no bias. Pure. */
import { meanOf } from '../measure/bias.ts';
import type { Metric, Statistic } from '../measure/metrics.ts';
import { NO_LEDGER } from './client-side.ts';
import type { Finding, Trial } from './document.ts';

/** The finding of a cell (trials of one client at one rate) whose trials have no truth. */
export function reportedFinding(
  client: string,
  rateRps: number,
  trials: readonly Trial[],
  metric: Metric,
  statistic: Statistic,
): Finding {
  const rows = trials
    .filter((trial) => trial.outcome.kind === 'measured' || trial.outcome.kind === 'saturated')
    .flatMap((trial) => trial.bias.filter((row) => row.metric === metric && row.statistic === statistic))
    .filter((row) => row.reported_ms !== null);
  const missing = trials
    .map((trial) => trial.reported?.metrics[metric].absent)
    .find((why) => why !== undefined);
  return {
    client,
    rate_rps: rateRps,
    metric,
    statistic,
    trials: rows.length,
    realized_ms: null,
    expected_ms: null,
    reported_ms: meanOf(rows.map((row) => row.reported_ms)),
    definition_bias_ms: null,
    queueing_bias_ms: null,
    total_bias_ms: null,
    bias_ms: null,
    bias_by: 'figures',
    joined_share: null,
    low_ms: null,
    high_ms: null,
    interval: 'none',
    floor_ms: null,
    verdict: 'undetermined',
    reason:
      rows.length === 0
        ? (missing ?? 'no trial of this cell has figures')
        : whyNone(rows) + (statistic === 'mean' ? ownSight(trials, metric) : ''),
  };
}

/** Why there is no bias; with a configured delay, what the client and the target add to it together. */
function whyNone(rows: readonly { injected_ms: number | null; reported_ms: number | null }[]): string {
  const known = rows.filter((row) => row.injected_ms !== null);
  const together = meanOf(known.map((row) => row.reported_ms! - row.injected_ms!));
  const configured = meanOf(known.map((row) => row.injected_ms));
  const bound =
    together === null
      ? ''
      : `; ${configured!.toFixed(2)} ms were configured, so the client and the target together add ${together.toFixed(2)} ms`;
  return `${NO_LEDGER}, so what it really gave is not known${bound}`;
}

/** The target's own mean, where it exports one: its sight ends where it hands the bytes over. */
function ownSight(trials: readonly Trial[], metric: Metric): string {
  const key = metric === 'ttft' ? 'ttft_mean_ms' : metric === 'e2e' ? 'e2e_mean_ms' : null;
  const mean =
    key === null ? null : meanOf(trials.map((trial) => trial.client_side?.exported?.[key] ?? null));
  return mean === null ? '' : `; by the target's own histogram the mean is ${mean.toFixed(2)} ms`;
}
