/** A sweep's steps as CSV, one line each, in the order in which they were run. */
import { stringify } from 'csv-stringify/sync';
import type { SweepStepReport } from './report.ts';

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
  return stringify(rows, { header: true, cast: { boolean: (value) => String(value) } });
}
