/** The audits that a claim is held against: those that were named, or those beneath results/ that this machine made. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocument } from '../../reports/read-document.ts';
import type { LocalAudit } from '../claims/evidence-types.ts';
import type { HostInfo } from '../system/host.ts';
import { UserError } from '../system/user-error.ts';

/** What makes two descriptions those of one machine, as far as an audit keeps it. */
export const sameMachine = (a: HostInfo, b: HostInfo): boolean =>
  a.cpu_model === b.cpu_model &&
  a.cores === b.cores &&
  a.arch === b.arch &&
  // What a hypervisor gives may differ a little from boot to boot.
  Math.abs(a.memory_mb - b.memory_mb) <= 0.02 * Math.max(a.memory_mb, b.memory_mb);

const machine = ({ cpu_model, cores }: HostInfo): string => `${cpu_model}, ${cores} cores`;

/** Named folders; one that cannot be read is an error. The user may know why an audit of another machine says something: told, not refused. */
async function named(
  folders: readonly string[],
  { host, say }: Pick<AuditSearch, 'host' | 'say'>,
): Promise<readonly LocalAudit[]> {
  const audits = await Promise.all(
    folders.map(async (folder) => ({ folder, document: await readDocument(folder) })),
  );
  for (const { folder, document } of audits)
    if (!sameMachine(document.host, host))
      say(`${folder} was made on another machine (${machine(document.host)}; this one: ${machine(host)})`);
  return audits;
}

export interface AuditSearch {
  /** Of `--audit`; null: look beneath `results`. */
  readonly folders: readonly string[] | null;
  readonly results: string;
  readonly host: HostInfo;
  say(line: string): void;
}

/** Reads them. Of those that were only found, what cannot be read or is of another machine is left out, with a word. */
export async function findAudits({
  folders,
  results,
  host,
  say,
}: AuditSearch): Promise<readonly LocalAudit[]> {
  if (folders !== null) return named(folders, { host, say });
  let names: string[];
  try {
    names = (await readdir(results)).sort();
  } catch {
    return [];
  }
  const found: LocalAudit[] = [];
  for (const name of names) {
    const folder = join(results, name);
    try {
      const document = await readDocument(folder);
      if (sameMachine(document.host, host)) found.push({ folder, document });
      else say(`${folder} is left out: it was made on another machine (${machine(document.host)})`);
    } catch (error) {
      // Folders of probes and loads have no audit.json, and are none of our business here.
      if (error instanceof UserError && !error.message.includes('has no audit.json'))
        say(`${folder} is left out: ${error.message}`);
    }
  }
  return found;
}
