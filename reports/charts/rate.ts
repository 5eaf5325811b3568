/** Achieved against requested rate, and the CPU of the busiest thread: whether a client could do what it was asked. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { percent, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { ratesOf, rateVerdict } from '../rate-verdict.ts';
import { hasTruth } from '../target-words.ts';
import { listed } from '../text.ts';
import { type AuditChart, NUMBER_FORMAT, type View } from './chart.ts';
import { chartData } from './data.ts';
import { CROSS } from './key.ts';
import { lineLayers, PLOT, type Point, rateAxis, type Series, seriesOf } from './lines.ts';
import { AXIS, INK, MUTED } from './palette.ts';
import { linearScale, logDomain, logScale, logTicks } from './scales.ts';

const describe = (series: readonly Series[], say: (point: Point) => string): string =>
  series.map((one) => `${one.label}: ${one.points.map(say).join(', ')}.`).join(' ');

/** Rates at which a client left no result, as crosses; at the foot of the chart where not even the target saw it. */
function failureLayer(
  document: AuditDocument,
  series: readonly Series[],
  x: View,
  y: View,
  foot: number,
): readonly View[] {
  const values = series.flatMap((one) =>
    one.points
      .filter((point) => rateVerdict(document, one.client, point.rate_rps).state === 'failed')
      .map((point) => ({
        client: one.label,
        x_rps: point.rate_rps,
        value: point.value ?? foot,
      })),
  );
  if (values.length === 0) return [];
  return [
    {
      data: { values },
      mark: { type: 'point', shape: CROSS, size: 110, stroke: INK, strokeWidth: 2, opacity: 1 },
      encoding: { x, y: { ...y, field: 'value' } },
    },
  ];
}

/** `genai-perf at 800/s and 1,600/s`. */
const failedList = (document: AuditDocument, series: readonly Series[]): string =>
  series
    .map((one) => ({
      label: one.label,
      rates: one.points.filter(
        (point) => rateVerdict(document, one.client, point.rate_rps).state === 'failed',
      ),
    }))
    .filter((one) => one.rates.length > 0)
    .map((one) => `${one.label} at ${listed(one.rates.map((point) => `${rate(point.rate_rps)}/s`))}`)
    .join('; ');

/** Requests per second that the target saw arrive, against what was asked. Null when nothing arrived. */
export function rateChart(document: AuditDocument): AuditChart | null {
  const points = document.rates.map(
    (found): Point => ({
      client: found.client,
      rate_rps: found.rate_rps,
      value: found.achieved_rps,
      low: found.fidelity_low === null ? null : found.fidelity_low * found.rate_rps,
      high: found.fidelity_high === null ? null : found.fidelity_high * found.rate_rps,
      hollow: rateVerdict(document, found.client, found.rate_rps).state === 'saturated',
    }),
  );
  const series = seriesOf(document, points);
  if (series.length === 0) return null;
  const rates = ratesOf(document);
  const x = rateAxis(rates);
  const achieved = points.flatMap((point) => (point.value === null ? [] : [point.value]));
  const domain = logDomain([...achieved, ...rates], 0.04);
  const ticks = rates.length >= 3 ? rates : logTicks(domain);
  const y = {
    scale: logScale(domain, [PLOT.height, 0]),
    encoding: {
      type: 'quantitative',
      scale: { type: 'log', domain: [...domain], nice: false },
      axis: {
        title: hasTruth(document)
          ? 'Seen by the target (requests/s, log scale)'
          : 'Sent, by the client’s own account (requests/s, log scale)',
        values: [...ticks],
        format: NUMBER_FORMAT,
        labelOverlap: 'parity',
      },
    },
  };
  const [low, high] = [Math.max(x.scale.domain[0], domain[0]), Math.min(x.scale.domain[1], domain[1])];
  const identity: View = {
    data: {
      values: [
        { x_rps: low, value: low },
        { x_rps: high, value: high },
      ],
    },
    mark: { type: 'line', color: AXIS, strokeWidth: 1.25, strokeDash: [5, 4] },
    encoding: { x: x.encoding, y: { ...y.encoding, field: 'value' } },
  };
  const { layers, labelWidth } = lineLayers(series, { x, y, shift: false });
  const failures = failureLayer(document, series, x.encoding, y.encoding, domain[0]);
  const hollow = points.some((point) => point.hollow);
  return {
    name: 'rate',
    title: 'Rate that was sent, against the rate that was asked for (requests/s)',
    explanation:
      `${hasTruth(document) ? 'Requests per second that the target saw arrive.' : 'Requests per second by each client’s own records, or as it prints them: this target keeps no ledger.'} Dashed line: all that was asked. Bars and bands: 95\u00a0% interval over repetitions.` +
      `${hollow ? ' Hollow: saturated (less than 98\u00a0% sent or completed).' : ''}${failures.length > 0 ? ` Crossed out: no result (${failedList(document, series)}).` : ''}`,
    alternative: `Line chart of the rate ${hasTruth(document) ? 'that the target saw' : 'by the client’s own account'} against the requested rate. ${describe(
      series,
      (point) => `${rate(point.value)} of ${rate(point.rate_rps)} requests/s`,
    )}`,
    provenance: provenanceOf(
      document,
      series.map((one) => one.client),
    ),
    data: chartData(
      document,
      ['rate_rps', 'trials', 'achieved_rps', 'low_rps', 'high_rps', 'achieved_share', 'source', 'state'],
      points.map((point, i) => {
        const { trials, fidelity, source } = document.rates[i]!;
        const { state } = rateVerdict(document, point.client, point.rate_rps);
        const { low, high } = point;
        return {
          client: point.client,
          cells: [point.rate_rps, trials, point.value, low ?? null, high ?? null, fidelity, source, state],
        };
      }),
    ),
    view: { width: PLOT.width, height: PLOT.height, layer: [identity, ...layers, ...failures] },
    width: PLOT.width + labelWidth + 40,
  };
}

/** CPU share of the client's busiest thread. Null when it was not observed. */
export function cpuChart(document: AuditDocument): AuditChart | null {
  const points = document.rates.map(
    (found): Point => ({
      client: found.client,
      rate_rps: found.rate_rps,
      value: found.busiest_thread_share === null ? null : found.busiest_thread_share * 100,
      hollow: rateVerdict(document, found.client, found.rate_rps).state === 'saturated',
    }),
  );
  const series = seriesOf(document, points);
  if (series.length === 0) return null;
  const x = rateAxis(ratesOf(document));
  const domain = [0, Math.max(108, ...points.map((point) => (point.value ?? 0) * 1.05))] as const;
  const y = {
    scale: linearScale(domain, [PLOT.height, 0]),
    encoding: {
      type: 'quantitative',
      scale: { domain: [...domain], nice: false },
      axis: { title: 'Busiest thread (% of a core)', values: [0, 20, 40, 60, 80, 100] },
    },
  };
  const full: readonly View[] = [
    {
      data: { values: [{ value: 100 }] },
      mark: { type: 'rule', color: AXIS, strokeWidth: 1.25, strokeDash: [5, 4] },
      encoding: { y: { ...y.encoding, field: 'value' } },
    },
    {
      data: { values: [{ value: 100, text: 'one core, full' }] },
      mark: { type: 'text', align: 'left', baseline: 'bottom', x: 4, dy: -3, fontSize: 10.5, color: MUTED },
      encoding: { y: { ...y.encoding, field: 'value' }, text: { field: 'text', type: 'nominal' } },
    },
  ];
  const { layers, labelWidth } = lineLayers(series, { x, y, shift: false });
  return {
    name: 'cpu',
    title: "CPU of each client's busiest thread, by rate (% of a core)",
    explanation:
      'CPU seconds per second of the busiest thread between first and last arrival, mean over repetitions. An event loop near 100\u00a0% has no time left, and requests wait in it.' +
      (points.some((point) => point.hollow) ? ' Hollow: saturated.' : ''),
    alternative: `Line chart of the CPU share of the client's busiest thread against the requested rate. ${describe(
      series,
      (point) =>
        `${point.value === null ? 'not seen' : `${percent(point.value / 100)}\u00a0%`} at ${rate(point.rate_rps)}/s`,
    )}`,
    provenance: provenanceOf(
      document,
      series.map((one) => one.client),
    ),
    data: chartData(
      document,
      ['rate_rps', 'busiest_thread_share', 'state'],
      document.rates.map((found) => ({
        client: found.client,
        cells: [
          found.rate_rps,
          found.busiest_thread_share,
          rateVerdict(document, found.client, found.rate_rps).state,
        ],
      })),
    ),
    view: { width: PLOT.width, height: PLOT.height, layer: [...full, ...layers] },
    width: PLOT.width + labelWidth + 40,
  };
}
