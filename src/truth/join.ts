/**
 * Which row of the ledger each record of a client's is about: by the request id that it sent, by the id in the answer's payload, or by
 * order on a connection. What cannot be told apart is not joined.
 */
import type { Ledger } from '../measure/ledger.ts';

export type JoinKey = 'requestId' | 'responseId' | 'connectionOrder';

/** What of a client's record is needed to find its row. */
export interface Joinable {
  readonly requestId: string | null;
  readonly responseId: string | null;
  /** Start on the client's clock, ns; only its order is used. */
  readonly startNs: number | null;
  /** The client's own name for the connection that it used; absent where it keeps none. */
  readonly connection?: string | null;
}

export interface Join {
  /** null: nothing could be joined, and `reason` says why. */
  readonly by: JoinKey | null;
  /** For each record its row in the ledger, or −1. */
  readonly row: Int32Array;
  readonly joined: number;
  readonly reason: string | null;
}

const none = (records: number, reason: string): Join => ({
  by: null,
  row: new Int32Array(records).fill(-1),
  joined: 0,
  reason,
});

/** Rows by id. An id that stands in several rows (a client that tries again) names none of them. */
function rowsById(ids: readonly (string | null)[], first: number): Map<string, number> {
  const rows = new Map<string, number>();
  for (let r = first; r < ids.length; r++) {
    const id = ids[r];
    if (id !== null && id !== undefined) rows.set(id, rows.has(id) ? -1 : r);
  }
  return rows;
}

function byId(
  records: readonly Joinable[],
  ledger: Ledger,
  first: number,
  key: 'requestId' | 'responseId',
): Join {
  const rows = rowsById(ledger[key], first);
  const seen = new Map<string, number>();
  for (const record of records)
    if (record[key] !== null) seen.set(record[key], (seen.get(record[key]) ?? 0) + 1);
  let joined = 0;
  const row = Int32Array.from(records, (record) => {
    const id = record[key];
    const found = id !== null && seen.get(id) === 1 ? (rows.get(id) ?? -1) : -1;
    if (found >= 0) joined++;
    return found;
  });
  return {
    by: joined > 0 ? key : null,
    row,
    joined,
    reason: joined > 0 ? null : 'no id of its records is in the ledger',
  };
}

/** Indices in groups, each group and the list of groups in ascending order of `at`. */
function grouped<K>(
  indices: readonly number[],
  keyOf: (i: number) => K,
  at: (i: number) => number,
): number[][] {
  const groups = new Map<K, number[]>();
  for (const i of indices.toSorted((a, b) => at(a) - at(b) || a - b)) {
    const key = keyOf(i);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [i]);
    else group.push(i);
  }
  return [...groups.values()];
}

/**
 * By order: the k-th request on the client's j-th connection is the k-th row on the ledger's j-th. Holds only where both sides have the
 * same connections with the same number of requests on each; a client that names none must have used one for all, or one a request.
 */
function byOrder(records: readonly Joinable[], ledger: Ledger, first: number): Join {
  const rows = Array.from({ length: ledger.rows - first }, (_, i) => first + i);
  if (records.length !== rows.length)
    return none(
      records.length,
      `it kept ${records.length} records where ${rows.length} requests arrived: their order tells nothing`,
    );
  const connectionOf = (r: number): number => ledger.connection[r]!;
  // Connections are numbered as they were accepted, which is nearer to the order of sending than when their first request was read.
  const theirs = grouped(rows, connectionOf, connectionOf);
  const named = records.every((record) => typeof record.connection === 'string');
  const perRequest = theirs.every((group) => group.length === 1);
  if (!named && !perRequest && theirs.length > 1)
    return none(records.length, 'its records name no connection, and connections carried several requests');
  const keyOf = (i: number): string | number => (named ? records[i]!.connection! : perRequest ? i : 0);
  const ours = grouped([...records.keys()], keyOf, (i) => records[i]!.startNs ?? i);
  if (ours.length !== theirs.length || ours.some((group, g) => group.length !== theirs[g]!.length))
    return none(records.length, 'its connections carried other numbers of requests than the ledger’s');
  const row = new Int32Array(records.length).fill(-1);
  for (const [g, group] of ours.entries()) for (const [k, i] of group.entries()) row[i] = theirs[g]![k]!;
  return { by: 'connectionOrder', row, joined: records.length, reason: null };
}

/**
 * Joins records with the ledger's rows from `first` on, in the way that the client allows.
 * @param how as the client's facts say; an id of the other kind is tried where that one joins nothing.
 */
export function joinRecords(
  records: readonly Joinable[],
  ledger: Ledger,
  first: number,
  how: JoinKey | 'none',
): Join {
  if (how === 'none')
    return none(records.length, 'nothing in its records tells which request they are about');
  if (how === 'connectionOrder') return byOrder(records, ledger, first);
  const direct = byId(records, ledger, first, how);
  if (direct.joined > 0) return direct;
  const other = byId(records, ledger, first, how === 'requestId' ? 'responseId' : 'requestId');
  return other.joined > 0 ? other : direct;
}
