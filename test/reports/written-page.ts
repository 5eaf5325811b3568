/** report.html of a document as `tare report` writes it, but for the pictures beside it, which take most of the time and are no part of it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartsOf } from '../../reports/charts/all.ts';
import { bareSpec, fullSpec } from '../../reports/charts/chart.ts';
import { toSvg } from '../../reports/charts/render.ts';
import { themed } from '../../reports/charts/rendered.ts';
import { reportPage } from '../../reports/page/page.ts';
import type { AuditDocument } from '../../src/audit/document.ts';

/** Writes it into `dir`, which is made. */
export async function writePage(document: AuditDocument, dir: string): Promise<void> {
  const charts = [];
  for (const chart of chartsOf(document)) {
    const spec = fullSpec(chart);
    const svg = await toSvg(spec);
    charts.push({
      chart,
      spec: JSON.stringify(spec),
      svg,
      png: Buffer.alloc(0),
      inline: themed(await toSvg(bareSpec(chart))),
    });
  }
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'report.html'), reportPage(document, charts));
}
