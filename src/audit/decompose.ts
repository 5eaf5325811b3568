/** Where a trial's bias arises: its joined records and the ledger, brought to one clock and cut into stages. Pure. */
import type { ClientFacts, ClientRecord } from '../../adapters/contract.ts';
import {
  decompose,
  NEARLY_ALL,
  type RequestFigure,
  type Stage,
  type Untold,
} from '../measure/decomposition.ts';
import { type Definitions, STANDARD } from '../measure/definitions.ts';
import { completedRows, metricValues } from '../measure/expected.ts';
import type { Ledger } from '../measure/ledger.ts';
import { valuesOf } from '../measure/pairs.ts';
import { type ClockPair, type RecordClock, recordClock, type WallOffset } from '../measure/record-clock.ts';
import type { WireRows } from '../measure/wire.ts';
import type { Decomposition } from './document.ts';
import type { Pairing } from './pairing.ts';

type Facts = Pick<ClientFacts, 'definitions'>;

/**
 * The kernel's stamp of the bytes that a figure ends with, for row r; NaN where the capture lacks it, or where the client takes another event
 * (a role) for its first token.
 */
function seenOnWire(
  wire: WireRows,
  metric: 'ttft' | 'e2e',
  definitions: Definitions,
  ledger: Ledger,
  r: number,
): number {
  if (metric === 'e2e') return wire[definitions.end === 'responseEnd' ? 'endNs' : 'lastNs'][r]!;
  if (definitions.ttft === 'headers') return wire.headNs[r]!;
  // An event that leaves with the head is not in the capture's stamps.
  if (definitions.ttft === 'firstChunk' && ledger.meta.role === 'early') return Number.NaN;
  return wire.firstNs[r]!;
}

/** One of a hundred may have changed places with its neighbour where requests were joined by order. */
const MOST_BROKEN_BY_ORDER = 0.01;

/** When a record says that its request was sent, on the client's clock; null where it only holds the scheduled instant. */
const sentOf = (record: ClientRecord, { definitions }: Facts): number | null =>
  record.sentNs ?? (definitions.t0 === 'sent' ? record.startNs : null);

function clockOf(
  ledger: Ledger,
  { records, row, joined }: Pairing,
  facts: Facts,
  wall: WallOffset | null,
): RecordClock {
  const pairs: ClockPair[] = [];
  for (const [k, record] of records.entries()) {
    const startNs = sentOf(record, facts) ?? record.startNs;
    if (row[k]! >= 0 && startNs !== null) pairs.push({ startNs, arrivalNs: ledger.arrivalNs[row[k]!]! });
  }
  return recordClock(pairs, wall, joined.by === 'connectionOrder' ? MOST_BROKEN_BY_ORDER : 0);
}

/** Why stages have no figure of their own. */
function untoldStages(
  clock: RecordClock,
  facts: Facts,
  keepsSent: boolean,
  wired: boolean,
  whyNoWire: string,
): Partial<Record<Stage, Untold>> {
  const lost = (reason: string): Untold => ({ held_by: 'unknown', reason });
  const noClock = lost(`its stamps cannot be set beside the target's (${clock.how})`);
  const noSent = lost('it keeps no instant of sending, only the scheduled one');
  const noWire = (held_by: Stage): Untold => ({ held_by, reason: whyNoWire });
  const told = clock.offsetNs !== null;
  const beforeWire = told ? noSent : noClock;
  return {
    schedule_lag:
      facts.definitions.t0 === 'sent'
        ? { held_by: null, reason: 'its figures count from sending: what came before is not in them' }
        : beforeWire,
    before_send: !told || !keepsSent ? beforeWire : noWire('to_target'),
    to_target: beforeWire,
    back:
      told && !wired ? noWire('read') : told ? { held_by: 'read', reason: 'the capture lacks it' } : noClock,
    read: noClock,
  };
}

/** Of joined, completed requests of the measured part: the share with a stamp of the wire; 0 of none. */
function capturedShare(
  { records, row }: Pairing,
  isComplete: (r: number) => boolean,
  wire: WireRows,
): number {
  const rows = [...row].filter((r, k) => r >= 0 && isComplete(r) && records[k]!.ok);
  return rows.filter((r) => !Number.isNaN(wire.requestNs[r])).length / Math.max(1, rows.length);
}

/**
 * The decomposition of TTFT and E2E over the requests that were joined and that both sides hold for complete; null where none were.
 * @param wall for clients that stamp with the wall clock
 * @param capture of the trial's port, where there was one: used if it has nearly all requests, and then the others are left out
 */
export function decompositionOf(
  ledger: Ledger,
  facts: Facts,
  first: number,
  pairing: Pairing,
  wall: WallOffset | null,
  capture: WireRows | null = null,
): Decomposition | null {
  const { records, row } = pairing;
  if (pairing.joined.joined === 0) return null;
  const clock = clockOf(ledger, pairing, facts, wall);
  const { definitions } = facts;
  const at = new Map(Array.from(completedRows(ledger, first), (r, i) => [r, i]));
  const share = capture === null ? 0 : capturedShare(pairing, (r) => at.has(r), capture);
  const wire = share >= NEARLY_ALL ? capture : null;
  const whyNoWire =
    capture === null
      ? 'no capture of the wire tells them apart'
      : `the capture has only ${(share * 100).toFixed(1)} % of the requests, and is not used`;
  // Of completed rows alone, so that the three tables have the same ones.
  const own = metricValues(ledger, { ...definitions, failures: 'excluded' }, first);
  const real = metricValues(ledger, STANDARD, first);
  const wanted = metricValues(ledger, STANDARD, first, 'injected');
  const onLedger = (ns: number | null): number =>
    ns === null || clock.offsetNs === null ? Number.NaN : ns - clock.offsetNs;
  const figuresOf = (metric: 'ttft' | 'e2e') => {
    const requests: RequestFigure[] = [];
    let uncaptured = 0;
    let keepsSent = false;
    for (const [k, record] of records.entries()) {
      const r = row[k]!;
      const i = at.get(r);
      const reportedMs = valuesOf(record, metric, definitions)[0];
      if (i === undefined || !record.ok || reportedMs === undefined) continue;
      const figure = {
        expectedMs: own[metric][i]!,
        realizedMs: real[metric][i]!,
        injectedMs: wanted[metric][i]!,
      };
      if (!Object.values(figure).every(Number.isFinite)) continue;
      if (wire !== null && Number.isNaN(wire.requestNs[r])) {
        uncaptured++;
        continue;
      }
      const sent = sentOf(record, facts);
      if (sent !== null) keepsSent = true;
      requests.push({
        reportedMs,
        ...figure,
        arrivalNs: ledger.arrivalNs[r]!,
        t0Ns: onLedger(record.startNs),
        sentNs: onLedger(sent),
        wireRequestNs: wire?.requestNs[r] ?? Number.NaN,
        wireSeenNs: wire === null ? Number.NaN : seenOnWire(wire, metric, definitions, ledger, r),
      });
    }
    const atEnd = metric === 'e2e' && definitions.end === 'responseEnd';
    const untold = untoldStages(clock, facts, keepsSent, wire !== null, whyNoWire);
    const found = decompose(requests, untold, atEnd);
    return found && { ...found, left_out: (found.left_out ?? 0) + uncaptured };
  };
  return {
    clock: clock.clock,
    clock_offset_ns: clock.offsetNs,
    clock_how: clock.how,
    wire: wire !== null,
    ttft: figuresOf('ttft'),
    e2e: figuresOf('e2e'),
  };
}
