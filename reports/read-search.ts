/** The search (tare envelope) whose trials a results folder holds, where it is one's. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditDocument } from '../src/audit/document.ts';
import type { EnvelopeDocument } from '../src/audit/envelope/document.ts';
import { parseEnvelopeDocument } from '../src/audit/envelope/document-schema.ts';
import { UserError } from '../src/system/user-error.ts';

/**
 * envelope.json of a folder; null where there is none, or where it is of another run than `document`. Throws a UserError where it cannot be
 * read: a report that silently lacks it would look like that of an audit.
 */
export async function readSearch(dir: string, document: AuditDocument): Promise<EnvelopeDocument | null> {
  let found: EnvelopeDocument;
  try {
    found = parseEnvelopeDocument(JSON.parse(await readFile(join(dir, 'envelope.json'), 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new UserError(
      `the envelope.json in "${dir}" cannot be read (${code ?? 'it is damaged or of another version'}). Restore it, or move it out of the folder to have the report of its trials alone.`,
    );
  }
  return found.started_at === document.started_at ? found : null;
}
