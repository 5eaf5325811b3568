/** Ledgers for tests. */
import type { Ledger, LedgerMeta } from '../../src/measure/ledger.ts';

export const META: LedgerMeta = {
  version: 1,
  seed: 9007199254740991,
  latency: 'ttft=50ms,itl=10ms',
  pacing: 'spin',
  lostRows: 0,
  lostTokens: 2,
  lostIds: 1,
  windowNs: 12.5,
  cpuNs: 7,
  eventLoopUtilization: 0.25,
  peakInFlight: 3,
  connections: 2,
  clockResolutionNs: 40,
  pid: 123,
  nodeVersion: 'v20.20.2',
};

/** A ledger of `rows` rows in which every seventh value is missing and rows have 0 to 4 tokens. */
export function sampleLedger(rows: number): Ledger {
  const instants = (offset: number): Float64Array =>
    Float64Array.from({ length: rows }, (_, row) =>
      row % 7 === offset ? Number.NaN : 86_400e9 * 90 + row * 1e3 + offset,
    );
  const counts = (offset: number): Int32Array =>
    Int32Array.from({ length: rows }, (_, row) => row * 3 + offset);
  const tokenStart = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++) tokenStart[row + 1] = tokenStart[row]! + (row % 5);
  const tokens = (offset: number): Float64Array =>
    Float64Array.from({ length: tokenStart[rows]! }, (_, i) => i + offset);
  const ids = (name: string, step: number): (string | null)[] =>
    Array.from({ length: rows }, (_, row) => (row % step === 0 ? null : `${name}-é-${row}`));
  return {
    rows,
    meta: META,
    arrivalNs: Float64Array.from({ length: rows }, (_, row) => row * 1e3),
    headersNs: instants(1),
    firstDueNs: instants(2),
    firstNs: instants(3),
    lastDueNs: instants(4),
    lastNs: instants(5),
    endNs: instants(6),
    promptTokens: counts(0),
    askedTokens: counts(1),
    deliveredTokens: counts(2),
    connection: counts(-1),
    status: Uint16Array.from({ length: rows }, (_, row) => [200, 400, 503][row % 3]!),
    outcome: Uint8Array.from({ length: rows }, (_, row) => row % 5),
    streamed: Uint8Array.from({ length: rows }, (_, row) => row % 2),
    requestId: ids('request', 3),
    responseId: ids('response', 4),
    tokenStart,
    tokenNs: tokens(0.5),
    tokenDueNs: tokens(0.25),
  };
}
