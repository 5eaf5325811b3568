/** The target in words, and whether there is a truth to hold the clients' figures against. */
import type { AuditDocument, RateFinding } from '../src/audit/document.ts';
import { keepsLedger } from '../src/audit/target.ts';
import { oneLine } from './text.ts';

/** Whether the target kept a ledger: else there are figures as reported, and no bias. */
export const hasTruth = ({ plan }: AuditDocument): boolean => keepsLedger(plan.target);

/** Short, for sentences: `the reference target`, `http://127.0.0.1:8000`. */
export function targetName({ plan: { target } }: AuditDocument): string {
  if (target.kind === 'reference') return 'the reference target';
  return oneLine(target.url ?? target.kind);
}

/** What it is and what is known of it, for the provenance. */
export function targetLine(document: AuditDocument): string {
  const { target } = document.plan;
  const model = `model ${oneLine(target.model)}`;
  if (target.kind === 'reference')
    return `Tare's reference target, a fresh process a trial, ${model}; its ledger says what it really gave`;
  if (target.kind === 'external')
    return `${targetName(document)}, a server that ran already${target.remote ? ' beyond this machine' : ''}, ${model}; it keeps no ledger, so what it really gave is not known`;
  return `${target.kind} ${oneLine(target.version ?? 'of no stated version')}, a fresh process a trial, ${model}; its delays are configured, but it keeps no ledger, so what it really gave is not known`;
}

/** Why no bias is stated, as the beginning of a sentence. */
export const NO_BIAS = 'no bias can be stated, since the target keeps no ledger';

const BY = { ledger: '', records: ' by its own records', printed: ' by the rate that it prints' } as const;

/** Who says what a client sent: nothing where the ledger does. */
export const byWhom = (found: Pick<RateFinding, 'source'> | null): string =>
  found?.source == null ? '' : BY[found.source];
