/** A chart as data: what it shows, under what conditions, and a Vega-Lite 6 specification of it. */
import type { Provenance } from '../provenance.ts';
import { provenanceLines } from '../provenance.ts';
import type { ChartData } from './data.ts';
import { AXIS, GRID, INK, MUTED, PAPER } from './palette.ts';
import { ROOM, wrapText } from './text-width.ts';

/** JSON of Vega-Lite. Its own types allow what the schema does not, so tests check every specification against the schema. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type View = { readonly [key: string]: Json };

/** A chart. There is none without a provenance. */
export interface ChartSpec {
  /** Stem of its files' names. */
  readonly name: string;
  /** What is drawn, with the unit. */
  readonly title: string;
  /** What dots, bars and bands mean. */
  readonly explanation: string;
  /** What it shows, for those who cannot see it. */
  readonly alternative: string;
  readonly provenance: Provenance;
  readonly view: View;
  /** Outer width, px: title and footer wrap to it. */
  readonly width: number;
}

/** A chart of an audit: its figures are at hand as rows, too. */
export interface AuditChart extends ChartSpec {
  readonly data: ChartData;
}

export const FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
/** Plain decimals with separators, no needless zeros: 0.3, 30, 1,600. */
export const NUMBER_FORMAT = ',.6~r';
const FOOTER_SIZE = 10;
const SUBTITLE_SIZE = 12;

const CONFIG: View = {
  font: FONT,
  background: PAPER,
  padding: 16,
  aria: false,
  view: { stroke: null },
  title: {
    aria: false,
    anchor: 'start',
    frame: 'bounds',
    color: INK,
    fontSize: 16,
    fontWeight: 600,
    subtitleColor: MUTED,
    subtitleFontSize: SUBTITLE_SIZE,
    subtitleLineHeight: 16,
    subtitlePadding: 6,
    offset: 16,
  },
  axis: {
    labelColor: MUTED,
    titleColor: INK,
    titleFontWeight: 'normal',
    labelFontSize: 11,
    titleFontSize: 12,
    titlePadding: 10,
    gridColor: GRID,
    domainColor: AXIS,
    tickColor: AXIS,
    labelPadding: 5,
  },
  header: { labelColor: INK, labelFontSize: 12, labelFontWeight: 600, title: null },
};

/** The provenance as lines of text, wrapped to the chart. */
export const footerLines = (chart: ChartSpec): string[] =>
  provenanceLines(chart.provenance).flatMap(({ label, text }) =>
    wrapText(`${label}: ${text}`, chart.width / ROOM, FOOTER_SIZE),
  );

/** The specification alone, as in the page, where title and provenance are text beside it. */
export const bareSpec = (chart: ChartSpec): View => bareView(chart.view);

/** A view in the look of all charts, for pages that state its provenance around it. */
export const bareView = (view: View): View => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  config: { ...CONFIG, padding: 4 },
  ...view,
});

/** The whole chart with title, explanation and provenance in it, as it goes into files. */
export function fullSpec(chart: ChartSpec): View {
  const footer: View = {
    orient: 'bottom',
    text: footerLines(chart),
    anchor: 'start',
    frame: 'bounds',
    fontSize: FOOTER_SIZE,
    fontWeight: 'normal',
    lineHeight: 14,
    color: MUTED,
    offset: 14,
  };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    description: chart.alternative,
    usermeta: { tare: { provenance: chart.provenance as unknown as Json } },
    config: CONFIG,
    title: { text: chart.title, subtitle: wrapText(chart.explanation, chart.width / ROOM, SUBTITLE_SIZE) },
    vconcat: [{ ...chart.view, title: footer }],
  };
}
