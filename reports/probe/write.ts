/** Writes the result of `tare probe` and its reports into a folder. */
import { join } from 'node:path';
import type { ProbeDocument } from '../../src/audit/probe/document.ts';
import { makeFolder } from '../../src/system/make-folder.ts';
import { UserError } from '../../src/system/user-error.ts';
import { writeWhole } from '../../src/system/write-whole.ts';
import type { ReportFile } from '../write.ts';
import { probeFiguresCsv, probesCsv } from './csv.ts';
import { probePage } from './page.ts';

/** The document and every report of it: same document, same bytes. */
export const probeFiles = (document: ProbeDocument): readonly ReportFile[] => [
  { path: 'probe.json', content: `${JSON.stringify(document, null, 1)}\n` },
  { path: 'probes.csv', content: probesCsv(document) },
  { path: 'probe-figures.csv', content: probeFiguresCsv(document) },
  { path: 'probe.html', content: probePage(document) },
];

/** Writes them into `dir`, made where it is missing, and returns their names. Throws a UserError when it cannot be written. */
export async function writeProbeReports(document: ProbeDocument, dir: string): Promise<readonly string[]> {
  const files = probeFiles(document);
  try {
    await makeFolder(dir);
    for (const { path, content } of files) await writeWhole(join(dir, path), content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      `cannot write the result of the probes into "${dir}" (${code}). Make room, or give a folder that can be written (--out).`,
    );
  }
  return files.map(({ path }) => path);
}
