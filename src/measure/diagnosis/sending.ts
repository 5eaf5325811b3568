/** How a client sends, from the departures of its arrivals from the stated process, and what of the waiting is in no latency. */
import type { Evidence, Pairs } from './evidence.ts';
import { exactly, type Fault, type FaultKind, fault } from './fault.ts';
import { omissionOf } from './omission.ts';

/** A departure of the arrivals from the stated process (arrival-process/). */
export interface SendingDeparture {
  readonly kind: string;
  readonly size: number;
  readonly evidence: string;
}

/** In order of how much each explains: the first one that is there is the fault, those after it are what it leads to. */
const NAMED: readonly (readonly [departure: string, kind: FaultKind])[] = [
  ['closed-loop', 'in-flight-cap'],
  ['on-the-second', 'on-the-second'],
  ['ticks', 'coarse-timer'],
  ['uneven-phases', 'other-process'],
  ['clumps', 'sends-together'],
  ['drift', 'sleep-drift'],
  ['random-gaps', 'random-gaps'],
  ['regular-gaps', 'other-process'],
  ['other-cv2', 'other-process'],
  ['renewed-each-second', 'other-process'],
  ['ramp', 'other-process'],
  ['bursts', 'other-process'],
  ['rate', 'other-rate'],
];

/** A client without a schedule follows its answers by design; one that is known to send random gaps does so, too. */
function isStated({ stated }: Evidence, kind: FaultKind): boolean {
  if (!stated.openLoop) return kind !== 'sends-together';
  return stated.constantIsPoisson && (kind === 'random-gaps' || kind === 'other-process');
}

/** Faults of sending. `pairs` is null where the client keeps no records: then nothing is said of its latencies. */
export function sendingFaults(
  evidence: Evidence,
  pairs: Pairs | null,
  departures: readonly SendingDeparture[],
): Fault[] {
  const faults: Fault[] = [];
  const main = NAMED.map(([name, kind]) => ({
    kind,
    found: departures.find((one) => one.kind === name),
  })).find(({ found, kind }) => found !== undefined && !isStated(evidence, kind));
  if (main?.found !== undefined) faults.push(fault(main.kind, exactly(main.found.size), main.found.evidence));
  // At another rate, or without equal gaps, when a request was due is not known.
  const scheduleKnown = main === undefined || ['in-flight-cap', 'coarse-timer'].includes(main.kind);
  if (pairs === null || !scheduleKnown) return faults;
  const omission = omissionOf(evidence, pairs);
  if (omission === null) return faults;
  const { omitted, longestMs } = omission;
  const size = { size: -omitted.size, low: -omitted.high, high: -omitted.low };
  const words = `requests waited ${omitted.size.toFixed(2)} ms in the mean (${longestMs.toFixed(0)} at the most) before the t0 that is said to be the scheduled instant`;
  return [
    ...faults,
    fault(main?.kind === 'in-flight-cap' ? 'cap-wait-omitted' : 'coordinated-omission', size, words),
  ];
}
