/** Audits of this machine that a claim's client may be in: an audit.json in a folder below `results`, and the folders that the user names. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocument } from '../../reports/read-document.ts';
import type { LocalAudit } from '../claims/evidence-types.ts';
import type { HostInfo } from '../system/host.ts';
import { UserError } from '../system/user-error.ts';

/** So many folders are looked at, newest first, and files up to this size are read: a check of a claim is to take a second. */
export const LOOKED_AT = { folders: 40, audits: 12, bytes: 64 * 1024 * 1024 } as const;

export interface FoundAudits {
  readonly audits: readonly LocalAudit[];
  /** What was passed over, a sentence each. */
  readonly skipped: readonly string[];
}

type Machine = Pick<HostInfo, 'cpu_model' | 'cores'>;

/** Results carry no name of the machine: CPU model and cores are what tells one from another. */
const isHere = (host: Machine, here: Machine): boolean =>
  host.cpu_model === here.cpu_model && host.cores === here.cores;

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
      if (isHere(document.host, here)) audits.push({ folder, document });
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
