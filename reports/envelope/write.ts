/** Writes the result of `tare envelope` and its reports into its results folder. */
import { join } from 'node:path';
import type { AuditDocument } from '../../src/audit/document.ts';
import type { EnvelopeDocument } from '../../src/audit/envelope/document.ts';
import { UserError } from '../../src/system/user-error.ts';
import { writeWhole } from '../../src/system/write-whole.ts';
import type { ReportFile } from '../write.ts';
import { envelopeCsv, envelopeTrialsCsv } from './csv.ts';
import { envelopePage } from './page.ts';

const json = (document: unknown): string => `${JSON.stringify(document, null, 1)}\n`;

/** envelope.json as it is kept. */
export const envelopeJson = (document: EnvelopeDocument): ReportFile => ({
  path: 'envelope.json',
  content: json(document),
});

/** The document and every report of it: same document, same bytes. */
export const envelopeFiles = (document: EnvelopeDocument): readonly ReportFile[] => [
  envelopeJson(document),
  { path: 'envelope.csv', content: envelopeCsv(document) },
  { path: 'envelope-trials.csv', content: envelopeTrialsCsv(document) },
  { path: 'envelope.html', content: envelopePage(document) },
];

/** Writes files into the results folder and returns their names. Throws a UserError when it cannot be written. */
export async function writeInto(dir: string, files: readonly ReportFile[]): Promise<readonly string[]> {
  try {
    for (const { path, content } of files) await writeWhole(join(dir, path), content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      `cannot write the result of the search into "${dir}" (${code}). Make room, then go on with: tare envelope --resume ${dir}`,
    );
  }
  return files.map(({ path }) => path);
}

/** Writes all of it; audit.json has the same trials in the shape of an audit. */
export const writeEnvelopeReports = (
  document: EnvelopeDocument,
  audit: AuditDocument,
  dir: string,
): Promise<readonly string[]> =>
  writeInto(dir, [...envelopeFiles(document), { path: 'audit.json', content: json(audit) }]);
