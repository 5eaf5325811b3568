/** Who keeps the rate: a table in colours, a row a client, those first that lose it first. For many clients, where lines cover one another. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { percent, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { ratesOf, rateVerdict } from '../rate-verdict.ts';
import { hasTruth } from '../target-words.ts';
import { oneLine, shorten } from '../text.ts';
import type { AuditChart, View } from './chart.ts';
import { chartData } from './data.ts';
import { COLORS, GRID, INK, MUTED } from './palette.ts';
import { textWidth } from './text-width.ts';

/** Of names; longer ones end in an ellipsis. */
const NAME_LENGTH = 40;
const ROW = 30;
const CELL = 110;
const LABEL_SIZE = 12;

interface Cell {
  readonly client: string;
  readonly rate: string;
  readonly kept: string;
  readonly cpu: string;
  /** 0: all of it was kept. Up to 1. */
  readonly lost: number;
}

interface Row {
  readonly client: string;
  readonly label: string;
  readonly cells: readonly Cell[];
  /** Sorts: the lowest rate that was lost, then how much of it was kept. */
  readonly lostFrom: number;
  readonly keptThere: number;
}

function rowOf(document: AuditDocument, client: string): Row {
  const label = shorten(oneLine(client), NAME_LENGTH);
  let lostFrom = Number.POSITIVE_INFINITY;
  let keptThere = 1;
  const cells = ratesOf(document).flatMap((rps): Cell[] => {
    const { state, rate: found } = rateVerdict(document, client, rps);
    if (state === 'notRun') return [];
    const fidelity = found?.fidelity ?? null;
    const lost = state === 'saturated' || state === 'failed';
    if (lost && rps < lostFrom) {
      lostFrom = rps;
      keptThere = state === 'failed' ? 0 : (fidelity ?? 0);
    }
    const busiest = found?.busiest_thread_share ?? null;
    return [
      {
        client: label,
        rate: `${rate(rps)}/s`,
        kept: state === 'failed' || fidelity === null ? 'no result' : `${percent(fidelity)} %`,
        cpu: busiest === null ? '' : `${Math.round(busiest * 100)} % CPU`,
        lost: state === 'failed' ? 1 : lost ? Math.max(0.15, 1 - (fidelity ?? 0)) : 0,
      },
    ];
  });
  return { client, label, cells, lostFrom, keptThere };
}

/** Share of the asked rate that arrived, and CPU of the busiest thread, by client and rate; null where nothing arrived. */
export function keptChart(document: AuditDocument): AuditChart | null {
  const rows = document.plan.clients
    .map((client) => rowOf(document, client))
    .filter(({ cells }) => cells.length > 0)
    .sort((a, b) => a.lostFrom - b.lostFrom || a.keptThere - b.keptThere);
  const values = rows.flatMap(({ cells }) => cells);
  if (values.every(({ kept }) => kept === 'no result')) return null;
  const rates = ratesOf(document).map((rps) => `${rate(rps)}/s`);
  const width = CELL * rates.length;
  const at: View = {
    x: {
      field: 'rate',
      type: 'ordinal',
      sort: rates,
      axis: {
        title: 'Requested rate (requests/s)',
        orient: 'top',
        labelAngle: 0,
        domain: false,
        ticks: false,
      },
    },
    y: {
      field: 'client',
      type: 'ordinal',
      sort: rows.map(({ label }) => label),
      axis: {
        title: null,
        domain: false,
        ticks: false,
        labelColor: INK,
        labelFontSize: LABEL_SIZE,
        labelLimit: 400,
      },
    },
  };
  const text = (field: string, dy: number, style: View): View => ({
    mark: { type: 'text', dy, ...style },
    encoding: { ...at, text: { field, type: 'nominal' } },
  });
  const labels = Math.max(...rows.map(({ label }) => textWidth(label, LABEL_SIZE)));
  return {
    name: 'kept',
    title: 'Who keeps the rate that was asked for (% of it)',
    explanation:
      `Above: share of the requested rate ${hasTruth(document) ? 'that the target saw arrive' : 'by the client’s own account'}, mean over repetitions. Below: CPU of the client's busiest thread, % of a core. ` +
      'Coloured: saturated (less than 98\u00a0% sent or completed), or no result. Those that lose the rate first stand first.',
    alternative: `Table of the share of the requested rate that was kept, and CPU of the busiest thread. ${rows
      .map(
        ({ label, cells }) => `${label}: ${cells.map((cell) => `${cell.kept} at ${cell.rate}`).join(', ')}.`,
      )
      .join(' ')}`,
    provenance: provenanceOf(
      document,
      rows.map(({ client }) => client),
    ),
    data: chartData(
      document,
      ['rate_rps', 'kept_share', 'busiest_thread_share', 'state'],
      rows.flatMap(({ client }) =>
        ratesOf(document).map((rps) => {
          const { state, rate: found } = rateVerdict(document, client, rps);
          const kept = found?.fidelity ?? null;
          return { client, cells: [rps, kept, found?.busiest_thread_share ?? null, state] };
        }),
      ),
    ),
    view: {
      width,
      height: ROW * rows.length,
      data: { values: values as unknown as View[] },
      layer: [
        {
          mark: { type: 'rect', stroke: GRID, strokeWidth: 1, fill: COLORS[1] },
          encoding: {
            ...at,
            fillOpacity: {
              field: 'lost',
              type: 'quantitative',
              scale: { domain: [0, 1], range: [0, 0.75] },
              legend: null,
            },
          },
        },
        text('kept', -6, { fontSize: 12, fontWeight: 600, color: INK }),
        text('cpu', 7, { fontSize: 9.5, color: MUTED }),
      ],
    },
    width: Math.max(520, width + labels + 40),
  };
}
