/** A sweep's steps as CSV, one line each, in the order in which they were run. */
import { stringify } from 'csv-stringify/sync';
import type { SweepStepReport } from './report.ts';

/** Named, so that a sweep without a step has them too. */
export const SWEEP_COLUMNS = [
  ...['step', 'purpose', 'started_at', 'elapsed_s', 'rate_rps', 'duration_s', 'requests', 'offered_rps'],
  ...['sent_rps', 'completed_rps', 'failed_share', 'ttft_p50_ms', 'ttft_p99_ms', 'e2e_p50_ms', 'e2e_p99_ms'],
  ...['good_share', 'in_flight_at_end', 'verdict', 'why', 'cut_short'],
  ...['backlog_rps', 'backlog_low_rps', 'backlog_high_rps'],
  ...['plateau_rps', 'plateau_low_rps', 'plateau_high_rps', 'plateau_completions', 'warnings'],
];

/** Lists and ranges become columns of their own; what is absent is empty. */
export function sweepCsv(steps: readonly SweepStepReport[]): string {
  const rows = steps.map(({ backlog, plateau, warnings, ...plain }) => ({
    ...plain,
    backlog_rps: backlog?.rps ?? null,
    backlog_low_rps: backlog?.low_rps ?? null,
    backlog_high_rps: backlog?.high_rps ?? null,
    plateau_rps: plateau?.rps ?? null,
    plateau_low_rps: plateau?.low_rps ?? null,
    plateau_high_rps: plateau?.high_rps ?? null,
    plateau_completions: plateau?.completions ?? null,
    warnings: warnings.join(' '),
  }));
  return stringify(rows, {
    header: true,
    columns: SWEEP_COLUMNS,
    cast: { boolean: (value) => String(value) },
  });
}
