/** How requests arrived, a panel a client: CV² of the gaps and index of dispersion of the counts, every trial, against the process that was asked. */
import type { AuditDocument, Trial } from '../../src/audit/document.ts';
import type { ArrivalIdentity, Dispersion } from '../../src/measure/arrival-process/types.ts';
import { type Arrivals, formatArrivals } from '../../src/measure/workload.ts';
import { arrivalRows } from '../arrivals-table.ts';
import type { CsvCell } from '../csv.ts';
import { plain, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { ratesOf } from '../rate-verdict.ts';
import { oneLine, shorten } from '../text.ts';
import { type AuditChart, NUMBER_FORMAT, type View } from './chart.ts';
import { chartData } from './data.ts';
import { CROSS, type KeyEntry, LEVEL } from './key.ts';
import { AXIS, INK, look, MUTED, PAPER } from './palette.ts';
import { PANELS_WIDTH, panelsView, panelView, type RateBands, rateBands } from './panels.ts';
import { symlogTicks } from './scales.ts';

/** Below it the axis is linear: 0 of constant arrivals has its place. */
const LINEAR = 0.1;
const STEP = 4;

type Figure = 'gap_cv2' | 'dispersion';

interface Point {
  readonly rate_rps: number;
  readonly repetition: number;
  readonly figure: Figure;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** CV² of the gaps of a process as asked; null where its file says. */
export function askedCv2(arrivals: Arrivals): number | null {
  if (arrivals.kind === 'constant') return 0;
  if (arrivals.kind === 'poisson') return 1;
  return arrivals.kind === 'gamma' ? arrivals.cv2 : null;
}

/** Of the windows the one of 20 mean gaps: wide enough to see bursts, short enough that there are many of it. */
function middleWindow({ dispersion, rate_rps }: ArrivalIdentity): Dispersion | null {
  if (rate_rps === null || rate_rps <= 0) return null;
  const wanted = 20 / rate_rps;
  const nearest = [...dispersion].sort(
    (a, b) => Math.abs(Math.log(a.window_s / wanted)) - Math.abs(Math.log(b.window_s / wanted)),
  )[0];
  return nearest === undefined || Math.abs(Math.log(nearest.window_s / wanted)) > Math.log(2)
    ? null
    : nearest;
}

function pointsOf(trial: Trial): readonly Point[] {
  const { truth, client_side } = trial;
  const own = { rate_rps: trial.workload.rateRps, repetition: trial.repetition };
  const seen = truth?.arrivals;
  const cv2 = seen?.cv2 ?? truth?.gap_cv2 ?? client_side?.gap_cv2 ?? null;
  const over = seen === undefined ? null : middleWindow(seen);
  return [
    ...(cv2 === null
      ? []
      : [
          {
            ...own,
            figure: 'gap_cv2' as const,
            value: cv2,
            low: seen?.cv2_low ?? null,
            high: seen?.cv2_high ?? null,
          },
        ]),
    ...(over === null
      ? []
      : [{ ...own, figure: 'dispersion' as const, value: over.index, low: over.low, high: over.high }]),
  ];
}

const MARKS: Readonly<Record<Figure, { readonly shape: string; readonly side: -1 | 1 }>> = {
  gap_cv2: { shape: 'circle', side: -1 },
  dispersion: { shape: 'square', side: 1 },
};

function yAxis(points: readonly Point[], asked: readonly number[]): View {
  const top = 1.3 * Math.max(0.3, ...asked, ...points.flatMap((p) => [p.value, p.high ?? p.value]));
  const domain = [-0.012, top] as const;
  return {
    type: 'quantitative',
    scale: { type: 'symlog', constant: LINEAR, domain: [...domain], nice: false, zero: false },
    axis: {
      title: 'CV², dispersion',
      values: [...symlogTicks(domain, LINEAR)].filter((tick) => tick >= 0),
      format: NUMBER_FORMAT,
      titleColor: MUTED,
      titleFontSize: 11,
    },
  };
}

interface Panel {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly points: readonly Point[];
  readonly asked: number | null;
  /** Rates at which at least half of the trials depart from what was asked, as in the table. */
  readonly departs: readonly number[];
}

function layersOf(panel: Panel, repetitions: number, bands: RateBands, y: View): readonly View[] {
  const { color } = panel;
  const step = Math.min(STEP, (bands.band * 0.38) / Math.max(1, repetitions));
  const placed = (figure: Figure) =>
    panel.points
      .filter((point) => point.figure === figure)
      .map(({ rate_rps, repetition, value, low, high }) => ({
        x: bands.place(rate_rps, MARKS[figure].side * (3 + (repetition + 0.5) * step)),
        value,
        low,
        high,
      }));
  const marks = (figure: Figure): readonly View[] => {
    const data = { values: placed(figure) };
    if (data.values.length === 0) return [];
    return [
      {
        data,
        transform: [{ filter: 'isValid(datum.low) && isValid(datum.high)' }],
        mark: { type: 'rule', color, strokeWidth: 1.25, strokeOpacity: 0.6, opacity: 1 },
        encoding: { x: bands.x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      {
        data,
        mark: {
          type: 'point',
          shape: MARKS[figure].shape,
          size: 22,
          opacity: 1,
          stroke: color,
          strokeWidth: 1.25,
          fill: figure === 'gap_cv2' ? color : PAPER,
        },
        encoding: { x: bands.x, y: { ...y, field: 'value' } },
      },
    ];
  };
  return [
    ...(panel.asked === null
      ? []
      : [
          {
            data: { values: [{ value: panel.asked }] },
            mark: { type: 'rule', color: AXIS, strokeWidth: 1.25, strokeDash: [5, 4] },
            encoding: { y: { ...y, field: 'value' } },
          },
        ]),
    ...marks('gap_cv2'),
    ...marks('dispersion'),
    ...(panel.departs.length === 0
      ? []
      : [
          {
            data: { values: panel.departs.map((rate_rps) => ({ x: bands.place(rate_rps, 0) })) },
            mark: { type: 'point', shape: CROSS, size: 40, stroke: INK, strokeWidth: 1.75, opacity: 1, y: 6 },
            encoding: { x: bands.x },
          },
        ]),
  ];
}

function keyOf(panels: readonly Panel[]): readonly KeyEntry[] {
  const has = (figure: Figure) => panels.some(({ points }) => points.some((one) => one.figure === figure));
  return [
    ...(has('gap_cv2')
      ? [{ label: 'CV² of the gaps', look: { shape: 'circle', fill: MUTED, stroke: MUTED } }]
      : []),
    ...(has('dispersion')
      ? [
          {
            label: 'index of dispersion over 20 gaps',
            look: { shape: 'square', fill: PAPER, stroke: MUTED },
          },
        ]
      : []),
    ...(panels.some(({ asked }) => asked !== null)
      ? [{ label: 'as asked', look: { shape: LEVEL, fill: 'transparent', stroke: AXIS, size: 140 } }]
      : []),
    ...(panels.some(({ departs }) => departs.length > 0)
      ? [{ label: 'departs from what was asked', look: { shape: CROSS, fill: INK, stroke: INK, size: 40 } }]
      : []),
  ];
}

/** Everything that was found of a trial's arrivals, a row a figure. */
function dataRows(trial: Trial): readonly (readonly CsvCell[])[] {
  const seen = trial.truth?.arrivals;
  const raw = trial.truth?.gap_cv2 ?? trial.client_side?.gap_cv2 ?? null;
  const { workload, repetition } = trial;
  const own = [
    workload.rateRps,
    repetition,
    formatArrivals(workload.arrivals),
    askedCv2(workload.arrivals),
    seen?.process ?? null,
    seen === undefined || seen.agrees === null ? null : seen.agrees ? 'yes' : 'no',
  ];
  const row = (figure: string, window_s: number | null, cells: readonly CsvCell[]) => [
    ...own,
    figure,
    window_s,
    ...cells,
  ];
  return [
    ...(raw === null ? [] : [row('gap_cv2_as_seen', null, [raw, null, null])]),
    ...(seen == null || seen.cv2 === null
      ? []
      : [row('gap_cv2', null, [seen.cv2, seen.cv2_low, seen.cv2_high])]),
    ...(seen?.dispersion ?? []).map(({ window_s, index, low, high }) =>
      row('dispersion', window_s, [index, low, high]),
    ),
  ];
}

const COLUMNS = [
  'rate_rps',
  'repetition',
  'asked_process',
  'asked_cv2',
  'found_process',
  'agrees',
  'figure',
  'window_s',
  'value',
  'low',
  'high',
];

const describe = ({ label, points, departs }: Panel): string => {
  const cv2 = points.filter(({ figure }) => figure === 'gap_cv2');
  return `${label}: CV² ${cv2.map(({ value, rate_rps }) => `${plain(value)} at ${rate(rate_rps)}/s`).join(', ')}${
    departs.length === 0 ? '' : `; departs from what was asked at ${departs.map(rate).join(', ')}/s`
  }.`;
};

/** Null where nobody saw how requests arrived. */
export function arrivalsChart(document: AuditDocument): AuditChart | null {
  const rates = ratesOf(document);
  const bands = rateBands(rates);
  const table = arrivalRows(document);
  const panels = document.clients.flatMap((entry, index): Panel[] => {
    const trials = document.trials
      .filter(({ client }) => client === entry.name)
      .toSorted((a, b) => a.workload.rateRps - b.workload.rateRps || a.repetition - b.repetition);
    const points = trials.flatMap(pointsOf);
    if (points.length === 0) return [];
    return [
      {
        name: entry.name,
        label: shorten(oneLine(entry.name), 40),
        color: look(index).color,
        points,
        asked: askedCv2(trials[0]!.workload.arrivals),
        departs: table
          .filter(({ client, departures }) => client === entry.name && departures.length > 0)
          .map(({ rate_rps }) => rate_rps),
      },
    ];
  });
  if (panels.length === 0) return null;
  const y = yAxis(
    panels.flatMap(({ points }) => points),
    panels.flatMap(({ asked }) => asked ?? []),
  );
  const names = panels.map(({ name }) => name);
  return {
    name: 'arrivals-gaps',
    title: 'How requests arrived, against the process that was asked',
    explanation:
      'Every trial. Squared coefficient of variation (CV²) of the gaps between arrivals, and variance over mean of the arrivals in windows of 20 mean gaps (index of dispersion), each with its 95\u00a0% interval: 0 for constant arrivals, 1 for Poisson. ' +
      `Vertical axis linear below ${LINEAR}, logarithmic above. A cross at the top: at least half of the trials at that rate depart from what was asked; the table says how.`,
    alternative: `Small charts of how requests arrived. ${panels.map(describe).join(' ')}`,
    provenance: provenanceOf(document, names),
    data: chartData(
      document,
      COLUMNS,
      document.trials
        .filter(({ client }) => names.includes(client))
        .flatMap((trial) => dataRows(trial).map((cells) => ({ client: trial.client, cells }))),
    ),
    view: panelsView(
      keyOf(panels),
      panels.map((panel) =>
        panelView(panel.label, null, layersOf(panel, document.plan.repetitions, bands, y)),
      ),
    ),
    width: PANELS_WIDTH,
  };
}
