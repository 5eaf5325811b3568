/**
 * The figures of a chart as rows: what its CSV file holds. Long form, units in the columns' names, absent figures empty. What else a figure
 * needs so that files of several audits can be put together stands in columns too: lines of comments would not be CSV.
 */
import type { AuditDocument } from '../../src/audit/document.ts';
import { type CsvCell, clientVersion, textCell, toCsv } from '../csv.ts';

export interface ChartData {
  readonly columns: readonly string[];
  /** As many cells a row as there are columns. */
  readonly rows: readonly (readonly CsvCell[])[];
}

/** Figures of one client, in the order of the chart's own columns. */
export interface ClientRow {
  readonly client: string;
  readonly cells: readonly CsvCell[];
}

/** So many digits count; none of our figures is known to more. */
const DIGITS = 7;

const brief = (cell: CsvCell): CsvCell =>
  typeof cell === 'number' ? Number(cell.toPrecision(DIGITS)) : cell;

/** Rows of a chart under its columns, between those of the client and those of the audit. */
export const chartData = (
  document: AuditDocument,
  columns: readonly string[],
  rows: readonly ClientRow[],
): ChartData => ({
  columns: ['client', 'client_version', ...columns, 'audit_started_at', 'tare_version', 'cpu_model'],
  rows: rows.map(({ client, cells }) => [
    client,
    clientVersion(document, client),
    ...cells.map(brief),
    document.started_at,
    document.tare_version,
    document.host.cpu_model,
  ]),
});

/** As CSV: every text as a cell that no spreadsheet evaluates. */
export const dataCsv = ({ columns, rows }: ChartData): string =>
  toCsv(
    columns,
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? textCell(cell) : cell))),
  );
