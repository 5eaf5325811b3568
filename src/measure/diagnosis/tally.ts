/** How many requests the ledger holds, how many the client says, and which rows of the ledger no record is about. */
import { LEDGER_OUTCOMES } from '../ledger.ts';
import type { Evidence } from './evidence.ts';

const COMPLETE = LEDGER_OUTCOMES.indexOf('complete');
const CLOSED = LEDGER_OUTCOMES.indexOf('clientClosed');
const FAILED = [LEDGER_OUTCOMES.indexOf('refused'), LEDGER_OUTCOMES.indexOf('faultInjected')];

/** A join that found less than this says nothing of records that were not found. */
const JOIN_ENOUGH = 0.8;
/** Without records, counts may differ by what a client breaks off at its end: so many, and such a share. */
export const SLACK = { requests: 3, share: 0.01 };

export interface Tally {
  readonly rows: number;
  readonly complete: number;
  /** Refused, broken off with an error by the target, or given up by the client in mid-run. */
  readonly failed: number;
  /** Failed rows that the client holds for completed. */
  readonly taken: number;
  /** Requests said to be answered that reached nobody. */
  readonly ghosts: number;
  /** Rows that the client's records are about; without records, requests that it says it completed. */
  readonly claimed: number;
  /** Complete rows that no record is about; how many, and which where that can be told. */
  readonly unclaimed: number;
  readonly unclaimedRows: readonly number[];
  /** What the client says of failures. */
  readonly saysFailed: number;
  readonly byRecords: boolean;
}

/** Rows that failed. What a client gives up after its last answer is its end, not a failure. */
function failedRows({ ledger, first }: Evidence): Set<number> {
  const failed = new Set<number>();
  let lastAnswer = Number.NEGATIVE_INFINITY;
  for (let r = first; r < ledger.rows; r++)
    if (ledger.outcome[r] === COMPLETE) lastAnswer = Math.max(lastAnswer, ledger.endNs[r]!);
  for (let r = first; r < ledger.rows; r++) {
    const outcome = ledger.outcome[r]!;
    if (FAILED.includes(outcome) || (outcome === CLOSED && ledger.endNs[r]! < lastAnswer)) failed.add(r);
  }
  return failed;
}

function byCounts({ printed }: Evidence, rows: number, complete: number, failed: number): Tally {
  const slack = Math.max(SLACK.requests, SLACK.share * rows);
  const more = (printed.completed ?? complete) - complete;
  const beyond = (count: number): number => (count > slack ? count : 0);
  const taken = Math.min(beyond(more), failed);
  return {
    rows,
    complete,
    failed,
    taken,
    ghosts: beyond(more - taken),
    claimed: printed.completed ?? complete,
    unclaimed: beyond(-more),
    unclaimedRows: [],
    saysFailed: printed.failed ?? (printed.completed === null ? failed : 0),
    byRecords: false,
  };
}

/** Counts of both sides, by the client's records where they were joined, else by what it printed. */
export function tallyOf(evidence: Evidence): Tally {
  const { ledger, first, records, row, printed } = evidence;
  const rows = ledger.rows - first;
  const failed = failedRows(evidence);
  let complete = 0;
  for (let r = first; r < ledger.rows; r++) if (ledger.outcome[r] === COMPLETE) complete++;
  const joined = row === null ? 0 : row.reduce((sum, r) => sum + (r >= first ? 1 : 0), 0);
  if (records === null || row === null || joined === 0 || joined < JOIN_ENOUGH * records.length)
    return byCounts(evidence, rows, complete, failed.size);
  const claimed = new Set<number>();
  let taken = 0;
  let okWithoutRow = 0;
  let withoutRow = 0;
  let notOk = 0;
  for (const [k, record] of records.entries()) {
    const r = row[k]!;
    if (!record.ok) notOk++;
    if (r < first) {
      withoutRow++;
      if (record.ok) okWithoutRow++;
      continue;
    }
    claimed.add(r);
    if (record.ok && failed.has(r)) taken++;
  }
  const unclaimedRows: number[] = [];
  for (let r = first; r < ledger.rows; r++)
    if (ledger.outcome[r] === COMPLETE && !claimed.has(r)) unclaimedRows.push(r);
  // A record that found no row and a row that found no record may be each other's: only what is left over is missing.
  return {
    rows,
    complete,
    failed: failed.size,
    taken,
    ghosts: Math.max(0, okWithoutRow - unclaimedRows.length),
    claimed: claimed.size,
    unclaimed: Math.max(0, unclaimedRows.length - withoutRow),
    unclaimedRows: withoutRow === 0 ? unclaimedRows : [],
    saysFailed: printed.failed ?? notOk,
    byRecords: true,
  };
}
