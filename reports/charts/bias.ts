/** Bias against rate: what the client's own queueing adds to a figure, with its 95\u00a0% interval and the floor of this machine. */
import type { AuditDocument, Finding } from '../../src/audit/document.ts';
import type { Metric, Statistic } from '../../src/measure/metrics.ts';
import { intervalMs, limitMs, METRIC_LABEL, rate, signedMs } from '../format.ts';
import { type Curve, curvesOf, overlayAlternative, overlayLayers, overlayWords } from '../model/overlay.ts';
import { provenanceOf } from '../provenance.ts';
import { ratesOf, rateVerdict } from '../rate-verdict.ts';
import { ranOnce } from '../repetitions.ts';
import { listed, oneLine } from '../text.ts';
import { type AuditChart, NUMBER_FORMAT, type View } from './chart.ts';
import { type ChartData, chartData } from './data.ts';
import { lineLayers, PLOT, type Point, rateAxis, type Series, seriesOf } from './lines.ts';
import { AXIS, BAND, MUTED, PAPER } from './palette.ts';
import { type Scale, symlogScale, symlogTicks } from './scales.ts';

/** The half-width of the linear part of the axis when no floor was measured, ms. */
const DEFAULT_LINEAR_MS = 0.1;

const floorOf = (document: AuditDocument, metric: Metric, statistic: Statistic): number | null => {
  const measured = document.floor?.floor_ms[metric][statistic];
  if (measured !== null && measured !== undefined) return measured;
  const own = document.findings.flatMap((f) =>
    f.metric === metric && f.statistic === statistic && f.floor_ms !== null ? [f.floor_ms] : [],
  );
  return own.length === 0 ? null : Math.max(...own);
};

function biasAxis(
  points: readonly Point[],
  floor: number | null,
  title: string,
): { scale: Scale; encoding: View; domain: readonly [number, number] } {
  const constant = Math.max(floor ?? DEFAULT_LINEAR_MS, 0.001);
  const all = points.flatMap((p) => [p.value, p.low ?? null, p.high ?? null]).filter((v) => v !== null);
  const low = Math.min(-1.6 * constant, ...all);
  const high = Math.max(1.6 * constant, ...all);
  const domain = [low < -1.6 * constant ? low * 1.25 : low, high * 1.25] as const;
  return {
    domain,
    scale: symlogScale(domain, [PLOT.height, 0], constant),
    encoding: {
      type: 'quantitative',
      scale: { type: 'symlog', constant, domain: [...domain], nice: false, zero: false },
      axis: { title, values: [...symlogTicks(domain, constant)], format: NUMBER_FORMAT },
    },
  };
}

/** The floor as a band and zero as a line, to lie under the data. */
function floorLayers(floor: number | null, y: View): readonly View[] {
  const zero: View = {
    data: { values: [{ value: 0 }] },
    mark: { type: 'rule', color: AXIS, strokeWidth: 1 },
    encoding: { y: { ...y, field: 'value' } },
  };
  if (floor === null) return [zero];
  const band: View = {
    data: { values: [{ low: -floor, high: floor }] },
    mark: { type: 'rect', color: BAND, opacity: 0.55 },
    encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } },
  };
  return [band, zero];
}

/** What the band means, at its lower left corner, where bias seldom is; a pale rim keeps it readable where it is. */
function floorLabel(floor: number, y: View): readonly View[] {
  const data = {
    values: [{ value: -floor, text: `floor ±${limitMs(floor)} ms: in here, bias cannot be told from none` }],
  };
  const mark = { type: 'text', align: 'left', baseline: 'bottom', x: 4, dy: -3, fontSize: 10.5 };
  const encoding = { y: { ...y, field: 'value' }, text: { field: 'text', type: 'nominal' } };
  return [
    {
      data,
      mark: { ...mark, color: PAPER, stroke: PAPER, strokeWidth: 3, strokeJoin: 'round', opacity: 0.75 },
      encoding,
    },
    { data, mark: { ...mark, color: MUTED }, encoding },
  ];
}

/** What the dots and bars are, by where the intervals come from. */
function intervalWords(document: AuditDocument, metric: Metric, statistic: Statistic): string {
  const kinds = document.findings
    .filter((f) => f.metric === metric && f.statistic === statistic && f.interval !== 'none')
    .map((f) => f.interval);
  if (kinds.length === 0) return 'Dots: one repetition, without an interval.';
  const dots = ranOnce(document) ? 'one repetition' : 'mean over repetitions';
  return `Dots: ${dots}; bars and bands: 95\u00a0% interval ${listed([...new Set(kinds)])}.`;
}

/** What is taken from what: of each request where they join the ledger, else of the printed figures. */
function byWords(document: AuditDocument, metric: Metric, statistic: Statistic): string {
  const drawn = document.findings.filter(
    (f) => f.metric === metric && f.statistic === statistic && f.bias_ms !== null,
  );
  const named = (by: Finding['bias_by']) => [
    ...new Set(drawn.filter((f) => f.bias_by === by).map((f) => oneLine(f.client))),
  ];
  const figures = named('figures');
  const each =
    'of the delay of each request, its own record minus what it would be if the client added none.';
  if (figures.length === 0) return each;
  const printed = 'as printed, minus what it would print if it added none';
  return named('pairs').length === 0 ? `${printed}.` : `${each} ${listed(figures)}: ${printed}.`;
}

const asPoint = (document: AuditDocument, f: Finding): Point => ({
  client: f.client,
  rate_rps: f.rate_rps,
  value: f.bias_ms,
  low: f.low_ms,
  high: f.high_ms,
  hollow: rateVerdict(document, f.client, f.rate_rps).state === 'saturated',
});

const describe = (one: Series): string => {
  const figures = one.points.map((point) =>
    point.value === null
      ? `no figure at ${rate(point.rate_rps)}/s`
      : `${signedMs(point.value)} ms ${intervalMs(point.low ?? null, point.high ?? null)} at ${rate(point.rate_rps)}/s`,
  );
  return `${one.label}: ${figures.join(', ')}.`;
};

/** What was measured, and the points of the fitted models. */
function dataOf(
  document: AuditDocument,
  metric: Metric,
  statistic: Statistic,
  curves: readonly Curve[],
): ChartData {
  const measured = document.findings
    .filter((f) => f.metric === metric && f.statistic === statistic)
    .map((f) => ({
      client: f.client,
      cells: [
        'measured',
        f.rate_rps,
        metric,
        statistic,
        f.trials,
        f.bias_ms,
        f.low_ms,
        f.high_ms,
        f.interval,
        f.floor_ms,
        // Without a figure there is nothing that could be of something, or within a bound.
        f.bias_ms === null ? null : f.bias_by,
        f.bias_ms === null ? null : rateVerdict(document, f.client, f.rate_rps).state,
      ],
    }));
  const modelled = curves.flatMap(({ client, points }) =>
    points.map(({ rate_rps, value }) => ({
      client,
      cells: ['model', rate_rps, metric, statistic, null, value, null, null, 'none', null, null, null],
    })),
  );
  const columns = [
    'series',
    'rate_rps',
    'metric',
    'statistic',
    'trials',
    'bias_ms',
    'low_ms',
    'high_ms',
    'interval',
    'floor_ms',
    'bias_by',
    'state',
  ];
  return chartData(document, columns, [...measured, ...modelled]);
}

/** The chart of one metric and statistic; null when no client printed it. */
export function biasChart(document: AuditDocument, metric: Metric, statistic: Statistic): AuditChart | null {
  const points = document.findings
    .filter((f) => f.metric === metric && f.statistic === statistic)
    .map((f) => asPoint(document, f));
  const series = seriesOf(document, points);
  if (series.length === 0) return null;
  const name = `${METRIC_LABEL[metric]} ${statistic}`;
  const floor = floorOf(document, metric, statistic);
  const x = rateAxis(ratesOf(document));
  const y = biasAxis(points, floor, `Added to ${name} (ms)`);
  const axes = { x, y, shift: true };
  const { layers, labelWidth } = lineLayers(series, axes);
  const curves = curvesOf(document, metric, statistic, y.domain);
  const overlay = overlayLayers(curves, series, axes);
  const hollow = points.some((point) => point.hollow && point.value !== null);
  return {
    name: `bias-${metric}-${statistic}`,
    title: `What each client adds to ${name}, by rate (ms)`,
    explanation:
      `What the client added: ${name} ${byWords(document, metric, statistic)} Vertical axis in ms, linear inside the floor, logarithmic beyond. ` +
      `${intervalWords(document, metric, statistic)}${hollow ? ' Hollow: saturated, so the figure belongs to a lower rate than the one asked for.' : ''}${overlayWords(curves)}`,
    alternative: `Line chart of what each client adds to ${name} in ms against the requested rate. ${
      floor === null ? 'No floor was measured.' : `The floor is ${limitMs(floor)} ms.`
    } ${series.map(describe).map(oneLine).join(' ')}${overlayAlternative(curves)}`,
    provenance: provenanceOf(
      document,
      series.map((one) => one.client),
    ),
    data: dataOf(document, metric, statistic, curves),
    view: {
      width: PLOT.width,
      height: PLOT.height,
      layer: [
        ...floorLayers(floor, y.encoding),
        ...overlay.lines,
        ...layers,
        ...overlay.legend,
        ...(floor === null ? [] : floorLabel(floor, y.encoding)),
      ],
    },
    width: PLOT.width + labelWidth + 40,
  };
}
