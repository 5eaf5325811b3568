/** What the parts of an audit document say against one another; no schema sees it, and a report of it would be wrong without a word. */
import type { AuditDocument, Finding } from '../src/audit/document.ts';
import { hasTruth, targetName } from './target-words.ts';
import { clipped } from './text.ts';

export interface Contradiction {
  /** `findings.3.client`. */
  readonly path: string;
  readonly message: string;
}

const OF_THE_LEDGER = [
  'bias_ms',
  'realized_ms',
  'expected_ms',
  'definition_bias_ms',
  'queueing_bias_ms',
  'total_bias_ms',
  'low_ms',
  'high_ms',
] as const satisfies readonly (keyof Finding)[];

/** A row of a client that the audit does not have. */
function strangers({ clients, trials, findings, rates, plan }: AuditDocument): Contradiction | null {
  const names = new Set(clients.map(({ name }) => name));
  const parts = { trials, findings, rates };
  for (const [part, rows] of Object.entries(parts)) {
    const at = rows.findIndex(({ client }) => !names.has(client));
    if (at !== -1) return missing(`${part}.${at}.client`, rows[at]!.client);
  }
  const at = plan.clients.findIndex((name) => !names.has(name));
  return at === -1 ? null : missing(`plan.clients.${at}`, plan.clients[at]!);
}

const missing = (path: string, name: string): Contradiction => ({
  path,
  message: `"${clipped(name, 60)}" is not among "clients"`,
});

/** A figure that only a ledger gives, of a target that keeps none. */
function withoutLedger(document: AuditDocument): Contradiction | null {
  if (hasTruth(document)) return null;
  const target = clipped(targetName(document), 60);
  const said = (path: string): Contradiction => ({
    path,
    message: `${target} keeps no ledger, so there is no such figure`,
  });
  const trial = document.trials.findIndex(({ truth }) => truth !== null);
  if (trial !== -1) return said(`trials.${trial}.truth`);
  for (const [i, finding] of document.findings.entries())
    for (const field of OF_THE_LEDGER) if (finding[field] !== null) return said(`findings.${i}.${field}`);
  const rate = document.rates.findIndex(({ source }) => source === 'ledger');
  return rate === -1 ? null : said(`rates.${rate}.source`);
}

/** The first that is found, or null. */
export const contradiction = (document: AuditDocument): Contradiction | null =>
  strangers(document) ?? withoutLedger(document);
