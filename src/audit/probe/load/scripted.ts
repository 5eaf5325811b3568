/**
 * The target of a probe of load with a script: the probe target, whose ledger is put into the shape of the reference target's, so that
 * a trial is judged as any other. Of such a script each write is a token, the first one with the head (probes/kit/load-script.ts).
 */
import { join } from 'node:path';
import { LEDGER_OUTCOMES, type Ledger } from '../../../measure/ledger.ts';
import { writeLedger } from '../../../truth/ledger-file.ts';
import { type ProbeLedger, readProbeLedger } from '../../../truth/probe-ledger.ts';
import type { TargetSource } from '../../target.ts';
import { probeTarget } from '../target.ts';

const at = (instant: number | null | undefined): number => instant ?? Number.NaN;

/** A probe ledger as one of the reference target. Its rows are in order of arrival. */
export function asLedger({ requests, pacing, unserved }: ProbeLedger): Ledger {
  const rows = requests.toSorted((a, b) => a.arrival_ns - b.arrival_ns);
  const instants = (of: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, of);
  const writes = rows.flatMap((row) => row.writes);
  const starts = Int32Array.from({ length: rows.length + 1 }, (_, r) =>
    rows.slice(0, r).reduce((sum, row) => sum + row.writes.length, 0),
  );
  const ends = rows.map(({ end_ns, arrival_ns }) => end_ns ?? arrival_ns);
  return {
    rows: rows.length,
    meta: {
      version: 1,
      seed: 0,
      latency: 'script',
      pacing,
      lostRows: 0,
      lostTokens: 0,
      windowNs: rows.length === 0 ? 0 : Math.max(...ends) - rows[0]!.arrival_ns,
      cpuNs: 0,
      eventLoopUtilization: 0,
      peakInFlight: 0,
      connections: new Set(rows.map(({ connection }) => connection)).size,
      unserved,
      clockResolutionNs: 1,
      pid: 0,
      nodeVersion: process.version,
    },
    arrivalNs: instants((row) => row.arrival_ns),
    headersNs: instants((row) => at(row.writes[0]?.at_ns)),
    firstDueNs: instants((row) => at(row.writes[0]?.due_ns)),
    firstNs: instants((row) => at(row.writes[0]?.at_ns)),
    lastDueNs: instants((row) => at(row.writes.at(-1)?.due_ns)),
    lastNs: instants((row) => at(row.writes.at(-1)?.at_ns)),
    endNs: instants((row) => at(row.end_ns)),
    promptTokens: Int32Array.from(rows, (row) => row.prompt_tokens),
    askedTokens: Int32Array.from(rows, (row) => row.asked_tokens),
    deliveredTokens: Int32Array.from(rows, (row) => row.writes.length),
    status: Uint16Array.from(rows, (row) => (row.writes.length > 0 ? 200 : 0)),
    outcome: Uint8Array.from(rows, (row) => LEDGER_OUTCOMES.indexOf(row.outcome)),
    connection: Int32Array.from(rows, (row) => row.connection),
    streamed: Uint8Array.from(rows, (row) => (row.streamed ? 1 : 0)),
    requestId: rows.map((row) => row.request_id),
    responseId: rows.map((row) => row.response_id),
    tokenStart: starts,
    tokenNs: Float64Array.from(writes, (write) => write.at_ns),
    tokenDueNs: Float64Array.from(writes, (write) => write.due_ns),
  };
}

/** The target that plays this probe's script; the client's own warm-up gets the plain base profile. */
export const scriptedTarget = (probe: string, warmUpRequests: number): TargetSource => ({
  async start(options) {
    const target = await probeTarget([probe], warmUpRequests).start(options);
    const ledgerFile = join(options.dir, 'ledger.arrow');
    return {
      url: target.url,
      ledgerFile,
      async stop() {
        const end = await target.stop();
        if (end.failure === null)
          await writeLedger(ledgerFile, asLedger(await readProbeLedger(target.probeLedgerFile)));
        return end;
      },
    };
  },
});
