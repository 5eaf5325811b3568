/**
 * Up to which rate each client holds: a row a client on a logarithmic axis of rates, with a bar as far as it holds, the gap in which its limit
 * lies, and what was found at every rate tried. Of an audit, by its verdicts; of a search (tare envelope), by its brackets and single trials.
 */
import type { AuditDocument } from '../../src/audit/document.ts';
import type { EnvelopeDocument } from '../../src/audit/envelope/document.ts';
import { bracketShort, clientSentence, ranked } from '../envelope/words.ts';
import { limitMs, rate } from '../format.ts';
import { provenanceOf } from '../provenance.ts';
import { DEFAULT_TOLERANCE_MS, type RateState } from '../rate-verdict.ts';
import { hasTruth } from '../target-words.ts';
import { oneLine, shorten } from '../text.ts';
import { type ClientVerdict, clientVerdicts } from '../verdict.ts';
import { type AuditChart, NUMBER_FORMAT, type View } from './chart.ts';
import { chartData } from './data.ts';
import { CROSS, type KeyEntry, keyLayers, pixel, type SymbolLook } from './key.ts';
import { AXIS, COLORS, GRID, INK, MUTED, PAPER } from './palette.ts';
import { logDomain, logScale, logTicks } from './scales.ts';
import { ROOM, textWidth } from './text-width.ts';

const WIDTH = 460;
/** A row is as high as this, or as its most trials at one rate need. */
const LEAST_ROW = 36;
const BAR = 14;
const LABEL_SIZE = 12;
const NAME_LENGTH = 40;
const BESIDE = 12;
/** Trials at one rate stand one above the other, px. */
const STEP = 9;

/** How a rate or a trial ended. */
type Ending = 'holds' | 'fails' | 'saturated' | 'none' | 'unclear' | 'target';

const LOOKS: Readonly<Record<Ending, SymbolLook>> = {
  holds: { shape: 'circle', fill: INK, stroke: INK },
  saturated: { shape: 'circle', fill: PAPER, stroke: INK },
  fails: { shape: CROSS, fill: INK, stroke: INK },
  none: { shape: 'square', fill: INK, stroke: INK },
  unclear: { shape: 'diamond', fill: PAPER, stroke: INK },
  target: { shape: 'square', fill: PAPER, stroke: INK },
};

interface Mark {
  readonly rate_rps: number;
  readonly ending: Ending;
  readonly reason: string;
}

interface Row {
  readonly client: string;
  readonly label: string;
  readonly holds_rps: number | null;
  readonly fails_rps: number | null;
  /** The bracket in figures. */
  readonly words: string;
  readonly marks: readonly Mark[];
}

interface Envelopes {
  readonly rows: readonly Row[];
  readonly key: Readonly<Partial<Record<Ending, string>>>;
  /** What a mark is: `rate` or `trial`. */
  readonly of: 'rate' | 'trial';
  readonly explanation: string;
  readonly sentences: readonly string[];
}

const ENDINGS: Readonly<Record<Exclude<RateState, 'notRun'>, Ending>> = {
  within: 'holds',
  biased: 'fails',
  saturated: 'saturated',
  failed: 'none',
  unclear: 'unclear',
};

const label = (client: string): string => shorten(oneLine(client), NAME_LENGTH);

function bracketWords({ holds_rps: holds, fails_rps: fails }: ClientVerdict): string {
  if (holds !== null && fails !== null) return `${rate(holds)} – ${rate(fails)}`;
  if (holds !== null) return `≥ ${rate(holds)}`;
  return fails === null ? '?' : `< ${rate(fails)}`;
}

/** The fails side of a bracket is the first rate above what holds; one that fails below it belongs to no bracket. */
function rowOf(verdict: ClientVerdict): Row {
  const marks = verdict.rates.flatMap((one): Mark[] =>
    one.state === 'notRun'
      ? []
      : [{ rate_rps: one.rate_rps, ending: ENDINGS[one.state], reason: one.reason }],
  );
  return {
    client: verdict.client,
    label: label(verdict.client),
    holds_rps: verdict.holds_rps,
    fails_rps: verdict.fails_rps,
    words: bracketWords(verdict),
    marks,
  };
}

function ofAudit(document: AuditDocument): Envelopes {
  const verdicts = clientVerdicts(document);
  const rows = verdicts
    .map(rowOf)
    .filter(({ marks }) => marks.length > 0)
    .toSorted((a, b) => (b.holds_rps ?? 0) - (a.holds_rps ?? 0) || (b.fails_rps ?? 0) - (a.fails_rps ?? 0));
  return {
    rows,
    of: 'rate',
    key: {
      holds: 'within tolerance',
      fails: 'biased',
      saturated: 'saturated',
      unclear: 'undetermined',
      none: 'no result',
    },
    explanation: `Bar: every rate tried up to there is within tolerance (TTFT p50 and p99, or what it prints in their place, inside ±${limitMs(DEFAULT_TOLERANCE_MS)} ms or the floor if larger, and at least 98\u00a0% of the rate). Dashed: the limit lies in here, between the last rate that holds and the first that fails. In figures at the right, requests/s.`,
    sentences: verdicts.map(({ sentence }) => sentence),
  };
}

function ofSearch(envelope: EnvelopeDocument): Envelopes {
  const clients = ranked(envelope);
  return {
    rows: clients
      .map(
        (client): Row => ({
          client: client.name,
          label: label(client.name),
          holds_rps: client.bracket?.holds?.rate_rps ?? null,
          fails_rps: client.bracket?.fails?.rate_rps ?? null,
          words: bracketShort(client.bracket),
          marks: envelope.trials
            .filter((trial) => trial.client === client.name)
            .map(({ rate_rps, verdict, reason }) => ({
              rate_rps,
              ending: verdict === 'undetermined' ? 'unclear' : verdict,
              reason,
            })),
        }),
      )
      .filter(({ marks }) => marks.length > 0),
    of: 'trial',
    key: {
      holds: 'within tolerance',
      fails: 'out of tolerance',
      unclear: 'undetermined',
      target: 'the target at its own limit',
    },
    explanation: `By the search of this folder, tolerance ${oneLine(envelope.search.tolerance)}; every mark is a trial. Bar: it holds up to there. Dashed: the limit lies in here. In figures at the right, requests/s.`,
    sentences: clients.map((client) => clientSentence({ ...client, why: null })),
  };
}

/** Marks of one row with their places, px: at one rate up and down from the row's middle. */
function placed(row: Row, y: number, x: (rate_rps: number) => number) {
  const seen = new Map<number, number>();
  return row.marks.map(({ rate_rps, ending }) => {
    const nth = seen.get(rate_rps) ?? 0;
    seen.set(rate_rps, nth + 1);
    return { ending, x: x(rate_rps), y: y + (nth % 2 === 1 ? -1 : 1) * Math.ceil(nth / 2) * STEP };
  });
}

const texts = (values: readonly View[], style: View): View => ({
  data: { values: [...values] },
  mark: { type: 'text', baseline: 'middle', fontSize: LABEL_SIZE, ...style },
  encoding: { x: pixel('x'), y: pixel('y'), text: { field: 'label', type: 'nominal' } },
});

const boxes = (values: readonly View[], style: View): readonly View[] =>
  values.length === 0
    ? []
    : [
        {
          data: { values: [...values] },
          mark: { type: 'rect', ...style },
          encoding: { x: pixel('x'), x2: { field: 'x2' }, y: pixel('y'), y2: { field: 'y2' } },
        },
      ];

function viewOf({ rows, key, of }: Envelopes): { view: View; width: number } {
  const rates = [...new Set(rows.flatMap(({ marks }) => marks.map(({ rate_rps }) => rate_rps)))];
  const most = Math.max(
    ...rows.flatMap(({ marks }) => rates.map((r) => marks.filter((m) => m.rate_rps === r).length)),
  );
  const rowHeight = Math.max(LEAST_ROW, 2 * Math.ceil((most - 1) / 2) * STEP + 18);
  const domain = logDomain(rates, 0.06);
  const { position } = logScale(domain, [0, WIDTH]);
  const middle = (index: number) => index * rowHeight + rowHeight / 2;
  const height = rows.length * rowHeight;
  const box = (index: number, from: number, to: number) => ({
    x: from,
    x2: Math.max(to, from + 1),
    y: middle(index) - BAR / 2,
    y2: middle(index) + BAR / 2,
  });
  const lowest = (row: Row) => position(Math.min(...row.marks.map(({ rate_rps }) => rate_rps)));
  const bars = rows.flatMap((row, i) =>
    row.holds_rps === null ? [] : [box(i, lowest(row), position(row.holds_rps))],
  );
  const gaps = rows.flatMap((row, i) =>
    row.fails_rps === null || (row.holds_rps ?? 0) > row.fails_rps
      ? []
      : [box(i, row.holds_rps === null ? 0 : position(row.holds_rps), position(row.fails_rps))],
  );
  const endings = (Object.keys(LOOKS) as Ending[]).filter((ending) =>
    rows.some(({ marks }) => marks.some((mark) => mark.ending === ending)),
  );
  const marks = rows.flatMap((row, i) => placed(row, middle(i), position));
  const names = Math.max(...rows.map((row) => textWidth(row.label, LABEL_SIZE, true)));
  const figures = Math.max(...rows.map((row) => textWidth(row.words, LABEL_SIZE, true)));
  const entries = endings.map(
    (ending): KeyEntry => ({
      label: `${of === 'trial' ? 'a trial: ' : ''}${key[ending]}`,
      look: LOOKS[ending],
    }),
  );
  const ticks = rates.length <= 8 ? [...rates].sort((a, b) => a - b) : [...logTicks(domain)];
  const axis: View = {
    data: { values: ticks.map((tick) => ({ tick })) },
    mark: { type: 'rule', color: GRID, strokeWidth: 1 },
    encoding: {
      x: {
        field: 'tick',
        type: 'quantitative',
        scale: { type: 'log', domain: [...domain], nice: false },
        axis: {
          title: 'Requested rate (requests/s, log scale)',
          values: ticks,
          format: NUMBER_FORMAT,
          grid: false,
          labelOverlap: 'parity',
          offset: 4,
        },
      },
      y: { value: 0 },
      y2: { value: height },
    },
  };
  return {
    width: Math.ceil(ROOM * (names + figures) + 2 * BESIDE + WIDTH + 32),
    view: {
      width: WIDTH,
      height,
      // Places in px beside an axis in requests/s: both run over the same width.
      resolve: { scale: { x: 'independent', y: 'independent' } },
      layer: [
        ...keyLayers(entries, WIDTH + 100),
        axis,
        ...boxes(bars, { color: COLORS[0], opacity: 0.35 }),
        ...boxes(gaps, { filled: false, stroke: AXIS, strokeDash: [4, 3], strokeWidth: 1.25, opacity: 1 }),
        ...endings.map((ending) => ({
          data: { values: marks.filter((mark) => mark.ending === ending) },
          mark: { type: 'point', size: 52, strokeWidth: 1.75, opacity: 1, ...LOOKS[ending] },
          encoding: { x: pixel('x'), y: pixel('y') },
        })),
        texts(
          rows.map((row, i) => ({ x: -BESIDE, y: middle(i), label: row.label })),
          { align: 'right', fontWeight: 600, color: INK },
        ),
        texts(
          rows.map((row, i) => ({ x: WIDTH + BESIDE, y: middle(i), label: row.words })),
          { align: 'left', fontWeight: 600, color: MUTED },
        ),
      ],
    },
  };
}

/** Null where nothing was tried, or where without a ledger nothing can hold. `envelope`: the search whose trials the audit has. */
export function envelopeChart(
  document: AuditDocument,
  envelope: EnvelopeDocument | null = null,
): AuditChart | null {
  const envelopes = envelope === null ? ofAudit(document) : ofSearch(envelope);
  const { rows, explanation, sentences } = envelopes;
  if (rows.length === 0 || !hasTruth(document)) return null;
  return {
    name: 'envelope-rates',
    title: 'Up to which rate each client holds (requests/s)',
    explanation,
    alternative: `Envelopes on a logarithmic axis of rates. ${sentences.join(' ')}`,
    provenance: provenanceOf(
      document,
      rows.map(({ client }) => client),
    ),
    data: chartData(
      document,
      ['rate_rps', 'ending', 'reason', 'holds_rps', 'fails_rps'],
      rows.flatMap((row) =>
        row.marks.map(({ rate_rps, ending, reason }) => ({
          client: row.client,
          cells: [rate_rps, ending, reason, row.holds_rps, row.fails_rps],
        })),
      ),
    ),
    ...viewOf(envelopes),
  };
}
