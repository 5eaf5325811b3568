/** What clients were found to do otherwise than stated of them, over the trials of an audit. */
import { trialDisturbedBy } from '../src/audit/disturbance.ts';
import type { AuditDocument, Trial } from '../src/audit/document.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from '../src/measure/diagnosis/fault.ts';
import { quantileSorted } from '../src/measure/quantile.ts';
import { sizeWords } from './size-words.ts';
import { count, grouped, listed, oneLine } from './text.ts';

/** The client's own delay, and the rate that it does not hold: these have verdicts of their own, with a floor. */
const JUDGED_ELSEWHERE: readonly FaultKind[] = ['late-send', 'late-read', 'late', 'unnamed', 'other-rate'];

/** Of the trials at a rate so many must show it. */
const MOST = 2 / 3;

export interface ClientFault {
  readonly client: string;
  readonly kind: FaultKind;
  /** Median over the trials that show it, in the kind's unit. */
  readonly size: number;
  readonly unit: Fault['unit'];
  readonly rates_rps: readonly number[];
  readonly trials: number;
  /** Of the trial at the lowest rate. */
  readonly evidence: string;
}

function byRate(trials: readonly Trial[]): Map<number, Trial[]> {
  const groups = new Map<number, Trial[]>();
  for (const trial of trials.toSorted((a, b) => a.workload.rateRps - b.workload.rateRps))
    groups.set(trial.workload.rateRps, [...(groups.get(trial.workload.rateRps) ?? []), trial]);
  return groups;
}

/** Every fault that most of the undisturbed trials at some rate show, by client and kind. */
export function clientFaults(document: AuditDocument): ClientFault[] {
  // What a machine does to a trial is not the client's.
  const shown = document.trials.filter((trial) => trial.faults != null && trialDisturbedBy(trial) === null);
  const clients = [...new Set(shown.map(({ client }) => client))].sort((a, b) => a.localeCompare(b, 'en'));
  return clients.flatMap((client) => {
    const groups = byRate(shown.filter((trial) => trial.client === client));
    const kinds = new Set(
      [...groups.values()].flat().flatMap(({ faults }) => faults!.map(({ kind }) => kind)),
    );
    return [...kinds]
      .filter((kind) => !JUDGED_ELSEWHERE.includes(kind))
      .flatMap((kind): ClientFault[] => {
        const found: Fault[] = [];
        const rates: number[] = [];
        for (const [rate, trials] of groups) {
          const here = trials.flatMap(({ faults }) => faults!.filter((fault) => fault.kind === kind));
          if (here.length < MOST * trials.length) continue;
          found.push(...here);
          rates.push(rate);
        }
        if (found.length === 0) return [];
        const sizes = found.map(({ size }) => size).sort((a, b) => a - b);
        return [
          {
            client,
            kind,
            size: quantileSorted(sizes, 0.5),
            unit: found[0]!.unit,
            rates_rps: rates,
            trials: found.length,
            evidence: found[0]!.evidence,
          },
        ];
      });
  });
}

/** `asyncio: its E2E runs … (20.0 ms; 3 trials at 50 and 100 requests/s).` */
export const faultSentence = ({ client, kind, size, unit, rates_rps, trials }: ClientFault): string =>
  `${oneLine(client)}: ${FAULT_KINDS[kind].words} (${kind} ${sizeWords(size, unit)}; ${count(trials, 'trial')} at ${listed(rates_rps.map(grouped))} requests/s).`;
