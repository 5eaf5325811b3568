/**
 * What a client does wrong, from one trial, without knowing what to look for: each fault by name, with its size and what it rests on. Rules
 * run from what is counted to what is estimated; what one fault leads to is not accused again. Pure.
 */
import { connectionFaults, countFaults } from './counts.ts';
import { type Evidence, pairsOf } from './evidence.ts';
import type { Fault, FaultKind } from './fault.ts';
import { notOfRecords, printedFaults } from './printed.ts';
import { type SendingDeparture, sendingFaults } from './sending.ts';
import { stampFaults } from './stamps.ts';
import { tokenFaults } from './tokens.ts';

/** What a fault leads to, by kind: found beside it, these say nothing more. */
const LEADS_TO: Readonly<Partial<Record<FaultKind, readonly FaultKind[]>>> = {
  'requests-not-sent': [
    'other-rate',
    'other-process',
    'random-gaps',
    'sleep-drift',
    'coordinated-omission',
    'sends-together',
    'unnamed',
    'late-send',
    'late-read',
  ],
  'requests-doubled': [
    'other-rate',
    'other-process',
    'random-gaps',
    'sleep-drift',
    'coordinated-omission',
    'sends-together',
  ],
  'requests-unrecorded': ['other-rate', 'other-process', 'sends-together'],
  'in-flight-cap': ['late-send', 'late'],
  'cap-wait-omitted': ['late-send', 'late'],
  // The handshake.
  'fresh-connections': ['late-send', 'late'],
  'coarse-timer': ['late-send', 'late'],
  'coarse-clock': ['coordinated-omission', 'late-send', 'cost-per-token'],
  // One by one, the last token is late and the first is not.
  'cost-per-token': ['unnamed'],
  'clock-scale': ['coordinated-omission', 'late-send'],
  'samples-made-up': ['end-after-last-token'],
};

/** All faults that the evidence shows; none of a client that does what is stated of it. */
export function diagnose(evidence: Evidence, departures: readonly SendingDeparture[]): Fault[] {
  const pairs = pairsOf(evidence);
  const other = notOfRecords(evidence);
  const all = [
    ...countFaults(evidence),
    ...connectionFaults(evidence),
    ...sendingFaults(evidence, pairs, departures),
    ...(pairs === null
      ? printedFaults(evidence)
      : [...stampFaults(evidence, pairs), ...tokenFaults(evidence, pairs)]),
    // Records may be right and what is printed wrong: then both are looked at.
    ...(pairs === null || other === null ? [] : [other, ...printedFaults(evidence)]),
  ];
  const explained = new Set(all.flatMap(({ kind }) => LEADS_TO[kind] ?? []));
  return all.filter(({ kind }) => !explained.has(kind));
}
