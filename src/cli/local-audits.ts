/** Audits of this machine that a claim's client may be in: an audit.json in a folder below `results`, and the folders that the user names. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocument } from '../../reports/read-document.ts';
import { adapterNamed } from '../claims/evidence/aliases.ts';
import type { LocalAudit } from '../claims/evidence-types.ts';
import type { HostInfo } from '../system/host.ts';
import { hostKey, readProfile } from '../system/profile-store.ts';
import { UserError } from '../system/user-error.ts';

/** So many folders are looked at, newest first, and files up to this size are read: a check of a claim is to take a second. */
export const LOOKED_AT = { folders: 40, audits: 12, bytes: 64 * 1024 * 1024 } as const;

export interface FoundAudits {
  readonly audits: readonly LocalAudit[];
  /** What was passed over, a sentence each. */
  readonly skipped: readonly string[];
}

type Machine = Pick<HostInfo, 'cpu_model' | 'cores' | 'arch' | 'memory_mb'>;

/** What makes two descriptions those of one machine, as far as an audit keeps it: results carry no name of the machine. */
export const sameMachine = (a: Machine, b: Machine): boolean =>
  a.cpu_model === b.cpu_model &&
  a.cores === b.cores &&
  a.arch === b.arch &&
  // What a hypervisor gives may differ a little from boot to boot.
  Math.abs(a.memory_mb - b.memory_mb) <= 0.02 * Math.max(a.memory_mb, b.memory_mb);

const why = (error: unknown): string =>
  error instanceof UserError ? error.message : `${(error as NodeJS.ErrnoException).code ?? error}`;

/** The audits below `root` that were made on a machine like this one. A folder that is none, or is faulty, is passed over with a word. */
export async function auditsBelow(root: string, here: Machine): Promise<FoundAudits> {
  let names: string[];
  try {
    names = await readdir(root);
  } catch {
    return { audits: [], skipped: [] };
  }
  const found: { folder: string; at: number; bytes: number }[] = [];
  for (const name of names) {
    const folder = join(root, name);
    const file = await stat(join(folder, 'audit.json')).catch(() => null);
    if (file?.isFile()) found.push({ folder, at: file.mtimeMs, bytes: file.size });
  }
  found.sort((a, b) => b.at - a.at || (a.folder < b.folder ? 1 : -1));
  const audits: LocalAudit[] = [];
  const skipped: string[] = [];
  for (const { folder, bytes } of found.slice(0, LOOKED_AT.folders)) {
    if (audits.length === LOOKED_AT.audits) {
      skipped.push(
        `only the newest ${LOOKED_AT.audits} audits in "${root}" were read; --audit DIR gives another`,
      );
      return { audits, skipped };
    }
    if (bytes > LOOKED_AT.bytes) {
      skipped.push(
        `"${folder}" was passed over: its audit.json is larger than ${LOOKED_AT.bytes >> 20} MB; --audit "${folder}" reads it`,
      );
      continue;
    }
    try {
      const document = await readDocument(folder);
      if (sameMachine(document.host, here)) audits.push({ folder, document });
      else
        skipped.push(
          `"${folder}" is of another machine (${document.host.cpu_model}, ${document.host.cores} cores)`,
        );
    } catch (error) {
      skipped.push(`"${folder}" was passed over: ${why(error)}`);
    }
  }
  if (found.length > LOOKED_AT.folders)
    skipped.push(`only the newest ${LOOKED_AT.folders} folders in "${root}" were looked at`);
  return { audits, skipped };
}

/**
 * The audits that the user gave for a claim: each counts as of the machine that the claim's client ran on.
 * @throws UserError where a folder is no results folder
 */
export const givenAudits = async (folders: readonly string[]): Promise<LocalAudit[]> =>
  Promise.all(folders.map(async (folder) => ({ folder, document: await readDocument(folder), given: true })));

/** The audits of this machine, with what a request costs a claim's client here, where `tare profile` has measured that. */
export function withProfile(
  audits: readonly LocalAudit[],
  clientName: string | null,
  here: HostInfo,
): readonly LocalAudit[] {
  const client = clientName === null ? null : adapterNamed(clientName);
  if (client === null) return audits;
  const { profile } = readProfile(client, hostKey(here));
  return profile === null
    ? audits
    : audits.map((one) => (sameMachine(one.document.host, here) ? { ...one, profile } : one));
}
