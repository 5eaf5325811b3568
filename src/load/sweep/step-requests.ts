/** A step's records as the knee reads them. */
import type { StepRequests } from '../../measure/knee/types.ts';
import { NANOS_PER_S } from '../../measure/time.ts';
import type { RequestRecord } from '../spool.ts';

/** In the order in which they were due; seconds since the step's start. */
export function stepRequests(startNs: number, records: Iterable<RequestRecord>): StepRequests {
  const rows: { scheduled: number; sent: number; end: number; ok: number }[] = [];
  const at = (ns: number | null): number => (ns === null ? Number.NaN : (ns - startNs) / NANOS_PER_S);
  for (const r of records)
    rows.push({
      scheduled: at(r.scheduled_ns),
      sent: at(r.sent_ns),
      // What was under way when a step was cut short has no end: when it was dropped says nothing of the server.
      end: r.outcome === 'unfinished' ? Number.NaN : at(r.end_ns),
      ok: r.outcome === 'complete' ? 1 : 0,
    });
  rows.sort((a, b) => a.scheduled - b.scheduled);
  return {
    scheduledS: Float64Array.from(rows, (r) => r.scheduled),
    sentS: Float64Array.from(rows, (r) => r.sent),
    endS: Float64Array.from(rows, (r) => r.end),
    ok: Uint8Array.from(rows, (r) => r.ok),
  };
}
