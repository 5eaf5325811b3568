/** A claim's client, where Tare knows it: its definitions by its adapter's facts, and what probes found in it. Pure. */
import { allAdapters } from '../../../adapters/registry.ts';
import type { ClientKnowledge, KnownFinding } from '../evidence-types.ts';
import { adapterNamed } from './aliases.ts';
import { decidesOf } from './client-decides.ts';
import { CONSEQUENCES } from './consequences.ts';
import { definitionLines, scriptOf } from './definition-lines.ts';
import type { FindingData, FoundFault } from './finding-data.ts';
import { FOUND_BY_PROBES } from './findings.ts';

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `probes a, b and 3 more`. */
const probesOf = ({ probes, more_probes: more }: FoundFault): string =>
  `${probes.length + more === 1 ? 'probe' : 'probes'} ${probes.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;

/**
 * Versions are compared as written, but for what follows a comma: `0.1.0` is `0.1.0, Node 20.20.2`; a claim may write a `v` before it.
 * null: one of them is not known.
 */
export function sameVersion(claimed: string | null, ours: string): boolean | null {
  if (claimed === null || ours === '') return null;
  const plain = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/^v(?=\d)/, '');
  const [a, b] = [plain(claimed), plain(ours)];
  return a === b || a === b.split(/[,(]/)[0]!.trim() || b === a.split(/[,(]/)[0]!.trim();
}

function versionWords(found: string, claimed: string | null): string {
  const same = sameVersion(claimed, found);
  if (same === null) return `${found}; the claim does not state its version`;
  return same ? `${found}, as the claim’s` : `${found}; the claim’s ${claimed} is another version`;
}

function findingsOf(client: string, claimed: string | null, data: FindingData): KnownFinding[] {
  const found = data.clients.find((one) => one.client === client);
  return (found?.faults ?? []).map((fault) => ({
    what: `${fault.fault} (${probesOf(fault)}): ${fault.words}${fault.size === null ? '' : ` (${fault.size})`}`,
    consequence: sentence(CONSEQUENCES[fault.fault] ?? 'what it does to a figure is not worked out'),
    versions: versionWords(found!.version, claimed),
    source: fault.command,
  }));
}

/**
 * What is known of the client that a claim names: null where it names none, or one that no alias is exactly.
 * @param name as the claim writes it: `vLLM bench`, `benchmark_serving.py`
 * @param version the claim's, so that a finding in another version says so
 */
export function clientKnowledge(
  name: string | null,
  version: string | null = null,
  data: FindingData = FOUND_BY_PROBES,
): ClientKnowledge | null {
  const known = name === null ? null : adapterNamed(name);
  const adapter = allAdapters.find((one) => one.name === known);
  if (adapter === undefined) return null;
  return {
    name: adapter.name,
    title: adapter.title,
    version: adapter.facts.version,
    architecture: adapter.facts.architecture,
    processes: adapter.facts.processes,
    script: scriptOf(adapter.name),
    decides: decidesOf(adapter.name, adapter.facts),
    definitions: definitionLines(adapter.name, adapter.facts),
    findings: findingsOf(adapter.name, version, data),
  };
}
