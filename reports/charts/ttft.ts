/** Reported against realized TTFT: what the client printed, and what the target really gave, a panel a client. */
import type { AuditDocument, Finding } from '../../src/audit/document.ts';
import { ms, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { findingFor, ratesOf } from '../rate-verdict.ts';
import { oneLine, shorten } from '../text.ts';
import { type ChartSpec, NUMBER_FORMAT, type View } from './chart.ts';
import { INK, look, MUTED } from './palette.ts';
import { logDomain, logTicks } from './scales.ts';

const PANEL = { width: 184, height: 150 } as const;
const COLUMNS = 3;
/** Sideways shift of p50 and p99 from the rate, px. */
const SHIFT = 4;
const STATISTICS = ['p50', 'p99'] as const;

interface Row {
  readonly rate_rps: number;
  readonly x_rps: number;
  readonly statistic: 'p50' | 'p99';
  readonly realized_ms: number;
  readonly reported_ms: number;
}

/** A logarithmic axis has no place for zero or less; a client that prints that is left to the tables. */
const drawable = (
  finding: Finding | null,
): finding is Finding & { realized_ms: number; reported_ms: number } =>
  finding !== null && (finding.realized_ms ?? 0) > 0 && (finding.reported_ms ?? 0) > 0;

function rowsOf(document: AuditDocument, client: string, domain: readonly [number, number]): readonly Row[] {
  return ratesOf(document).flatMap((rate_rps) =>
    STATISTICS.flatMap((statistic, index): Row[] => {
      const finding = findingFor(document, client, rate_rps, 'ttft', statistic);
      if (!drawable(finding)) return [];
      const shift = (domain[1] / domain[0]) ** (((index === 0 ? -1 : 1) * SHIFT) / PANEL.width);
      const { realized_ms, reported_ms } = finding;
      return [{ rate_rps, x_rps: rate_rps * shift, statistic, realized_ms, reported_ms }];
    }),
  );
}

function panel(label: string, color: string, rows: readonly Row[], x: View, y: View): View {
  const encoding = { x, y: { ...y, field: 'reported_ms' } };
  const truth = { x, y: { ...y, field: 'realized_ms' } };
  return {
    title: {
      text: label,
      anchor: 'start',
      frame: 'group',
      fontSize: 12,
      fontWeight: 600,
      color: INK,
      offset: 8,
    },
    width: PANEL.width,
    height: PANEL.height,
    data: { values: rows as unknown as View[] },
    layer: [
      {
        mark: { type: 'rule', color, strokeWidth: 2, opacity: 0.45 },
        encoding: { ...truth, y2: { field: 'reported_ms' } },
      },
      ...STATISTICS.map((statistic, index) => ({
        transform: [{ filter: { field: 'statistic', equal: statistic } }],
        mark: {
          type: 'point',
          shape: index === 0 ? 'circle' : 'triangle-up',
          filled: true,
          size: 46,
          opacity: 1,
          color,
        },
        encoding,
      })),
      { mark: { type: 'tick', orient: 'horizontal', color: INK, thickness: 2, size: 9 }, encoding: truth },
    ],
  };
}

const valuesOf = (rows: readonly Row[]): number[] =>
  rows.flatMap((row) => [row.realized_ms, row.reported_ms]);

/** A client that times, say, headers, prints a small part of the TTFT; on a common axis it would flatten all others. */
const measuresAnotherThing = (rows: readonly Row[]): boolean =>
  rows.some((row) => row.statistic === 'p50' && row.reported_ms < row.realized_ms / 3);

const axis = (
  field: string | null,
  domain: readonly [number, number],
  values: readonly number[],
  title: string,
  grid: boolean,
): View => ({
  ...(field === null ? {} : { field }),
  type: 'quantitative',
  scale: { type: 'log', domain: [...domain], nice: false },
  axis: {
    title,
    values: [...values],
    format: NUMBER_FORMAT,
    grid,
    labelOverlap: 'parity',
    titleColor: MUTED,
    titleFontSize: 11,
  },
});

/** The chart, or null when no client printed a TTFT. */
export function ttftChart(document: AuditDocument): ChartSpec | null {
  const rates = ratesOf(document);
  const domain = logDomain(rates, 0.09);
  const clients = document.clients
    .map((entry, index) => ({
      name: entry.name,
      label: shorten(oneLine(entry.name), 26),
      color: look(index).color,
      rows: rowsOf(document, entry.name, domain),
    }))
    .filter((client) => client.rows.length > 0)
    .map((client) => ({ ...client, apart: measuresAnotherThing(client.rows) }));
  if (clients.length === 0) return null;
  const shared = logDomain(
    clients.filter((client) => !client.apart).flatMap((client) => valuesOf(client.rows)),
    0.12,
  );
  const x = axis('x_rps', domain, rates, 'Requested rate (requests/s)', false);
  const y = (range: readonly [number, number]) => axis(null, range, logTicks(range), 'TTFT (ms)', true);
  return {
    name: 'ttft',
    title: 'TTFT as printed, and as it really was (ms)',
    explanation:
      "Short level bars: what the target gave, by its ledger. Circles: p50, triangles: p99, as the client printed them. The line between them is the client's whole bias: its own definition and its own delay. Both axes logarithmic.",
    alternative: `Small charts of reported and realized TTFT against the requested rate. ${clients
      .map(
        (client) =>
          `${client.label}: ${client.rows
            .map(
              (row) =>
                `${row.statistic} at ${rate(row.rate_rps)}/s printed ${ms(row.reported_ms)}, really ${ms(row.realized_ms)} ms`,
            )
            .join(', ')}.`,
      )
      .join(' ')}`,
    provenance: provenanceOf(
      document,
      clients.map((client) => client.name),
    ),
    view: {
      concat: clients.map((client) =>
        client.apart
          ? panel(
              `${client.label} (scale of its own)`,
              client.color,
              client.rows,
              x,
              y(logDomain(valuesOf(client.rows), 0.08)),
            )
          : panel(client.label, client.color, client.rows, x, y(shared)),
      ),
      columns: COLUMNS,
      spacing: { row: 24, column: 22 },
    },
    width: 780,
  };
}
