/** Writes the audit of a claim and its reports into a folder. */
import { join } from 'node:path';
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { makeFolder } from '../../src/system/make-folder.ts';
import { UserError } from '../../src/system/user-error.ts';
import { writeWhole } from '../../src/system/write-whole.ts';
import type { ReportFile } from '../write.ts';
import { claimMarkdown } from './markdown.ts';
import { claimPage } from './page.ts';

/** The document and every report of it: same document, same bytes. */
export const claimFiles = async (document: ClaimDocument): Promise<readonly ReportFile[]> => [
  { path: 'claim.json', content: `${JSON.stringify(document, null, 1)}\n` },
  { path: 'claim.md', content: claimMarkdown(document) },
  { path: 'claim.html', content: await claimPage(document) },
];

/** Writes them into `dir`, made where it is missing, and returns their names. Throws a UserError when it cannot be written. */
export async function writeClaimReports(document: ClaimDocument, dir: string): Promise<readonly string[]> {
  const files = await claimFiles(document);
  try {
    await makeFolder(dir);
    for (const { path, content } of files) await writeWhole(join(dir, path), content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      `cannot write the audit of the claim into "${dir}" (${code}). Make room, or give a folder that can be written (--out).`,
    );
  }
  return files.map(({ path }) => path);
}
