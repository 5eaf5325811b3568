/** Which record of a client's each request of a run is: by ids where they join, and what is left by order. Pure. */
import type { ClientFacts, ClientRecord, ClientReport } from '../../../adapters/contract.ts';
import type { Ledger } from '../../measure/ledger.ts';
import { joinRecords } from '../../truth/join.ts';
import type { ProbeLedgerRow } from '../../truth/probe-ledger.ts';

export interface RecordRows {
  /** For each row its record; null: the client has none, and every record has its row (it leaves failures out); undefined: not known. */
  readonly record: readonly (ClientRecord | null | undefined)[];
  /** Why rows have no record, in words; null where all have. */
  readonly reason: string | null;
}

/** Only what joining needs of a ledger. */
const asLedger = (rows: readonly ProbeLedgerRow[]): Ledger =>
  ({
    rows: rows.length,
    requestId: rows.map((row) => row.request_id),
    responseId: rows.map((row) => row.response_id),
    connection: Int32Array.from(rows, (row) => row.connection),
  }) as unknown as Ledger;

/**
 * Joins records with rows. Rows are those that count, in order of arrival. What no id joins is joined by order, where as many are left on
 * either side and their order is known: by their starts, or because the client is known to keep them as it sent them.
 */
export function recordRows(
  report: Pick<ClientReport, 'records' | 'failed'>,
  rows: readonly ProbeLedgerRow[],
  { joins, recordsAsSent }: Pick<ClientFacts, 'joins' | 'recordsAsSent'>,
): RecordRows {
  const records = report.records ?? [];
  const timed = records.every(({ startNs }) => startNs !== null);
  const ordered = timed ? records.toSorted((a, b) => a.startNs! - b.startNs!) : records;
  const record: (ClientRecord | null | undefined)[] = new Array(rows.length).fill(undefined);
  const byId = joins === 'requestId' || joins === 'responseId';
  const join = byId
    ? joinRecords(ordered, asLedger(rows), 0, joins).row
    : new Int32Array(ordered.length).fill(-1);
  ordered.forEach((one, i) => {
    if (join[i]! >= 0) record[join[i]!] = one;
  });
  const left = ordered.filter((_, i) => join[i]! < 0);
  const open = [...rows.keys()].filter((r) => record[r] === undefined);
  if (open.length === left.length && (open.length <= 1 || timed || recordsAsSent === true)) {
    open.forEach((r, k) => {
      record[r] = left[k]!;
    });
    return { record, reason: null };
  }
  // Left out of its records and counted as failed: that is where they are. Counted nowhere, they are lost, which its summary shows.
  const failing = records.filter(({ ok }) => !ok).length;
  if (left.length === 0 && byId && report.failed === failing + open.length) {
    for (const r of open) record[r] = null;
    return { record, reason: null };
  }
  return {
    record,
    reason: `it kept ${records.length} records where ${rows.length} requests arrived, so ${open.length} of them have none that is surely theirs`,
  };
}
