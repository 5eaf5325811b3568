/** The sample with more clients: those that are installed again and again, under names of their own. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { type SampleOptions, sampleDocument } from './sample.ts';

/** `n` installed clients. `name`: of the n-th, from 0; absent, the model's with a number. */
export function manyClients(
  n: number,
  options: SampleOptions = {},
  name = (model: string, i: number) => `${model}-${i + 1}`,
): AuditDocument {
  const document = sampleDocument(options);
  const models = document.clients.filter(({ found }) => found.state === 'found');
  const copies = Array.from({ length: n }, (_, i) => ({ entry: models[i % models.length]!, i }));
  const renamed = <Row extends { readonly client: string }>(rows: readonly Row[]): Row[] =>
    copies.flatMap(({ entry, i }) =>
      rows
        .filter(({ client }) => client === entry.name)
        .map((row) => ({ ...row, client: name(entry.name, i) })),
    );
  const clients = copies.map(({ entry, i }) => ({ ...entry, name: name(entry.name, i) }));
  return {
    ...document,
    clients,
    plan: { ...document.plan, clients: clients.map((entry) => entry.name) },
    trials: renamed(document.trials).map((trial, order) => ({
      ...trial,
      order,
      id: `${order}-${trial.client}`,
    })),
    findings: renamed(document.findings),
    rates: renamed(document.rates),
  };
}
