/** How often each cell of an audit ran: of its trials, not of its plan, which an audit that was interrupted did not carry out. */
import type { AuditDocument } from '../src/audit/document.ts';
import { count } from './text.ts';

/** The fewest and the most trials that a client has at a rate at which it has any; null where no trial ran. */
export function ranRepetitions(
  { trials }: Pick<AuditDocument, 'trials'>,
  client?: string,
): { readonly least: number; readonly most: number } | null {
  const cells = new Map<string, number>();
  for (const trial of trials) {
    if (client !== undefined && trial.client !== client) continue;
    const cell = JSON.stringify([trial.client, trial.workload.rateRps]);
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const counts = [...cells.values()].sort((a, b) => a - b);
  return counts.length === 0 ? null : { least: counts[0]!, most: counts.at(-1)! };
}

/** Whether no client has more than one trial at any rate. */
export const ranOnce = (document: AuditDocument, client?: string): boolean =>
  ranRepetitions(document, client)?.most === 1;

/** `3 repetitions`; `3 repetitions (1 to 2 ran)`; `3 repetitions (none ran)`. */
export function repetitionWords(document: AuditDocument): string {
  const planned = count(document.plan.repetitions, 'repetition');
  const ran = ranRepetitions(document);
  if (ran === null) return `${planned} (none ran)`;
  if (ran.least === document.plan.repetitions && ran.most === ran.least) return planned;
  return `${planned} (${ran.least === ran.most ? ran.most : `${ran.least} to ${ran.most}`} ran)`;
}

/** Rates at which a trial ran, rising. */
export const ranRates = ({ trials }: Pick<AuditDocument, 'trials'>): number[] =>
  [...new Set(trials.map(({ workload }) => workload.rateRps))].sort((a, b) => a - b);
