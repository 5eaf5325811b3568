/** Names of places in the page, for links that people send to one another: `probe.role-first`, `role-first.vllm`. */
import type { ProbeDocument } from '../../src/audit/probe/document.ts';

export interface Anchors {
  readonly probe: (id: string) => string;
  readonly client: (name: string) => string;
  readonly cell: (client: string, probe: string) => string;
  readonly run: (client: string, run: string) => string;
}

/** Letters, digits and dashes: what needs no escape in an address. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '') || 'unnamed';

/** A name for each text, no two alike. */
function slugs(texts: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const text of texts) {
    if (names.has(text)) continue;
    let name = slug(text);
    for (let n = 2; taken.has(name); n++) name = `${slug(text)}-${n}`;
    taken.add(name);
    names.set(text, name);
  }
  return names;
}

/** Of a document’s places. A probe named `probe` or `client` would need another word in front: there is none. */
export function anchorsOf(document: ProbeDocument): Anchors {
  const probes = slugs(document.probes.map(({ id }) => id));
  const clients = slugs(document.clients.map(({ client }) => client));
  const client = (name: string) => clients.get(name) ?? slug(name);
  const probe = (id: string) => probes.get(id) ?? slug(id);
  return {
    probe: (id) => `probe.${probe(id)}`,
    client: (name) => `client.${client(name)}`,
    cell: (name, id) => `${probe(id)}.${client(name)}`,
    run: (name, run) => `run.${client(name)}.${slug(run)}`,
  };
}
