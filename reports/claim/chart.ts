/** The charts of a sweep: each figure that a claim gives at three loads or more, against the load, a line a table. */
import type { ClaimDocument, ClaimRowJson } from '../../src/claims/document-schema.ts';
import { bareView, type View } from '../charts/chart.ts';
import { COLORS } from '../charts/palette.ts';
import { DASHES, type LineChart, lineChart } from '../load/line-chart.ts';
import { oneLine, shorten } from '../text.ts';

const LEAST_LOADS = 3;
const MOST_CHARTS = 8;
const MOST_LINES = 6;

export interface SweepChart {
  /** Of an element's id. */
  readonly name: string;
  readonly title: string;
  readonly alternative: string;
  readonly view: View;
  /** The same for a narrow window, whose names are in the legend. */
  readonly narrow: View;
  /** The legend. */
  readonly lines: readonly { readonly label: string; readonly color: string; readonly dashes: string }[];
}

type Axis = 'concurrency' | 'rate';
const AXIS_TITLE: Readonly<Record<Axis, string>> = { concurrency: 'Concurrency', rate: 'Rate (requests/s)' };

/** `sweep` of `sweep-3`: rows of one table, or rows that were named alike. */
const stem = ({ id }: ClaimRowJson): string => id.replace(/[-_]?\d+$/, '') || id;

interface Sweep {
  readonly label: string;
  readonly axis: Axis;
  readonly rows: readonly ClaimRowJson[];
}

function sweepsOf(rows: readonly ClaimRowJson[]): Sweep[] {
  const groups = new Map<string, ClaimRowJson[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.system, stem(row)]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((own) => {
    const axis = (['concurrency', 'rate'] as const).find(
      (name) => new Set(own.flatMap((row) => row[name]?.value ?? [])).size >= LEAST_LOADS,
    );
    const [first] = own;
    return axis === undefined || first === undefined
      ? []
      : [{ label: `${oneLine(first.system)}, ${oneLine(stem(first))}`, axis, rows: own }];
  });
}

/** All charts of a claim; none where it has no sweep. */
export function sweepCharts({ claim }: ClaimDocument): readonly SweepChart[] {
  const sweeps = sweepsOf(claim.rows);
  const charts: SweepChart[] = [];
  for (const axis of ['concurrency', 'rate'] as const) {
    const own = sweeps.filter((sweep) => sweep.axis === axis);
    const keys = [...new Set(own.flatMap(({ rows }) => rows.flatMap((row) => row.figures.map(keyOf))))];
    for (const key of keys) {
      const lines = own
        .map(({ label, rows }) => ({
          label: shorten(label, 28),
          points: rows
            .flatMap((row) => {
              const x = row[axis]?.value ?? null;
              const y = row.figures.find((figure) => keyOf(figure) === key)?.quantity.value ?? null;
              return x === null || y === null ? [] : [{ x, y }];
            })
            .toSorted((a, b) => a.x - b.x),
        }))
        .filter(({ points }) => new Set(points.map(({ x }) => x)).size >= LEAST_LOADS)
        .slice(0, MOST_LINES);
      const xs = lines.flatMap(({ points }) => points.map(({ x }) => x));
      const unit = own
        .flatMap(({ rows }) => rows.flatMap(({ figures }) => figures))
        .find((one) => keyOf(one) === key)!.quantity.unit;
      const latency = unit === 'ms';
      const chart: LineChart = {
        x: { title: AXIS_TITLE[axis], domain: [0, Math.max(1, ...xs) * 1.02] },
        y: { title: `${key} (${unit}${latency ? ', log scale' : ''})`, log: latency },
        lines,
      };
      const [drawn, narrow] = [lineChart(chart), lineChart({ ...chart, narrow: true })];
      if (drawn === null || narrow === null) continue;
      charts.push({
        name: `sweep-${axis}-${key}`,
        title: `${key} against ${axis} (${unit})`,
        alternative: lines
          .map(
            ({ label, points }) =>
              `${label}: ${points.map(({ x, y }) => `${y} ${unit} at ${x}`).join(', ')}.`,
          )
          .join(' '),
        view: bareView(drawn.view),
        narrow: bareView(narrow.view),
        lines: lines.map(({ label }, i) => ({
          label,
          color: COLORS[i % COLORS.length]!,
          dashes: DASHES[i % DASHES.length]!.join(' '),
        })),
      });
    }
  }
  return charts.slice(0, MOST_CHARTS);
}

const keyOf = ({ id }: { readonly id: string }): string => id.slice(id.lastIndexOf('.') + 1);
