/**
 * A client's instants, less how late the target itself was: a probe's right answer counts from the instants that were meant, and on a busy
 * machine a write leaves later than that. Pure.
 */
import type { ClientRecord } from '../../../adapters/contract.ts';
import type { ProbeLedgerRow } from '../../truth/probe-ledger.ts';

/** How late the last write that a client can have seen `ms` after its request was, ms; 0 where there was none. */
export function latenessAt(
  { writes, read_ns }: Pick<ProbeLedgerRow, 'writes' | 'read_ns'>,
  ms: number,
): number {
  let late = 0;
  for (const { at_ns, due_ns } of writes) {
    if ((at_ns - read_ns) / 1e6 > ms) break;
    late = Math.max(0, (at_ns - due_ns) / 1e6);
  }
  return late;
}

/** The record as it would be had the target written everything at its instant. Gaps stay: lateness at both ends mostly cancels. */
export function onTime(record: ClientRecord, row: ProbeLedgerRow): ClientRecord {
  const less = (ms: number | null): number | null => (ms === null ? null : ms - latenessAt(row, ms));
  return { ...record, ttftMs: less(record.ttftMs), e2eMs: less(record.e2eMs) };
}

/** How late the rows' last writes were, in the median, ms: what a printed summary has in it. */
export function medianLateness(rows: readonly ProbeLedgerRow[]): number {
  const late = rows
    .map(({ writes }) => Math.max(0, ...writes.map(({ at_ns, due_ns }) => (at_ns - due_ns) / 1e6)))
    .sort((a, b) => a - b);
  return late[late.length >> 1] ?? 0;
}
