/** The audits that a claim is held against: those that were named, or those beneath results/ that this machine made. */
import type { LocalAudit } from '../claims/evidence-types.ts';
import type { HostInfo } from '../system/host.ts';
import { auditsBelow, givenAudits, sameMachine } from './local-audits.ts';

export { sameMachine };

const machine = ({ cpu_model, cores }: HostInfo): string => `${cpu_model}, ${cores} cores`;

export interface AuditSearch {
  /** Of `--audit`; null: look beneath `results`. */
  readonly folders: readonly string[] | null;
  readonly results: string;
  readonly host: HostInfo;
  say(line: string): void;
}

/**
 * Reads them. A named folder that cannot be read is an error; one of another machine is told, not refused: the user may know why it says
 * something. Of those that were only found, what cannot be read or is of another machine is left out, with a word.
 */
export async function findAudits({
  folders,
  results,
  host,
  say,
}: AuditSearch): Promise<readonly LocalAudit[]> {
  if (folders === null) {
    const { audits, skipped } = await auditsBelow(results, host);
    for (const line of skipped) say(line);
    return audits;
  }
  const audits = await givenAudits(folders);
  for (const { folder, document } of audits)
    if (!sameMachine(document.host, host))
      say(`${folder} was made on another machine (${machine(document.host)}; this one: ${machine(host)})`);
  return audits;
}
