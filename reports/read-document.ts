/** Reads the audit.json of a results folder, and says in plain words what is wrong with a folder that is not one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ZodError } from 'zod';
import { AUDIT_SCHEMA, type AuditDocument } from '../src/audit/document.ts';
import { parseAuditDocument } from '../src/audit/document-schema.ts';
import { UserError } from '../src/system/user-error.ts';
import { contradiction } from './contradiction.ts';
import { clipped, oneLine, shorten } from './text.ts';

const notOurs = (dir: string, why: string): UserError =>
  new UserError(
    `"${dir}" is not a Tare results folder: ${why}. Give the folder that "tare audit --out" wrote.`,
  );

async function readText(dir: string): Promise<string> {
  try {
    return await readFile(join(dir, 'audit.json'), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notOurs(dir, 'it has no audit.json');
    throw new UserError(`cannot read "${join(dir, 'audit.json')}" (${code}). Check its permissions.`);
  }
}

function schemaOf(value: unknown): string | null {
  const schema = typeof value === 'object' && value !== null ? (value as { schema?: unknown }).schema : null;
  return typeof schema === 'string' && schema.startsWith('tare-audit/') ? schema : null;
}

const damaged = (dir: string, path: string, message: string): UserError =>
  new UserError(
    `the audit.json in "${dir}" is damaged: ${oneLine(path)}: ${clipped(message, 300)}. Run the audit again, or restore the file.`,
  );

/** The audit document of a results folder. Throws a UserError that names the folder and the fault. */
export async function readDocument(dir: string): Promise<AuditDocument> {
  const text = await readText(dir);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notOurs(dir, 'its audit.json is not JSON, or was cut short');
  }
  const schema = schemaOf(value);
  if (schema === null) throw notOurs(dir, 'its audit.json is of another program');
  if (schema !== AUDIT_SCHEMA)
    throw new UserError(
      `"${dir}" was written by another version of Tare (schema ${shorten(oneLine(schema), 40)}; this one reads ${AUDIT_SCHEMA}). Use that version, or run the audit again.`,
    );
  let document: AuditDocument;
  try {
    document = parseAuditDocument(value);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const issue = error.issues[0]!;
    throw damaged(dir, issue.path.join('.'), issue.message);
  }
  const fault = contradiction(document);
  if (fault !== null) throw damaged(dir, fault.path, fault.message);
  return document;
}
