/** When load ran, where no ledger says so: from the client's records, if its clock can be recognised. */
import type { ClientReport } from '../../adapters/contract.ts';
import type { Definitions } from '../measure/definitions.ts';
import type { LaunchResult } from '../system/launcher.ts';
import type { Observation } from '../system/observation.ts';
import { summarize } from '../system/observed-figures.ts';
import { sentAt } from './client-side.ts';
import type { Observed } from './document.ts';

export interface Window {
  readonly fromNs: number;
  readonly toNs: number;
}

/**
 * First send to last end, CLOCK_MONOTONIC. A client stamps with that clock, with the wall clock or with one of its own; which it is shows in
 * whether the stamps lie within its process's life. null: none of the first two.
 */
export function clientWindow(
  report: ClientReport | null,
  definitions: Definitions,
  life: Pick<LaunchResult, 'startedNs' | 'endedNs'>,
  wallMinusMonotonicNs: number,
): Window | null {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const record of report?.records ?? []) {
    const sent = sentAt(record, definitions);
    if (sent === null) continue;
    from = Math.min(from, sent);
    to = Math.max(to, sent, record.startNs === null ? sent : record.startNs + (record.e2eMs ?? 0) * 1e6);
  }
  if (from > to) return null;
  for (const offset of [0, wallMinusMonotonicNs])
    if (from - offset >= life.startedNs && to - offset <= life.endedNs)
      return { fromNs: from - offset, toNs: to - offset };
  return null;
}

/** What /proc said over that window; over the client's whole life, without shares of CPU, where it is not known. */
export function observedByClient(
  observation: Observation | null,
  report: ClientReport | null,
  definitions: Definitions,
  life: LaunchResult,
  wallMinusMonotonicNs: number,
): Observed | null {
  if (observation === null) return null;
  const window = clientWindow(report, definitions, life, wallMinusMonotonicNs);
  if (window !== null) return summarize(observation, window.fromNs, window.toNs);
  const whole = summarize(observation, life.startedNs, life.endedNs);
  if (whole === null) return null;
  return {
    ...whole,
    busiest_thread_share: null,
    busiest_thread: null,
    cpu_share: null,
    system_part: null,
    threads: [],
    threads_working: null,
    processes_working: null,
    architecture: null,
    switches_per_s: null,
    machine: null,
  };
}
