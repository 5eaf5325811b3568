/**
 * Ledger against wire: what the target's own stamps say of a request beside what the kernel saw pass. A duration of one is held against
 * the same duration of the other, so that no offset between clocks comes in; single instants are compared as well, and there it does.
 */
import { LEDGER_OUTCOMES, type Ledger } from './ledger.ts';
import type { Summary } from './metrics.ts';
import { quantileSorted, summarize } from './quantile.ts';
import { toMs } from './time.ts';

const COMPLETE = LEDGER_OUTCOMES.indexOf('complete');

/** Instants by ledger row, ns of CLOCK_MONOTONIC; NaN where the request was not seen, or not wholly. */
export interface WireRows {
  /** The segment that completed the request's head: beside the ledger's `arrivalNs`. */
  readonly requestNs: Float64Array;
  /** The answer's first byte: beside `headersNs`. */
  readonly headNs: Float64Array;
  /** The first segment with an output token: beside `firstNs`. */
  readonly firstNs: Float64Array;
  /** The last segment with one: beside `lastNs`. */
  readonly lastNs: Float64Array;
  /** The answer's last byte: beside `endNs`. */
  readonly endNs: Float64Array;
  /** Rows with a request of the wire. */
  readonly joined: number;
}

/** Differences over requests, ms; null of none. */
export interface Spread {
  readonly n: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

export interface LedgerAgainstWire {
  /** Wire: the request's head was complete → ledger: arrival. What a request waited in the target before it was stamped. */
  readonly request_to_arrival_ms: Spread;
  /** Ledger: just before the first token's write → wire: its segment. */
  readonly first_to_wire_ms: Spread;
  /** Wire: the last byte → ledger: just after the answer's end. */
  readonly wire_to_end_ms: Spread;
  /** |wire − ledger| of each request. */
  readonly ttft_apart_ms: Spread;
  readonly e2e_apart_ms: Spread;
  /** The realized table's figures over the joined requests that were completed, by each. */
  readonly ledger: { readonly ttft: Summary; readonly e2e: Summary };
  readonly wire: { readonly ttft: Summary; readonly e2e: Summary };
  /** Requests of which the wire saw the arrival after the ledger, or a token before the ledger wrote it, beyond the clocks' uncertainty. */
  readonly impossible: number;
}

/** Quantiles of differences given in ns; NaN are left out. */
export function spread(valuesNs: Iterable<number>): Spread {
  const sorted = Float64Array.from([...valuesNs].filter((value) => !Number.isNaN(value))).sort();
  const at = (p: number) => (sorted.length === 0 ? null : toMs(quantileSorted(sorted, p)));
  return { n: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99) };
}

/**
 * Compares them over the rows from `first` on.
 * @param uncertaintyNs of the offset between the clocks.
 */
export function ledgerAgainstWire(
  ledger: Ledger,
  wire: WireRows,
  first: number,
  uncertaintyNs: number,
): LedgerAgainstWire {
  const rows: number[] = [];
  for (let r = first; r < ledger.rows; r++)
    if (ledger.outcome[r] === COMPLETE && !Number.isNaN(wire.requestNs[r])) rows.push(r);
  const differences = (from: Float64Array, to: Float64Array) => rows.map((r) => to[r]! - from[r]!);
  const before = differences(wire.requestNs, ledger.arrivalNs);
  const behind = differences(ledger.firstNs, wire.firstNs);
  const summary = (values: readonly number[]) =>
    summarize(values.filter((value) => !Number.isNaN(value)).map(toMs), 'no completed request was joined');
  const ledgerTtft = differences(ledger.arrivalNs, ledger.firstNs);
  const ledgerE2e = differences(ledger.arrivalNs, ledger.lastNs);
  const wireTtft = differences(wire.requestNs, wire.firstNs);
  const wireE2e = differences(wire.requestNs, wire.lastNs);
  const apart = (a: readonly number[], b: readonly number[]) =>
    spread(a.map((value, i) => Math.abs(value - b[i]!)));
  return {
    request_to_arrival_ms: spread(before),
    first_to_wire_ms: spread(behind),
    wire_to_end_ms: spread(differences(wire.endNs, ledger.endNs)),
    ttft_apart_ms: apart(wireTtft, ledgerTtft),
    e2e_apart_ms: apart(wireE2e, ledgerE2e),
    ledger: { ttft: summary(ledgerTtft), e2e: summary(ledgerE2e) },
    wire: { ttft: summary(wireTtft), e2e: summary(wireE2e) },
    impossible: rows.filter((_, i) => before[i]! < -uncertaintyNs || behind[i]! < -uncertaintyNs).length,
  };
}
