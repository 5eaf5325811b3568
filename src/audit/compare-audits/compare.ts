/** Two audits → what changed beyond the floor. Pure: the same documents give the same comparison. */
import type { Metric } from '../../measure/metrics.ts';
import type { AuditDocument } from '../document.ts';
import { attributionOf } from './attribution.ts';
import { type CellSide, cellOf, notesOf, valuesOf, whyNoLatency, whyNotComparable } from './cell.ts';
import { conditionsOf } from './conditions.ts';
import { definitionDifferences, redefined } from './definitions.ts';
import {
  type AuditSide,
  type ClientComparison,
  COMPARE_SCHEMA,
  type Comparison,
  type Condition,
  type Counts,
  FAMILIES,
  type Family,
  type FamilyName,
  FIGURE_STATES,
  type FigureComparison,
  type OutcomeComparison,
  type SideVerdict,
} from './document.ts';
import { type FigureSpec, PRIMARY_FIGURES, totalOf, WITHOUT_TTFT } from './figures.ts';
import { idealOf, isJudged, judgeFamily, type RawFigure } from './judge.ts';
import { compareOutcomes } from './outcomes.ts';
import { type Choice, type Pair, pairsOf } from './pairs.ts';

export interface CompareInput extends Choice {
  readonly a: AuditDocument;
  readonly b: AuditDocument;
  readonly folderA: string;
  readonly folderB: string;
  readonly figures: readonly FigureSpec[];
  /** They were named by the user, who means to decide by all of them. */
  readonly chosen: boolean;
  /** The verdict of an audit on one of its clients. */
  readonly verdictOf: (document: AuditDocument, client: string) => SideVerdict;
  /** Tare's. */
  readonly version: string;
}

/** An audit is known by when it began and by its trials' own instants. */
const identity = ({ started_at, host, trials }: AuditDocument): string =>
  JSON.stringify([started_at, host.kernel, trials.map((trial) => [trial.id, trial.started_at])]);

type Cells = readonly [a: CellSide, b: CellSide];

const cellsOf = (input: CompareInput, pair: Pair, rateRps: number): Cells => [
  cellOf(input.a, pair.a.name, rateRps),
  cellOf(input.b, pair.b.name, rateRps),
];

/** Null where a side has no trial. */
const outcomesOf = ([x, y]: Cells, cells: number): OutcomeComparison | null =>
  x.trials.length === 0 || y.trials.length === 0 ? null : compareOutcomes(x.trials, y.trials, cells);

interface RawCell {
  readonly rate_rps: number;
  readonly gone: boolean;
  readonly figures: readonly RawFigure[];
  readonly notes: readonly string[];
}

/** Those that decide: what the user named, else the few of PRIMARY_FIGURES, with E2E where no TTFT can be compared. A total bias never. */
function inFamilies(figures: readonly RawFigure[], chosen: boolean): readonly RawFigure[] {
  const isPrimary = ({ figure: { name } }: RawFigure) => PRIMARY_FIGURES.includes(name);
  const noTtft = !figures.some(
    (raw) => raw.figure.metric === 'ttft' && isPrimary(raw) && raw.refused === null,
  );
  return figures.map((raw): RawFigure => {
    const { name, kind, metric } = raw.figure;
    const stands = noTtft && name === WITHOUT_TTFT;
    const decides =
      kind !== 'total' && (chosen || stands || (isPrimary(raw) && !(noTtft && metric === 'ttft')));
    return { ...raw, family: decides ? 'primary' : 'besides' };
  });
}

function rawCell(input: CompareInput, pair: Pair, rateRps: number, moved: ReadonlySet<Metric>): RawCell {
  const [x, y] = cellsOf(input, pair, rateRps);
  const refused = whyNotComparable(x, y);
  const noLatency = refused ?? whyNoLatency(x, y);
  const wanted = input.figures.flatMap((figure) =>
    figure.kind === 'bias' && moved.has(figure.metric!) ? [figure, totalOf(figure)] : [figure],
  );
  const arrivals = (x.trials[0] ?? y.trials[0])?.workload.arrivals ?? { kind: 'constant' as const };
  // Some send a Poisson process when asked for equal gaps; nobody blames their gaps for that.
  const understood =
    pair.b.facts.constantIsPoisson && arrivals.kind === 'constant' ? { kind: 'poisson' as const } : arrivals;
  return {
    rate_rps: rateRps,
    gone: x.trials.length > 0 && y.trials.length === 0,
    figures: inFamilies(
      wanted.map((figure): RawFigure => {
        const values = valuesOf(figure, x, y);
        const own = figure.metric === null ? refused : noLatency;
        return {
          figure,
          family: 'besides',
          values,
          refused: own ?? (values.reason === '' ? null : values.reason),
          ideal: idealOf(figure, understood),
        };
      }),
      input.chosen,
    ),
    notes: refused === null ? notesOf(x, y) : [],
  };
}

/** Rates that either side was to be run at, rising. */
const ratesOf = (input: CompareInput, pair: Pair): readonly number[] => {
  const ran = (document: AuditDocument, client: string) =>
    document.trials.filter((t) => t.client === client).map((t) => t.workload.rateRps);
  return [...new Set([...ran(input.a, pair.a.name), ...ran(input.b, pair.b.name)])].sort((p, q) => p - q);
};

const versionOf = ({ found }: Pair['a']): string =>
  found.state === 'found' ? found.version || 'of no stated version' : 'not installed';

const sideOf = (document: AuditDocument, folder: string): AuditSide => ({
  folder,
  tare_version: document.tare_version,
  started_at: document.started_at,
  state: document.state,
});

/** How many figures are in each state. */
export function countStates(clients: readonly ClientComparison[]): Counts {
  const states = clients.flatMap(({ rates }) =>
    rates.flatMap(({ figures }) => figures.map(({ state }) => state)),
  );
  return Object.fromEntries(
    FIGURE_STATES.map((state) => [state, states.filter((one) => one === state).length]),
  ) as Counts;
}

/** Throws a UserError for a client or a mapping that the audits do not have. */
export function compareAudits(input: CompareInput): Comparison {
  const { a, b } = input;
  const sameAudit = identity(a) === identity(b);
  const { pairs, not_compared } = pairsOf(a, b, sameAudit, input);
  const conditions: readonly Condition[] = conditionsOf(a, b);
  const raw = pairs.map((pair) => {
    const definitions = definitionDifferences(pair.a.facts, pair.b.facts);
    const cells = ratesOf(input, pair).map((rate) => rawCell(input, pair, rate, redefined(definitions)));
    return { pair, definitions, cells };
  });
  const all = raw.flatMap(({ cells }) => cells.flatMap(({ figures }) => figures));
  const families = Object.fromEntries(
    FAMILIES.map((family) => [family, all.filter((figure) => figure.family === family)]),
  ) as Record<FamilyName, RawFigure[]>;
  const judged = new Map<RawFigure, FigureComparison>();
  for (const own of Object.values(families)) {
    const figures = judgeFamily(own);
    for (const [i, figure] of own.entries()) judged.set(figure, figures[i]!);
  }
  const sizeOf = (family: FamilyName): Family => {
    const intervals = families[family].filter(isJudged).length;
    return { intervals, level_each: 1 - 0.05 / Math.max(1, intervals) };
  };
  const ran = raw
    .flatMap(({ pair, cells }) => cells.map((cell) => cellsOf(input, pair, cell.rate_rps)))
    .filter(([x, y]) => x.trials.length > 0 && y.trials.length > 0).length;
  const clients = raw.map(
    ({ pair, definitions, cells }): ClientComparison => ({
      a: pair.a.name,
      b: pair.b.name,
      version_a: versionOf(pair.a),
      version_b: versionOf(pair.b),
      definitions,
      verdict_a: input.verdictOf(a, pair.a.name),
      verdict_b: input.verdictOf(b, pair.b.name),
      attribution: attributionOf({
        sameAudit,
        a: { client: pair.a.name, version: versionOf(pair.a) },
        b: { client: pair.b.name, version: versionOf(pair.b) },
        factsDiffer: definitions.length > 0,
        external: a.plan.target.kind === 'external' || b.plan.target.kind === 'external',
        conditions,
      }),
      rates: cells.map((cell) => ({
        ...cell,
        outcomes: outcomesOf(cellsOf(input, pair, cell.rate_rps), ran),
        figures: cell.figures.map((figure) => judged.get(figure)!),
      })),
    }),
  );
  return {
    schema: COMPARE_SCHEMA,
    tare_version: input.version,
    a: sideOf(a, input.folderA),
    b: sideOf(b, input.folderB),
    same_audit: sameAudit,
    conditions,
    family: { primary: sizeOf('primary'), besides: sizeOf('besides') },
    clients,
    not_compared,
    counts: countStates(clients),
  };
}
