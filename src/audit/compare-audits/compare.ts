/** Two audits → what changed beyond the floor. Pure: the same documents give the same comparison. */
import type { Metric } from '../../measure/metrics.ts';
import type { AuditDocument } from '../document.ts';
import { attributionOf } from './attribution.ts';
import { cellOf, notesOf, valuesOf, whyNoLatency, whyNotComparable } from './cell.ts';
import { conditionsOf } from './conditions.ts';
import { definitionDifferences, redefined } from './definitions.ts';
import {
  type AuditSide,
  type ClientComparison,
  COMPARE_SCHEMA,
  type Comparison,
  type Condition,
  type Counts,
  FIGURE_STATES,
  type OutcomeComparison,
  type SideVerdict,
} from './document.ts';
import { type FigureSpec, totalOf } from './figures.ts';
import { hasInterval, idealOf, judge, type RawFigure } from './judge.ts';
import { compareOutcomes } from './outcomes.ts';
import { type Choice, type Pair, pairsOf } from './pairs.ts';

export interface CompareInput extends Choice {
  readonly a: AuditDocument;
  readonly b: AuditDocument;
  readonly folderA: string;
  readonly folderB: string;
  readonly figures: readonly FigureSpec[];
  /** The verdict of an audit on one of its clients. */
  readonly verdictOf: (document: AuditDocument, client: string) => SideVerdict;
  /** Tare's. */
  readonly version: string;
}

/** An audit is known by when it began and by its trials' own instants. */
const identity = ({ started_at, host, trials }: AuditDocument): string =>
  JSON.stringify([started_at, host.kernel, trials.map((trial) => [trial.id, trial.started_at])]);

interface RawCell {
  readonly rate_rps: number;
  readonly outcomes: OutcomeComparison | null;
  readonly figures: readonly RawFigure[];
  readonly notes: readonly string[];
}

function rawCell(input: CompareInput, pair: Pair, rateRps: number, moved: ReadonlySet<Metric>): RawCell {
  const [x, y] = [cellOf(input.a, pair.a.name, rateRps), cellOf(input.b, pair.b.name, rateRps)];
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
    outcomes: x.trials.length === 0 || y.trials.length === 0 ? null : compareOutcomes(x.trials, y.trials),
    figures: wanted.map((figure): RawFigure => {
      const values = valuesOf(figure, x, y);
      const own = figure.metric === null ? refused : noLatency;
      return {
        figure,
        values,
        refused: own ?? (values.reason === '' ? null : values.reason),
        ideal: idealOf(figure, understood),
      };
    }),
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
  const intervals = raw.flatMap(({ cells }) =>
    cells.flatMap(({ figures }) => figures.filter(hasInterval)),
  ).length;
  const family = Math.max(1, intervals);
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
        conditions,
      }),
      rates: cells.map((cell) => ({ ...cell, figures: cell.figures.map((figure) => judge(figure, family)) })),
    }),
  );
  return {
    schema: COMPARE_SCHEMA,
    tare_version: input.version,
    a: sideOf(a, input.folderA),
    b: sideOf(b, input.folderB),
    same_audit: sameAudit,
    conditions,
    family: { intervals, level_each: 1 - 0.05 / family },
    clients,
    not_compared,
    counts: countStates(clients),
  };
}
