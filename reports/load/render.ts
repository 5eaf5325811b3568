/** The page of a load with its charts drawn. */
import { type RenderedChart, renderChart } from '../charts/rendered.ts';
import { loadCharts } from './charts.ts';
import type { LoadDocument } from './document.ts';
import { loadPage } from './page.ts';

export async function renderLoadPage(document: LoadDocument): Promise<string> {
  const charts: RenderedChart[] = [];
  // One after the other: Vega numbers what it draws in a variable that all views share.
  for (const chart of loadCharts(document)) charts.push(await renderChart(chart));
  return loadPage(document, charts);
}
