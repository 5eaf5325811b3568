/** Builds small ledgers by hand, in milliseconds. */
import {
  LEDGER_OUTCOMES,
  type Ledger,
  type LedgerMeta,
  type LedgerOutcome,
} from '../../src/measure/ledger.ts';

export interface Row {
  readonly at: number;
  readonly headers?: number;
  /** Instants of the tokens, ms after arrival; one entry and `tokens` n for an answer in one write. */
  readonly tokens: readonly number[];
  /** When they were due, ms after arrival; as `tokens` if left out. */
  readonly due?: readonly number[];
  readonly coalesced?: number;
  readonly asked?: number;
  readonly end?: number;
  readonly outcome?: LedgerOutcome;
  readonly requestId?: string;
  readonly responseId?: string;
  readonly connection?: number;
}

export function ledgerOf(rows: readonly Row[], meta: Partial<LedgerMeta> = {}): Ledger {
  const ns = (ms: number | undefined) => (ms === undefined ? Number.NaN : ms * 1e6);
  const stamps: number[] = [];
  const dues: number[] = [];
  const starts = [0];
  for (const row of rows) {
    if (row.coalesced === undefined) {
      for (const [k, token] of row.tokens.entries()) {
        stamps.push(ns(row.at + token));
        dues.push(ns(row.at + (row.due ?? row.tokens)[k]!));
      }
    }
    starts.push(stamps.length);
  }
  const column = (f: (row: Row) => number) => Float64Array.from(rows, f);
  return {
    rows: rows.length,
    meta: {
      version: 1,
      seed: 1,
      latency: 'zero',
      pacing: 'none',
      lostRows: 0,
      lostTokens: 0,
      windowNs: 0,
      cpuNs: 0,
      eventLoopUtilization: 0,
      peakInFlight: 0,
      connections: 1,
      clockResolutionNs: 1,
      pid: 1,
      nodeVersion: 'v20',
      ...meta,
    },
    arrivalNs: column((row) => ns(row.at)),
    headersNs: column((row) => ns(row.at + (row.headers ?? row.tokens[0] ?? 0))),
    firstDueNs: column((row) => ns(row.at + (row.due ?? row.tokens)[0]!)),
    firstNs: column((row) => ns(row.at + row.tokens[0]!)),
    lastDueNs: column((row) => ns(row.at + (row.due ?? row.tokens).at(-1)!)),
    lastNs: column((row) => ns(row.at + row.tokens.at(-1)!)),
    endNs: column((row) => ns(row.at + (row.end ?? row.tokens.at(-1)!))),
    promptTokens: Int32Array.from(rows, () => 8),
    askedTokens: Int32Array.from(rows, (row) => row.asked ?? row.coalesced ?? row.tokens.length),
    deliveredTokens: Int32Array.from(rows, (row) => row.coalesced ?? row.tokens.length),
    status: Uint16Array.from(rows, () => 200),
    outcome: Uint8Array.from(rows, (row) => LEDGER_OUTCOMES.indexOf(row.outcome ?? 'complete')),
    connection: Int32Array.from(rows, (row, i) => row.connection ?? i),
    streamed: Uint8Array.from(rows, () => 1),
    requestId: rows.map((row) => row.requestId ?? null),
    responseId: rows.map((row, i) => row.responseId ?? `r${i}`),
    tokenStart: Int32Array.from(starts),
    tokenNs: Float64Array.from(stamps),
    tokenDueNs: Float64Array.from(dues),
  };
}
