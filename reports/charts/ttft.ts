/** Reported against realized TTFT, a panel a client: p50, p90 and p99 at every rate, with what was injected and what the client's definition makes of it. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { mean } from '../../src/measure/quantile.ts';
import { ms, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { findingFor, ratesOf, rateVerdict } from '../rate-verdict.ts';
import { hasTruth } from '../target-words.ts';
import { oneLine, shorten } from '../text.ts';
import { type AuditChart, NUMBER_FORMAT, type View } from './chart.ts';
import { chartData } from './data.ts';
import { type KeyEntry, LEVEL } from './key.ts';
import { INK, look, MUTED, PAPER } from './palette.ts';
import { PANELS_WIDTH, panelsView, panelView, type RateBands, rateBands } from './panels.ts';
import { logDomain, logTicks } from './scales.ts';

const STATISTICS = ['p50', 'p90', 'p99'] as const;
const SHAPES = { p50: 'circle', p90: 'square', p99: 'triangle-up' } as const;
/** Between the marks of one rate, px at most, and as a part of the rate's room. */
const STEP = 13;
const STEP_SHARE = 0.28;
/** An expected figure nearer to the realized one than this is not drawn over it: both marks would be one. */
const SAME = 0.01;

/** Above and below the marks, as a part of the scale. */
const ROOM = 0.08;
/** A client whose figures fill less than this part of the common scale has one of its own: on the common one nothing could be read. */
const FLAT = 0.25;

interface PanelScale {
  readonly domain: readonly [number, number];
  readonly note: string | null;
}

interface Row {
  readonly rate_rps: number;
  readonly x: number;
  readonly statistic: (typeof STATISTICS)[number];
  readonly injected_ms: number | null;
  readonly realized_ms: number | null;
  readonly expected_ms: number | null;
  readonly reported_ms: number | null;
  readonly hollow: boolean;
}

/** A logarithmic axis has no place for zero or less; what a client prints of that is left to the tables. */
const drawable = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

/** What was injected, mean over the trials. */
function injectedMs(
  { trials }: AuditDocument,
  client: string,
  rate_rps: number,
  statistic: Row['statistic'],
): number | null {
  const found = trials
    .filter((trial) => trial.client === client && trial.workload.rateRps === rate_rps)
    .flatMap(({ bias }) => bias.filter((one) => one.metric === 'ttft' && one.statistic === statistic))
    .flatMap(({ injected_ms }) => (injected_ms === null ? [] : [injected_ms]));
  return found.length === 0 ? null : mean(found);
}

function rowsOf(document: AuditDocument, client: string, bands: RateBands): readonly Row[] {
  const step = Math.min(STEP, bands.band * STEP_SHARE);
  return ratesOf(document).flatMap((rate_rps) => {
    const hollow = rateVerdict(document, client, rate_rps).state === 'saturated';
    return STATISTICS.flatMap((statistic, i): Row[] => {
      const finding = findingFor(document, client, rate_rps, 'ttft', statistic);
      if (finding === null || finding.reported_ms === null) return [];
      const { realized_ms, expected_ms, reported_ms } = finding;
      return [
        {
          rate_rps,
          x: bands.place(rate_rps, (i - 1) * step),
          statistic,
          injected_ms: injectedMs(document, client, rate_rps, statistic),
          realized_ms,
          expected_ms,
          reported_ms,
          hollow,
        },
      ];
    });
  });
}

const FIGURES = ['injected_ms', 'realized_ms', 'expected_ms', 'reported_ms'] as const;
const valuesOf = (rows: readonly Row[]): number[] =>
  rows.flatMap((row) => FIGURES.flatMap((figure) => drawable(row[figure]) ?? []));

/** Whether the client's own definition makes another figure of it. */
const differs = ({ realized_ms, expected_ms }: Row): boolean =>
  realized_ms === null ||
  (expected_ms !== null && Math.abs(expected_ms - realized_ms) > SAME * Math.abs(realized_ms));

const LINE_LOOK = { shape: LEVEL, fill: 'transparent', size: 121, strokeWidth: 1.25 } as const;
const LOOKS = {
  injected_ms: { ...LINE_LOOK, stroke: MUTED },
  realized_ms: { ...LINE_LOOK, stroke: INK, size: 64, strokeWidth: 3 },
  expected_ms: { shape: 'diamond', fill: PAPER, stroke: INK, size: 34, strokeWidth: 1.25 },
} as const;

function panelLayers(rows: readonly Row[], color: string, x: View, y: View): readonly View[] {
  const at = (figure: (typeof FIGURES)[number], of: readonly Row[]) =>
    of.flatMap((row) => {
      const value = drawable(row[figure]);
      return value === null ? [] : [{ x: row.x, value, hollow: row.hollow }];
    });
  const layer = (values: readonly View[], mark: View, more: View = {}): readonly View[] =>
    values.length === 0
      ? []
      : [
          {
            data: { values: [...values] },
            mark: { type: 'point', opacity: 1, ...mark },
            encoding: { x, y: { ...y, field: 'value' }, ...more },
          },
        ];
  const spans = rows.flatMap((row) => {
    const [from, to] = [drawable(row.realized_ms), drawable(row.reported_ms)];
    return from === null || to === null ? [] : [{ x: row.x, from, to }];
  });
  const hollow = { fill: { condition: { test: 'datum.hollow', value: PAPER }, value: color } };
  return [
    ...(spans.length === 0
      ? []
      : [
          {
            data: { values: spans },
            mark: { type: 'rule', color, strokeWidth: 2, strokeOpacity: 0.5, opacity: 1 },
            encoding: { x, y: { ...y, field: 'from' }, y2: { field: 'to' } },
          },
        ]),
    ...layer(at('injected_ms', rows), LOOKS.injected_ms),
    ...layer(at('realized_ms', rows), LOOKS.realized_ms),
    ...layer(at('expected_ms', rows.filter(differs)), LOOKS.expected_ms),
    ...STATISTICS.flatMap((statistic) =>
      layer(
        at(
          'reported_ms',
          rows.filter((row) => row.statistic === statistic),
        ),
        { shape: SHAPES[statistic], size: 42, stroke: color, strokeWidth: 1.5 },
        hollow,
      ),
    ),
  ];
}

/** A client that times, say, headers, prints a small part of the TTFT; on a common axis it would flatten all others. */
const measuresAnotherThing = (rows: readonly Row[]): boolean =>
  rows.some(
    ({ statistic, reported_ms, realized_ms }) =>
      statistic === 'p50' && reported_ms !== null && realized_ms !== null && reported_ms < realized_ms / 3,
  );

const yAxis = (domain: readonly [number, number]): View => ({
  type: 'quantitative',
  scale: { type: 'log', domain: [...domain], nice: false },
  axis: {
    title: 'TTFT (ms, log scale)',
    values: [...logTicks(domain)],
    format: NUMBER_FORMAT,
    labelOverlap: 'parity',
    titleColor: MUTED,
    titleFontSize: 11,
  },
});

function keyOf(rows: readonly Row[]): readonly KeyEntry[] {
  const has = (figure: (typeof FIGURES)[number]) => rows.some((row) => drawable(row[figure]) !== null);
  const entry = (label: string, own: KeyEntry['look']): KeyEntry => ({ label, look: own });
  return [
    ...(has('injected_ms') ? [entry('injected', LOOKS.injected_ms)] : []),
    ...(has('realized_ms') ? [entry('realized by the target', LOOKS.realized_ms)] : []),
    ...(rows.some((row) => differs(row) && drawable(row.expected_ms) !== null)
      ? [entry('expected of its definition', LOOKS.expected_ms)]
      : []),
    ...STATISTICS.map((name) =>
      entry(`reported ${name}`, { shape: SHAPES[name], fill: MUTED, stroke: MUTED, size: 42 }),
    ),
  ];
}

const described = ({ statistic, rate_rps, reported_ms, realized_ms, expected_ms }: Row): string =>
  `${statistic} at ${rate(rate_rps)}/s printed ${ms(reported_ms)}${realized_ms === null ? '' : `, really ${ms(realized_ms)}`}${
    expected_ms !== null && realized_ms !== null && Math.abs(expected_ms - realized_ms) > SAME * realized_ms
      ? `, expected ${ms(expected_ms)}`
      : ''
  } ms`;

/** The chart, or null when no client printed a TTFT. */
export function ttftChart(document: AuditDocument): AuditChart | null {
  const bands = rateBands(ratesOf(document));
  const clients = document.clients
    .map((entry, index) => ({
      name: entry.name,
      label: shorten(oneLine(entry.name), 40),
      color: look(index).color,
      rows: rowsOf(document, entry.name, bands),
    }))
    .filter(({ rows }) => valuesOf(rows).length > 0)
    .map((client) => ({ ...client, apart: measuresAnotherThing(client.rows) }));
  if (clients.length === 0) return null;
  const all = clients.flatMap(({ rows }) => rows);
  const shared = logDomain(
    clients.filter(({ apart }) => !apart).flatMap(({ rows }) => valuesOf(rows)),
    ROOM,
  );
  const scaleOf = ({ rows, apart }: (typeof clients)[number]): PanelScale => {
    const own = logDomain(valuesOf(rows), ROOM);
    if (apart) return { domain: own, note: 'another figure: a scale of its own' };
    const part = Math.log(own[1] / own[0]) / Math.log(shared[1] / shared[0]);
    return part < FLAT ? { domain: own, note: 'a scale of its own' } : { domain: shared, note: null };
  };
  const hollow = all.some((row) => row.hollow);
  return {
    name: 'ttft',
    title: hasTruth(document)
      ? 'TTFT as reported, and as it really was: p50, p90, p99 (ms)'
      : 'TTFT as reported: p50, p90, p99 (ms)',
    explanation: hasTruth(document)
      ? 'From left to right at each rate p50, p90 and p99, mean over repetitions. Realized: what the target gave, by its ledger; injected: what it was told to give. Expected: what the client’s own definition of TTFT makes of it, where that is another figure. ' +
        `The line from realized to reported is the difference of these two quantiles; it holds the client’s definition and its own delay, and is not the quantile of the delays of single requests, by which the client is judged above where its records join the ledger.${hollow ? ' Hollow: saturated.' : ''} Panels share a scale unless they say otherwise.`
      : `From left to right at each rate p50, p90 and p99, mean over repetitions, as the clients report them: this target keeps no ledger.${hollow ? ' Hollow: saturated.' : ''}`,
    alternative: `Small charts of reported and realized TTFT against the requested rate. ${clients
      .map(({ label, rows }) => `${label}: ${rows.map(described).join(', ')}.`)
      .join(' ')}`,
    provenance: provenanceOf(
      document,
      clients.map(({ name }) => name),
    ),
    data: chartData(
      document,
      ['rate_rps', 'statistic', ...FIGURES.map((figure) => `ttft_${figure}`), 'state'],
      clients.flatMap(({ name, rows }) =>
        rows.map((row) => ({
          client: name,
          cells: [
            row.rate_rps,
            row.statistic,
            ...FIGURES.map((figure) => row[figure]),
            rateVerdict(document, name, row.rate_rps).state,
          ],
        })),
      ),
    ),
    view: panelsView(
      keyOf(all),
      clients.map((client) => {
        const { domain, note } = scaleOf(client);
        return panelView(client.label, note, panelLayers(client.rows, client.color, bands.x, yAxis(domain)));
      }),
    ),
    width: PANELS_WIDTH,
  };
}
