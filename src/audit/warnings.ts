/** Warnings of an audit: each with a code, its evidence and its remedy. The checks are in warnings/; docs/warnings.md is made from this list of them. */
import type { HostInfo } from '../system/host.ts';
import { type AuditDocument, type AuditPlan, type Floor, machineOf, type Trial } from './document.ts';
import type { Check, Explained, Warning } from './warnings/check.ts';
import { machineChecks } from './warnings/machine.ts';
import { measurementChecks } from './warnings/measurement.ts';
import { PLANNED } from './warnings/planned.ts';

export type { Warning } from './warnings/check.ts';

export const CHECKS: readonly Check[] = [...measurementChecks, ...machineChecks];

/** Every code that an audit may give. */
export const EXPLAINED: readonly Explained[] = [...PLANNED, ...CHECKS];

/** All warnings that apply. */
export function warningsOf(
  host: HostInfo,
  plan: AuditPlan,
  trials: readonly Trial[],
  floor: Floor | null,
  machine: AuditDocument['machine'] = null,
): Warning[] {
  return CHECKS.flatMap(({ code, remedy, find }) => {
    const evidence = find({ host, plan, trials, floor, machine: machineOf({ floor, machine }) });
    return evidence === null ? [] : [{ code, evidence, remedy }];
  });
}

/** The table of docs/warnings.md, a row a code. */
export const warningTable = (): string =>
  [
    '| code | when | why it matters | remedy |',
    '| --- | --- | --- | --- |',
    ...EXPLAINED.map(({ code, when, why, remedy }) => `| \`${code}\` | ${[when, why, remedy].join(' | ')} |`),
  ].join('\n');
