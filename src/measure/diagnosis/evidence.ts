/** What a diagnosis is made from: one trial's ledger, the client's records and what it printed. */
import type { Definitions } from '../definitions.ts';
import { metricValues } from '../expected.ts';
import { LEDGER_OUTCOMES, type Ledger } from '../ledger.ts';
import type { MetricTable } from '../metrics.ts';
import type { RecordValues } from '../pairs.ts';
import { toMs } from '../time.ts';
import type { Workload } from '../workload.ts';

/** A client's record of one request, as far as a diagnosis looks at it. */
export interface EvidenceRecord extends RecordValues {
  readonly ok: boolean;
  /** Its t0, ns on the client's clock. */
  readonly startNs: number | null;
}

export interface Evidence {
  readonly ledger: Ledger;
  /** First row that counts, after warm-up. */
  readonly first: number;
  readonly workload: Pick<Workload, 'rateRps' | 'requests' | 'arrivals' | 'outputTokens'>;
  /** What is said of the client. A fault is what departs from it. */
  readonly stated: {
    readonly definitions: Definitions;
    readonly connections: 'kept' | 'one a request' | 'one a user';
    readonly openLoop: boolean;
    /** Asked for equal gaps it sends random ones, and is known to. */
    readonly constantIsPoisson: boolean;
  };
  /** null: the client keeps none. */
  readonly records: readonly EvidenceRecord[] | null;
  /** For each record its row of the ledger, or −1. */
  readonly row: Int32Array | null;
  /** What to take from the records' stamps to have the ledger's clock, ns; null where their clock is another. */
  readonly clockOffsetNs: number | null;
  readonly printed: {
    readonly metrics: MetricTable;
    readonly completed: number | null;
    readonly failed: number | null;
  };
  /** Differences below this are taken for the machine's, ms. */
  readonly toleranceMs: number;
}

/** Requests that client and ledger both hold for complete, in order of the client's starts. All times ms. */
export interface Pairs {
  readonly n: number;
  readonly records: readonly EvidenceRecord[];
  readonly row: Int32Array;
  /** Place of each in the order in which requests were due, from 0: that of the client's starts where every request has a record, else of arrivals. */
  readonly place: Int32Array;
  /** Target's arrival − client's t0; NaN where there is no common clock. */
  readonly send: Float64Array;
  /** Client's t0 since the first row's arrival, on its own clock where there is no common one; NaN without a stamp. */
  readonly start: Float64Array;
  /** Ledger: arrival, since the first row's. */
  readonly arrival: Float64Array;
  /** Client's TTFT and E2E minus what its stated definitions make of the ledger from the request's arrival; NaN where absent. */
  readonly ttft: Float64Array;
  readonly e2e: Float64Array;
  /** The same against other definitions. */
  readonly ttftByHead: Float64Array;
  readonly ttftByToken: Float64Array;
  readonly e2eByEnd: Float64Array;
  readonly e2eByToken: Float64Array;
  readonly delivered: Int32Array;
  /** The tokens left in one write each. */
  readonly apart: Uint8Array;
}

const COMPLETE = LEDGER_OUTCOMES.indexOf('complete');

/**
 * Requests of one tick arrive in any order, so the order of arrivals is not that of the schedule; starts are, but a client that drops
 * requests has no start for each. By arrivals, the k-th of one order is held against the k-th of the other.
 */
function placesOf(
  {
    ledger,
    first,
    records,
  }: Pick<Evidence, 'ledger' | 'first'> & { readonly records: readonly EvidenceRecord[] },
  order: readonly number[],
  rows: Int32Array,
): Int32Array {
  if (records.length !== ledger.rows - first || records.some(({ startNs }) => startNs === null))
    return rows.map((r) => r - first).sort();
  const place = new Int32Array(records.length);
  const due = [...records.keys()].sort((a, b) => records[a]!.startNs! - records[b]!.startNs!);
  for (const [i, k] of due.entries()) place[k] = i;
  return Int32Array.from(order, (k) => place[k]!);
}

/** Joins records and rows, or null where there is nothing to join. */
export function pairsOf(evidence: Evidence): Pairs | null {
  const { ledger, first, records, row, clockOffsetNs } = evidence;
  const { definitions } = evidence.stated;
  if (records === null || row === null) return null;
  const order = [...records.keys()]
    .filter((k) => records[k]!.ok && row[k]! >= first && ledger.outcome[row[k]!] === COMPLETE)
    .sort((a, b) => (records[a]!.startNs ?? 0) - (records[b]!.startNs ?? 0) || row[a]! - row[b]!);
  if (order.length === 0) return null;
  const rows = Int32Array.from(order, (k) => row[k]!);
  const kept = order.map((k) => records[k]!);
  const origin = ledger.arrivalNs[first]!;
  const arrival = Float64Array.from(rows, (r) => toMs(ledger.arrivalNs[r]! - origin));
  const shift = clockOffsetNs === null ? (kept[0]!.startNs ?? 0) : clockOffsetNs + origin;
  const start = Float64Array.from(kept, ({ startNs }) =>
    startNs === null ? Number.NaN : toMs(startNs - shift),
  );
  const against = (changed: Partial<Definitions>, metric: 'ttft' | 'e2e'): Float64Array => {
    const values = metricValues(ledger, { ...definitions, failures: 'excluded', ...changed }, first);
    const place = new Map(Array.from(values.row, (r, i) => [r, i]));
    return Float64Array.from(kept, (record, k) => {
      const mine = metric === 'ttft' ? record.ttftMs : record.e2eMs;
      return mine === null ? Number.NaN : mine - values[metric][place.get(rows[k]!)!]!;
    });
  };
  return {
    n: kept.length,
    records: kept,
    row: rows,
    place: placesOf({ ledger, first, records }, order, rows),
    send: Float64Array.from(arrival, (at, k) => (clockOffsetNs === null ? Number.NaN : at - start[k]!)),
    start,
    arrival,
    ttft: against({}, 'ttft'),
    e2e: against({}, 'e2e'),
    ttftByHead: against({ ttft: 'headers' }, 'ttft'),
    ttftByToken: against({ ttft: 'firstContent' }, 'ttft'),
    e2eByEnd: against({ end: 'responseEnd' }, 'e2e'),
    e2eByToken: against({ end: 'lastToken' }, 'e2e'),
    delivered: Int32Array.from(rows, (r) => ledger.deliveredTokens[r]!),
    apart: Uint8Array.from(rows, (r) => (ledger.tokenStart[r + 1]! > ledger.tokenStart[r]! ? 1 : 0)),
  };
}
