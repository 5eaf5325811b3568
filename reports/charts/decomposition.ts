/**
 * Where the bias arises: a bar a client and rate, cut into stages. A bar is as long as all that was added and taken away together, whatever
 * that is in milliseconds: 0.2 ms and 3 s stand side by side and both can be read. The milliseconds are written on it.
 */
import type { AuditDocument } from '../../src/audit/document.ts';
import { STAGES, type Stage } from '../../src/measure/decomposition.ts';
import { METRIC_LABEL, ms, rate, signedMs } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { STAGE_LABEL, type StageCell, type StagedMetric, stageCells } from '../stages.ts';
import { oneLine, shorten } from '../text.ts';
import type { AuditChart, View } from './chart.ts';
import { type ChartData, chartData } from './data.ts';
import { AXIS, INK, MUTED, PAPER, STAGE_COLORS } from './palette.ts';
import { ROOM, textWidth } from './text-width.ts';

const BAR = { width: 440, height: 20, gap: 6, groupGap: 12 } as const;
const LABEL_SIZE = 12;
const FIGURE_SIZE = 10.5;
/** Between a bar and the texts beside it, px. */
const BESIDE = 8;
/** Of names; longer ones end in an ellipsis. */
const NAME_LENGTH = 40;
const LEGEND_LINE = 18;
const SWATCH = 11;

interface Row {
  readonly cell: StageCell;
  readonly label: string;
  readonly y: number;
  readonly firstOfClient: boolean;
}

interface Segment {
  readonly stage: Stage;
  readonly x: number;
  readonly x2: number;
  readonly y: number;
  readonly ms: number;
}

/** Rows from the top, with a wider gap between clients; and the height of all. */
function layOut(cells: readonly StageCell[]): { rows: readonly Row[]; height: number } {
  let y = 0;
  const rows = cells.map((cell, i): Row => {
    const firstOfClient = cells[i - 1]?.client !== cell.client;
    if (i > 0) y += BAR.height + (firstOfClient ? BAR.groupGap : BAR.gap);
    return { cell, label: shorten(oneLine(cell.client), NAME_LENGTH), y, firstOfClient };
  });
  return { rows, height: y + BAR.height };
}

/** Shares of what was moved, negative ones apart: they are drawn to the left of zero. */
function sharesOf(cell: StageCell): readonly { stage: Stage; ms: number; share: number }[] {
  const moved = cell.stages.reduce((sum, one) => sum + Math.abs(one.mean_ms ?? 0), 0);
  return cell.stages.flatMap(({ stage, mean_ms }) =>
    mean_ms === null || mean_ms === 0 ? [] : [{ stage, ms: mean_ms, share: mean_ms / moved }],
  );
}

/** Px of a share: as much as is needed on the left is left there. */
function scaleOf(cells: readonly StageCell[]): (share: number) => number {
  const left = Math.max(
    0,
    ...cells.map((cell) => sharesOf(cell).reduce((sum, { share }) => sum + Math.max(0, -share), 0)),
  );
  const right = Math.max(
    0.1,
    ...cells.map((cell) => sharesOf(cell).reduce((sum, { share }) => sum + Math.max(0, share), 0)),
  );
  return (share) => ((share + left) / (left + right)) * BAR.width;
}

function segmentsOf(row: Row, x: (share: number) => number): readonly Segment[] {
  let right = 0;
  let left = 0;
  return sharesOf(row.cell).map(({ stage, ms: value, share }) => {
    const from = share > 0 ? right : left + share;
    const to = share > 0 ? right + share : left;
    if (share > 0) right += share;
    else left += share;
    return { stage, x: x(from), x2: x(to), y: row.y, ms: value };
  });
}

const px = (field: string): View => ({ field, type: 'quantitative', scale: null, axis: null });

/** Bars of one stage, and its milliseconds where they fit. */
function stageLayers(stage: Stage, segments: readonly Segment[]): readonly View[] {
  const own = segments.filter((segment) => segment.stage === stage && segment.x2 - segment.x >= 0.5);
  if (own.length === 0) return [];
  const { fill, text } = STAGE_COLORS[stage];
  const bars = own.map(({ x, x2, y }) => ({ x, x2, y, y2: y + BAR.height }));
  const figures = own.flatMap((segment) => {
    const figure = ms(segment.ms);
    if (textWidth(figure, FIGURE_SIZE) + 4 > segment.x2 - segment.x) return [];
    return [{ x: (segment.x + segment.x2) / 2, y: segment.y + BAR.height / 2, figure }];
  });
  return [
    {
      data: { values: bars },
      // The pale one would be lost on paper without a rim.
      mark: {
        type: 'rect',
        color: fill,
        stroke: stage === 'unknown' ? AXIS : PAPER,
        strokeWidth: 1,
        opacity: 1,
      },
      encoding: { x: px('x'), x2: { field: 'x2' }, y: px('y'), y2: { field: 'y2' } },
    },
    ...texts(figures, 'figure', { align: 'center', fontSize: FIGURE_SIZE, color: text }),
  ];
}

function texts(values: readonly View[], field: string, style: View): readonly View[] {
  if (values.length === 0) return [];
  return [
    {
      data: { values: [...values] },
      mark: { type: 'text', baseline: 'middle', ...style },
      encoding: { x: px('x'), y: px('y'), text: { field, type: 'nominal' } },
    },
  ];
}

/** The total, with the least and greatest of the repetitions where there are several. */
function totalOf({ bias_ms, low_ms, high_ms, trials }: StageCell): string {
  const total = `${signedMs(bias_ms)} ms`;
  return trials > 1 ? `${total} (${ms(low_ms)} to ${ms(high_ms)})` : total;
}

const totalWidth = (cells: readonly StageCell[]): number =>
  Math.ceil(ROOM * Math.max(...cells.map((cell) => textWidth(totalOf(cell), LABEL_SIZE, true))));

const rateLabel = (cell: StageCell): string => `${rate(cell.rate_rps)}/s`;

/** Client, rate and total beside each bar, and the line of zero. */
function frameLayers(rows: readonly Row[], height: number, zero: number): readonly View[] {
  const middle = (row: Row) => row.y + BAR.height / 2;
  const rateWidth = Math.max(...rows.map(({ cell }) => textWidth(rateLabel(cell), LABEL_SIZE)));
  const clients = rows
    .filter((row) => row.firstOfClient)
    .map((row) => ({ x: -BESIDE - rateWidth - 12, y: middle(row), label: row.label }));
  const rates = rows.map((row) => ({ x: -BESIDE, y: middle(row), label: rateLabel(row.cell) }));
  const totals = rows.map((row) => ({ x: BAR.width + BESIDE, y: middle(row), label: totalOf(row.cell) }));
  return [
    ...texts(clients, 'label', { align: 'right', fontSize: LABEL_SIZE, fontWeight: 600, color: INK }),
    ...texts(rates, 'label', { align: 'right', fontSize: LABEL_SIZE, color: MUTED }),
    ...texts(totals, 'label', { align: 'left', fontSize: LABEL_SIZE, fontWeight: 600, color: INK }),
    {
      data: { values: [{ x: zero, y: -4, y2: height + 4 }] },
      mark: { type: 'rule', color: AXIS, strokeWidth: 1 },
      encoding: { x: px('x'), y: px('y'), y2: { field: 'y2' } },
    },
  ];
}

/** Swatches with names, in lines as wide as the bars, to lie above them. */
function legend(stages: readonly Stage[]): readonly View[] {
  let x = 0;
  let line = 0;
  const placed = stages.map((stage) => {
    const width = SWATCH + 6 + ROOM * textWidth(STAGE_LABEL[stage], 11) + 12;
    if (x > 0 && x + width > BAR.width + 100) {
      x = 0;
      line++;
    }
    const at = { stage, x, line, label: STAGE_LABEL[stage] };
    x += width;
    return at;
  });
  const height = (line + 1) * LEGEND_LINE + 8;
  const y = (of: number) => of * LEGEND_LINE - height + SWATCH / 2;
  return [
    ...placed.map((one) => ({
      data: {
        values: [{ x: one.x, x2: one.x + SWATCH, y: y(one.line) - SWATCH / 2, y2: y(one.line) + SWATCH / 2 }],
      },
      mark: { type: 'rect', color: STAGE_COLORS[one.stage].fill, opacity: 1 },
      encoding: { x: px('x'), x2: { field: 'x2' }, y: px('y'), y2: { field: 'y2' } },
    })),
    ...texts(
      placed.map((one) => ({ x: one.x + SWATCH + 6, y: y(one.line), label: one.label })),
      'label',
      { align: 'left', fontSize: 11, color: INK },
    ),
  ];
}

const PANEL_TITLE = {
  ttft: 'TTFT: mean of reported − injected, by stage',
  e2e: 'E2E: mean of reported − injected, by stage',
} as const;

function panel(metric: StagedMetric, cells: readonly StageCell[], stages: readonly Stage[] | null): View {
  const { rows, height } = layOut(cells);
  const x = scaleOf(cells);
  const segments = rows.flatMap((row) => segmentsOf(row, x));
  const key = stages === null ? [] : legend(stages);
  return {
    title: {
      text: PANEL_TITLE[metric],
      anchor: 'start',
      frame: 'group',
      fontSize: 12.5,
      fontWeight: 600,
      color: INK,
      offset: 10,
    },
    width: BAR.width,
    height,
    layer: [
      ...key,
      ...STAGES.flatMap((stage) => stageLayers(stage, segments)),
      ...frameLayers(rows, height, x(0)),
    ],
  };
}

const describe = (metric: StagedMetric, cell: StageCell): string =>
  `${oneLine(cell.client)} at ${rate(cell.rate_rps)}/s, ${METRIC_LABEL[metric]} ${signedMs(cell.bias_ms)} ms: ${sharesOf(
    cell,
  )
    .map(({ stage, ms: value }) => `${STAGE_LABEL[stage]} ${ms(value)}`)
    .join(', ')}.`;

/** Beyond so many bars a chart is no longer read, but searched: the table has all of them. */
const MOST_BARS = 16;

/** All cells; of many, each client's at its lowest and its highest rate. */
function chosen(cells: readonly StageCell[]): readonly StageCell[] {
  if (cells.length <= MOST_BARS) return cells;
  return cells.filter(({ client }, i) => cells[i - 1]?.client !== client || cells[i + 1]?.client !== client);
}

/** Stages that are in the bars, in the order of a request's way. */
const drawn = (cells: readonly StageCell[]): readonly Stage[] =>
  STAGES.filter((stage) =>
    cells.some((cell) => sharesOf(cell).some((one) => one.stage === stage && Math.abs(one.share) >= 0.001)),
  );

/** Every client and rate, those that are not drawn among them. */
const dataOf = (
  document: AuditDocument,
  panels: readonly { metric: StagedMetric; every: readonly StageCell[] }[],
): ChartData =>
  chartData(
    document,
    [
      'metric',
      'rate_rps',
      'trials',
      'requests',
      'reported_minus_injected_ms',
      'low_ms',
      'high_ms',
      'stage',
      'stage_mean_ms',
      'stage_reason',
    ],
    panels.flatMap(({ metric, every }) =>
      every.flatMap((cell) =>
        cell.stages.map((one) => ({
          client: cell.client,
          cells: [
            metric,
            cell.rate_rps,
            cell.trials,
            cell.requests,
            cell.bias_ms,
            cell.low_ms,
            cell.high_ms,
            one.stage,
            one.mean_ms,
            one.reason,
          ],
        })),
      ),
    ),
  );

/** Where the bias of TTFT and E2E arises; null without joined records. */
export function decompositionChart(document: AuditDocument): AuditChart | null {
  const panels = (['ttft', 'e2e'] as const)
    .map((metric) => {
      const every = stageCells(document, metric).filter((cell) => sharesOf(cell).length > 0);
      return { metric, every, cells: chosen(every) };
    })
    .filter(({ cells }) => cells.length > 0);
  if (panels.length === 0) return null;
  const all = panels.flatMap(({ cells }) => cells);
  const stages = drawn(all);
  const left = Math.max(
    ...all.map(
      (cell) =>
        textWidth(shorten(oneLine(cell.client), NAME_LENGTH), LABEL_SIZE, true) +
        textWidth(rateLabel(cell), LABEL_SIZE),
    ),
  );
  const cut = panels.some(({ cells, every }) => cells.length < every.length);
  const several = all.some((cell) => cell.trials > 1);
  const clients = [...new Set(all.map((cell) => cell.client))];
  return {
    name: 'decomposition',
    title: 'Where the bias arises, from the schedule to the figure (ms)',
    explanation:
      'Every bar is as long, whatever its milliseconds: shares of all that was added to the mean (right of the line) or taken from it (left). The injected delay is left out. ' +
      `In the bars and beside them: milliseconds${several ? ', mean over the requests of all repetitions (least to greatest mean of one)' : ''}. ` +
      `Over the requests that were joined with the target’s ledger.${cut ? ' Each client at its lowest and highest rate; the table has all.' : ''}`,
    alternative: `Stacked bars of where reported minus injected arises. ${panels
      .flatMap(({ metric, cells }) => cells.map((cell) => describe(metric, cell)))
      .join(' ')}`,
    provenance: provenanceOf(document, clients),
    data: dataOf(document, panels),
    view: {
      vconcat: panels.map(({ metric, cells }, i) => panel(metric, cells, i === 0 ? stages : null)),
      spacing: 28,
    },
    width: Math.ceil(ROOM * left + 40 + BAR.width + BESIDE + totalWidth(all)),
  };
}
