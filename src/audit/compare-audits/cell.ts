/** One client at one rate on both sides: whether it can be compared, and the values of a figure on each. Pure. */
import type { Workload } from '../../measure/workload.ts';
import type { AuditDocument, Finding, Trial } from '../document.ts';
import { CHOSEN_FLOOR, type FigureSpec } from './figures.ts';
import { hasOutcomeFigures } from './outcomes.ts';

export interface CellSide {
  readonly document: AuditDocument;
  readonly client: string;
  readonly trials: readonly Trial[];
}

/** The trials of a client at a rate. */
export const cellOf = (document: AuditDocument, client: string, rateRps: number): CellSide => ({
  document,
  client,
  trials: document.trials.filter((t) => t.client === client && t.workload.rateRps === rateRps),
});

const asked = ({ arrivals }: Workload): string =>
  arrivals.kind === 'gamma'
    ? `gamma with CV² ${arrivals.cv2}`
    : arrivals.kind === 'trace'
      ? `trace ${arrivals.file}`
      : arrivals.kind;

/** Why the two cannot be compared at this rate, whatever the figure; null where they can. */
export function whyNotComparable(a: CellSide, b: CellSide): string | null {
  const [x, y] = [a.trials[0], b.trials[0]];
  if (x === undefined || y === undefined) {
    const sides = [...(x === undefined ? ['A'] : []), ...(y === undefined ? ['B'] : [])].join(' and in ');
    return `not run at this rate in ${sides}`;
  }
  const [p, q] = [a.document.plan.target, b.document.plan.target];
  const checks: [what: string, a: string, b: string][] = [
    ['targets', p.kind === 'external' ? `${p.url}` : p.kind, q.kind === 'external' ? `${q.url}` : q.kind],
    ['injected latencies', x.workload.latency, y.workload.latency],
    ['arrivals', asked(x.workload), asked(y.workload)],
    ['prompt lengths', `${x.workload.promptTokens} tokens`, `${y.workload.promptTokens} tokens`],
    ['output lengths', `${x.workload.outputTokens} tokens`, `${y.workload.outputTokens} tokens`],
  ];
  const differing = checks.filter(([, one, other]) => one !== other);
  return differing.length === 0
    ? null
    : differing.map(([what, one, other]) => `other ${what}: ${one} in A, ${other} in B`).join('; ');
}

const saturated = ({ trials }: CellSide): number =>
  trials.filter(({ outcome }) => outcome.kind === 'saturated').length;

const sideWords = (a: number, b: number): string =>
  a > 0 && b > 0 ? 'on both sides' : a > 0 ? 'in A' : 'in B';

/** Why latencies cannot be compared at this rate though the workload is the same; null where they can. */
export function whyNoLatency(a: CellSide, b: CellSide): string | null {
  const [x, y] = [saturated(a), saturated(b)];
  const [long, short] = [a.trials[0]!.workload.durationS, b.trials[0]!.workload.durationS];
  return x + y > 0 && long !== short
    ? `saturated ${sideWords(x, y)}: the delay grows as long as a trial lasts, and trials lasted ${long} s in A, ${short} s in B`
    : null;
}

/** What to know when reading a cell's figures. */
export function notesOf(a: CellSide, b: CellSide): readonly string[] {
  const [x, y] = [saturated(a), saturated(b)];
  return x + y === 0
    ? []
    : [`saturated ${sideWords(x, y)}: what a saturated client adds grows as long as a trial lasts`];
}

const findingOf = ({ document, client, trials }: CellSide, figure: FigureSpec): Finding | null =>
  document.findings.find(
    (f) =>
      f.client === client &&
      f.rate_rps === trials[0]?.workload.rateRps &&
      f.metric === figure.metric &&
      f.statistic === figure.statistic,
  ) ?? null;

export interface FigureValues {
  /** A value a repetition. */
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly floor: number | null;
  /** Why a side has no value; empty where both have. */
  readonly reason: string;
}

const there = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value): value is number => value !== null && value !== undefined);

function plainValues({ trials }: CellSide, kind: FigureSpec['kind']): number[] {
  const ran = trials.filter(hasOutcomeFigures);
  if (kind === 'cpu') return there(ran.map(({ observed }) => observed?.busiest_thread_share));
  const side = ran.map((trial) => trial.truth ?? trial.client_side);
  return there(side.map((one) => (kind === 'rate' ? one?.rate_fidelity : one?.gap_cv2)));
}

/** Who says what arrived: only like with like. */
const source = ({ trials }: CellSide): string => {
  const trial = trials.find(hasOutcomeFigures);
  return trial === undefined || trial.truth !== null ? 'ledger' : (trial.client_side?.source ?? 'none');
};

function biasValues(side: CellSide, figure: FigureSpec, byPairs: boolean): number[] {
  const rows = side.trials
    .filter(hasOutcomeFigures)
    .map(({ bias }) => bias.find((r) => r.metric === figure.metric && r.statistic === figure.statistic));
  if (figure.kind === 'total') return there(rows.map((row) => row?.total_bias_ms));
  return there(rows.map((row) => (byPairs ? row?.paired_ms : row?.queueing_bias_ms)));
}

/**
 * The floor of a difference of two biases, ms. What a machine adds to TTFT or E2E is a delay: at least 0 and at most its floor, so that what two
 * add differs by at most the larger floor. A gap between tokens can be made longer or shorter by it, so there both floors add up.
 */
export function floorOfDifference(figure: FigureSpec, a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return figure.metric === 'itl' || figure.metric === 'tpot' ? a + b : Math.max(a, b);
}

function why(side: CellSide, name: 'A' | 'B', figure: FigureSpec): string {
  const ran = side.trials.filter(hasOutcomeFigures);
  if (ran.length === 0) return `no trial of ${name} left figures`;
  if (figure.metric === null) return `not observed in ${name}`;
  const absent = ran
    .map(({ reported }) => reported?.metrics[figure.metric!].absent)
    .find((text) => text !== undefined);
  if (absent !== undefined) return `${name}: ${absent}`;
  if (ran.every(({ truth }) => truth === null))
    return `no bias is known in ${name}: its target keeps no ledger`;
  return `the client gives no such figure in ${name}`;
}

/** The values of a figure on both sides, with the floor of their difference in the figure's unit. */
export function valuesOf(figure: FigureSpec, a: CellSide, b: CellSide): FigureValues {
  const reasonOf = (x: readonly number[], y: readonly number[]): string =>
    [...(x.length === 0 ? [why(a, 'A', figure)] : []), ...(y.length === 0 ? [why(b, 'B', figure)] : [])].join(
      '; ',
    );
  if (figure.metric === null) {
    const [x, y] = [plainValues(a, figure.kind), plainValues(b, figure.kind)];
    const floor = CHOSEN_FLOOR[figure.kind as keyof typeof CHOSEN_FLOOR];
    if (figure.kind !== 'cpu' && x.length > 0 && y.length > 0 && source(a) !== source(b))
      return { a: x, b: y, floor, reason: `by the ${source(a)} in A, by the ${source(b)} in B` };
    return { a: x, b: y, floor, reason: reasonOf(x, y) };
  }
  const [fa, fb] = [findingOf(a, figure), findingOf(b, figure)];
  const byPairs = fa?.bias_by === 'pairs' && fb?.bias_by === 'pairs';
  const [x, y] = [biasValues(a, figure, byPairs), biasValues(b, figure, byPairs)];
  return {
    a: x,
    b: y,
    floor: floorOfDifference(figure, fa?.floor_ms ?? null, fb?.floor_ms ?? null),
    reason: reasonOf(x, y),
  };
}
