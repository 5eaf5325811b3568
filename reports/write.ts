/** Writes every report of an audit into its results folder. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AuditDocument } from '../src/audit/document.ts';
import type { EnvelopeDocument } from '../src/audit/envelope/document.ts';
import { UserError } from '../src/system/user-error.ts';
import { writeWhole } from '../src/system/write-whole.ts';
import { boundedTexts } from './bounded.ts';
import { CHART_NAMES, chartsOf } from './charts/all.ts';
import { dataCsv } from './charts/data.ts';
import { type RenderedAuditChart, renderChart } from './charts/rendered.ts';
import { biasCsv, trialsCsv } from './csv.ts';
import { reportPage } from './page/page.ts';
import { readSearch } from './read-search.ts';

/** A file of the reports: its path below the results folder, with forward slashes. */
export interface ReportFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

const chartFiles = ({ chart, spec, svg, png }: RenderedAuditChart): readonly ReportFile[] => [
  { path: `charts/${chart.name}.vl.json`, content: spec },
  { path: `charts/${chart.name}.svg`, content: svg },
  { path: `charts/${chart.name}.png`, content: png },
  { path: `charts/${chart.name}.csv`, content: dataCsv(chart.data) },
];

/** All files of the reports, from the documents alone: same documents, same bytes. `envelope`: the search whose trials the audit holds. */
export async function reportFiles(
  whole: AuditDocument,
  envelope: EnvelopeDocument | null = null,
): Promise<readonly ReportFile[]> {
  const document = boundedTexts(whole);
  const charts: RenderedAuditChart[] = [];
  // One after the other: Vega numbers what it draws in a variable that all views share.
  for (const chart of chartsOf(document, envelope)) charts.push(await renderChart(chart));
  return [
    { path: 'bias.csv', content: biasCsv(document) },
    { path: 'trials.csv', content: trialsCsv(document) },
    ...charts.flatMap(chartFiles),
    { path: 'report.html', content: reportPage(document, charts) },
  ];
}

/**
 * Writes the reports into `dir` and returns their paths below it. Charts of an earlier report that this document does not have any
 * more are removed. Throws a UserError when the folder cannot be written; what was written until then is whole.
 */
export async function writeReports(document: AuditDocument, dir: string): Promise<readonly string[]> {
  const files = await reportFiles(document, await readSearch(dir, document));
  const written = new Set(files.map((file) => file.path));
  try {
    for (const file of files) {
      const path = join(dir, file.path);
      await mkdir(dirname(path), { recursive: true });
      await writeWhole(path, file.content);
    }
    for (const name of CHART_NAMES)
      for (const extension of ['vl.json', 'svg', 'png', 'csv'])
        if (!written.has(`charts/${name}.${extension}`))
          await rm(join(dir, 'charts', `${name}.${extension}`), { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      `cannot write the reports into "${dir}" (${code}). Make room or give a folder that can be written, then run "tare report" on it.`,
    );
  }
  return [...written];
}
