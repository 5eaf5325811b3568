/** A chart in every form in which it leaves: specification, SVG and PNG with title and provenance, and bare SVG for the page. */
import { type AuditChart, bareSpec, type ChartSpec, fullSpec } from './chart.ts';
import { AXIS, BAND, COLORS, GRID, INK, MUTED, PAPER } from './palette.ts';
import { toPng, toSvg } from './render.ts';

export interface RenderedChart<Chart extends ChartSpec = ChartSpec> {
  readonly chart: Chart;
  /** Vega-Lite, JSON. */
  readonly spec: string;
  readonly svg: string;
  readonly png: Buffer;
  /** Without title and provenance, its colours by the page's variables, so that it follows a light or dark theme. */
  readonly inline: string;
}

export type RenderedAuditChart = RenderedChart<AuditChart>;

const VARIABLES = new Map<string, string>([
  [INK, 'var(--ink)'],
  [MUTED, 'var(--muted)'],
  [GRID, 'var(--grid)'],
  [AXIS, 'var(--axis)'],
  [BAND, 'var(--band)'],
  [PAPER, 'var(--paper)'],
  ['white', 'var(--paper)'],
  ...COLORS.map((color, i): [string, string] => [color, `var(--c${i})`]),
]);

/** Replaces colours in attributes of tags only: text may say what it likes. */
export const themed = (svg: string): string =>
  svg.replace(/<[^>]*>/g, (tag) =>
    tag.replace(/ (fill|stroke)="([^"]*)"/g, (whole, name: string, value: string) => {
      const variable = VARIABLES.get(value.toLowerCase());
      return variable === undefined ? whole : ` ${name}="${variable}"`;
    }),
  );

export async function renderChart<Chart extends ChartSpec>(chart: Chart): Promise<RenderedChart<Chart>> {
  const spec = fullSpec(chart);
  const svg = await toSvg(spec);
  return {
    chart,
    spec: `${JSON.stringify(spec, null, 2)}\n`,
    svg: `${svg}\n`,
    png: toPng(svg),
    inline: themed(await toSvg(bareSpec(chart))),
  };
}
