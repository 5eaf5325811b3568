/**
 * The models of an audit for its reports. Fitted once for a document, by a fixed seed: charts and page show the same, and a report made again is
 * the same byte for byte.
 */
import type { AuditDocument } from '../../src/audit/document.ts';
import type { FittedClient } from '../../src/audit/model/client-model.ts';
import { fitClients } from '../../src/audit/model/model.ts';
import { type QueueTools, queueTools } from '../../src/audit/model/tools.ts';

/** Of the bootstrap in reports; the default of `tare model`, so that both show the same. */
const SEED = 1;

const known = new WeakMap<AuditDocument, readonly FittedClient[]>();

/** Every client that ran. `tools`: for tests. */
export function fittedClients(
  document: AuditDocument,
  tools: QueueTools = queueTools,
): readonly FittedClient[] {
  const before = known.get(document);
  if (before !== undefined) return before;
  const fitted = fitClients(document, { clients: null, holdOut: null, seed: SEED, tools });
  known.set(document, fitted);
  return fitted;
}

/** Those with a chosen model. */
export const explainedClients = (document: AuditDocument): readonly FittedClient[] =>
  fittedClients(document).filter(({ chosen }) => chosen !== null);
