/** The three files of a chart as links, for the pages that show it. */
import { type Html, html } from '../html.ts';
import { drawnLink, packedLink } from '../packed.ts';
import { dataCsv } from './data.ts';
import type { RenderedAuditChart } from './rendered.ts';

/** What a page with these links needs besides: it saves the files from the page itself. */
export const CHART_SCRIPT = 'reports/charts/browser.js';

/** `Save as SVG PNG CSV`. The files are the ones in charts/, where the page lies beside them. */
export function chartDownloads({ chart, svg }: Pick<RenderedAuditChart, 'chart' | 'svg'>): Html {
  const path = (extension: string) => `charts/${chart.name}.${extension}`;
  const of = ` of “${chart.title}”`;
  return html`<p class="downloads"><span>Save as</span> ${packedLink(path('svg'), svg, 'SVG', of)} ${drawnLink(path('png'), path('svg'), 'PNG', of)} ${packedLink(path('csv'), dataCsv(chart.data), 'CSV', of)}</p>`;
}
