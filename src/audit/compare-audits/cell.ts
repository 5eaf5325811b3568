/** One client at one rate on both sides: whether it can be compared, and the values of a figure on each. Pure. */
import { printedStep } from '../../measure/resolution.ts';
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

/** Trials that are one and the same on both sides: by what they are called and when they began. */
function sharedTrials(a: CellSide, b: CellSide): number {
  const key = ({ id, started_at }: Trial) => JSON.stringify([id, started_at]);
  const there = new Set(a.trials.map(key));
  return b.trials.filter((trial) => there.has(key(trial))).length;
}

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
  const shared = sharedTrials(a, b);
  if (shared > 0)
    return shared === a.trials.length && shared === b.trials.length
      ? 'the same trials in A and in B'
      : `${shared} of its trials are in A and in B: one folder holds some of the other's`;
  const [p, q] = [a.document.plan.target, b.document.plan.target];
  const checks: [what: string, a: string, b: string][] = [
    ['targets', p.kind === 'external' ? `${p.url}` : p.kind, q.kind === 'external' ? `${q.url}` : q.kind],
    // Our own target answers alike whatever its model is called; of a server the model decides.
    ...(p.kind === 'reference' ? [] : [['models', p.model, q.model] as [string, string, string]]),
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
  const counts = `${x} of ${a.trials.length} trials in A, ${y} of ${b.trials.length} in B`;
  const trace = a.trials[0]!.workload.arrivals;
  const bare = (['A', 'B'] as const).filter((_, i) => hasTrialWithoutLedger([a, b][i]!));
  return [
    ...(x + y === 0
      ? []
      : [
          `saturated ${sideWords(x, y)} (${counts}): such a trial is one of a lower rate, and what its client adds grows as long as it lasts`,
        ]),
    ...(trace.kind === 'trace'
      ? [`both sent the trace ${trace.file}: compared by its name, since what was in it is not recorded`]
      : []),
    ...bare.map((side) => `trials of ${side} without a ledger are left out of its rate`),
  ];
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
  /** The step of their difference: each side may be off by half of its own. */
  readonly resolution: number;
  /** Why a side has no value; empty where both have. */
  readonly reason: string;
}

const there = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value): value is number => value !== null && value !== undefined);

const SOURCES = {
  ledger: "by the target's ledger",
  records: "by the client's own records",
  printed: 'by what the client prints',
} as const;
type Source = keyof typeof SOURCES;

/** Who says what arrived; null: nobody. A ledger where any trial has one: a trial without is left out. */
function sourceOf({ trials }: CellSide): Source | null {
  const ran = trials.filter(hasOutcomeFigures);
  if (ran.some(({ truth }) => truth !== null)) return 'ledger';
  const own = ran.map(({ client_side }) => client_side?.source ?? 'none');
  return own.find((one): one is 'records' | 'printed' => one !== 'none') ?? null;
}

function hasTrialWithoutLedger(side: CellSide): boolean {
  const ran = side.trials.filter(hasOutcomeFigures);
  return sourceOf(side) === 'ledger' && ran.some(({ truth }) => truth === null);
}

/** Requests answered in full, of those that arrived; those that the client itself counts as failed are not. Null where nobody counted. */
function successOf({ truth, reported }: Trial): { readonly share: number; readonly requests: number } | null {
  const own = reported?.failed ?? 0;
  if (truth !== null) {
    const all = Object.values(truth.outcomes).reduce((sum, n) => sum + n, 0);
    const failed = Math.max(all - (truth.outcomes.complete ?? 0), own);
    return all === 0 ? null : { share: Math.max(0, 1 - failed / all), requests: all };
  }
  if (reported === null || reported.completed === null || reported.failed === null) return null;
  const all = reported.completed + own;
  return all === 0 ? null : { share: reported.completed / all, requests: all };
}

function plainValues(side: CellSide, kind: FigureSpec['kind']): number[] {
  const ran = side.trials.filter(hasOutcomeFigures);
  if (kind === 'cpu') return there(ran.map(({ observed }) => observed?.busiest_thread_share));
  const source = sourceOf(side);
  if (kind === 'success')
    return there(
      ran
        .filter(({ truth }) => source !== 'ledger' || truth !== null)
        .map((trial) => successOf(trial)?.share),
    );
  const said = ran.map(({ truth, client_side }) =>
    source === 'ledger' ? truth : client_side?.source === source ? client_side : null,
  );
  return there(said.map((one) => (kind === 'rate' ? one?.rate_fidelity : one?.gap_cv2)));
}

/** The least step of a latency that is believed, ms: clocks of clients are not all finer than a microsecond. */
const LEAST_STEP_MS = 0.001;
/** Of shares and squared CVs: far below their floors, and above what nobody reads off /proc or a ledger. */
const LEAST_STEP = { rate: 1e-6, cpu: 1e-3, gaps: 1e-3 } as const;
/** None of n failed: at 1 − e⁻⁶, less than 6 in n fail (the "rule of three" for a family of about twenty). */
const NONE_OF_N = 6;

/** To which step a side's values are read, in the figure's unit. */
function stepOf(side: CellSide, figure: FigureSpec): number {
  const ran = side.trials.filter(hasOutcomeFigures);
  if (figure.kind === 'success') {
    const requests = ran.reduce((sum, trial) => sum + (successOf(trial)?.requests ?? 0), 0);
    return requests === 0 ? 0 : NONE_OF_N / requests;
  }
  if (figure.metric === null) {
    const least = LEAST_STEP[figure.kind as keyof typeof LEAST_STEP];
    if (figure.kind !== 'rate' || sourceOf(side) !== 'printed') return least;
    const printed = printedStep(there(ran.map(({ reported }) => reported?.achievedRps)));
    return Math.max(least, (printed ?? 0) / ran[0]!.workload.rateRps);
  }
  // Over all of its rates: the more figures, the less are they round by chance.
  const printed = side.document.trials
    .filter(({ client }) => client === side.client)
    .flatMap(({ bias }) => bias)
    .filter(({ metric, statistic }) => metric === figure.metric && statistic === figure.statistic);
  return Math.max(LEAST_STEP_MS, printedStep(there(printed.map((row) => row.reported_ms))) ?? 0);
}

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
  if (figure.kind === 'cpu') return `not observed in ${name}`;
  if (figure.metric === null) return `nobody counted it in ${name}`;
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
  const resolution = (stepOf(a, figure) + stepOf(b, figure)) / 2;
  if (figure.metric === null) {
    const [x, y] = [plainValues(a, figure.kind), plainValues(b, figure.kind)];
    const floor = CHOSEN_FLOOR[figure.kind as keyof typeof CHOSEN_FLOOR];
    const [s, t] = [sourceOf(a), sourceOf(b)];
    const unlike = figure.kind !== 'cpu' && s !== t && s !== null && t !== null;
    const reason =
      x.length === 0 || y.length === 0 || !unlike ? reasonOf(x, y) : `${SOURCES[s]} in A, ${SOURCES[t]} in B`;
    return { a: x, b: y, floor, resolution, reason };
  }
  const [fa, fb] = [findingOf(a, figure), findingOf(b, figure)];
  const byPairs = fa?.bias_by === 'pairs' && fb?.bias_by === 'pairs';
  const [x, y] = [biasValues(a, figure, byPairs), biasValues(b, figure, byPairs)];
  return {
    a: x,
    b: y,
    floor: floorOfDifference(figure, fa?.floor_ms ?? null, fb?.floor_ms ?? null),
    resolution,
    reason: reasonOf(x, y),
  };
}
