/** The models of an audit's clients as one document. Pure: same audit, same choices, same document. */
import type { AuditDocument } from '../document.ts';
import { type FitChoice, type FittedClient, fitClient } from './client-model.ts';
import { MODEL_SCHEMA, type ModelDocument } from './document.ts';

export interface ModelRequest extends FitChoice {
  /** Names of clients; null: all of the audit that ran. */
  readonly clients: readonly string[] | null;
  /** This Tare's. */
  readonly version: string;
}

/** Every client that was asked for, fitted, in the audit's order. */
export const fitClients = (
  document: AuditDocument,
  request: FitChoice & Pick<ModelRequest, 'clients'>,
): FittedClient[] =>
  document.clients
    .filter(({ name, found }) => request.clients?.includes(name) ?? found.state === 'found')
    .map((entry) => fitClient(document, entry, request));

/** model.json of an audit. */
export function modelDocument(document: AuditDocument, request: ModelRequest): ModelDocument {
  const { plan, host } = document;
  return {
    schema: MODEL_SCHEMA,
    tare_version: request.version,
    audit: {
      started_at: document.started_at,
      tare_version: document.tare_version,
      host: { cpu_model: host.cpu_model, cores: host.cores, node: host.node, kernel: host.kernel },
      latency: plan.latency,
      output_tokens: plan.output_tokens,
      prompt_tokens: plan.prompt_tokens,
      arrivals: plan.arrivals,
      repetitions: plan.repetitions,
      seed: plan.seed,
    },
    held_out_rps: request.holdOut,
    seed: request.seed,
    clients: fitClients(document, request).map(({ model }) => model),
  };
}
