/** Writes the result of `tare profile` and its reports into a folder. */
import { join } from 'node:path';
import type { ProfileDocument } from '../../src/audit/profile/document.ts';
import { asFileError } from '../../src/system/disk.ts';
import { makeFolder } from '../../src/system/make-folder.ts';
import { writeWhole } from '../../src/system/write-whole.ts';
import type { ReportFile } from '../write.ts';
import { profileCsv } from './csv.ts';
import { profilePage } from './page.ts';

/** The document and every report of it: same document, same bytes. */
export const profileFiles = async (document: ProfileDocument): Promise<readonly ReportFile[]> => [
  { path: 'profile.json', content: `${JSON.stringify(document, null, 1)}\n` },
  { path: 'profile.csv', content: profileCsv(document) },
  { path: 'profile.html', content: await profilePage(document) },
];

/** Writes them into `dir` and returns their names. Throws a UserError when it cannot be written. */
export async function writeProfileReports(
  document: ProfileDocument,
  dir: string,
): Promise<readonly string[]> {
  const files = await profileFiles(document);
  try {
    await makeFolder(dir);
    for (const { path, content } of files) await writeWhole(join(dir, path), content);
  } catch (error) {
    throw asFileError(error, dir);
  }
  return files.map(({ path }) => path);
}
