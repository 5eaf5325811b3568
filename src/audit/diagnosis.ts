/** A trial's evidence for the diagnosis (src/measure/diagnosis), gathered from its ledger and the client's report. Pure. */
import type { ClientFacts, ClientReport } from '../../adapters/contract.ts';
import type { Evidence } from '../measure/diagnosis/evidence.ts';
import type { Ledger } from '../measure/ledger.ts';
import { recordClock, type WallOffset } from '../measure/record-clock.ts';
import type { Workload } from '../measure/workload.ts';
import type { Pairing } from './pairing.ts';

/** Differences below this are taken for the machine's, ms: wake-ups and loopback take tenths of one. */
export const TOLERANCE_MS = 1;

/** Order on a connection may be wrong for neighbours that changed places. */
const MOST_BROKEN_BY_ORDER = 0.01;

function clockOffsetNs(
  { joined, records, row }: Pairing,
  ledger: Ledger,
  wall: WallOffset | null,
): number | null {
  const stamped = records.flatMap(({ startNs, ok }, k) =>
    startNs === null || row[k]! < 0 || !ok ? [] : [{ startNs, arrivalNs: ledger.arrivalNs[row[k]!]! }],
  );
  return recordClock(stamped, wall, joined.by === 'connectionOrder' ? MOST_BROKEN_BY_ORDER : 0).offsetNs;
}

/** What a trial's evidence is. */
export function evidenceOf(
  ledger: Ledger,
  first: number,
  workload: Workload,
  facts: Pick<ClientFacts, 'definitions' | 'connections' | 'openLoop' | 'constantIsPoisson'>,
  report: ClientReport,
  pairing: Pairing | null,
  wall: WallOffset | null,
): Evidence {
  const joined = pairing === null || pairing.joined.by === null ? null : pairing;
  return {
    ledger,
    first,
    workload,
    stated: {
      definitions: facts.definitions,
      connections: facts.connections,
      openLoop: facts.openLoop,
      constantIsPoisson: facts.constantIsPoisson === true,
    },
    records: joined?.records ?? null,
    row: joined?.row ?? null,
    clockOffsetNs: joined === null ? null : clockOffsetNs(joined, ledger, wall),
    printed: report,
    toleranceMs: TOLERANCE_MS,
  };
}
