/** What a check of an audit is, and the words that checks share. */
import type { HostInfo } from '../../system/host.ts';
import type { AuditDocument, AuditPlan, Floor, Trial } from '../document.ts';

export type Warning = AuditDocument['warnings'][number];

export interface Facts {
  readonly host: HostInfo;
  readonly plan: AuditPlan;
  /** Those finished so far, without the floor's. */
  readonly trials: readonly Trial[];
  readonly floor: Floor | null;
  /** Measured with or without a floor. */
  readonly machine: Floor['machine'];
}

/** What `docs/warnings.md` says of a warning. */
export interface Explained {
  readonly code: string;
  /** When it is given, with the threshold. */
  readonly when: string;
  /** What it does to the figures. */
  readonly why: string;
  /** What to do, as a reader of the report is told. */
  readonly remedy: string;
}

export interface Check extends Explained {
  /** The evidence, with figures; null where there is nothing to warn of. */
  find(facts: Facts): string | null;
}

/** `37 %`, `4.2 %`, `1 %`, `0.25 %`. */
export const percent = (share: number): string =>
  `${Number((share * 100).toFixed(share < 0.01 ? 2 : share < 0.1 ? 1 : 0))} %`;

export const trialCount = (n: number, of: number): string => `in ${n} of ${of} trials`;

interface Worst {
  readonly trial: Trial;
  readonly value: number;
  readonly affected: number;
  readonly of: number;
}

/** The trial with the highest value, of those above the limit; `of` counts those that have a value. null: none is above. */
export function worstOf(
  trials: readonly Trial[],
  value: (trial: Trial) => number | null | undefined,
  isBeyond: (value: number) => boolean,
): Worst | null {
  const known = trials.flatMap((trial) => {
    const of = value(trial);
    return of === null || of === undefined || !Number.isFinite(of) ? [] : [{ trial, value: of }];
  });
  const beyond = known.filter((one) => isBeyond(one.value));
  if (beyond.length === 0) return null;
  const worst = beyond.reduce((most, one) => (one.value > most.value ? one : most));
  return { ...worst, affected: beyond.length, of: known.length };
}
