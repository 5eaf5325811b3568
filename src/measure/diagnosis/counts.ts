/** What a client counts against what the ledger holds: failures, requests that were never there, requests that were there twice. */
import { peakInFlight } from '../arrivals.ts';
import { LEDGER_OUTCOMES } from '../ledger.ts';
import type { Evidence } from './evidence.ts';
import { exactly, type Fault, fault } from './fault.ts';

const COMPLETE = LEDGER_OUTCOMES.indexOf('complete');
const FAILED = [LEDGER_OUTCOMES.indexOf('refused'), LEDGER_OUTCOMES.indexOf('faultInjected')];

/** A join that found less than this says nothing of records that were not found. */
const JOIN_ENOUGH = 0.8;
/** Without records, counts may differ by what a client breaks off at its end: so many, and such a share. */
const SLACK = { requests: 3, share: 0.01 };
/** Connections a request, from which on they are said to be fresh ones, and how many times those under way there must be. */
const FRESH = { share: 0.9, timesInFlight: 2, spare: 16 };

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

interface Counts {
  readonly rows: number;
  readonly complete: number;
  /** Refused, or broken off with an error by the target. */
  readonly failed: number;
  /** Failed rows that the client holds for completed. */
  readonly taken: number;
  /** Of the client's records: those said to be answered that reached nobody. */
  readonly ghosts: number;
  readonly claimed: number;
  /** Complete rows that no record is about. */
  readonly unclaimed: number;
  /** What the client says of failures. */
  readonly saysFailed: number;
  readonly byRecords: boolean;
}

function countsOf({ ledger, first, records, row, printed }: Evidence): Counts {
  const rows = ledger.rows - first;
  let complete = 0;
  let failed = 0;
  for (let r = first; r < ledger.rows; r++) {
    if (ledger.outcome[r] === COMPLETE) complete++;
    else if (FAILED.includes(ledger.outcome[r]!)) failed++;
  }
  const joined = row === null ? 0 : row.reduce((sum, r) => sum + (r >= first ? 1 : 0), 0);
  const byRecords = records !== null && row !== null && joined >= JOIN_ENOUGH * records.length && joined > 0;
  if (!byRecords) {
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
      saysFailed: printed.failed ?? (printed.completed === null ? failed : 0),
      byRecords,
    };
  }
  const claimedRows = new Set<number>();
  let taken = 0;
  let ghosts = 0;
  let notOk = 0;
  for (const [k, record] of records.entries()) {
    const r = row[k]!;
    if (r >= first) claimedRows.add(r);
    if (!record.ok) notOk++;
    else if (r < first) ghosts++;
    else if (FAILED.includes(ledger.outcome[r]!)) taken++;
  }
  let unclaimed = 0;
  for (let r = first; r < ledger.rows; r++)
    if (ledger.outcome[r] === COMPLETE && !claimedRows.has(r)) unclaimed++;
  return {
    rows,
    complete,
    failed,
    taken,
    ghosts,
    claimed: claimedRows.size,
    unclaimed,
    saysFailed: printed.failed ?? notOk,
    byRecords,
  };
}

/** Faults of counting. All sizes are counted: they have no width. */
export function countFaults(evidence: Evidence): Fault[] {
  const counts = countsOf(evidence);
  const { rows, failed, taken, ghosts, claimed, unclaimed, saysFailed, byRecords } = counts;
  if (rows === 0) return [];
  const faults: Fault[] = [];
  const who = byRecords ? 'by its records' : 'by its counts';
  if (taken > 0)
    faults.push(
      fault(
        'errors-as-success',
        exactly(taken / rows),
        `${taken} of the ${failed} requests that failed at the target are completed ${who}`,
      ),
    );
  // A request that was sent twice leaves a second row, which fails as often as any: only complete ones tell the two faults apart.
  const doubled = unclaimed >= Math.max(SLACK.requests, SLACK.share * rows);
  const missing = failed - taken - saysFailed;
  if (missing > 0 && !doubled)
    faults.push(
      fault(
        'failures-dropped',
        exactly(-missing / rows),
        `${failed} of ${rows} requests failed at the target, the client says ${saysFailed}`,
      ),
    );
  if (ghosts > 0)
    faults.push(
      fault(
        'requests-not-sent',
        exactly(-ghosts / (claimed + ghosts)),
        `${ghosts} of the ${claimed + ghosts} requests that it counts never reached the target`,
      ),
    );
  if (doubled) {
    const extra = rows - claimed;
    faults.push(
      fault(
        'requests-doubled',
        exactly(extra / claimed),
        `${rows} requests reached the target, it counts ${claimed}: ${percent(extra / claimed)} more than it says`,
      ),
    );
  }
  return faults;
}

/** A connection a request, where the client is said to keep them. */
export function connectionFaults({ ledger, first, stated }: Evidence): Fault[] {
  const rows = ledger.rows - first;
  if (stated.connections !== 'kept' || rows < 20) return [];
  const connections = new Set(ledger.connection.subarray(first, ledger.rows)).size;
  const peak = peakInFlight(ledger.arrivalNs.subarray(first), ledger.endNs.subarray(first));
  if (connections < FRESH.share * rows || connections < FRESH.timesInFlight * peak + FRESH.spare) return [];
  return [
    fault(
      'fresh-connections',
      exactly(connections / rows),
      `${rows} requests came over ${connections} connections, with ${peak} under way at the most`,
    ),
  ];
}
