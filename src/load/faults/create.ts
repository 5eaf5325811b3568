/** Makes a fault ready for a worker. */

import type { PacerHost, Pacing } from '../pacer.ts';
import type { FaultName, FaultSpec } from './catalogue.ts';
import { countMore, errorAsSuccess, withoutFailures } from './counting.ts';
import type { Fault } from './fault.ts';
import { duplicated, losing } from './losing.ts';
import { firstEvent, lateReading } from './reading.ts';
import { exponentialGaps, onTheSecond, sameSeed } from './schedules.ts';
import { lateSend, onTicks, sleepDrift } from './sending.ts';
import { stall } from './stalling.ts';
import { chunkGaps, coarse, endAtDone, fromSend, scaled, ttftAsGap } from './stamps.ts';

/** What a fault is made with. */
export interface FaultParts {
  /** The workload's seed. */
  readonly seed: number;
  readonly pacing: Pacing;
  readonly host: () => PacerHost;
}

const MAKERS: Readonly<Record<FaultName, (dose: number, parts: FaultParts) => Fault>> = {
  'late-send': (lateNs) => ({ arrivals: lateSend(lateNs) }),
  'late-read': (lateNs, parts) => lateReading(lateNs, parts),
  omission: (stallNs) => ({ beside: stall(stallNs), see: fromSend }),
  'role-first': () => firstEvent,
  'chunk-itl': (size) => ({ see: chunkGaps(size) }),
  'ttft-in-itl': () => ({ see: ttftAsGap }),
  'sleep-drift': (extraNs) => ({ arrivals: sleepDrift(extraNs), see: fromSend }),
  // The limits are in limits.ts.
  'pool-cap': () => ({}),
  'cap-wait-omitted': () => ({ see: fromSend }),
  burn: () => ({}),
  'drop-failures': () => ({ see: withoutFailures }),
  'error-as-success': () => ({ see: errorAsSuccess }),
  'same-seed': (senders) => sameSeed(senders),
  'end-at-done': () => ({ see: endAtDone }),
  'count-plus': (more) => ({ see: countMore(more) }),
  'coarse-clock': (stepNs) => ({ see: coarse(stepNs) }),
  tick: (tickNs) => ({ arrivals: onTicks(tickNs) }),
  'random-gaps': () => ({ schedule: exponentialGaps }),
  'on-the-second': () => ({ schedule: onTheSecond }),
  'fresh-connections': () => ({ fresh: true }),
  'lost-requests': (share, { seed }) => losing(share, seed),
  duplicate: (share, { seed }) => duplicated(share, seed),
  'clock-scale': (share) => ({ see: scaled(share) }),
};

/** The behaviour of a fault. One for each worker: some keep a state. */
export const createFault = ({ name, dose }: FaultSpec, parts: FaultParts): Fault => MAKERS[name](dose, parts);
