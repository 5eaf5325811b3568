/** The rows of the tables of a comparison, shared by terminal, Markdown and page. Pure. */
import {
  type ClientComparison,
  type Comparison,
  type Condition,
  FIGURE_STATES,
  type FigureComparison,
  type OutcomeState,
  type RateComparison,
} from '../../src/audit/compare-audits/document.ts';

export interface FigureRow {
  readonly client: ClientComparison;
  readonly rate: RateComparison;
  readonly figure: FigureComparison;
}

/** Every figure, in the order of clients, rates and figures. */
export const figureRows = ({ clients }: Pick<Comparison, 'clients'>): readonly FigureRow[] =>
  clients.flatMap((client) =>
    client.rates.flatMap((rate) => rate.figures.map((figure) => ({ client, rate, figure }))),
  );

/** As they matter: what changed first, what could not be compared last; else in their order. */
export const byState = (rows: readonly FigureRow[]): readonly FigureRow[] =>
  [...rows].sort((x, y) => FIGURE_STATES.indexOf(x.figure.state) - FIGURE_STATES.indexOf(y.figure.state));

/** What changed, and what everybody looks at first: the rest is in the files. */
export const isShort = ({ figure }: FigureRow): boolean =>
  figure.state === 'worse' ||
  figure.state === 'better' ||
  figure.state === 'changed' ||
  (figure.family === 'primary' && figure.state !== 'refused');

/** The versions of the clients, as conditions; names too where they differ. */
export const versions = ({ clients }: Pick<Comparison, 'clients'>): readonly Condition[] =>
  clients.map(({ a, b, version_a, version_b }) => {
    const [x, y] = a === b ? [version_a, version_b] : [`${a} ${version_a}`, `${b} ${version_b}`];
    return {
      group: 'client',
      what: a === b ? `version of ${a}` : 'client',
      a: x,
      b: y,
      state: x === y ? 'same' : 'differs',
    };
  });

/** What differs, the clients first, then what every audit finds anew. */
export const unlike = (comparison: Comparison): readonly Condition[] => {
  const rows = [...versions(comparison), ...comparison.conditions];
  return [
    ...rows.filter(({ state }) => state === 'differs'),
    ...rows.filter(({ state, a, b }) => state === 'measured' && a !== b),
  ];
};

/** The names of what was the same. */
export const alike = ({ conditions }: Comparison): readonly string[] =>
  conditions
    .filter(({ state, a, b }) => state === 'same' || (state === 'measured' && a === b))
    .map(({ what }) => what);

/** The names of what a side did not record: nobody knows whether it was the same. */
export const unknown = ({ conditions }: Comparison): readonly string[] =>
  conditions.filter(({ state }) => state === 'unknown').map(({ what }) => what);

/** How the trials of a rate changed, in one word: what is for the worse first. */
export function outcomeState({ outcomes }: RateComparison): OutcomeState | null {
  if (outcomes === null) return null;
  const states = [outcomes.state, outcomes.saturation];
  return (['worse', 'undetermined', 'better', 'same'] as const).find((state) => states.includes(state))!;
}

/** Counts of outcomes: `3 measured`, `2 measured, 1 clientFailed`. */
export const outcomeText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([kind, n]) => `${n} ${kind}`)
    .join(', ');
