/** Provenance of a comparison: that of both sides in one, each line said once where both have the same. */
import type { Comparison } from '../../src/audit/compare-audits/document.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { type Provenance, provenanceOf } from '../provenance.ts';

/** Of the clients compared, A's and B's. */
export function bothProvenances(a: AuditDocument, b: AuditDocument, comparison: Comparison): Provenance {
  const [x, y] = [
    provenanceOf(
      a,
      comparison.clients.map((client) => client.a),
    ),
    provenanceOf(
      b,
      comparison.clients.map((client) => client.b),
    ),
  ];
  const both = (of: (provenance: Provenance) => string): string =>
    of(x) === of(y) ? of(x) : `A: ${of(x)}. B: ${of(y)}`;
  return {
    clients: [
      ...x.clients.map((client) => ({ ...client, name: `A: ${client.name}` })),
      ...y.clients.map((client) => ({ ...client, name: `B: ${client.name}` })),
    ],
    target: both(({ target }) => target),
    prefix_cache: both(({ prefix_cache }) => prefix_cache),
    host: both(({ host }) => host),
    pinning: both(({ pinning }) => pinning),
    workload: both(({ workload }) => workload),
    seed: both(({ seed }) => seed),
    repetitions: both(({ repetitions }) => repetitions),
    floor: both(({ floor }) => floor),
    harness: both(({ harness }) => harness),
  };
}
