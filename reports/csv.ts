/** bias.csv and trials.csv: every figure with its unit in the column's name, absent figures empty, one row a finding or trial. */
import { stringify } from 'csv-stringify/sync';
import type { AuditDocument } from '../src/audit/document.ts';
import type { Departure } from '../src/measure/arrival-process/types.ts';
import { commandLine } from './command-line.ts';
import { oneLine } from './text.ts';

export type CsvCell = string | number | null;

/** What spreadsheets take for the start of a formula, full-width forms included. */
const FORMULA = /^[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * Text from outside as a cell that no spreadsheet evaluates: a leading quote where it would start a formula. Numbers of ours do
 * not go through here, so −1.5 stays a number.
 */
export function textCell(text: string): string {
  const line = oneLine(text);
  return FORMULA.test(line) ? `'${line}` : line;
}

/** The version that was found of a client; empty where none was. */
export const clientVersion = (document: AuditDocument, client: string): string => {
  const found = document.clients.find((entry) => entry.name === client)?.found;
  return found?.state === 'found' ? found.version : '';
};

/** Rows under their columns; a null is an empty cell. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return stringify([columns, ...rows] as CsvCell[][], { record_delimiter: '\n' });
}

/** One row a finding: a client at a rate, a metric and a statistic. */
export function biasCsv(document: AuditDocument): string {
  const columns = [
    'client',
    'version',
    'rate_rps',
    'metric',
    'statistic',
    'trials',
    'realized_ms',
    'expected_ms',
    'reported_ms',
    'definition_bias_ms',
    'queueing_bias_ms',
    'total_bias_ms',
    'bias_ms',
    'bias_by',
    'joined_share',
    'low_ms',
    'high_ms',
    'interval',
    'floor_ms',
    'verdict',
    'reason',
  ];
  const rows = document.findings.map((finding): CsvCell[] => [
    textCell(finding.client),
    textCell(clientVersion(document, finding.client)),
    finding.rate_rps,
    finding.metric,
    finding.statistic,
    finding.trials,
    finding.realized_ms,
    finding.expected_ms,
    finding.reported_ms,
    finding.definition_bias_ms,
    finding.queueing_bias_ms,
    finding.total_bias_ms,
    finding.bias_ms,
    finding.bias_by,
    finding.joined_share,
    finding.low_ms,
    finding.high_ms,
    finding.interval,
    finding.floor_ms,
    finding.verdict,
    textCell(finding.reason),
  ]);
  return toCsv(columns, rows);
}

const departuresText = (departures: readonly Departure[]): string =>
  departures.map(({ kind, size, unit }) => `${kind} ${Number(size.toPrecision(4))} ${unit}`).join('; ');

/** One row a trial, in the order in which they ran. */
export function trialsCsv(document: AuditDocument): string {
  const columns = [
    'trial',
    'order',
    'client',
    'version',
    'rate_rps',
    'repetition',
    'outcome',
    'outcome_reason',
    'started_at',
    'elapsed_s',
    'exit_code',
    'requests',
    'warmup_requests',
    'arrival_rps',
    'completion_rps',
    'rate_fidelity',
    'gap_cv2',
    'arrival_process',
    'arrival_departures',
    'peak_in_flight',
    'rate_source',
    'target_counted_requests',
    'reported_rps',
    'reported_completed',
    'reported_failed',
    'reported_dropped',
    ...(['ttft', 'tpot', 'e2e'] as const).flatMap((metric) =>
      (['mean', 'p50', 'p99'] as const).flatMap((name) =>
        (['injected', 'realized', 'expected', 'reported'] as const).map(
          (kind) => `${kind}_${metric}_${name}_ms`,
        ),
      ),
    ),
    'lateness_p50_ms',
    'lateness_p99_ms',
    'target_loop_utilization',
    'processes_peak',
    'threads_peak',
    'rss_peak_mb',
    'busiest_thread_share',
    'cpu_share',
    'steal_share',
    'warnings',
    'command',
  ];
  const trials = [...document.trials].sort((a, b) => a.order - b.order);
  const rows = trials.map((trial): CsvCell[] => {
    const { truth, client_side: client, reported, observed } = trial;
    return [
      textCell(trial.id),
      trial.order,
      textCell(trial.client),
      textCell(clientVersion(document, trial.client)),
      trial.workload.rateRps,
      trial.repetition,
      trial.outcome.kind,
      'reason' in trial.outcome ? textCell(trial.outcome.reason) : '',
      textCell(trial.started_at),
      trial.elapsed_s,
      trial.exit_code,
      (truth ?? client)?.requests ?? null,
      truth?.warmup_requests ?? null,
      truth?.arrival_rps ?? client?.sent_rps ?? null,
      (truth ?? client)?.completion_rps ?? null,
      (truth ?? client)?.rate_fidelity ?? null,
      (truth ?? client)?.gap_cv2 ?? null,
      truth?.arrivals?.process ?? '',
      textCell(departuresText(truth?.arrivals?.departures ?? [])),
      (truth ?? client)?.peak_in_flight ?? null,
      truth === null ? (client?.source ?? '') : 'ledger',
      client?.exported?.requests ?? null,
      reported?.achievedRps ?? null,
      reported?.completed ?? null,
      reported?.failed ?? null,
      reported?.dropped ?? null,
      ...(['ttft', 'tpot', 'e2e'] as const).flatMap((metric) =>
        (['mean', 'p50', 'p99'] as const).flatMap((name) => {
          const figure = `${name}_ms` as const;
          return [truth?.injected, truth?.realized, truth?.expected, reported?.metrics].map(
            (table) => table?.[metric][figure] ?? null,
          );
        }),
      ),
      truth?.lateness_p50_ms ?? null,
      truth?.lateness_p99_ms ?? null,
      truth?.target.eventLoopUtilization ?? null,
      observed?.processes_peak ?? null,
      observed?.threads_peak ?? null,
      observed?.rss_peak_mb ?? null,
      observed?.busiest_thread_share ?? null,
      observed?.cpu_share ?? null,
      observed?.steal_share ?? null,
      textCell(trial.warnings.join('; ')),
      textCell(commandLine(trial.command)),
    ];
  });
  return toCsv(columns, rows);
}
