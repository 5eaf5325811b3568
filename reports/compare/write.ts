/** The files of a comparison, and their writing. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CompareDocument } from '../../src/audit/compare-audits/document.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { asFileError } from '../../src/system/disk.ts';
import { writeWhole } from '../../src/system/write-whole.ts';
import { type RenderedChart, renderChart } from '../charts/rendered.ts';
import type { ReportFile } from '../write.ts';
import { CHARTED, compareChart } from './chart.ts';
import { compareCsv } from './csv.ts';
import { compareMarkdown } from './markdown.ts';
import { comparePage } from './page.ts';
import { bothProvenances } from './provenance.ts';

/** compare.json, as it is written and printed. */
export const compareJson = (document: CompareDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** Every file: same documents, same bytes. */
export async function compareFiles(
  document: CompareDocument,
  a: AuditDocument,
  b: AuditDocument,
): Promise<readonly ReportFile[]> {
  const provenance = bothProvenances(a, b, document);
  const charts: RenderedChart[] = [];
  // One after the other: Vega numbers what it draws in a variable that all views share.
  for (const name of CHARTED) {
    const chart = compareChart(document, name, provenance);
    if (chart !== null) charts.push(await renderChart(chart));
  }
  return [
    { path: 'compare.json', content: compareJson(document) },
    { path: 'compare.csv', content: compareCsv(document) },
    { path: 'compare.md', content: compareMarkdown(document) },
    ...charts.flatMap(({ chart, spec, svg, png }) => [
      { path: `charts/${chart.name}.vl.json`, content: spec },
      { path: `charts/${chart.name}.svg`, content: svg },
      { path: `charts/${chart.name}.png`, content: png },
    ]),
    { path: 'compare.html', content: comparePage(document, charts) },
  ];
}

/** Writes them into a folder, which is made if need be; returns their paths below it. Throws a UserError where it cannot be written. */
export async function writeComparison(files: readonly ReportFile[], dir: string): Promise<readonly string[]> {
  for (const { path, content } of files) {
    const whole = join(dir, path);
    try {
      await mkdir(dirname(whole), { recursive: true });
      await writeWhole(whole, content);
    } catch (error) {
      throw asFileError(error, whole);
    }
  }
  return files.map(({ path }) => path);
}
