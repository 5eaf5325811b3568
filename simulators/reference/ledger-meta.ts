/** What the target says of itself over the ledger's time. */
import type { LedgerMeta } from '../../src/measure/ledger.ts';
import { clockResolutionNs } from '../../src/system/clock.ts';
import type { Recorder } from '../../src/truth/recorder.ts';
import type { Engine } from './engine.ts';

/** From the first arrival to the last instant written down, ns. */
function windowNs({ rows, arrivalNs, endNs }: Recorder): number {
  let last = 0;
  for (let row = 0; row < rows; row++) last = Math.max(last, arrivalNs[row]!, endNs[row] || 0);
  return rows === 0 ? 0 : last - arrivalNs[0]!;
}

export function ledgerMeta(engine: Engine): LedgerMeta {
  const { recorder, counters, options } = engine;
  const window = windowNs(recorder);
  return {
    version: 1,
    seed: options.seed,
    latency: engine.model.spec.text,
    pacing: engine.pacing,
    role: options.role,
    tailNs: options.tailNs,
    refuseShare: options.refuseShare,
    breakShare: options.breakShare,
    ...(options.slots === null
      ? {}
      : { slots: { ...options.slots, peakWaiting: engine.slots?.peakWaiting ?? 0 } }),
    lostRows: recorder.lostRows,
    lostTokens: recorder.lostTokens,
    lostIds: recorder.lostIds,
    windowNs: window,
    ...engine.usage.read(window),
    peakInFlight: counters.peakInFlight,
    connections: counters.connections,
    bodyBytes: counters.bodyBytes,
    unserved: counters.unserved.list(),
    clockResolutionNs: clockResolutionNs(),
    pid: process.pid,
    nodeVersion: process.version,
  };
}
