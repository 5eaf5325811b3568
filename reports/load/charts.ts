/** The charts of a load: latency over time, quantile curves, rates over time, requests under way. */
import type { Interval } from '../../src/load/series.ts';
import type { ChartSpec } from '../charts/chart.ts';
import { ms, rate } from '../format.ts';
import type { Provenance } from '../provenance.ts';
import { grouped } from '../text.ts';
import type { LoadDocument } from './document.ts';
import { type ChartLine, type LineChart, lineChart } from './line-chart.ts';
import { loadProvenance } from './provenance.ts';

interface Words {
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
  readonly alternative: string;
}

function chartOf(words: Words, provenance: Provenance, what: LineChart): ChartSpec | null {
  const drawn = lineChart(what);
  return drawn === null ? null : { ...words, provenance, ...drawn };
}

/** `interval` of what an interval is in words: `second`, `interval of 5 s`. */
const each = (intervalS: number): string => (intervalS === 1 ? 'second' : `interval of ${intervalS} s`);

/** A line over time, its points in the middle of their intervals. */
const over = (
  { series }: LoadDocument,
  label: string,
  value: (interval: Interval) => number | null,
): ChartLine => ({
  label,
  points: series.intervals.map((i) => ({ x: i.from_s + series.interval_s / 2, y: value(i) })),
});

const time = ({ series }: LoadDocument): LineChart['x'] => ({
  title: 'Time from the start (s)',
  domain: [0, Math.max(1, series.intervals.length) * series.interval_s],
});

/** The last and the highest of a line in words. */
function extremes(line: ChartLine, say: (value: number) => string): string {
  const points = line.points.filter((p): p is { x: number; y: number } => p.y !== null);
  if (points.length === 0) return `${line.label}: none.`;
  const highest = points.reduce((a, b) => (b.y > a.y ? b : a));
  return `${line.label}: first ${say(points[0]!.y)}, highest ${say(highest.y)} at ${grouped(Number(highest.x.toFixed(1)))} s, last ${say(points.at(-1)!.y)}.`;
}

function latencyChart(d: LoadDocument, provenance: Provenance): ChartSpec | null {
  const lines = [
    over(d, 'E2E p99', (i) => i.e2e_p99_ms),
    over(d, 'E2E p50', (i) => i.e2e_p50_ms),
    over(d, 'TTFT p99', (i) => i.ttft_p99_ms),
    over(d, 'TTFT p50', (i) => i.ttft_p50_ms),
  ];
  return chartOf(
    {
      name: 'latency-over-time',
      title: `Latency over time, from the ${d.series.t0} instant (ms, log scale)`,
      explanation: `Of the requests that ended well in each ${each(d.series.interval_s)}. A line that climbs is a queue that grows: its figures then depend on how long the run was.`,
      alternative: lines.map((line) => extremes(line, (value) => `${ms(value)} ms`)).join(' '),
    },
    provenance,
    { x: time(d), y: { title: 'ms (log scale)', log: true }, lines },
  );
}

const CURVE_LABELS = {
  e2e_scheduled: 'E2E from scheduled',
  e2e_sent: 'E2E from sent',
  ttft_scheduled: 'TTFT from scheduled',
  ttft_sent: 'TTFT from sent',
} as const;

/** Place of a percentile: nines, −log10(1 − p). */
const nines = (percentile: number): number => -Math.log10(1 - percentile / 100);

function quantileChart(d: LoadDocument, provenance: Provenance): ChartSpec | null {
  const open = d.series.t0 === 'scheduled';
  const names = (Object.keys(CURVE_LABELS) as (keyof typeof CURVE_LABELS)[]).filter(
    (name) => open || name.endsWith('_sent'),
  );
  const curves = names.map((name) => ({
    name,
    points: d.series.curves[name].filter((p) => p.percentile < 100),
  }));
  const widest = Math.max(1, ...curves.flatMap(({ points }) => points.map((p) => nines(p.percentile))));
  const ticks = [0, nines(50), 1, 2, 3, 4, 5, 6].filter((tick) => tick <= widest + 1e-9);
  const at = (points: readonly { percentile: number; value_ms: number }[], percentile: number): string => {
    const point = points.findLast((p) => p.percentile <= percentile + 1e-6);
    return point === undefined ? '–' : ms(point.value_ms);
  };
  return chartOf(
    {
      name: 'quantiles',
      title: `Quantiles of TTFT and E2E, from ${open ? 'both instants' : 'the sent instant'} (ms, log scale)`,
      explanation: `Of successful requests, to the percentile that one request decides.${open ? ' From scheduled is what a user waits; from sent leaves out what the client held back. Where the two part, the client was late.' : ''}`,
      alternative: curves
        .map(
          ({ name, points }) =>
            `${CURVE_LABELS[name]}: p50 ${at(points, 50)}, p90 ${at(points, 90)}, p99 ${at(points, 99)} ms.`,
        )
        .join(' '),
    },
    provenance,
    {
      x: {
        title: 'Percentile of requests',
        domain: [0, widest],
        axis: {
          values: ticks,
          labelExpr:
            "datum.value < 0.01 ? '0' : datum.value < 0.5 ? '50' : format(100 * (1 - pow(10, -datum.value)), '.10~g')",
        },
      },
      y: { title: 'ms (log scale)', log: true },
      lines: curves.map(({ name, points }) => ({
        label: CURVE_LABELS[name],
        points: points.map((p) => ({ x: nines(p.percentile), y: p.value_ms })),
      })),
    },
  );
}

function rateChart(d: LoadDocument, provenance: Provenance): ChartSpec | null {
  const per = (n: number): number => n / d.series.interval_s;
  const open = d.series.t0 === 'scheduled';
  const lines = [
    ...(open ? [over(d, 'scheduled', (i) => (i.scheduled === null ? null : per(i.scheduled)))] : []),
    over(d, 'sent', (i) => per(i.sent)),
    over(d, 'completed', (i) => per(i.completed)),
    ...(d.report.counts.failed > 0 ? [over(d, 'failed', (i) => per(i.failed))] : []),
  ];
  return chartOf(
    {
      name: 'rates',
      title: `Requests ${open ? 'scheduled, ' : ''}sent and completed over time (requests/s)`,
      explanation: `Per ${each(d.series.interval_s)}. The first and the last one may be part of an interval. ${open ? 'Sent below scheduled: the client was late. Completed below sent: a backlog grows.' : 'In a closed loop nothing is scheduled: a request is sent when the former answer has ended.'}`,
      alternative: lines.map((line) => extremes(line, (value) => `${rate(value)}/s`)).join(' '),
    },
    provenance,
    { x: time(d), y: { title: 'requests/s', log: false }, lines },
  );
}

function flightChart(d: LoadDocument, provenance: Provenance): ChartSpec | null {
  const open = d.series.t0 === 'scheduled';
  const lines = [...(open ? [over(d, 'due', (i) => i.due)] : []), over(d, 'in flight', (i) => i.in_flight)];
  return chartOf(
    {
      name: 'in-flight',
      title: 'Requests under way over time',
      explanation: `At the end of each ${each(d.series.interval_s)}. In flight: sent and not ended.${open ? ' Due: scheduled and not ended, so the gap between both waits in the client.' : ''}`,
      alternative: lines.map((line) => extremes(line, (value) => grouped(value))).join(' '),
    },
    provenance,
    { x: time(d), y: { title: 'requests', log: false }, lines },
  );
}

/** The charts of a load, in the order of the page; those without a value are left out. */
export function loadCharts(document: LoadDocument): readonly ChartSpec[] {
  const provenance = loadProvenance(document);
  return [latencyChart, quantileChart, rateChart, flightChart]
    .map((chart) => chart(document, provenance))
    .filter((chart) => chart !== null);
}
